/*
 * input: what the user gives, as a file with code, and its regions.
 *
 * Machine code in hexadecimal becomes an ELF file of one segment, assembly
 * source an object file, both in a temporary directory; both are of x86-64,
 * unless the user of this module chooses another architecture.  The file's name
 * says whether assembly source needs the C preprocessor.  A region is code that
 * the user regards as the body of a loop: all of --hex, a --range, or the code
 * between marks.  Marks are comments of llvm-mca or OSACA in assembly source,
 * or IACA's bytes in any code.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "file.h"

/* --- Machine code in hexadecimal, and an ELF file of it ---

   Code is pairs of digits, with "0x" or "\x" before them or not, and with
   blanks and commas between them or not. */

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

/* --- Input --- */

struct region {
    uint64_t start, end;
    char *name;
};

struct regions {
    struct region *regions;
    size_t n, room;
};

struct input {
    char *path;       /* path of a file with code */
    char *subject;    /* the input's name in messages */
    char *directory;  /* a temporary directory; NULL: none */
    const char *arch; /* of code without a file; as static.db names it */
    bool is_source;   /* the input is assembly source */
    char *text;       /* the source, after the preprocessor; or NULL */
    size_t n_text;
    bool has_lines; /* each region is a line of hexadecimal code */
    char **refused; /* a message for each line that is no region */
    size_t n_refused, refused_room;
    struct regions regions; /* by address; none: the file's loops */
};

/* Is a program assembly source, by its name?  An ELF file is not. */
bool input_is_source(const char *program);

struct input_choice {
    const char *program; /* "-": assembly on standard input; NULL with hex */
    const char *hex;     /* bytes, or else a file whose lines are regions;
                            "-": standard input; NULL: none */
    const char *arch;    /* of code without a file; NULL: x86-64 */
    const struct regions *ranges;
    bool looks_for_marks; /* looks for marks in the program's code */
};

/* Opens the input that was chosen.  input_close may follow a failure, too. */
int input_open(struct input *input, const struct input_choice *choice,
               struct diag *d);
void input_close(struct input *input);

/* A path in the input's temporary directory, which is created when first needed
   and removed with the input.  The caller removes its files in the directory,
   and frees the path.  NULL on failure. */
char *input_temporary(struct input *input, const char *name, struct diag *d);

/* For input of anyone, on a server: from now on this program, and those that it
   runs, read only what is installed and these files and directories (NULL:
   none), write only temporary files, and end within a minute.  The caller
   closes `home`, which has the temporary directory, last.

   The kernel's Landlock enforces it: assembly source can include any file,
   debug information names any, and options of the input's author may name any,
   to be read or written.  What is installed can be read, so secrets must not be
   in /usr or in a directory of PATH. */
int input_distrust(struct input *home, const char *const *files, size_t n,
                   struct diag *d);

/* Replaces the file's name in a message by the input's subject.  Returns -1. */
int input_rename(const struct input *input, struct diag *d);

/* Makes a region of each section of assembly source that has code. */
int input_take_all(struct input *input, struct diag *d);

/* Returns -1 if a region is not entirely in the code. */
int input_check(const struct input *input, struct diag *d);

/* Reports why a region cannot be analysed: the address of its first byte that
   begins no instruction of the architecture.  Returns -1. */
int input_refuse(const struct input *input, const char *arch,
                 const struct region *region, struct diag *d);

/* Code to mark in assembly source. */
struct annotation {
    uint64_t start, end;
    const char *name, *remark; /* one line each; the remark comes first */
    const char *comment;       /* begins a comment: "#"; for AArch64 "//",
                                  though llvm-mca wants "#" */
    bool is_marked;            /* whether it was marked: the result */
};

/* Writes the source with the marks of llvm-mca and OSACA around the lines of
   each region, and sets is_marked.  A region is not marked if its lines do not
   determine its code, because an earlier region of the list has the same lines,
   or they come from a macro.  The marks are checked by reading the
   written source. */
int input_annotate(struct input *input, struct annotation *list, size_t n,
                   FILE *out, struct diag *d);

/* Write the marks before a region and after it. */
void input_mark_begin(FILE *out, const struct annotation *a);
void input_mark_end(FILE *out, const struct annotation *a);

void regions_add(struct regions *regions, uint64_t start, uint64_t end,
                 const char *name);
void regions_fini(struct regions *regions);

/* Assembles a text of an architecture into an object file, with GNU as.
   `subject` is its name, in messages and in its debug information. */
int assemble(const char *arch, const char *text, size_t n, const char *subject,
             const char *object, struct diag *d);

/* input_internal: what only the files of the input module share. */

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
