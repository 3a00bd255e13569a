/*
 * cy_dialogue: reads the answers of llvm-mca.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "mca/internal.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "memory.h"

/* Places in the dispatch: more than any processor has. */
#define MOST 1e3

bool cy_mca_is_width(double width)
{
    return width > 0 && width <= MOST; /* NAN is not */
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

/* llvm-mca omits instructions that it does not know. */
void cy_dialogue_insns(struct cy_mca_insn *insns, size_t n, char **texts,
                       const json_t *region, size_t *places)
{
    const json_t *list = json_object_get(region, "Instructions");
    const json_t *infos = json_object_get(
        json_object_get(region, "InstructionInfoView"), "InstructionList");
    size_t at = 1; /* after our nop */
    bool is_whole = json_array_size(list) == n + 1;

    for (size_t i = 0; i < n; i++) {
        struct cy_mca_insn *insn = &insns[i];
        const char *text = json_string_value(json_array_get(list, at));
        const json_t *info = json_array_get(infos, at);
        char *squeezed =
            text != NULL ? cy_dialogue_squeeze(text, strlen(text)) : NULL;

        insn->is_known = squeezed != NULL && info != NULL &&
                         (is_whole || is_same(squeezed, texts[i]));
        free(squeezed);
        places[i] = insn->is_known ? at : SIZE_MAX;
        if (!insn->is_known)
            continue;
        insn->latency = number(info, "Latency");
        insn->uops = (uint16_t)number(info, "NumMicroOpcodes");
        insn->may_load = json_is_true(json_object_get(info, "mayLoad"));
        at++;
    }
}

int cy_dialogue_width(double *width, const char *text, size_t size,
                      struct diag *d)
{
    json_error_t error;
    /* Names of units may hold a zero. */
    json_t *report = json_loadb(text, size, JSON_ALLOW_NUL, &error);
    const json_t *region =
        json_array_get(json_object_get(report, "CodeRegions"), 0);

    *width = number(json_object_get(region, "SummaryView"), "DispatchWidth");
    json_decref(report);
    return cy_mca_is_width(*width) ? 0
                                   : diag_set(d, "llvm-mca: unexpected output");
}
