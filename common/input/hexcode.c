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

#include "input/internal.h"
#include "memory.h"

static bool is_digit(char c)
{
    return isxdigit((unsigned char)c);
}

static const char *skip(const char *at)
{
    at += strspn(at, " \t\r\n,");
    if ((at[0] == '0' || at[0] == '\\') && (at[1] == 'x' || at[1] == 'X'))
        at += 2;
    return at;
}

uint8_t *hexcode_parse(const char *text, size_t *n, struct diag *d)
{
    uint8_t *bytes = memory_new(strlen(text) / 2 + 1, 1);
    const char *at;

    *n = 0;
    for (at = skip(text); is_digit(at[0]) && is_digit(at[1]); at = skip(at + 2))
        bytes[(*n)++] =
            (uint8_t)strtoul((char[]){at[0], at[1], '\0'}, NULL, 16);
    if (at[0] == '\0' && *n > 0)
        return bytes;
    if (at[0] == '\0')
        diag_set(d, "no code");
    else if (is_digit(at[0]))
        diag_set(d, "half a byte at \"%.8s\"", at);
    else
        diag_set(d, "not hexadecimal at \"%.8s\"", at);
    free(bytes);
    return NULL;
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
