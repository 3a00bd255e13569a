/* Machine files: their figures, which file is found, and their errors. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "core/cy_figure.h"

#define HEAD "{'name': 'm', 'source': 'a test', 'llvm_mca_cpu': 'generic'"

/* The machine and the last message of a test. */
static struct cy_machine *m;
static struct diag d;

BEFORE_EACH()
{
    unit_enter_directory();
}

AFTER_EACH()
{
    cy_machine_free(m);
    m = NULL;
    d.text[0] = '\0';
}

static void put(const char *name, const char *text)
{
    FILE *out = fopen(name, "w");

    assert_non_null(out);
    unit_put_json(out, text);
    assert_int_equal(fclose(out), 0);
}

static void read_text(const char *text)
{
    put("m.json", text);
    cy_machine_free(m);
    m = cy_machine_read("m.json", &d);
}

static void good(const char *rest)
{
    char text[4096];

    snprintf(text, sizeof text, HEAD "%s}", rest);
    read_text(text);
    assert_string_equal(d.text, "");
    assert_non_null(m);
}

/* Finds the machine file for code of an architecture on this processor. */
static void find_here(enum arch arch)
{
    cy_machine_free(m);
    m = cy_machine_here(".", arch, &d);
}

/* Checks the message that follows "PATH: " for a bad machine file. */
static void bad(const char *text, const char *message)
{
    read_text(text);
    assert_null(m);
    assert_memory_equal(d.text, "m.json: ", strlen("m.json: "));
    assert_string_equal(d.text + strlen("m.json: "), message);
    d.text[0] = '\0';
}

static const struct cy_access general = {CY_GENERAL, CY_BASE, 64, CY_NONE,
                                         false};

static double forward(const struct cy_through *t)
{
    struct cy_cost cost;

    return cy_machine_forward(m, t, &cost) ? cost.cycles : -1;
}

TEST(the_first_rule_that_matches_wins)
{
    struct cy_through t = {.store = general, .load = general};
    struct cy_cost cost;

    good(", 'forward': [{'relation': ['several', 'partial'], 'how': 'failed', "
         "'cycles': 20},{'delta_k': 1, 'store_first': false, 'how': 'renamed', "
         "'cycles': 0},{'copy': false, 'cycles': 5, 'at_least': 7.5}]");
    assert_true(cy_machine_forward(m, &t, &cost));
    assert_true(cost.cycles == 5 && cost.at_least == 7.5);
    assert_int_equal(cost.how, CY_FORWARDED);
    t.delta_k = 1;
    assert_true(cy_machine_forward(m, &t, &cost));
    assert_true(cost.cycles == 0 && cost.at_least == 0);
    assert_int_equal(cost.how, CY_RENAMED);
    t.relation = CY_SEVERAL;
    assert_true(cy_machine_forward(m, &t, &cost));
    assert_int_equal(cost.how, CY_FAILED);
}

