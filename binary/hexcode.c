/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "binary/hexcode.h"

#include <ctype.h>
#include <elf.h>
#include <errno.h>

#include "file.h"

#define BLANK   " \t\r"
#define BETWEEN BLANK "\n,"

/* The value of a hexadecimal digit; -1 for any other character. */
static int digit(char c)
{
    if (!isxdigit((unsigned char)c))
        return -1;
    return (c & 15) + (c > '9' ? 9 : 0);
}

/* Appends the code of a text to `bytes`; -1 if the text has no code, or has
   other characters. */
static int parse(const char *text, uint8_t *bytes, size_t *n, struct diag *d)
{
    const char *at = text + strspn(text, BETWEEN), *digits;
    const size_t before = *n;

    for (; *at != '\0'; at = digits + 2 + strspn(digits + 2, BETWEEN)) {
        bool has_prefix =
            (at[0] == '0' || at[0] == '\\') && (at[1] == 'x' || at[1] == 'X');
        int high, low;

        digits = has_prefix ? at + 2 : at;
        high = digit(digits[0]);
        low = high >= 0 ? digit(digits[1]) : -1;
        if (low < 0)
            return high >= 0 ? diag_set(d, "half a byte at \"%.8s\"", at)
                             : diag_set(d, "not hexadecimal at \"%.8s\"", at);
        bytes[(*n)++] = (uint8_t)(high << 4 | low);
    }
    return *n > before ? 0 : diag_set(d, "no code");
}

uint8_t *hexcode_parse(const char *text, size_t *n, struct diag *d)
{
    uint8_t *bytes = memory_new(strlen(text) / 2 + 1, 1);

    *n = 0;
    if (parse(text, bytes, n, d) == 0) {
        assert(*n > 0 && *n <= strlen(text) / 2);
        return bytes;
    }
    free(bytes);
    return NULL;
}

/* Adds a line of code, whose text has `size` bytes and then a zero byte. */
static void add_line(struct hexcode *code, size_t number, const char *text,
                     size_t size)
{
    struct hexcode_line line = {.number = number,
                                .bytes = code->bytes + code->n};
    const size_t before = code->n;
    struct diag why;
    int rc = strlen(text) == size
                 ? parse(text, code->bytes, &code->n, &why)
                 : diag_set(&why, "not hexadecimal: a byte of 0");

    snprintf(line.name, sizeof line.name, "line %zu", number);
    if (rc != 0) {
        code->n = before;
        line.bytes = NULL;
        line.fault = memory_text(why.text);
    }
    line.n = code->n - before;
    assert((line.n > 0) == (line.bytes != NULL) && (rc != 0) == (line.n == 0));
    array_append(code, lines, line);
}

/* Ends each line of the text by a zero byte. */
static void split(struct hexcode *code, char *text, size_t size)
{
    char *end = text + size;

    code->bytes = memory_new(size / 2 + 1, 1);
    for (size_t number = 1; text < end; number++) {
        char *newline = memchr(text, '\n', (size_t)(end - text));
        size_t length = (size_t)((newline != NULL ? newline : end) - text);

        text[length] = '\0';
        if (strspn(text, BLANK) < length)
            add_line(code, number, text, length);
        text += length + 1;
    }
    assert(code->n <= size / 2);
}

int hexcode_read(struct hexcode *code, const char *path, const char *subject,
                 struct diag *d)
{
    size_t size;
    char *text = file_text(path, FILE_MOST_TEXT, &size, d);

    *code = (struct hexcode){.lines = NULL};
    if (text == NULL)
        return -1;
    objid_hash_bytes(code->id, text, size);
    split(code, text, size);
    free(text);
    if (code->n > 0)
        return 0;
    if (code->n_lines > 0)
        diag_set(d, "%s: %s: %s", subject, code->lines[0].name,
                 code->lines[0].fault);
    else
        diag_set(d, "%s: no code", subject);
    hexcode_fini(code);
    return -1;
}

void hexcode_fini(struct hexcode *code)
{
    for (size_t i = 0; i < code->n_lines; i++)
        free(code->lines[i].fault);
    free(code->lines);
    free(code->bytes);
    *code = (struct hexcode){.lines = NULL};
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
