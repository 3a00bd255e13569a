/*
 * cy_dialogue: writes the questions, and reads what llvm-mc answers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "mca/internal.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

char *cy_dialogue_code(enum arch arch, const struct cy_mca_insn *insns,
                       size_t n, size_t *size)
{
    struct memory_stream s;
    char *text;

    memory_stream_open(&s);
    for (size_t i = 0; i < n; i++) {
        assert(insns[i].length > 0 && insns[i].bytes != NULL);
        fputc('[', s.out);
        for (unsigned j = 0; j < insns[i].length; j++)
            fprintf(s.out, "%s0x%02x", j > 0 ? " " : "", insns[i].bytes[j]);
        fprintf(s.out, "]\n%s", cy_assembly_of(arch)->marker_bytes);
    }
    text = memory_stream_close(&s);
    *size = s.size;
    return text;
}

char *cy_dialogue_squeeze(const char *text, size_t n)
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
   a byte occupies all ALUs of Zen 3 and later.  One with another constant is as
   good, and has an encoding that does not. */
static void shorten_constant(char *text)
{
    static const char *const ops[] = {"add", "sub", "and", "or",
                                      "xor", "adc", "sbb"};
    char *constant = strchr(text, '$'), *rest;
    long value;

    if (constant == NULL)
        return;
    errno = 0;
    value = strtol(constant + 1, &rest, 10);
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
    const char *at = strchr(text, '\n'); /* after ".text" */

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
        texts[i] = cy_dialogue_squeeze(at, (size_t)(end - at));
        shorten_constant(texts[i]);
        at = end + strlen(marker);
    }
    return texts;
}

char *cy_dialogue_question(enum arch arch, char **texts, size_t n, size_t *size)
{
    struct memory_stream s;
    char *text;

    memory_stream_open(&s);
    /* A region must not be empty, hence the nop. */
    fprintf(s.out,
            "# LLVM-MCA-BEGIN accesses\n%s# LLVM-MCA-END accesses\n"
            "# LLVM-MCA-BEGIN asked\nnop\n",
            cy_assembly_of(arch)->accesses);
    for (size_t i = 0; i < n; i++)
        fprintf(s.out, "%s\n", texts[i]);
    fputs("# LLVM-MCA-END asked\n", s.out);
    text = memory_stream_close(&s);
    *size = s.size;
    return text;
}