TEST(a_value_that_no_rule_matches_is_unknown)
{
    struct cy_through t = {.store = general, .load = general};
    struct cy_cost cost = {.cycles = 7};

    good(", 'forward': [{'copy': true, 'cycles': 1}]");
    assert_false(cy_machine_forward(m, &t, &cost));
    assert_true(cost.cycles == 7);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"
TEST(each_key_of_a_rule_is_heeded)
{
    static const struct {
        const char *key;
        struct cy_through other; /* differs from `all` in this key */
    } cases[] = {
#define ALL                                                                  \
    .store = {CY_XMM, CY_INDEX, 128, CY_NONE, false},                        \
    .load = {CY_YMM, CY_STACK, 64, CY_SIGN, true}, .relation = CY_CONTAINED, \
    .offset = 8, .delta_k = 3, .store_first = true, .load_op = true,         \
    .store_rmw = true, .load_rmw = true, .self = true, .copy = true,         \
    .rmw_register = true, .moved = true, .load_parts = true,                 \
    .store_parts = true, .locked = true
        {"'class': 'ymm'", {ALL, .load.class = CY_XMM}},
        {"'load_addressing': 'stack'", {ALL, .load.addressing = CY_PUSH}},
        {"'scaled': true", {ALL, .load.is_scaled = false}},
        {"'bits': [8, 64]", {ALL, .load.bits = 32}},
        {"'bits': 64", {ALL, .load.bits = 80}},
        {"'extend': 'sign'", {ALL, .load.extend = CY_ZERO}},
        {"'store_class': 'xmm'", {ALL, .store.class = CY_ZMM}},
        {"'store_addressing': ['rip', 'index']",
         {ALL, .store.addressing = CY_BASE}},
        {"'store_bits': 128", {ALL, .store.bits = 256}},
        {"'relation': 'contained'", {ALL, .relation = CY_CROSSING_PAGE}},
        {"'inside': true", {ALL, .offset = 0}},
        {"'delta_k': [3, 61]", {ALL, .delta_k = 63}},
        {"'delta_k': {'from': 3}", {ALL, .delta_k = 2}},
        {"'delta_k': {'from': 2}", {ALL, .delta_k = -1}},
        {"'load_op': true", {ALL, .load_op = false}},
        {"'delta_k': [0, 3]", {ALL, .delta_k = -1}},
        {"'store_first': true", {ALL, .store_first = false}},
        {"'store_rmw': true", {ALL, .store_rmw = false}},
        {"'load_rmw': true", {ALL, .load_rmw = false}},
        {"'self': true", {ALL, .self = false}},
        {"'rmw_register': true", {ALL, .rmw_register = false}},
        {"'moved': true", {ALL, .moved = false}},
        {"'copy': true", {ALL, .copy = false}},
        {"'offset': [0, 8]", {ALL, .offset = 4}},
        {"'load_parts': true", {ALL, .load_parts = false}},
        {"'store_parts': true", {ALL, .store_parts = false}},
        {"'locked': true", {ALL, .locked = false}},
    };
    static const struct cy_through all = {ALL};
#undef ALL

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];

        snprintf(text, sizeof text, ", 'forward': [{%s, 'cycles': 1}]",
                 cases[i].key);
        good(text);
        assert_true(forward(&all) == 1);
        assert_true(forward(&cases[i].other) == -1);
    }
}

#pragma GCC diagnostic pop

TEST(a_rule_may_be_guessed)
{
    struct cy_through t = {.store = general, .load = general};
    struct cy_cost cost;

    good(", 'forward': [{'delta_k': 1, 'cycles': 1}, {'cycles': 2, 'guessed': "
         "true}]");
    assert_true(cy_machine_forward(m, &t, &cost) && cost.is_guessed);
    t.delta_k = 1;
    assert_true(cy_machine_forward(m, &t, &cost) && !cost.is_guessed);
    bad(HEAD ", 'forward': [{'cycles': 1, 'guessed': 1}]}",
        "forward[0]: guessed: not true or false");
}

TEST(a_file_is_of_an_architecture)
{
    good("");
    assert_int_equal(cy_machine_facts(m)->arch, ARCH_X86_64);
    good(", 'arch': 'aarch64', 'dispatch': {'instructions': 4}");
    assert_int_equal(cy_machine_facts(m)->arch, ARCH_AARCH64);
    assert_true(cy_machine_facts(m)->dispatch.instructions == 4);
    assert_true(isnan(cy_machine_facts(m)->dispatch.width));
    bad(HEAD ", 'arch': 'arm'}", "arch: not x86-64 or aarch64");
    bad(HEAD ", 'arch': 3}", "arch: not x86-64 or aarch64");
}

TEST(iterations_from_a_number_on_match_one_rule)
{
    struct cy_through t = {.store = general, .load = general, .delta_k = 1000};

    good(", 'forward': [{'delta_k': {'from': 4}, 'cycles': 1}]");
    assert_true(forward(&t) == 1);
    t.delta_k = 4;
    assert_true(forward(&t) == 1);
    t.delta_k = 3;
    assert_true(forward(&t) == -1);
}

TEST(a_load_has_rules_of_its_own)
{
    struct cy_access load = general;
    double cycles = -1;

    good(", 'load': [{'class': 'general', 'load_addressing': 'index', "
         "'cycles': 5}, {'class': 'general', 'cycles': 4}]");
    assert_true(cy_machine_load(m, &load, &cycles));
    assert_true(cycles == 4);
    load.addressing = CY_INDEX;
    assert_true(cy_machine_load(m, &load, &cycles));
    assert_true(cycles == 5);
    load.class = CY_XMM;
    assert_false(cy_machine_load(m, &load, &cycles));
}

