/*
 * cy_input: what the user gives, as a file with code, and its regions.
 *
 * Machine code in hexadecimal becomes an ELF file of one segment, assembly
 * source an object file, both in a temporary directory.  A region is code that
 * the user takes for the body of a loop: all of --hex, a --range, or what is
 * between marks: comments of llvm-mca's and OSACA's in assembly source, or
 * IACA's bytes in any code.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_INPUT_H
#define CY_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "diag.h"

struct cy_region {
    uint64_t start, end;
    char *name;
};

struct cy_regions {
    struct cy_region *regions;
    size_t n, room;
};

struct cy_input {
    char *path;                /* of a file with code */
    char *subject;             /* what messages call it */
    char *directory;           /* temporary; NULL: none */
    bool is_source;            /* assembly */
    struct cy_regions regions; /* sorted by address; empty: its own loops */
};

struct cy_input_choice {
    const char *program; /* "-": assembly on standard input; NULL with hex */
    const char *hex;     /* NULL: none */
    const struct cy_regions *ranges;
    bool looks_for_marks; /* in the program's code */
};

/* After a failure, closing it is harmless. */
int cy_input_open(struct cy_input *input, const struct cy_input_choice *choice,
                  struct diag *d);
void cy_input_close(struct cy_input *input);

/* A path in its temporary directory, which is made when it is first needed and
   removed with the input; files in it are removed by the caller, who frees.
   NULL if that fails. */
char *cy_input_temporary(struct cy_input *input, const char *name,
                         struct diag *d);

/* All code of assembly source becomes regions, one for each section. */
int cy_input_take_all(struct cy_input *input, struct diag *d);

/* -1 if a region leaves the code. */
int cy_input_check(const struct cy_input *input, struct diag *d);

/* Says why a region cannot be analysed: where its first byte is that is no
   instruction.  Returns -1. */
int cy_input_refuse(const struct cy_input *input,
                    const struct cy_region *region, struct diag *d);

void cy_regions_add(struct cy_regions *regions, uint64_t start, uint64_t end,
                    const char *name);
void cy_regions_fini(struct cy_regions *regions);

/* The parts. */

/* Bytes in hexadecimal: pairs of digits, with blanks and commas between them,
   and "0x" or "\x" before them, if one likes.  The caller frees; NULL if it is
   something else, or nothing. */
uint8_t *cy_hex_parse(const char *text, size_t *n, struct diag *d);

/* Writes an ELF file with these bytes at address 0. */
int cy_hex_write(const char *path, const uint8_t *bytes, size_t n,
                 struct diag *d);

/* Has GNU as assemble a text into an object file.  `subject` is its name, in
   messages and in its debug information. */
int cy_assemble(const char *text, size_t n, const char *subject,
                const char *object, struct diag *d);

/* A mark in assembly source. */
struct cy_mark {
    bool begins;
    size_t line;
    char *name; /* "": none */
};

struct cy_marks {
    struct cy_mark *marks;
    size_t n, room;
};

/* Finds the marks in comments, and copies the text with label
   CY_MARK_LABEL<number of the mark> in front of each; the caller frees. */
#define CY_MARK_LABEL "depbound.mark."
char *cy_marks_find(struct cy_marks *marks, const char *text, size_t n,
                    size_t *n_copy);
void cy_marks_fini(struct cy_marks *marks);

/* Pairs them: addresses[i] is that of mark i. */
int cy_marks_pair(const struct cy_marks *marks, const uint64_t *addresses,
                  const char *subject, struct cy_regions *regions,
                  struct diag *d);

/* Adds what is between IACA's marks in code; -1 if a mark has no other. */
int cy_marks_iaca(const uint8_t *code, size_t n, uint64_t address,
                  const char *subject, struct cy_regions *regions,
                  struct diag *d);

#endif
