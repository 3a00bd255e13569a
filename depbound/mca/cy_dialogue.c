/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mca/cy_mca.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>

static const struct cy_assembly assemblies[N_ARCHES] = {
    [ARCH_X86_64] =
        {
            .triple = "x86_64",
            .marker_bytes = "[0x0f 0x1f 0x84 0x00 0x12 0x34 0x56 0x78]\n",
            .marker = "\tnopl\t2018915346(%rax,%rax)\n",
            .accesses = "movq (%rdi), %rax\n"
                        "movups (%rdi), %xmm0\n"
                        "movq %rax, (%rdi)\n"
                        "movups %xmm0, (%rdi)\n",
        },
    /* No vector stores: their data come from units that also compute. */
    [ARCH_AARCH64] =
        {
            .triple = "aarch64",
            .marker_bytes = "[0x1b 0xcf 0xea 0xf2]\n",
            .marker = "\tmovk\tx27, #22136, lsl #48\n",
            .accesses = "ldr x0, [x1]\n"
                        "ldr q0, [x1]\n"
                        "str x0, [x1]\n",
        },
};

const struct cy_assembly *cy_assembly_of(enum arch arch)
{
    assert(arch < N_ARCHES);
    return &assemblies[arch];
}

/* --- Questions --- */

char *cy_dialogue_code(enum arch arch, const struct cy_mca_insn *insns,
                       size_t n, size_t *size)
{
    struct memory_stream s = memory_stream_open(&s);

    for (size_t i = 0; i < n; i++) {
        assert(insns[i].length > 0 && insns[i].bytes != NULL);
        fputc('[', s.out);
        for (unsigned j = 0; j < insns[i].length; j++)
            fprintf(s.out, "%s0x%02x", j > 0 ? " " : "", insns[i].bytes[j]);
        fprintf(s.out, "]\n%s", cy_assembly_of(arch)->marker_bytes);
    }
    char *text = memory_stream_close(&s);
    *size = s.size;
    return text;
}

/* A copy of a text in which each run of white space is one blank. */
static char *squeeze(const char *text, size_t n)
{
    char *copy = memory_new(n + 1, 1);
    size_t used = 0;

    for (size_t i = 0; i < n; i++)
        if (!isspace((unsigned char)text[i]))
            copy[used++] = text[i];
        else if (used > 0 && copy[used - 1] != ' ')
            copy[used++] = ' ';
    while (used > 0 && copy[used - 1] == ' ')
        used--;
    assert(used <= n);
    copy[used] = '\0';
    return copy;
}

/* Up to LLVM 19 an operation on the accumulator whose constant needs more than
   a byte occupies all ALUs of Zen 3 and later.  With a small constant it costs
   a core the same, and LLVM models it well. */
static void shorten_constant(char *text)
{
    static const char *const ops[] = {"add", "sub", "and", "or",
                                      "xor", "adc", "sbb"};
    char *constant = strchr(text, '$'), *rest;

    if (constant == NULL)
        return;
    errno = 0;
    long value = strtol(constant + 1, &rest, 10);
    if (errno != 0 || (value >= INT8_MIN && value <= INT8_MAX) ||
        (strcmp(rest, ", %rax") != 0 && strcmp(rest, ", %eax") != 0))
        return;
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        size_t n = strlen(ops[i]);

        if (strncmp(text, ops[i], n) == 0 &&
            (text[n] == 'q' || text[n] == 'l') && text[n + 1] == ' ') {
            constant[1] = '1';
            memmove(constant + 2, rest, strlen(rest) + 1);
            return;
        }
    }
}

char **cy_dialogue_texts(enum arch arch, const char *text, size_t n,
                         struct diag *d)
{
    const char *marker = cy_assembly_of(arch)->marker;
    char **texts = memory_new(n, sizeof *texts);
    const char *at = strchr(text, '\n'); /* after the first line, ".text" */

    at = at != NULL ? at + 1 : text;
    for (size_t i = 0; i < n; i++) {
        const char *end = strstr(at, marker);

        if (end == NULL) {
            diag_set(d, "llvm-mc: unexpected output");
            for (size_t j = 0; j < i; j++)
                free(texts[j]);
            free(texts);
            return NULL;
        }
        texts[i] = squeeze(at, (size_t)(end - at));
        shorten_constant(texts[i]);
        at = end + strlen(marker);
    }
    return texts;
}

char *cy_dialogue_question(enum arch arch, char **texts, size_t n, size_t *size)
{
    struct memory_stream s = memory_stream_open(&s);

    /* A region must not be empty, hence the nop. */
    fprintf(s.out,
            "# LLVM-MCA-BEGIN accesses\n%s# LLVM-MCA-END accesses\n"
            "# LLVM-MCA-BEGIN asked\nnop\n",
            cy_assembly_of(arch)->accesses);
    for (size_t i = 0; i < n; i++)
        fprintf(s.out, "%s\n", texts[i]);
    fputs("# LLVM-MCA-END asked\n", s.out);
    char *text = memory_stream_close(&s);
    *size = s.size;
    return text;
}

/* --- Answers --- */

/* More places in the dispatch than any processor has. */
#define MOST 1e3

bool cy_mca_is_width(double width)
{
    return width > 0 && width <= MOST; /* false for NAN */
}