/* Checks that a list of the file gives an instruction these cycles, after
   another instruction or none; NAN: the list gives none. */
TEST(a_figure_goes_by_mnemonic_form_width_and_atomicity)
{
    static const char latency[] =
        ", 'latency': [{'mnemonic': ['addsd', 'subsd'], 'cycles': 3, "
        "'chained': 2}, {'mnemonic': 'mov', 'form': 'rr', 'bits': [32, 64], "
        "'cycles': 0.34}]";
    static const char throughput[] =
        ", 'throughput': [{'mnemonic': 'minsd', 'bits': 128, 'cycles': 0.5}]";
    static const char occupancy[] =
        ", 'occupancy': [{'mnemonic': 'xchg', 'locked': true, 'cycles': 20}, "
        "{'mnemonic': 'xchg', 'cycles': 2}]";
    static const struct cy_insn sub = {"subsd", "rr", 128, false, false, false},
                                move = {"mov", "rr", 64, false, false, false};
    static const struct {
        const char *list;
        struct cy_insn insn;
        const struct cy_insn *from;
        double cycles;
    } rows[] = {
        {latency, {"addsd", "rr", 128, false, false, false}, NULL, 3},
        {latency, {"addsd", "rr", 128, false, false, false}, &sub, 2},
        {latency, {"addsd", "rr", 128, false, false, false}, &move, 3},
        {latency, {"mov", "rr", 64, false, false, false}, &move, 0.34},
        {latency, {"mov", "rr", 16, false, false, false}, NULL, NAN},
        {latency, {"mov", "ir", 64, false, false, false}, NULL, NAN},
        {latency, {"mov", NULL, 64, false, false, false}, NULL, NAN},
        {throughput, {"minsd", "rr", 128, false, false, false}, NULL, 0.5},
        {throughput, {"minsd", "rr", 256, false, false, false}, NULL, NAN},
        {occupancy, {"xchg", "rr", 64, true, false, false}, NULL, 20},
        {occupancy, {"xchg", "rr", 64, false, false, false}, NULL, 2},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct cy_insn *insn = &rows[i].insn;
        double cycles = -1;
        bool is_known;

        good(rows[i].list);
        is_known = rows[i].list == latency
                       ? cy_machine_latency(m, insn, rows[i].from, &cycles)
                   : rows[i].list == throughput
                       ? cy_machine_throughput(m, insn, &cycles)
                       : cy_machine_occupancy(m, insn, &cycles);
        assert_int_equal(is_known, !isnan(rows[i].cycles));
        assert_true(cycles == (is_known ? rows[i].cycles : -1));
    }
}

TEST(occupancy_and_idioms_are_those_of_the_file)
{
    const struct cy_facts *facts;
    double cycles = -1;

    good(", 'occupancy': [{'mnemonic': 'divsd', 'cycles': 4}], 'zero_idioms': "
         "['pxor'], 'uncertain': ['a', 'b'], 'window': {'reorder_buffer': "
         "320}, 'access': {'store_ymm': 2, 'any': 0.5}, 'fused': ['cmp']");
    facts = cy_machine_facts(m);
    assert_true(cy_machine_occupancy(
        m, &(struct cy_insn){"divsd", "rr", 128, false, false, false},
        &cycles));
    assert_true(cycles == 4);
    assert_false(cy_machine_occupancy(
        m, &(struct cy_insn){"mulsd", "rr", 128, false, false, false},
        &cycles));
    assert_true(cy_machine_is_zero_idiom(
        m, &(struct cy_insn){"pxor", "rr", 128, false, false, false}));
    assert_false(cy_machine_is_zero_idiom(
        m, &(struct cy_insn){"por", "rr", 128, false, false, false}));
    assert_string_equal(facts->uncertain[1], "b");
    assert_null(facts->uncertain[2]);
    assert_int_equal(facts->window.reorder_buffer, 320);
    assert_int_equal(facts->window.scheduler, 0);
    assert_true(facts->rates.store[CY_YMM] == 2);
    assert_true(facts->rates.any[CY_YMM] == 0.5);
    assert_true(isnan(facts->rates.load[CY_GENERAL]));
    assert_true(cy_machine_is_fused(
        m, &(struct cy_insn){"cmp", "rr", 64, false, false, false}));
    assert_false(cy_machine_is_fused(
        m, &(struct cy_insn){"lea", "bd", 64, false, false, false}));
    assert_string_equal(facts->name, "m");
    assert_string_equal(facts->source, "a test");
    assert_string_equal(facts->llvm_cpu, "generic");
}

