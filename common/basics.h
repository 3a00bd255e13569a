/* basics: what nearly every file needs: the C library, errors, memory,
   arrays. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

/* --- The text of one error, carried from where it happened to main --- */

struct diag {
    char text[1024]; /* "SUBJECT: WHAT", one line, no newline */
};

/* Formats the text.  Cuts it to fit, and replaces control characters by "?", so
   that a file name can neither break the line nor control a terminal.  NULL, as
   a caller passes who does not want the text, is left alone.  Returns -1, so
   that a caller can write `return diag_set(...)`. */
int diag_set(struct diag *d, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* --- Allocation that cannot fail ---

   Out of memory ends the program here, with one line and exit status 2, so that
   no caller has to unwind from it. */

/* Ends the program, with one line.  For callers of a library that reports a
   lack of memory. */
_Noreturn void memory_exhausted(void);

/* n * size zeroed bytes, never NULL; the caller frees. */
void *memory_new(size_t n, size_t size);

/* Makes room in an array of *capacity elements of `size` bytes for element
   number n (from 0), at least doubling it.  New elements are not initialised.
   Returns the array, which may have moved. */
void *memory_enlarge(void *array, size_t *capacity, size_t n, size_t size);

/* The same, if there is no room yet: on hot paths there mostly is. */
static inline void *memory_grow(void *array, size_t *capacity, size_t n,
                                size_t size)
{
    return n < *capacity ? array : memory_enlarge(array, capacity, n, size);
}

/* A copy of `text`, never NULL; the caller frees. */
char *memory_text(const char *text);

/* What printf would write, never NULL; the caller frees. */
__attribute__((format(printf, 1, 2))) char *memory_printf(const char *format,
                                                          ...);
__attribute__((format(printf, 1, 0))) char *memory_vprintf(const char *format,
                                                           va_list args);

/* AUTO_FREE char *text: a local pointer whose memory is freed at the end of its
   scope, once a value to return has been computed.  AUTO_FINI(f) struct x y: a
   struct for which f(&y) is called there.  Both must have a value by then. */
#define AUTO_FREE       __attribute__((cleanup(memory_free)))
#define AUTO_FINI(fini) __attribute__((cleanup(fini)))
static inline void memory_free(void *pointer)
{
    void *memory;

    memcpy(&memory, pointer, sizeof memory);
    free(memory);
}

/* A stream that collects what is written to `out` as a text. */
struct memory_stream {
    FILE *out;
    char *text;
    size_t size;
};

/* struct memory_stream text = memory_stream_open(&text); */
struct memory_stream memory_stream_open(struct memory_stream *stream);

/* How many bytes were written so far. */
size_t memory_stream_size(struct memory_stream *stream);

/* Closes the stream.  Returns its text, never NULL; the caller frees. */
char *memory_stream_close(struct memory_stream *stream);

/* The rest of a stream, *n bytes and a zero; the caller frees.  *n is larger
   than `most` if there are more bytes.  ferror tells whether reading failed. */
char *memory_contents(FILE *in, size_t most, size_t *n);

/* --- Arrays --- */

/* Appends an element to an array of n elements, which has room for `room`. */
#define array_push(list, n, room, ...)                           \
    ((list) = memory_grow((list), &(room), (n), sizeof *(list)), \
     (void)((list)[(n)++] = (__VA_ARGS__)))

/* Appends to the array `list` of a struct, which has its length in `n_list` and
   its room in `list_room`. */
#define array_append(owner, list, ...)                                 \
    array_push((owner)->list, (owner)->n_##list, (owner)->list##_room, \
               __VA_ARGS__)

/* Makes room in the array `list` of a struct for element number n. */
#define array_reserve(owner, list, n)                                     \
    ((owner)->list = memory_grow((owner)->list, &(owner)->list##_room, n, \
                                 sizeof *(owner)->list))

/* Where element i of a list begins, or NULL if the list is NULL, as an empty
   one is: C lets nothing be added to NULL, not even 0. */
#define array_from(list, i) ((list) != NULL ? (list) + (i) : NULL)

/* Less than, equal to or greater than 0, as a is to b. */
#define array_order(a, b) (((a) > (b)) - ((a) < (b)))

/* Compares the 64-bit numbers that two elements begin with. */
static inline int array_by_number(const void *x, const void *y)
{
    const uint64_t *a = x, *b = y;

    return array_order(*a, *b);
}

typedef int array_compare(const void *x, const void *y);

/* Defines such a function, which says how elements a and b of a type are
   ordered. */
#define ARRAY_ORDER(name, type, ...)                \
    static int name(const void *a_, const void *b_) \
    {                                               \
        const type *a = a_;                         \
        const type *b = b_;                         \
                                                    \
        return __VA_ARGS__;                         \
    }

/* The list may be NULL if it is empty.  Lists are often in order already, since
   databases hold their rows in order, and a test of that is cheap. */
static inline void array_sort_elements(void *list, size_t n, size_t size,
                                       array_compare *compare)
{
    const char *element = list;

    assert(list != NULL || n == 0);
    for (size_t i = 1; i < n; i++, element += size)
        if (compare(element, element + size) > 0) {
            qsort(list, n, size, compare);
            return;
        }
}
#define array_sort(list, n, compare) \
    array_sort_elements(list, n, sizeof *(list), compare)

/* An element of a sorted list that is equal to the key; NULL: there is none. */
#define array_find(key, list, n, compare) \
    ((n) > 0 ? bsearch(key, list, n, sizeof *(list), compare) : NULL)

/* The first number from `low` up to `high` for which the condition, in which
   the number is called `i`, is false; or `high`.  It holds for all before. */
#define array_bisect(low, high, i, is_before)     \
    __extension__({                               \
        size_t low_ = (low), high_ = (high);      \
                                                  \
        while (low_ < high_) {                    \
            size_t i = low_ + (high_ - low_) / 2; \
                                                  \
            if (is_before)                        \
                low_ = i + 1;                     \
            else                                  \
                high_ = i;                        \
        }                                         \
        low_;                                     \
    })
