/*
 * cy_machine_print: what a machine file says of values that go from stores to
 * loads, for people.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>

#include "machine/internal.h"

/* Writes one value of a key. */
static void write_value(FILE *out, const struct cy_key_def *key, unsigned bit)
{
    switch (key->kind) {
    case CY_KEY_WORDS:
        fputs(key->words[bit], out);
        break;
    case CY_KEY_WIDTHS:
        fprintf(out, "%llu", 1ULL << bit);
        break;
    case CY_KEY_NUMBERS:
        break;
    case CY_KEY_TRUTHS:
        fputs(bit == 1 ? "yes" : "no", out);
        break;
    }
}

/* Writes a row of numbers, from the first on, as "2 to 5", or as "2 or more" if
   it has no end.  Returns the last of the row. */
static unsigned write_numbers(FILE *out, uint64_t set, unsigned first)
{
    unsigned last = first;

    while (last < 63 && (set >> (last + 1) & 1) != 0)
        last++;
    if (last >= 62)
        fprintf(out, "%u or more", first);
    else if (last > first)
        fprintf(out, "%u to %u", first, last);
    else
        fprintf(out, "%u", first);
    return last;
}

static void write_rule(FILE *out, const struct cy_rule *rule)
{
    const char *before = "";

    fprintf(out, "%8.2f  %-9s  ", rule->cost.cycles,
            cy_how_words[rule->cost.how]);
    for (size_t k = 0; k < CY_N_KEYS; k++) {
        const char * or = "";

        if (rule->sets[k] == 0)
            continue;
        fprintf(out, "%s%s ", before, cy_keys[k].name);
        for (unsigned bit = 0; bit < 64; bit++)
            if (rule->sets[k] >> bit & 1) {
                fputs(or, out);
                if (cy_keys[k].kind == CY_KEY_NUMBERS)
                    bit = write_numbers(out, rule->sets[k], bit);
                else
                    write_value(out, &cy_keys[k], bit);
                or = " or ";
            }
        before = ", ";
    }
    fprintf(out, "%s\n", before[0] == '\0' ? "in all other cases" : "");
}

void cy_machine_penalties(FILE *out, const struct cy_machine *m)
{
    fprintf(out,
            "%s: cycles from a store to a load of its bytes; the first line "
            "that fits counts\n\n  cycles  how        if\n",
            m->facts.name);
    for (size_t i = 0; i < m->n_forwards; i++)
        write_rule(out, &m->forwards[i]);
}