TEST(an_error_names_the_wrong_entry)
{
    bad("", "line 1: not JSON: '[' or '{' expected near end of file");
    bad("{\n\"name\": 1,\n]",
        "line 3: not JSON: string or '}' expected near ']'");
    bad("{'name': 1, 'name': 2}",
        "line 1: not JSON: duplicate object key near '\"name\"'");
    bad("[]", "the file: not an object");
    bad("{'nam': 1}", "nam: unknown key");
    bad("{}", "name: not a text");
    bad(HEAD ", 'load': {}}", "load: not an array");
    bad(HEAD ", 'load': [1]}", "load[0]: entry: not an object");
    bad(HEAD ", 'load': [{'delta_k': 1, 'cycles': 1}]}",
        "load[0]: delta_k: unknown key");
    bad(HEAD ", 'forward': [{'cycles': 1}, {}]}",
        "forward[1]: cycles: not a number of cycles from 0 to 1000000");
    bad(HEAD ", 'forward': [{'cycles': -1}]}",
        "forward[0]: cycles: not a number of cycles from 0 to 1000000");
    bad(HEAD ", 'forward': [{'cycles': '1'}]}",
        "forward[0]: cycles: not a number of cycles from 0 to 1000000");
    bad(HEAD ", 'forward': [{'cycles': 1, 'at_least': null}]}",
        "forward[0]: at_least: not a number of cycles from 0 to 1000000");
    bad(HEAD ", 'forward': [{'cycles': 1, 'how': 'lucky'}]}",
        "forward[0]: how: not one of its words");
    bad(HEAD ", 'forward': [{'cycles': 1, 'class': ['xmm', 3]}]}",
        "forward[0]: class: not one of its words");
    bad(HEAD ", 'forward': [{'cycles': 1, 'bits': 4}]}",
        "forward[0]: bits: not a power of two from 8 to 512");
    bad(HEAD ", 'forward': [{'cycles': 1, 'bits': []}]}",
        "forward[0]: bits: no value");
    bad(HEAD ", 'forward': [{'cycles': 1, 'delta_k': 63}]}",
        "forward[0]: delta_k: not a whole number from 0 to 62");
    bad(HEAD ", 'forward': [{'cycles': 1, 'delta_k': {'to': 3}}]}",
        "forward[0]: to: unknown key");
    bad(HEAD ", 'forward': [{'cycles': 1, 'delta_k': {'from': -1}}]}",
        "forward[0]: delta_k: not a whole number from 0 to 62");
    bad(HEAD ", 'forward': [{'cycles': 1, 'copy': 1}]}",
        "forward[0]: copy: not true or false");
    bad(HEAD ", 'latency': [{'cycles': 1}]}", "latency[0]: mnemonic: no value");
    bad(HEAD ", 'latency': [{'mnemonic': 3, 'cycles': 1}]}",
        "latency[0]: mnemonic: not a text or an array of texts");
    bad(HEAD ", 'occupancy': [{'mnemonic': 'a', 'cycles': 1, 'chained': 1}]}",
        "occupancy[0]: chained: unknown key");
    bad(HEAD ", 'match': [{'vendor': 'V', 'family': 6}]}",
        "match[0]: models: no value");
    bad(HEAD ", 'match': [{'vendor': 'V', 'family': '6'}]}",
        "match[0]: family: not a whole number from 0 to 2147483647");
    bad(HEAD ", 'window': {'rob': 1}}", "rob: unknown key");
    bad(HEAD ", 'access': {'load': 1}}", "load: unknown key");
    bad(HEAD ", 'window': {'load_schedulers': 5}}",
        "load_schedulers: more than 4");
    bad(HEAD ", 'branch_counters': 100}",
        "branch_counters: no power of two from 64 to 65536");
    bad(HEAD ", 'dispatch': {'width': 6, 'line_branches': 3}}",
        "crowded_branch: less than 1, or not with line_branches of at most 4");
    bad(HEAD ", 'dispatch': {'width': 6, 'near_branches': 256}}",
        "far_branch: less than 1, or not with near_branches");
    bad(HEAD ", 'dispatch': {'width': 6, 'split_branch': 0.5}}",
        "split_branch: less than 1");
    bad(HEAD ", 'dispatch': {'width': 6, 'line_branches': 5, "
             "'crowded_branch': 2}}",
        "crowded_branch: less than 1, or not with line_branches of at most 4");
    bad(HEAD ", 'access': {'any': '1'}}",
        "any: not a number of cycles from 0 to 1000000");
    bad(HEAD ", 'access': [1]}", "access: not an object");
    bad(HEAD ", 'uncertain': [1]}",
        "uncertain: not a text or an array of texts");
}

