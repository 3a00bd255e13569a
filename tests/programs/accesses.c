/*
 * Random stores and loads of all widths, which overlap in many ways; many lie
 * about 512 instructions apart, where forwards change.
 *
 *     cc -O1 -DSEED=N -DROUNDS=N accesses.c
 *
 * A function has one access of a certain width, or a few random ones, in a row
 * or in a loop.  A round calls one that stores, at up to four places side by
 * side, with waits in between, perhaps any other function, and one that loads.
 * Rounds are often alike, so that loads know what to expect, and then change.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
typedef unsigned char u1 __attribute__((may_alias));
typedef unsigned short u2 __attribute__((may_alias, aligned(1)));
typedef unsigned int u4 __attribute__((may_alias, aligned(1)));
typedef unsigned long u8 __attribute__((may_alias, aligned(1)));
typedef u1 u16 __attribute__((vector_size(16), aligned(1)));
typedef u1 u32 __attribute__((vector_size(32), aligned(1)));

#define INLINE __attribute__((always_inline)) static inline
#define KEPT   __attribute__((noinline)) static

/* The compiler computes it if x is a constant. */
INLINE unsigned mix(unsigned x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

INLINE void access(u1 *p, unsigned log, int stores)
{
    static const u16 zero16;
    static const u32 zero32;

#define WIDTH(log, type, zero)          \
    case log:                           \
        if (stores)                     \
            *(volatile type *)p = zero; \
        else                            \
            (void)*(volatile type *)p;  \
        break;
    switch (log) {
        WIDTH(0, u1, 0)
        WIDTH(1, u2, 0)
        WIDTH(2, u4, 0)
        WIDTH(3, u8, 0)
        WIDTH(4, u16, zero16)
        WIDTH(5, u32, zero32)
    }
}

INLINE void some_access(u1 *p, unsigned r, int stores)
{
    unsigned log = r % 6, at = (r >> 4) % 17;

    if (r >> 10 & 3)
        at &= ~0u << log;
    access(p + at, log, r >> 12 & 15 ? stores : !stores);
}

INLINE void some_accesses(u1 *p, unsigned i)
{
    unsigned r = mix(SEED * 64 + i);

    for (unsigned n = r % 3 == 0 ? 2 + (r >> 4) % 4 : 1; n > 0; n--) {
        some_access(p, mix(r), i % 2 == 0);
        if (r >> 8 & 1)
            some_access(p, mix(r + 1), i % 2 == 0);
        if ((r >> 9 & 3) == 0)
            some_access(p, mix(r + 2), i % 2 == 0);
        if ((r >> 11 & 3) == 0)
            some_access(p, mix(r + 3), i % 2 == 0);
        p += (r >> 16) % 17;
    }
}

/* Defines function i: even ones store, odd ones load; some do both. */
#define DEFINE(i)                         \
    KEPT void f##i(u1 *p)                 \
    {                                     \
        if (i < 12)                       \
            access(p, i / 2, i % 2 == 0); \
        else                              \
            some_accesses(p, i);          \
    }
#define SIX(X, a, b, c, d, e, f) X(a) X(b) X(c) X(d) X(e) X(f)
#define EACH(X)                    \
    SIX(X, 0, 1, 2, 3, 4, 5)       \
    SIX(X, 6, 7, 8, 9, 10, 11)     \
    SIX(X, 12, 13, 14, 15, 16, 17) \
    SIX(X, 18, 19, 20, 21, 22, 23) \
    SIX(X, 24, 25, 26, 27, 28, 29) \
    SIX(X, 30, 31, 32, 33, 34, 35)
#define NAME(i) f##i,
EACH(DEFINE)
static void (*const f[])(u1 *) = {EACH(NAME)};

KEPT unsigned below(unsigned n)
{
    static unsigned state = SEED;

    return mix(state++) % n;
}

KEPT void wait(unsigned n)
{
    for (; n > 0; n--)
        __asm__ volatile("");
}

static unsigned age(void)
{
    return below(3) == 0   ? below(4)
           : below(4) == 0 ? 232 + below(24)
                           : below(250);
}

/* The number of a function with one access of this width, or now and then of
   any function that stores (`loads` is 0) or loads (1). */
static unsigned function(unsigned log, unsigned loads)
{
    return 2 * (below(4) == 0 ? below(18) : log) + loads;
}

int main(void)
{
    static u1 buffer[512] __attribute__((aligned(64)));
    unsigned from = 0, by = 0, to = 0, n = 0, ages[6] = {0};
    unsigned at = 0, step = 0, other = 0, load_at = 0, log;

    for (int round = 0; round < ROUNDS; round++) {
        if (round % 32 == 0) {
            log = below(6);
            from = function(log, 0), by = function(below(6), 0);
            n = 1 + below(4);
            step = below(4) == 0 ? below(33) : 1u << log;
            to = function(log + below(6 - log), 1);
            at = below(4) == 0 ? 64 + below(64) : 64 + 4 * below(16);
            load_at = at + (below(3) == 0 ? below(17) : 0);
            other = below(3) == 0 ? at + below(33) : 0;
        }
        ages[below(6)] = age();
        for (unsigned i = 0; i < n; i++) {
            f[from](buffer + at + i * step);
            wait(ages[i]);
        }
        if (other != 0) {
            f[by](buffer + other);
            wait(ages[4]);
        }
        f[to](buffer + load_at);
    }
    return 0;
}
