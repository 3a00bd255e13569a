/*
 * sd_hex: reads blocks of hexadecimal machine code, one per line.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "decode/sd_hex.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "memory.h"

/* The value of a hexadecimal digit, or -1. */
static int digit(char c)
{
    if (!isxdigit((unsigned char)c))
        return -1;
    return (c & 15) + (c > '9' ? 9 : 0);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Turns n characters into bytes; false if they are not pairs of digits. */
static bool parse_line(const char *text, size_t n, uint8_t *bytes,
                       size_t *n_bytes)
{
    *n_bytes = 0;
    for (size_t i = 0; i < n;) {
        int high, low;

        if (is_blank(text[i])) {
            i++;
            continue;
        }
        high = digit(text[i]);
        low = i + 1 < n ? digit(text[i + 1]) : -1;
        if (high < 0 || low < 0)
            return false;
        bytes[(*n_bytes)++] = (uint8_t)(high << 4 | low);
        i += 2;
    }
    return true;
}

static size_t count_lines(const struct sd_hex *hex)
{
    size_t n = 1;

    for (size_t i = 0; i < hex->size; i++)
        n += hex->text[i] == '\n';
    return n;
}

static void add_lines(struct sd_hex *hex, struct sd_blocks *blocks,
                      struct sd_decoder *decoder)
{
    const char *line = hex->text, *end = hex->text + hex->size;
    uint8_t *bytes;

    hex->names = memory_new(count_lines(hex), sizeof *hex->names);
    bytes = hex->bytes = memory_new(hex->size / 2 + 1, 1);
    for (size_t number = 0; line < end; number++) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        size_t n = (size_t)((newline != NULL ? newline : end) - line), size;
        char *name = hex->names[number];

        snprintf(name, sizeof hex->names[number], "line %zu", number + 1);
        if (!parse_line(line, n, bytes, &size)) {
            sd_blocks_add_broken(blocks, SD_NOT_HEX, name);
        } else if (size > 0) {
            sd_blocks_add_bytes(blocks, decoder, bytes, size, name, number);
            bytes += size;
        }
        line += n + 1;
    }
}

int sd_hex_open(struct sd_hex *hex, const char *path, struct sd_blocks *blocks,
                struct sd_decoder *decoder, struct diag *d)
{
    *hex = (struct sd_hex){.path = memory_text(path)};
    hex->text = file_text(path, FILE_MOST_TEXT, &hex->size, d);
    if (hex->text == NULL) {
        sd_hex_close(hex);
        return -1;
    }
    objid_hash_bytes(hex->build_id, hex->text, hex->size);
    add_lines(hex, blocks, decoder);
    return 0;
}

void sd_hex_close(struct sd_hex *hex)
{
    free(hex->path);
    free(hex->text);
    free(hex->bytes);
    free(hex->names);
    *hex = (struct sd_hex){0};
}