TEST(a_file_that_cannot_be_read_is_named)
{
    assert_null(cy_machine_named(".", "none", &d));
    assert_string_equal(d.text, "--cpu=none: no such machine file; --cpu=help "
                                "lists them");
    assert_null(cy_machine_here("/nowhere", ARCH_X86_64, &d));
    assert_string_equal(d.text, "/nowhere: No such file or directory");
    assert_null(cy_machine_named(NULL, "/", &d));
    assert_string_equal(d.text, "/: Is a directory");
}

/* Writes a machine file for the processor of the test, or for none. */
static void put_match(const char *name, const struct cy_cpu *cpu,
                      unsigned models)
{
    char text[512];

    snprintf(text, sizeof text,
             "{'name': '%s', 'source': '', 'llvm_mca_cpu': '', 'match': "
             "[{'vendor': '%s', 'family': %u, 'models': [%u, %u]}]}",
             name, cpu->vendor, cpu->family, models, models + 1);
    put(name, text);
}

TEST(the_file_that_matches_the_processor_is_found)
{
    struct cy_cpu cpu;

    assert_int_equal(cy_cpu_read(&cpu, "/proc/cpuinfo", &d), 0);
    put_match("a.json", &(struct cy_cpu){.vendor = "None"}, cpu.model);
    assert_null(cy_machine_here(".", ARCH_X86_64, &d));
    assert_non_null(strstr(d.text, "no machine file in "));
    put_match("b.json", &cpu, cpu.model + 1);
    find_here(ARCH_X86_64);
    assert_non_null(m);
    assert_string_equal(cy_machine_facts(m)->name, "b.json");
    assert_non_null(cy_machine_facts(m)->stands_for);
    put_match("c.json", &cpu, cpu.model);
    put_match("d.json", &cpu, cpu.model);
    find_here(ARCH_X86_64);
    assert_non_null(m);
    assert_string_equal(cy_machine_facts(m)->name, "c.json");
    assert_null(cy_machine_facts(m)->stands_for);
    put("b.json", "{");
    assert_null(cy_machine_here(".", ARCH_X86_64, &d));
    assert_non_null(strstr(d.text, "/b.json: line 1: not JSON"));
}

TEST(code_of_another_architecture_has_the_file_of_its_own)
{
    enum arch other = arch_here() == ARCH_X86_64 ? ARCH_AARCH64 : ARCH_X86_64;
    struct cy_cpu cpu;
    char text[256];

    assert_int_equal(cy_cpu_read(&cpu, "/proc/cpuinfo", &d), 0);
    put_match("a.json", &cpu, cpu.model);
    assert_null(cy_machine_here(".", other, &d));
    assert_non_null(strstr(d.text, "no machine file in "));
    snprintf(text, sizeof text,
             "{'name': '%s', 'source': '', 'llvm_mca_cpu': '', 'arch': '%s'}",
             cy_machine_of(other), arch_name(other));
    put("b.json", text);
    find_here(other);
    assert_non_null(m);
    assert_true(cy_machine_facts(m)->is_elsewhere);
    assert_string_equal(cy_machine_facts(m)->name, cy_machine_of(other));
    find_here(arch_here());
    assert_non_null(m);
    assert_string_equal(cy_machine_facts(m)->name, "a.json");
}

