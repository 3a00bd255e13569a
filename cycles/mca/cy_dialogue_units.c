/*
 * cy_dialogue_units: what single instructions need of units, as llvm-mca's
 * instruction tables have it.
 *
 * The tables spread each piece of work evenly over the units that may do it,
 * so equal shares that add up to whole cycles are one piece.
 *
 * Limits: pieces of two kinds whose units overlap are told apart only if their
 * shares differ.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "mca/internal.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "memory.h"

#define NO_WORK 0.004 /* llvm-mca rounds */

static bool is_whole(double cycles)
{
    return fabs(cycles - round(cycles)) < 0.03;
}

/* The units with at least the share of `first`, or with the same share; of its
   family, or of any. */
static uint64_t units_like(const struct cy_mca_pressure *p, unsigned first,
                           bool is_same, bool is_family)
{
    uint64_t units = 0;

    for (unsigned i = 0; i < CY_MOST_UNITS; i++)
        if ((!is_family || p->family[i] == p->family[first]) &&
            p->for_memory[i] == p->for_memory[first] &&
            p->cycles[i] > p->cycles[first] - NO_WORK &&
            (!is_same || p->cycles[i] < p->cycles[first] + NO_WORK))
            units |= UINT64_C(1) << i;
    return units;
}

/* The unit with the smallest share; CY_MOST_UNITS: there is none. */
static unsigned least_of(const struct cy_mca_pressure *p)
{
    unsigned least = CY_MOST_UNITS;

    for (unsigned i = 0; i < CY_MOST_UNITS; i++)
        if (p->cycles[i] > NO_WORK &&
            (least == CY_MOST_UNITS || p->cycles[i] < p->cycles[least]))
            least = i;
    return least;
}

/* The units of the piece of work that `first` has the smallest share of: those
   with the same share of its family, if they make whole cycles; else with more
   of it; else of any family. */
static uint64_t units_of(const struct cy_mca_pressure *p, unsigned first)
{
    double share = p->cycles[first];

    for (unsigned i = 0; i < 4; i++) {
        uint64_t units = units_like(p, first, i % 2 == 0, i < 2);

        if (is_whole(share * __builtin_popcountll(units)))
            return units;
    }
    return units_like(p, first, true, true);
}

void cy_uses_of(struct cy_mca_uses *uses, struct cy_mca_pressure p)
{
    unsigned least;

    *uses = (struct cy_mca_uses){0};
    while (uses->n < CY_MOST_USES && (least = least_of(&p)) < CY_MOST_UNITS) {
        double share = p.cycles[least];
        uint64_t units = units_of(&p, least);

        uses->uses[uses->n++] = (struct cy_mca_use){
            units, share * __builtin_popcountll(units), p.for_memory[least]};
        for (unsigned i = 0; i < CY_MOST_UNITS; i++)
            if (units >> i & 1)
                p.cycles[i] = fmax(0, p.cycles[i] - share);
    }
}

/* The length of a unit's name without its number in the family.  Units of equal
   names end in a dot and a byte. */
static size_t stem_of(const char *name, size_t n)
{
    const char *dot = memchr(name, '.', n);

    if (dot != NULL)
        return (size_t)(dot - name);
    while (n > 0 && isdigit((unsigned char)name[n - 1]))
        n--;
    return n;
}

/* A unit has the family of the first one with the same stem; one with a dot has
   no family with one without. */
static void take_families(struct cy_mca_pressure *p, const json_t *report)
{
    const json_t *names =
        json_object_get(json_object_get(report, "TargetInfo"), "Resources");

    for (unsigned i = 0; i < CY_MOST_UNITS; i++) {
        const json_t *name = json_array_get(names, i);
        const char *text = json_string_value(name);
        size_t n = json_string_length(name), stem;

        p->family[i] = i;
        if (text == NULL)
            continue;
        stem = stem_of(text, n);
        for (unsigned j = 0; j < i && p->family[i] == i; j++) {
            const json_t *other = json_array_get(names, j);
            const char *before = json_string_value(other);
            size_t m = json_string_length(other);

            if (before != NULL && stem_of(before, m) == stem &&
                memcmp(before, text, stem) == 0 &&
                (memchr(before, '.', m) == NULL) ==
                    (memchr(text, '.', n) == NULL))
                p->family[i] = p->family[j];
        }
    }
}

static double number(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static const json_t *pressures_of(const json_t *region)
{
    return json_object_get(json_object_get(region, "ResourcePressureView"),
                           "ResourcePressureInfo");
}

static size_t length_of(const json_t *region)
{
    return json_array_size(json_object_get(region, "Instructions"));
}

/* Adds the shares of each instruction, or those of all to the first pressure;
   false if one is impossible. */
static bool take_shares(struct cy_mca_pressure *pressures, bool is_sum,
                        const json_t *region)
{
    size_t n = length_of(region), i;
    const json_t *value;

    json_array_foreach(pressures_of(region), i, value)
    {
        double unit = number(value, "ResourceIndex"),
               at = number(value, "InstructionIndex"),
               cycles = number(value, "ResourceUsage");

        if (!(unit >= 0 && cycles >= 0 && cycles < 1e6))
            return false;
        if (unit < CY_MOST_UNITS && at >= 0 && at < (double)n)
            pressures[is_sum ? 0 : (size_t)at].cycles[(unsigned)unit] += cycles;
    }
    return true;
}

static bool take(struct cy_mca_insn *insns, struct cy_mca_uses *uses, size_t n,
                 char **texts, const json_t *report)
{
    const json_t *list = json_object_get(report, "CodeRegions"),
                 *region = json_array_get(list, 1);
    struct cy_mca_pressure memory = {0},
                           *all = memory_new(length_of(region), sizeof *all);
    size_t *places = memory_new(n, sizeof *places);
    bool is_good = json_array_size(list) == 2 &&
                   take_shares(&memory, true, json_array_get(list, 0)) &&
                   take_shares(all, false, region);

    for (unsigned i = 0; i < CY_MOST_UNITS; i++)
        memory.for_memory[i] = memory.cycles[i] > 0;
    take_families(&memory, report);
    cy_dialogue_insns(insns, n, texts, region, places);
    for (size_t i = 0; i < n && is_good; i++) {
        uses[i] = (struct cy_mca_uses){0};
        if (!insns[i].is_known)
            continue;
        is_good = insns[i].latency >= 0 && insns[i].latency < 1e6;
        memcpy(memory.cycles, all[places[i]].cycles, sizeof memory.cycles);
        cy_uses_of(&uses[i], memory);
    }
    free(places);
    free(all);
    return is_good;
}

int cy_dialogue_units(struct cy_mca_insn *insns, struct cy_mca_uses *uses,
                      size_t n, char **texts, const char *text, size_t size,
                      struct diag *d)
{
    json_error_t error;
    /* Names of units hold zero bytes. */
    json_t *report = json_loadb(text, size, JSON_ALLOW_NUL, &error);
    bool is_good = report != NULL && take(insns, uses, n, texts, report);

    json_decref(report);
    return is_good ? 0 : diag_set(d, "llvm-mca: unexpected output");
}
