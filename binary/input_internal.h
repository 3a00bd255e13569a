/* input_internal: what only the files of the input module share. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "binary/input.h"

/* Preprocesses a file of assembly source, with the compiler's driver for an
   architecture.  The caller frees; NULL if there is an error. */
char *preprocess(const char *arch, const char *path, size_t *n, struct diag *d);

/* Assembles a text and sets addresses[i], for i < n, to the address of its
   label PREFIX<i>. */
int input_labels(struct input *input, const char *text, size_t n_text,
                 const char *prefix, uint64_t *addresses, size_t n,
                 struct diag *d);

/* A mark in assembly source. */
enum mark_tool { MARK_LLVM_MCA, MARK_OSACA, MARK_N_TOOLS };

struct mark {
    bool begins;
    enum mark_tool tool;
    char *file; /* by a line marker of the preprocessor; NULL: none */
    size_t line;
    char *name; /* "": the mark has no name */
};

struct marks {
    struct mark *marks;
    size_t n, room;
};

/* Finds the marks in comments, and copies the text with label
   MARK_LABEL<number of the mark> before each; the caller frees. */
#define MARK_LABEL "region.mark."
char *marks_find(struct marks *marks, const char *text, size_t n,
                 size_t *n_copy);
void marks_fini(struct marks *marks);

/* The position after the comment, quoted text or character of a source that
   begins at `at`; at most `end`. */
const char *marks_skip(const char *at, const char *end);

/* Pairs the marks of each tool to regions: addresses[i] is that of mark i. */
int marks_pair(const struct marks *marks, const uint64_t *addresses,
               const char *subject, struct regions *regions, struct diag *d);

/* Adds the regions between IACA's marks in code; -1 if a mark has no
   partner. */
int marks_iaca(const uint8_t *code, size_t n, uint64_t address,
               const char *subject, struct regions *regions, struct diag *d);

/* Adds the regions that comments of a source mark.  Assembles a copy with
   labels at the marks to find their addresses: in the analysed code these
   labels would look like functions. */
int input_marks(struct input *input, const char *text, size_t n,
                struct regions *regions, struct diag *d);