TEST(a_file_made_by_force_is_listed_as_such)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    put("f.json", HEAD ", 'forced': true}");
    put("g.json", HEAD ", 'forced': false}");
    assert_int_equal(cy_machine_list(out, ".", &d), 0);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(text,
                        "m               Made on a busy machine, by force. "
                        "a test\n"
                        "m               a test\n");
    free(text);
}

TEST(the_dispatch_and_shared_units_are_those_of_the_file)
{
    const struct cy_facts *facts;

    good(", 'dispatch': {'width': 6, 'rounds': [1, 1.5]}, 'access': {'any': "
         "0.5, 'any_ymm': 1}, 'window': {'misprediction': 15}");
    facts = cy_machine_facts(m);
    assert_true(facts->dispatch.width == 6 && facts->dispatch.n_rounds == 2);
    assert_true(facts->dispatch.rounds[1] == 1.5);
    assert_true(facts->rates.any[CY_XMM] == 0.5);
    assert_true(facts->rates.any[CY_YMM] == 1);
    assert_int_equal(facts->window.misprediction, 15);
    good(", 'dispatch': {'micro_fused': true}");
    assert_true(isnan(cy_machine_facts(m)->dispatch.width));
    assert_true(cy_machine_facts(m)->dispatch.micro_fused);
    good("");
    assert_true(isnan(cy_machine_facts(m)->dispatch.width));
    assert_false(cy_machine_facts(m)->is_forced);
    assert_true(cy_machine_facts(m)->model_error.programs == 0);
    bad(HEAD ", 'model_error': {'programs': 4, 'factor': 1, 'spread': 0}}",
        "programs: less than 5");
    bad(HEAD ", 'model_error': {'programs': 5, 'factor': 0, 'spread': 0}}",
        "factor: not above 0");
    bad(HEAD ", 'dispatch': 4}", "dispatch: not an object");
    bad(HEAD ", 'dispatch': {'width': 0}}", "width: less than 1");
    bad(HEAD ", 'dispatch': {'rounds': [1]}}",
        "width: not a number of cycles from 0 to 1000000");
    bad(HEAD ", 'forced': 1}", "forced: not true or false");
}

TEST(the_error_of_the_model_widens_the_interval_of_the_windows)
{
    static const struct cy_facts known = {.model_error = {5, 2, 0.1}};
    struct cy_program p = {.total = {.cycles = 100},
                           .low = NAN,
                           .high = NAN,
                           .with_most = 100,
                           .with_least = 100};
    double least, most, half = 2.776 * 0.1 * sqrt(1.2);

    assert_false(cy_model_range(&known, &p, &least, &most));
    assert_true(cy_model_likely(&known, &p) == 200);
    assert_true(cy_model_likely(NULL, &p) == 100);
    p.low = p.high = 100;
    assert_false(cy_model_range(NULL, &p, &least, &most));
    assert_true(cy_model_range(&known, &p, &least, &most));
    assert_true(fabs(log(least / 200) + half) < 0.004);
    assert_true(fabs(log(most / 200) - half) < 0.004);
    p.low = 50;
    p.high = 200;
    assert_true(cy_model_range(&known, &p, &least, &most));
    assert_true(fabs(log(most / 200) - hypot(half, log(2))) < 0.004);
    p.with_most = 80;
    p.with_least = 300;
    assert_true(cy_model_range(NULL, &p, &least, &most));
    assert_true(least == 40 && most == 600);
    assert_true(cy_model_range(&known, &p, &least, &most));
    assert_true(fabs(log(most / 600) - hypot(half, log(2))) < 0.004);
}

/* A half of the instructions takes 20 of the 100 cycles, and 80 as the rest. */
TEST(code_that_was_not_read_may_take_as_long_as_the_rest)
{
    struct cy_program p = {
        .total = {.cycles = 100, .instructions = 400, .unmodelled = 200},
        .unread = 20,
        .low = 90,
        .high = 110,
        .with_most = 100,
        .with_least = 101};
    double least, most;

    assert_true(cy_model_range(NULL, &p, &least, &most));
    assert_true(least == 90 && fabs(most - 1.1 * 1.01 * 160) < 1e-9);
    p.unread = 60;
    assert_true(cy_model_range(NULL, &p, &least, &most));
    assert_true(fabs(most - 1.1 * 101) < 1e-9);
    p.total.unmodelled = 390;
    assert_false(cy_model_range(NULL, &p, &least, &most));
}

