/*
 * What units and dispatch need: llvm-mca's answer, and the measured figures
 * that replace it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bound/internal.h"

/* What is no jump falls through, and leads nowhere else. */
#define ON .taken = CY_NOWHERE, .falls_through = true
static const struct cy_code_insn load = {.flow = {.n_loads = 1, ON}},
                                 store = {.flow = {.n_stores = 1, ON}},
                                 plain = {.flow = {ON}},
                                 jump = {.flow = {.falls_through = true}},
                                 jump_away = {0};

static const struct cy_operands xmm = {
    .load.class = CY_XMM, .store.class = CY_XMM, .insn.mnemonic = "movups"};
static const struct cy_operands cmp = {.insn.mnemonic = "cmp"};

/* Two loads and a store of xmm registers, a comparison and a jump. */
static const struct cy_step steps[] = {
    {.insn = &load, .operands = xmm},
    {.insn = &load, .operands = xmm},
    {.insn = &store, .operands = xmm},
    {.insn = &plain, .operands = cmp},
    {.insn = &jump, .operands.insn.mnemonic = "jne"},
};
#define N 5

static struct cy_machine *machine_of(const char *keys)
{
    char path[] = "/tmp/machine.XXXXXX";
    int fd = mkstemp(path);
    struct cy_machine *machine;
    struct diag d;

    assert_true(fd >= 0);
    dprintf(fd,
            "{\"name\": \"m\", \"source\": \"s\", \"llvm_mca_cpu\": \"c\"%s}",
            keys);
    close(fd);
    machine = cy_machine_read(path, &d);
    unlink(path);
    assert_non_null(machine);
    return machine;
}

#define ACCESS \
    ", \"access\": {\"load_xmm\": 0.5, \"store_xmm\": 1, \"any\": 0.25}"
#define FUSED ", \"fused\": [\"cmp\"]"

static void assert_cycles(double cycles, struct cy_mca_region region,
                          const char *keys)
{
    struct cy_machine *machine = keys != NULL ? machine_of(keys) : NULL;

    assert_float_equal(cy_throughput(&region, steps, N, machine), cycles, 1e-9);
    cy_machine_free(machine);
}

/* llvm-mca says 1.5, because of units for memory. */
static const struct cy_mca_region by_memory = {.throughput = 1.5,
                                               .dispatch = 0.75,
                                               .memory = 1.5,
                                               .other = 0.5,
                                               .width = 4};

static void llvm_mca_counts_if_the_file_has_no_figures(void **state)
{
    (void)state;
    assert_cycles(1.5, by_memory, NULL);
    assert_cycles(1.5, by_memory, "");
    assert_cycles(1.5, by_memory, FUSED);
    assert_cycles(1.5, by_memory,
                  ", \"access\": {\"load_xmm\": 0.5, \"any\": 0.25}");
}

static void measured_accesses_replace_units_for_memory(void **state)
{
    (void)state;
    assert_cycles(1, by_memory, ACCESS);
    assert_cycles(3, by_memory,
                  ", \"access\": {\"load_xmm\": 0, \"store_xmm\": 0, "
                  "\"any\": 1}");
}

static void other_units_are_those_of_llvm_mca(void **state)
{
    struct cy_mca_region region = by_memory;

    (void)state;
    region.throughput = region.other = 5;
    assert_cycles(5, region, ACCESS);
    region = by_memory;
    region.other = 1.25;
    assert_cycles(1.25, region, ACCESS);
}

static void a_fused_pair_saves_a_place(void **state)
{
    struct cy_mca_region region = by_memory;

    (void)state;
    region.throughput = region.dispatch = 2;
    region.memory = 1;
    assert_cycles(2, region, ACCESS);
    assert_cycles(1.75, region, ACCESS FUSED);
}

static void only_conditional_jumps_are_fused(void **state)
{
    struct cy_step other[N];
    struct cy_mca_region region = {.throughput = 2, .dispatch = 2, .width = 4};
    struct cy_machine *machine = machine_of(ACCESS FUSED);

    (void)state;
    for (int i = 0; i < N; i++)
        other[i] = steps[i];
    other[4].insn = &jump_away;
    assert_float_equal(cy_throughput(&region, other, N, machine), 2, 1e-9);
    other[4].insn = &plain;
    assert_float_equal(cy_throughput(&region, other, N, machine), 2, 1e-9);
    cy_machine_free(machine);
}

#define DISPATCH ", \"dispatch\": {\"width\": 5, \"rounds\": [1, 1, 1, 1.5]}"

static void a_measured_dispatch_replaces_that_of_llvm_mca(void **state)
{
    struct cy_mca_region region = {.throughput = 2.5,
                                   .dispatch = 2.5,
                                   .memory = 1,
                                   .other = 0.5,
                                   .width = 4};

    (void)state;
    assert_cycles(2, region, DISPATCH);
    assert_cycles(1.8, region, DISPATCH ACCESS FUSED);
    region.throughput = region.other = 4;
    assert_cycles(4, region, DISPATCH);
}

static void a_short_round_takes_what_one_of_its_places_does(void **state)
{
    struct cy_mca_region region = {.throughput = 1, .dispatch = 1, .width = 4};
    struct cy_machine *machine = machine_of(DISPATCH);

    (void)state;
    assert_cycles(1.5, region, DISPATCH);
    assert_float_equal(cy_throughput(&region, steps, N - 1, machine), 0.8,
                       1e-9);
    cy_machine_free(machine);
}

static void what_llvm_mca_is_not_asked_takes_its_places(void **state)
{
    struct cy_mca_insn left_out = {
        .is_left_out = true, .is_known = true, .uops = 2};
    struct cy_step all[N + 1];
    struct cy_mca_region region = {.throughput = 1, .dispatch = 1, .width = 5};
    struct cy_machine *machine = machine_of(DISPATCH);

    (void)state;
    all[0] = (struct cy_step){.insn = &plain, .mca = &left_out};
    memcpy(&all[1], steps, sizeof steps);
    assert_float_equal(cy_throughput(&region, all, N, machine), 1.4, 1e-9);
    cy_machine_free(machine);
}

static void wide_accesses_take_more_of_shared_units(void **state)
{
    (void)state;
    assert_cycles(3, by_memory,
                  ", \"access\": {\"load_xmm\": 0.5, \"store_xmm\": 1, "
                  "\"any\": 0.5, \"any_xmm\": 1}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(llvm_mca_counts_if_the_file_has_no_figures),
        cmocka_unit_test(measured_accesses_replace_units_for_memory),
        cmocka_unit_test(other_units_are_those_of_llvm_mca),
        cmocka_unit_test(a_fused_pair_saves_a_place),
        cmocka_unit_test(only_conditional_jumps_are_fused),
        cmocka_unit_test(a_measured_dispatch_replaces_that_of_llvm_mca),
        cmocka_unit_test(a_short_round_takes_what_one_of_its_places_does),
        cmocka_unit_test(what_llvm_mca_is_not_asked_takes_its_places),
        cmocka_unit_test(wide_accesses_take_more_of_shared_units),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
