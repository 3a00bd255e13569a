/*
 * string-search: finds all places of a word in a text, by the table of Knuth,
 * Morris and Pratt: for each letter, the length of the longest prefix of the
 * word that ends there.
 *
 * The tables of the word and of the text follow the same rule, so
 * that one loop goes over the word, a letter that is in neither, and the text.
 *
 * Word and text are stretches of the Fibonacci word, which comes as near to
 * repeating itself as can be without doing so.  The check compares letters.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "kernel.h"

#define N      SIZE_OR(20000)
#define WORD   20
#define LENGTH (WORD + 1 + N)

/* A prefix that ends one letter earlier may go on; so may its own longest
   prefix that is also its suffix, and so on down to the empty one. */
HOT static void search(int *border, const char *s)
{
    border[0] = 0;
    for (int i = 1; i < LENGTH; i++) {
        int k = border[i - 1];

        while (k > 0 && s[i] != s[k])
            k = border[k - 1];
        border[i] = s[i] == s[k] ? k + 1 : 0;
    }
}

static char s[LENGTH];
static int border[LENGTH];

static char letter(unsigned i)
{
    return kernel_sample(i) < 0.6180339887498949 ? 'a' : 'b';
}

static void fill(void)
{
    for (unsigned i = 0; i < WORD; i++)
        s[i] = letter(i + 30);
    s[WORD] = '.';
    for (unsigned i = 0; i < N; i++)
        s[WORD + 1 + i] = letter(i);
}

static void check(void)
{
    const char *text = s + WORD + 1;

    for (int i = 0; i < N; i++) {
        int length = WORD < i + 1 ? WORD : i + 1;

        while (strncmp(s, text + i + 1 - length, (size_t)length) != 0)
            length--;
        kernel_require(border[WORD + 1 + i] == length);
    }
}

KERNEL("string-search", fill(), search(kernel_any(border), kernel_any(s)))
