/*
 * hexcode: machine code in hexadecimal -> an ELF file.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/hexcode.h"
#include "memory.h"

#define BLANK   " \t\r"
#define BETWEEN BLANK "\n,"

/* The value of a digit, or -1. */
static int digit(char c)
{
    if (!isxdigit((unsigned char)c))
        return -1;
    return (c & 15) + (c > '9' ? 9 : 0);
}

uint8_t *hexcode_parse(const char *text, size_t *n, struct diag *d)
{
    uint8_t *bytes = memory_new(strlen(text) / 2 + 1, 1);
    const char *at = text + strspn(text, BETWEEN), *digits;

    for (*n = 0; *at != '\0'; at = digits + 2 + strspn(digits + 2, BETWEEN)) {
        bool has_prefix =
            (at[0] == '0' || at[0] == '\\') && (at[1] == 'x' || at[1] == 'X');
        int high, low;

        digits = has_prefix ? at + 2 : at;
        high = digit(digits[0]);
        low = high >= 0 ? digit(digits[1]) : -1;
        if (low < 0)
            break;
        bytes[(*n)++] = (uint8_t)(high << 4 | low);
    }
    if (*at == '\0' && *n > 0)
        return bytes;
    if (*at == '\0')
        diag_set(d, "no code");
    else if (digit(*digits) >= 0)
        diag_set(d, "half a byte at \"%.8s\"", at);
    else
        diag_set(d, "not hexadecimal at \"%.8s\"", at);
    free(bytes);
    return NULL;
}

/* The code of a line of n bytes; NULL, and why there is none. */
static uint8_t *parse_line(const char *line, size_t n, size_t *n_bytes,
                           struct diag *why)
{
    if (strlen(line) == n)
        return hexcode_parse(line, n_bytes, why);
    diag_set(why, "not hexadecimal: a byte of 0");
    return NULL;
}

int hexcode_lines(char *text, size_t n, const char *path, hexcode_take *take,
                  void *argument, struct diag *d)
{
    bool has_code = false, has_refused = false;

    for (size_t number = 1, length; n > 0; number++) {
        char *newline = memchr(text, '\n', n);
        uint8_t *bytes;
        size_t n_bytes;
        struct diag why;

        length = newline != NULL ? (size_t)(newline - text) : n;
        text[length] = '\0';
        if (strspn(text, BLANK) < length) {
            bytes = parse_line(text, length, &n_bytes, &why);
            take(argument, number, bytes, n_bytes, why.text);
            if (bytes == NULL && !has_code && !has_refused)
                diag_set(d, "%s: line %zu: %s", path, number, why.text);
            has_code |= bytes != NULL;
            has_refused |= bytes == NULL;
            free(bytes);
        }
        text += length + (newline != NULL);
        n -= length + (newline != NULL);
    }
    if (has_code)
        return 0;
    return has_refused ? -1 : diag_set(d, "%s: no code", path);
}

int hexcode_write(const char *path, const char *arch, const uint8_t *bytes,
                  size_t n, struct diag *d)
{
    Elf64_Ehdr header = {.e_ident = ELFMAG,
                         .e_type = ET_EXEC,
                         .e_machine = strcmp(arch, "aarch64") == 0 ? EM_AARCH64
                                                                   : EM_X86_64,
                         .e_version = EV_CURRENT,
                         .e_phoff = sizeof header,
                         .e_ehsize = sizeof header,
                         .e_phentsize = sizeof(Elf64_Phdr),
                         .e_phnum = 1};
    Elf64_Phdr segment = {.p_type = PT_LOAD,
                          .p_flags = PF_R | PF_X,
                          .p_offset = sizeof header + sizeof segment,
                          .p_filesz = n,
                          .p_memsz = n,
                          .p_align = 1};
    FILE *out = fopen(path, "wb");
    bool is_written;

    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    if (out == NULL)
        return diag_set(d, "%s: %s", path, strerror(errno));
    is_written = fwrite(&header, sizeof header, 1, out) == 1 &&
                 fwrite(&segment, sizeof segment, 1, out) == 1 &&
                 fwrite(bytes, 1, n, out) == n;
    if (fclose(out) != 0 || !is_written)
        return diag_set(d, "%s: %s", path, strerror(errno));
    return 0;
}
