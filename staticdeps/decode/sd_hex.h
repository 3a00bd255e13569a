/*
 * sd_hex: reads blocks of hexadecimal machine code, one per line.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_HEX_H
#define SD_HEX_H

#include "diag.h"
#include "decode/sd_blocks.h"

struct sd_hex {
    char *path;                /* "-" for standard input */
    char build_id[OBJID_SIZE]; /* the SHA-256 of the text */
    char *text;
    size_t size;
    uint8_t *bytes;
    char (*names)[24]; /* "line N" */
};

/* Reads the lines of a file, or of standard input if `path` is "-", and appends
   their blocks, which borrow from *hex.  Blank lines are counted, but give no
   block.  On failure, as when no line has code, nothing is left open. */
int sd_hex_open(struct sd_hex *hex, const char *path, struct sd_blocks *blocks,
                struct sd_decoder *decoder, struct diag *d);
void sd_hex_close(struct sd_hex *hex);

#endif
