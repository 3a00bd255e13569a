/*
 * hexcode: machine code in hexadecimal, and an ELF file of it.
 *
 * Code is pairs of digits, with "0x" or "\x" before them or not, and with
 * blanks and commas between them or not.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "file.h"

/* The bytes of a text of code; the caller frees.  NULL: it is not only code. */
uint8_t *hexcode_parse(const char *text, size_t *n, struct diag *d);

/* A line of a text that is not blank. */
struct hexcode_line {
    char name[24]; /* "line N", counted from 1 */
    size_t number;
    const uint8_t *bytes; /* NULL: the line is no code */
    size_t n;
    char *fault; /* why the line is no code, or NULL */
};

/* The lines of a text, each of which is code, or is not. */
struct hexcode {
    struct hexcode_line *lines;
    size_t n_lines, lines_room;
    uint8_t *bytes; /* the code of all lines, one after the other */
    size_t n;
    char id[OBJID_SIZE]; /* the SHA-256 of the text */
};

/* Reads the lines of a file, or with "-" of standard input; `subject` is its
   name in messages.  -1, with nothing left open, if no line is code: the
   message says why the first is not. */
int hexcode_read(struct hexcode *code, const char *path, const char *subject,
                 struct diag *d);
void hexcode_fini(struct hexcode *code);

/* Writes an ELF file of an architecture with these bytes at address 0. */
int hexcode_write(const char *path, const char *arch, const uint8_t *bytes,
                  size_t n, struct diag *d);