/* Checks that the file of this name is chosen for the processor. */
static void stands(const char *name, bool is_typical)
{
    find_here(ARCH_X86_64);

    assert_non_null(m);
    assert_string_equal(cy_machine_facts(m)->name, name);
    assert_non_null(strstr(cy_machine_facts(m)->stands_for, " family "));
    assert_int_equal(cy_machine_facts(m)->is_typical, is_typical);
}

TEST(a_processor_without_a_file_takes_the_nearest_of_its_vendor)
{
    struct cy_cpu cpu, other, stranger;

    assert_int_equal(cy_cpu_read(&cpu, "/proc/cpuinfo", &d), 0);
    other = stranger = cpu;
    snprintf(stranger.vendor, sizeof stranger.vendor, "Stranger");
    other.family++;
    put_match("stranger.json", &stranger, cpu.model);
    put("typical.json",
        "{'name': 'typical', 'source': '', 'llvm_mca_cpu': ''}");
    stands("typical", true);
    put_match("family.json", &other, cpu.model);
    stands("family.json", false);
    put_match("far.json", &cpu, cpu.model + 9);
    stands("far.json", false);
    put_match("near.json", &cpu, cpu.model + 2);
    stands("near.json", false);
}

TEST(a_figure_names_one_of_the_sources_of_its_file)
{
    good(", 'sources': {'fitted': 'on blocks'}, 'load': [{'cycles': 4, "
         "'source': 'fitted'}]");
    bad(HEAD ", 'load': [{'cycles': 4, 'source': 'fitted'}]}",
        "load[0]: source: not one of the file's sources");
    bad(HEAD ", 'latency': [{'mnemonic': 'add', 'cycles': 4, 'source': 1}]}",
        "latency[0]: source: not one of the file's sources");
}

TEST(the_processor_is_the_first_of_proc_cpuinfo)
{
    struct cy_cpu cpu;

    put("cpuinfo", "processor\t: 0\nvendor_id\t: V\ncpu family\t: 6\n"
                   "model\t\t: 207\nmodel name\t: X (R)\nflags\t\t: a b avx\n"
                   "\nprocessor\t: 1\nvendor_id\t: W\n");
    assert_int_equal(cy_cpu_read(&cpu, "cpuinfo", &d), 0);
    assert_string_equal(cpu.vendor, "V");
    assert_string_equal(cpu.name, "X (R)");
    assert_true(cpu.family == 6 && cpu.model == 207);
    assert_true(cy_cpu_has(&cpu, "a") && cy_cpu_has(&cpu, "avx"));
    assert_false(cy_cpu_has(&cpu, "av"));
    put("cpuinfo", "vendor_id\t: V\ncpu family\t: 6\nmodel\t: \n");
    assert_int_equal(cy_cpu_read(&cpu, "cpuinfo", &d), -1);
    assert_non_null(strstr(d.text, "no vendor, family and model"));
}

/* Checks the shipped file of the processor. */
TEST(sapphire_rapids_renames_memory)
{
    struct cy_through t = {.store = general, .load = general, .delta_k = 1};
    const struct cy_cpu cpu = {"GenuineIntel", 6, 207, "", ""};
    struct cy_cost cost;

    m = cy_machine_named(MACHINES, "sapphirerapids", &d);
    assert_string_equal(d.text, "");
    assert_true(cy_machine_distance(m, &cpu) == 0);
    assert_true(cy_machine_forward(m, &t, &cost));
    assert_true(cost.how == CY_RENAMED && cost.cycles == 0);
    t.copy = true;
    assert_true(forward(&t) == 0.5);
    t.moved = true;
    assert_true(forward(&t) == 0.5);
    t.copy = false;
    assert_true(cy_machine_forward(m, &t, &cost));
    assert_true(cost.how == CY_FORWARDED && cost.at_least > 7);
    t.moved = false;
    t.copy = true;
    t.load.addressing = CY_INDEX;
    assert_true(forward(&t) == 5);
    t.copy = false;
    assert_true(cy_machine_forward(m, &t, &cost));
    assert_true(cost.how == CY_FORWARDED && cost.at_least > 7);
    t.load.class = CY_XMM;
    assert_true(forward(&t) == 5);
    t.relation = CY_SEVERAL;
    assert_true(cy_machine_forward(m, &t, &cost));
    assert_true(cost.how == CY_FAILED && cost.cycles == 19);
}