static double number(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

/* Are two texts the same instruction?  llvm-mca sometimes prints a suffix of
   the mnemonic where llvm-mc prints none. */
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

/* Fills in what a report says about n instructions, and the index of each in
   the region's lists; SIZE_MAX: not there, since llvm-mca omits instructions
   that it does not know. */
static void take_insns(struct cy_mca_insn *insns, size_t n, char **texts,
                       const json_t *region, size_t *places)
{
    const json_t *list = json_object_get(region, "Instructions");
    const json_t *infos = json_object_get(
        json_object_get(region, "InstructionInfoView"), "InstructionList");
    size_t at = 1; /* after the nop of cy_dialogue_question */
    bool is_whole = json_array_size(list) == n + 1;

    for (size_t i = 0; i < n; i++) {
        struct cy_mca_insn *insn = &insns[i];
        const char *text = json_string_value(json_array_get(list, at));
        const json_t *info = json_array_get(infos, at);
        AUTO_FREE char *squeezed =
            text != NULL ? squeeze(text, strlen(text)) : NULL;

        insn->is_known = squeezed != NULL && info != NULL &&
                         (is_whole || is_same(squeezed, texts[i]));
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
    /* Names of units may contain zero bytes. */
    json_t *report = json_loadb(text, size, JSON_ALLOW_NUL, &error);
    const json_t *region =
        json_array_get(json_object_get(report, "CodeRegions"), 0);

    *width = number(json_object_get(region, "SummaryView"), "DispatchWidth");
    json_decref(report);
    return cy_mca_is_width(*width) ? 0
                                   : diag_set(d, "llvm-mca: unexpected output");
}

/* --- The units that instructions need --- */

/* The tables spread each piece of work evenly over the units that may do it, so
   equal shares that add up to whole cycles are one piece.

   Limits: pieces of two kinds whose units overlap are told apart only if their
   shares differ. */

#define NO_WORK 0.004 /* cycles; less is llvm-mca's rounding */

static bool is_whole(double cycles)
{
    return fabs(cycles - round(cycles)) < 0.03;
}

/* The units with at least the share of `first` (is_same: with the same share),
   of any family (is_family: of the family of `first`). */
static uint64_t units_like(const struct cy_mca_pressure *p, unsigned first,
                           bool is_same, bool is_family)
{
    uint64_t units = 0;

    assert(first < CY_MOST_UNITS);
    for (unsigned i = 0; i < CY_MOST_UNITS; i++)
        if ((!is_family || p->family[i] == p->family[first]) &&
            p->for_memory[i] == p->for_memory[first] &&
            p->cycles[i] > p->cycles[first] - NO_WORK &&
            (!is_same || p->cycles[i] < p->cycles[first] + NO_WORK))
            units |= UINT64_C(1) << i;
    return units;
}

/* The unit with the smallest share of work; CY_MOST_UNITS: no work is left. */
static unsigned least_of(const struct cy_mca_pressure *p)
{
    unsigned least = CY_MOST_UNITS;

    for (unsigned i = 0; i < CY_MOST_UNITS; i++)
        if (p->cycles[i] > NO_WORK &&
            (least == CY_MOST_UNITS || p->cycles[i] < p->cycles[least]))
            least = i;
    return least;
}

/* The units that share a piece of work with `first`, which has the smallest
   share: those of its family with the same share, if they make whole cycles;
   else with at least that share; else of any family. */
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

        assert(units >> least & 1);
        uses->uses[uses->n++] = (struct cy_mca_use){
            units, share * __builtin_popcountll(units), p.for_memory[least]};
        for (unsigned i = 0; i < CY_MOST_UNITS; i++)
            if (units >> i & 1)
                p.cycles[i] = fmax(0, p.cycles[i] - share);
    }
}

/* The length of a unit's name without its number in the family.  llvm-mca tells
   units of equal names apart by a dot and a byte at the end. */
static size_t stem_of(const char *name, size_t n)
{
    const char *dot = memchr(name, '.', n);

    if (dot != NULL)
        return (size_t)(dot - name);
    while (n > 0 && isdigit((unsigned char)name[n - 1]))
        n--;
    return n;
}

/* A unit's family is the first unit with the same stem; names with a dot and
   without are of different families. */
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

static size_t length_of(const json_t *region)
{
    return json_array_size(json_object_get(region, "Instructions"));
}

/* Adds the shares of each instruction to its pressure (is_sum: of all to the
   first one); false if a share is impossible. */
static bool take_shares(struct cy_mca_pressure *pressures, bool is_sum,
                        const json_t *region)
{
    const json_t *list =
        json_object_get(json_object_get(region, "ResourcePressureView"),
                        "ResourcePressureInfo");
    size_t n = length_of(region), i;
    const json_t *value;

    json_array_foreach(list, i, value)
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
    struct cy_mca_pressure memory = {0};
    AUTO_FREE struct cy_mca_pressure *all =
        memory_new(length_of(region), sizeof *all);
    AUTO_FREE size_t *places = memory_new(n, sizeof *places);
    bool is_good = json_array_size(list) == 2 &&
                   take_shares(&memory, true, json_array_get(list, 0)) &&
                   take_shares(all, false, region);

    for (unsigned i = 0; i < CY_MOST_UNITS; i++)
        memory.for_memory[i] = memory.cycles[i] > 0;
    take_families(&memory, report);
    take_insns(insns, n, texts, region, places);
    for (size_t i = 0; i < n && is_good; i++) {
        uses[i] = (struct cy_mca_uses){0};
        if (!insns[i].is_known)
            continue;
        assert(places[i] < length_of(region));
        is_good = insns[i].latency >= 0 && insns[i].latency < 1e6;
        memcpy(memory.cycles, all[places[i]].cycles, sizeof memory.cycles);
        cy_uses_of(&uses[i], memory);
    }
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
