/*
 * memory: allocation that cannot fail.  Out of memory ends the program here,
 * with one line and exit status 2, so that no caller has to unwind from it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/* Ends the program, with one line.  For callers of a library that reports a
   lack of memory. */
_Noreturn void memory_exhausted(void);

/* n * size zeroed bytes, never NULL; the caller frees. */
void *memory_new(size_t n, size_t size);

/* Makes room in an array of *capacity elements of `size` bytes for element
   number n (from 0), at least doubling it.  New elements are not initialised.
   Returns the array, which may have moved. */
void *memory_grow(void *array, size_t *capacity, size_t n, size_t size);

/* A copy of `text`, never NULL; the caller frees. */
char *memory_text(const char *text);

/* What printf would write, never NULL; the caller frees. */
__attribute__((format(printf, 1, 2))) char *memory_printf(const char *format,
                                                          ...);
__attribute__((format(printf, 1, 0))) char *memory_vprintf(const char *format,
                                                           va_list args);

/* A stream that collects what is written to `out` as a text. */
struct memory_stream {
    FILE *out;
    char *text;
    size_t size;
};

void memory_stream_open(struct memory_stream *stream);

/* How many bytes were written so far. */
size_t memory_stream_size(struct memory_stream *stream);

/* Closes the stream.  Returns its text, never NULL; the caller frees. */
char *memory_stream_close(struct memory_stream *stream);

/* The rest of a stream, *n bytes and a zero; the caller frees.  *n is larger
   than `most` if there are more bytes.  ferror tells whether reading failed. */
char *memory_contents(FILE *in, size_t most, size_t *n);
