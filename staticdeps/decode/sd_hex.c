/*
 * sd_hex: reads blocks of hexadecimal machine code, one per line.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "decode/sd_hex.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "input/hexcode.h"
#include "memory.h"

static size_t count_lines(const struct sd_hex *hex)
{
    size_t n = 1;

    for (size_t i = 0; i < hex->size; i++)
        n += hex->text[i] == '\n';
    return n;
}

/* Where the blocks of lines go. */
struct reader {
    struct sd_hex *hex;
    struct sd_blocks *blocks;
    struct sd_decoder *decoder;
    size_t used; /* of hex->bytes */
};

static void add_line(void *argument, size_t number, const uint8_t *bytes,
                     size_t n, const char *why)
{
    struct reader *r = argument;
    char *name = r->hex->names[number - 1];
    uint8_t *copy = r->hex->bytes + r->used;

    (void)why;
    snprintf(name, sizeof r->hex->names[0], "line %zu", number);
    if (bytes == NULL) {
        sd_blocks_add_broken(r->blocks, SD_NOT_HEX, name);
        return;
    }
    assert(r->used + n <= r->hex->size / 2);
    memcpy(copy, bytes, n);
    r->used += n;
    sd_blocks_add_bytes(r->blocks, r->decoder, copy, n, name, number - 1);
}

int sd_hex_open(struct sd_hex *hex, const char *path, struct sd_blocks *blocks,
                struct sd_decoder *decoder, struct diag *d)
{
    struct reader r = {.hex = hex, .blocks = blocks, .decoder = decoder};

    *hex = (struct sd_hex){.path = memory_text(path)};
    hex->text = file_text(path, FILE_MOST_TEXT, &hex->size, d);
    if (hex->text != NULL) {
        objid_hash_bytes(hex->build_id, hex->text, hex->size);
        hex->names = memory_new(count_lines(hex), sizeof *hex->names);
        hex->bytes = memory_new(hex->size / 2 + 1, 1);
        if (hexcode_lines(hex->text, hex->size,
                          strcmp(path, "-") == 0 ? "standard input" : path,
                          add_line, &r, d) == 0)
            return 0;
    }
    sd_hex_close(hex);
    return -1;
}

void sd_hex_close(struct sd_hex *hex)
{
    free(hex->path);
    free(hex->text);
    free(hex->bytes);
    free(hex->names);
    *hex = (struct sd_hex){0};
}
