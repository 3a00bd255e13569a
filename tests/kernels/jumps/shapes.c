/* Jumps through tables, in the shapes that compilers give to switches and to
   labels with addresses.  Each case stores to a cell of its own, and all cells
   are loaded after the switch: the last comment of a function is the number of
   cells for which that dependency is found. */
/* SPDX-License-Identifier: GPL-2.0-or-later */

#define SET(n) out[n] = in * (2 * (n) + 3) + (n);
#define CASE(n, m)  \
    case (n) + (m): \
        SET(n)      \
        break;
#define CASES(m) \
    CASE(0, m)   \
    CASE(1, m)   \
    CASE(2, m)   \
    CASE(3, m)   \
    CASE(4, m)   \
    CASE(5, m)   \
    CASE(6, m)   \
    CASE(7, m)

static __attribute__((noinline)) int sum(volatile int *out)
{
    int n = out[0]; /* load */

    n += out[1]; /* load */
    n += out[2]; /* load */
    n += out[3]; /* load */
    n += out[4]; /* load */
    n += out[5]; /* load */
    n += out[6]; /* load */
    n += out[7]; /* load */
    n += out[8]; /* load */
    n += out[9]; /* load */
    return n;
}

int dense(volatile int *out, int x, int in)
{
    switch (x) {
        CASES(0) /* store */
    }
    return sum(out) + 1; /* 8 */
}

int moved(volatile int *out, long x, int in)
{
    switch (x) {
        CASES(1000) /* store */
    default:
        SET(9) /* store */
    }
    return sum(out) + 1; /* 9 */
}

int holes(volatile int *out, short x, int in)
{
    switch (x) {
        CASE(0, -4) /* store */
        CASE(1, -4) /* store */
        CASE(2, -1) /* store */
        CASE(3, -1) /* store */
        CASE(4, 1)  /* store */
        CASE(5, 1)  /* store */
        CASE(6, 2)  /* store */
        CASE(7, 4)  /* store */
    default:
        SET(9) /* store */
    }
    return sum(out) + 1; /* 9 */
}

int letters(volatile int *out, const unsigned char *text, int in)
{
    switch (*text) {
        CASES('a') /* store */
    }
    return sum(out) + 1; /* 8 */
}

/* The switch reads a part of a word. */
int field(volatile int *out, const unsigned short *word, int in)
{
    switch ((*word + 0x93) & 0x1ff) {
        CASES(5) /* store */
    }
    return sum(out) + 1; /* 8 */
}

int masked(volatile int *out, unsigned x, int in)
{
    switch (x & 7) {
        CASES(0) /* store */
    }
    return sum(out) + 1; /* 8 */
}

/* Nothing checks the range of x. */
int trusted(volatile int *out, unsigned x, int in)
{
    switch (x) {
        CASES(0) /* store */
    default:
        __builtin_unreachable();
    }
    return sum(out) + 1; /* 8 */
}

int interpreter(volatile int *out, const unsigned char *code, int in)
{
    for (;; in = in * 5 + 1)
        switch (*code++) {
            CASES(0) /* store */
        default:
            return sum(out) + 1; /* 8 */
        }
}

int nested(volatile int *out, int x, int y, int in)
{
    switch (x) {
        CASE(0, 0) /* store */
        CASE(1, 0) /* store */
        CASE(2, 0) /* store */
        CASE(3, 0) /* store */
    case 4:
        switch (y) {
            CASE(4, 6) /* store */
            CASE(5, 6) /* store */
            CASE(6, 6) /* store */
            CASE(7, 6) /* store */
            CASE(8, 6) /* store */
        }
        break;
        CASE(9, -4) /* store */
    }
    return sum(out) + 1; /* 10 */
}

#define LABELS \
    c0:        \
    SET(0)     \
    goto out;  \
    c1:        \
    SET(1)     \
    goto out;  \
    c2:        \
    SET(2)     \
    goto out;  \
    c3:        \
    SET(3)     \
    goto out;  \
    c4:        \
    SET(4)     \
    goto out;  \
    c5:        \
    SET(5)     \
    out:

int labels(volatile int *out, unsigned x, int in)
{
    static const void *const to[] = {&&c0, &&c1, &&c2, &&c3, &&c4, &&c5};

    if (x >= 6)
        return 0;
    goto *to[x];
    LABELS;              /* store */
    return sum(out) + 1; /* 6 */
}

#define FROM_C0(label) ((int)((char *)&&label - (char *)&&c0))
int distances(volatile int *out, unsigned x, int in)
{
    static const int to[] = {FROM_C0(c0), FROM_C0(c1), FROM_C0(c2),
                             FROM_C0(c3), FROM_C0(c4), FROM_C0(c5)};

    if (x >= 6)
        return 0;
    goto *((char *)&&c0 + to[x]);
    LABELS;              /* store */
    return sum(out) + 1; /* 6 */
}

int threaded(volatile int *out, const unsigned char *code, int in)
{
    static const void *const to[] = {&&c0, &&c1, &&c2, &&c3, &&done};

#define NEXT goto *to[*code++]
    NEXT;
c0:
    SET(0) /* store */
    NEXT;
c1:
    SET(1) /* store */
    NEXT;
c2:
    SET(2) /* store */
    NEXT;
c3:
    SET(3) /* store */
    NEXT;
done:
    return sum(out) + 1; /* 4 */
}
