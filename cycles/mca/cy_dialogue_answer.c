/*
 * cy_dialogue: reads the answers of llvm-mca.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "mca/internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "memory.h"

/* Cycles, or places in the dispatch: more than any code needs. */
#define MOST 1e9

static bool is_possible(double figure)
{
    return figure >= 0 && figure <= MOST; /* NAN is not */
}

bool cy_mca_region_is_possible(const struct cy_mca_region *r)
{
    if (!is_possible(r->throughput) || !is_possible(r->width) ||
        !is_possible(r->total) || r->n_unknown > r->n)
        return false;
    for (size_t i = 0; i < r->n; i++)
        if (r->insns[i].is_known && !is_possible(r->insns[i].latency))
            return false;
    return true;
}

static double number(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

/* Is it the same instruction?  llvm-mca sometimes prints a suffix of the
   mnemonic where llvm-mc prints none. */
static bool is_same(const char *a, const char *b)
{
    size_t n = 0;

    while (a[n] != '\0' && a[n] == b[n])
        n++;
    if (a[n] == '\0' && b[n] == '\0')
        return true;
    return strcmp(a + n + (a[n] != '\0' && a[n] != ' '),
                  b + n + (b[n] != '\0' && b[n] != ' ')) == 0;
}

static const json_t *infos_of(const json_t *region)
{
    return json_object_get(json_object_get(region, "InstructionInfoView"),
                           "InstructionList");
}

/* llvm-mca omits instructions that it does not know. */
void cy_dialogue_insns(struct cy_mca_region *r, char **texts,
                       const json_t *region, size_t *places)
{
    const json_t *list = json_object_get(region, "Instructions");
    const json_t *infos = infos_of(region);
    size_t at = 1; /* after our nop */
    bool is_whole = json_array_size(list) == r->n + 1;

    for (size_t i = 0; i < r->n; i++) {
        struct cy_mca_insn *insn = &r->insns[i];
        const char *text = json_string_value(json_array_get(list, at));
        const json_t *info = json_array_get(infos, at);
        char *squeezed =
            text != NULL ? cy_dialogue_squeeze(text, strlen(text)) : NULL;

        insn->is_known = squeezed != NULL && info != NULL &&
                         (is_whole || is_same(squeezed, texts[i]));
        free(squeezed);
        places[i] = insn->is_known ? at : SIZE_MAX;
        if (!insn->is_known) {
            r->n_unknown++;
            assert(r->n_unknown <= r->n);
            continue;
        }
        insn->latency = number(info, "Latency");
        insn->uops = (uint16_t)number(info, "NumMicroOpcodes");
        insn->may_load = json_is_true(json_object_get(info, "mayLoad"));
        at++;
    }
}

/* Does the summary have all figures that are taken from it? */
static bool is_summary(const json_t *summary)
{
    static const char *const keys[] = {"DispatchWidth", "TotaluOps",
                                       "BlockRThroughput", "TotalCycles"};

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (!json_is_number(json_object_get(summary, keys[i])) ||
            number(summary, keys[i]) < 0)
            return false;
    return number(summary, "Iterations") > 0;
}

/* The throughput without the nop of the question, which takes a place in the
   dispatch of some processors. */
static bool take_summary(struct cy_mca_region *r, const json_t *region)
{
    const json_t *summary = json_object_get(region, "SummaryView");
    double uops, nop;

    if (!is_summary(summary))
        return false;
    uops = number(summary, "TotaluOps") / number(summary, "Iterations");
    nop = number(json_array_get(infos_of(region), 0), "NumMicroOpcodes");
    r->width = number(summary, "DispatchWidth");
    r->throughput = number(summary, "BlockRThroughput");
    if (r->width > 0 && r->throughput <= uops / r->width)
        r->throughput = (uops - nop) / r->width;
    r->total = number(summary, "TotalCycles") / number(summary, "Iterations");
    return true;
}

static bool take_region(struct cy_mca_region *r, char **texts,
                        const json_t *region)
{
    size_t *places = memory_new(r->n, sizeof *places);
    bool is_good = take_summary(r, region);

    if (is_good)
        cy_dialogue_insns(r, texts, region, places);
    free(places);
    return is_good && cy_mca_region_is_possible(r);
}

int cy_dialogue_answer(struct cy_mca_region *regions, size_t n, char **texts,
                       const char *text, size_t size, struct diag *d)
{
    json_error_t error;
    /* Names of units may hold a zero. */
    json_t *report = json_loadb(text, size, JSON_ALLOW_NUL, &error);
    const json_t *list = json_object_get(report, "CodeRegions");
    /* The first is about plain accesses. */
    bool is_good = report != NULL && json_array_size(list) == n + 1;

    for (size_t i = 0; i < n && is_good; i++) {
        is_good = take_region(&regions[i], texts, json_array_get(list, i + 1));
        texts += regions[i].n;
    }
    json_decref(report);
    return is_good ? 0 : diag_set(d, "llvm-mca: unexpected output");
}