/* Checks the figures of a chain that starts and ends in memory. */
TEST(zen_4_only_renames_plain_loads)
{
    struct cy_through t = {.store = general, .load = general, .delta_k = 1};
    const struct cy_insn imul = {"imul", "rr", 64, false, false, false};
    double latency = -1;
    struct cy_cost cost;

    m = cy_machine_named(MACHINES, "znver4", &d);
    assert_string_equal(d.text, "");
    t.load.addressing = t.store.addressing = CY_INDEX;
    assert_true(cy_machine_forward(m, &t, &cost));
    assert_true(cost.how == CY_RENAMED && cost.cycles == 0);
    t.load_op = true;
    assert_true(cy_machine_forward(m, &t, &cost));
    assert_true(cost.how == CY_FORWARDED && cost.cycles > 4);
    t.load_op = false;
    t.delta_k = 2;
    assert_true(cy_machine_forward(m, &t, &cost));
    assert_true(cost.how == CY_FORWARDED && cost.cycles > 4);
    assert_true(cy_machine_latency(m, &imul, NULL, &latency) && latency == 3);
    assert_true(cy_machine_facts(m)->memory.beyond[0].cycles == 10);
}

/* A file with the key memory, which has l2_cycles and misses as given, and
   `more` at its end. */
static const char *with_memory(const char *l2_cycles, const char *misses,
                               const char *more)
{
    static char text[2048];

    snprintf(
        text, sizeof text,
        HEAD
        ", 'memory': {'source': 'a test', 'misses': %s, 'data_kib': 32, "
        "'data_ways': 8, 'data_cycles': 4, 'code_kib': 64, 'code_ways': 4, "
        "'l2_kib': 512, 'l2_ways': 8, 'l2_cycles': %s, 'l2_line_cycles': 2, "
        "'l2_stream_cycles': 5, 'l3_kib': 8192, 'l3_ways': 16, 'l3_most_kib': "
        "16384, 'l3_cycles': 40, 'l3_line_cycles': 3, 'l3_stream_cycles': 6, "
        "'memory_cycles': 300, 'memory_line_cycles': 20, "
        "'memory_stream_cycles': 10, 'first_pages': 64, 'first_page_cycles': "
        "7, 'second_pages': 1024, 'second_page_cycles': 50%s}}",
        misses, l2_cycles, more);
    return text;
}

TEST(caches_have_what_a_miss_costs_beyond_the_first)
{
    const struct cy_memory *memory;

    read_text(with_memory("12", "10", ", 'l3_least_kib': 4096"));
    assert_string_equal(d.text, "");
    memory = &cy_machine_facts(m)->memory;
    assert_true(memory->misses == 10 && memory->data.ways == 8);
    assert_true(memory->code.kib == 64 && memory->l3_least_kib == 4096);
    assert_true(memory->beyond[0].cycles == 8 &&
                memory->beyond[1].cycles == 36 &&
                memory->beyond[2].cycles == 296);
    assert_true(memory->beyond[2].stream_cycles == 10);
    assert_true(memory->pages[1] == 1024 && memory->page_cycles[1] == 50);
}

TEST(impossible_caches_are_errors)
{
    bad(with_memory("12", "10", ""),
        "l3_least_kib: not a number from 1 to 1000000000");
    bad(with_memory("12", "65", ", 'l3_least_kib': 4096"),
        "misses: not a whole number from 1 to 64");
    bad(with_memory("3", "10", ", 'l3_least_kib': 4096"),
        "l2_cycles: less than those of a nearer cache");
    bad(with_memory("12", "10", ", 'l3_least_kib': 9000"),
        "l3_kib: not from l3_least_kib to l3_most_kib");
    bad(with_memory("12", "10", ", 'l3_least_kib': 1, 'foreseen_lines': 1"),
        "foreseen_lines: not with code_line_cycles");
    bad(with_memory("12", "10", ", 'l3_least_kib': 1, 'l4': 1"),
        "l4: unknown key");
}
