/*
 * hexcode: machine code in hexadecimal, and an ELF file of it.
 *
 * Code is pairs of digits, with "0x" or "\x" before them or not, and with
 * blanks and commas between them or not.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COMMON_INPUT_HEXCODE_H
#define COMMON_INPUT_HEXCODE_H

#include <stddef.h>
#include <stdint.h>

#include "diag.h"

/* The caller frees.  NULL if the text has no code, or anything else. */
uint8_t *hexcode_parse(const char *text, size_t *n, struct diag *d);

/* Takes n bytes of line `number`, counted from 1; or NULL, and why that line is
   no code. */
typedef void hexcode_take(void *argument, size_t number, const uint8_t *bytes,
                          size_t n, const char *why);

/* Hands over the lines of a text of n bytes, and a zero byte, that are not
   blank, as code by themselves; their ends are overwritten.  -1 if no line is
   code: the message says why the first is not. */
int hexcode_lines(char *text, size_t n, const char *path, hexcode_take *take,
                  void *argument, struct diag *d);

/* Writes an ELF file of an architecture with these bytes at address 0. */
int hexcode_write(const char *path, const char *arch, const uint8_t *bytes,
                  size_t n, struct diag *d);

#endif
