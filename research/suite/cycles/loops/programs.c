/* Loops of well-known algorithms, as programs have them.  They were written
   after the rules and the machine files, which were never tried on them. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "loop.h"

/* Keeps the result x in use. */
#define USE(x) (*(volatile __typeof__(x) *)SLOT(5) = (x))

/* Checksums, ciphers and random numbers. */

struct adler {
    unsigned a, b;
};

LOOP(memory, adler_in_memory)
{
    struct adler *sum = SLOT(5);
    unsigned char *bytes = SLOT(0);

    for (long i = 0; i < n; i++) {
        sum->a = (sum->a + bytes[i]) % 65521;
        sum->b = (sum->b + sum->a) % 65521;
    }
}

LOOP(other, adler)
{
    struct adler sum = {1, 0};
    unsigned char *bytes = SLOT(0);

    for (long i = 0; i < n; i++) {
        sum.a += bytes[i];
        sum.b += sum.a;
    }
    USE(sum.a ^ sum.b);
}

LOOP(other, crc_by_table)
{
    unsigned char *bytes = SLOT(0);
    unsigned *table = SLOT(1), crc = ~0U;

    for (long i = 0; i < n; i++)
        crc = crc >> 8 ^ table[(crc ^ bytes[i]) & 255];
    USE(crc);
}

LOOP(memory, crc_in_memory)
{
    unsigned char *bytes = SLOT(0);
    unsigned *table = SLOT(1), *crc = SLOT(5);

    for (long i = 0; i < n; i++)
        *crc = *crc >> 8 ^ table[(*crc ^ bytes[i]) & 255];
}

struct rc4 {
    unsigned char i, j, s[256];
};

LOOP(memory, rc4)
{
    struct rc4 *k = SLOT(5);
    unsigned char *out = SLOT(0);

    for (long i = 0; i < n; i++) {
        unsigned char a = k->s[++k->i], b;

        k->j = (unsigned char)(k->j + a);
        b = k->s[k->j];
        k->s[k->i] = b;
        k->s[k->j] = a;
        out[i] ^= k->s[(unsigned char)(a + b)];
    }
}

LOOP(memory, sha_schedule)
{
    unsigned *w = SLOT(0);

    for (long i = 16; i < n + 16; i++) {
        unsigned a = w[i - 15], b = w[i - 2];

        a = (a >> 7 | a << 25) ^ (a >> 18 | a << 14) ^ a >> 3;
        b = (b >> 17 | b << 15) ^ (b >> 19 | b << 13) ^ b >> 10;
        w[i] = w[i - 16] + a + w[i - 7] + b;
    }
}

LOOP(memory, lagged_fibonacci)
{
    unsigned long *x = SLOT(0);

    for (long i = 17; i < n + 17; i++)
        x[i] = x[i - 17] + x[i - 5];
}

struct xoshiro {
    unsigned long s[4];
};

LOOP(memory, xoshiro_in_memory)
{
    volatile struct xoshiro *g = SLOT(0);

    for (long i = 0; i < n; i++) {
        unsigned long t = g->s[1] << 17;

        g->s[2] ^= g->s[0];
        g->s[3] ^= g->s[1];
        g->s[1] ^= g->s[2];
        g->s[0] ^= g->s[3];
        g->s[2] ^= t;
        g->s[3] = g->s[3] << 45 | g->s[3] >> 19;
    }
}

/* Tables of dynamic programming. */

LOOP(memory, coin_change)
{
    volatile unsigned *ways = SLOT(0);

    for (long i = 2; i < n + 2; i++)
        ways[i] = ways[i] + ways[i - 2];
}

LOOP(broken, coin_change_broken)
{
    volatile unsigned *ways = SLOT(0), *before = SLOT(1);

    for (long i = 2; i < n + 2; i++)
        ways[i] = ways[i] + before[i - 2];
}

LOOP(memory, stairs)
{
    volatile int *cost = SLOT(0), *weight = SLOT(3);

    for (long i = 2; i < n + 2; i++) {
        int a = cost[i - 1], b = cost[i - 2];

        cost[i] = weight[i] + (a < b ? a : b);
    }
}

LOOP(broken, stairs_broken)
{
    volatile int *cost = SLOT(0), *weight = SLOT(3), *before = SLOT(1);

    for (long i = 2; i < n + 2; i++) {
        int a = before[i - 1], b = before[i - 2];

        cost[i] = weight[i] + (a < b ? a : b);
    }
}

LOOP(memory, warped_row)
{
    float *above = SLOT(0), *here = SLOT(1), *cost = SLOT(2);

    for (long i = 1; i <= n; i++) {
        float best = above[i] < above[i - 1] ? above[i] : above[i - 1];

        best = here[i - 1] < best ? here[i - 1] : best;
        here[i] = cost[i] + best;
    }
}

LOOP(memory, smith_waterman_row)
{
    int *above = SLOT(0), *here = SLOT(1), *score = SLOT(3);

    for (long i = 1; i <= n; i++) {
        int best = (above[i - 1] & 1023) + score[i];
        int left = here[i - 1] - 2, up = (above[i] & 1023) - 2;

        best = best > left ? best : left;
        best = best > up ? best : up;
        here[i] = best > 0 ? best : 0;
    }
}

/* Numerical algorithms. */

LOOP(memory, forward_substitution)
{
    double *x = SLOT(0), *l = SLOT(1), *d = SLOT(2);

    for (long i = 1; i <= n; i++)
        x[i] = (x[i] - l[i] * x[i - 1]) / d[i];
}

LOOP(memory, thomas_sweep)
{
    double *c = SLOT(0), *d = SLOT(1), *b = SLOT(2);

    for (long i = 1; i <= n; i++) {
        double m = 1 / (b[i] + 2 - c[i - 1]);

        c[i] = 0.5 * m;
        d[i] = (d[i] + d[i - 1]) * m;
    }
}

LOOP(memory, leaky_integrator)
{
    volatile float *y = SLOT(0);
    float *x = SLOT(1);

    for (long i = 1; i <= n; i++)
        y[i] = x[i] + 0.5F * y[i - 1];
}

LOOP(broken, leaky_integrator_broken)
{
    volatile float *y = SLOT(0), *z = SLOT(2);
    float *x = SLOT(1);

    for (long i = 1; i <= n; i++)
        y[i] = x[i] + 0.5F * z[i - 1];
}

LOOP(memory, legendre)
{
    volatile double *p = SLOT(0);

    for (long i = 2; i < n + 2; i++)
        p[i] = 0.6 * p[i - 1] - 0.3 * p[i - 2];
}

LOOP(broken, legendre_broken)
{
    volatile double *p = SLOT(0), *q = SLOT(1);

    for (long i = 2; i < n + 2; i++)
        p[i] = 0.6 * q[i - 1] - 0.3 * q[i - 2];
}

LOOP(memory, wave_in_place)
{
    double *u = SLOT(0);

    for (long i = 1; i <= n; i++)
        u[i] = u[i] + 0.25 * (u[i + 1] - 2 * u[i] + u[i - 1]);
}

struct particle {
    double x, v, f;
};

LOOP(memory, pendulum)
{
    volatile struct particle *p = SLOT(5);

    for (long i = 0; i < n; i++) {
        p->v = p->v - 0.01 * p->x;
        p->x = p->x + 0.01 * p->v;
    }
}

LOOP(memory, kahan_in_memory)
{
    volatile double *s = SLOT(5);
    double *a = SLOT(0);

    for (long i = 0; i < n; i++) {
        double y = a[i] - s[1], t = s[0] + y;

        s[1] = (t - s[0]) - y;
        s[0] = t;
    }
}

LOOP(memory, big_number_sum)
{
    unsigned long *a = SLOT(0), *b = SLOT(1), *carry = SLOT(5);

    for (long i = 0; i < n; i++) {
        unsigned long s = a[i] + *carry;

        *carry = s < *carry;
        s += b[i];
        *carry += s < b[i];
        a[i] = s;
    }
}

/* Interpreters, compressors, containers. */

struct machine {
    long sp, stack[64];
};

LOOP(memory, stack_machine)
{
    volatile struct machine *m = SLOT(5);

    m->sp = 2;
    for (long i = 0; i < n; i++) {
        long a = m->stack[m->sp - 1], b = m->stack[m->sp - 2];

        m->stack[m->sp - 2] = a + b;
        m->sp = m->sp - 1;
        m->stack[m->sp] = i;
        m->sp = m->sp + 1;
    }
}

LOOP(memory, program_counter)
{
    volatile long *pc = SLOT(5);
    int *code = SLOT(3);

    for (long i = 0; i < n; i++)
        *pc = (*pc + code[*pc & 1023]) & 1023;
}

LOOP(memory, run_of_bytes)
{
    volatile unsigned char *out = SLOT(0);

    for (long i = 3; i < n + 3; i++)
        out[i] = out[i - 3];
}

LOOP(broken, run_of_bytes_broken)
{
    volatile unsigned char *out = SLOT(0), *in = SLOT(1);

    for (long i = 3; i < n + 3; i++)
        out[i] = in[i - 3];
}

LOOP(memory, bits_written)
{
    volatile unsigned long *buffer = SLOT(5);
    int *codes = SLOT(3);

    for (long i = 0; i < n; i++) {
        buffer[0] = buffer[0] << 5 | (unsigned)(codes[i] & 31);
        buffer[1] = buffer[1] + 5;
    }
}

LOOP(memory, words_counted)
{
    unsigned *counts = SLOT(0);
    int *words = SLOT(3);

    for (long i = 0; i < n; i++)
        counts[words[i] >> 4]++;
}

LOOP(memory, bubble)
{
    int *a = SLOT(3);

    for (long i = 0; i < n; i++) {
        int x = a[i], y = a[i + 1];

        a[i] = x < y ? x : y;
        a[i + 1] = x < y ? y : x;
    }
}

LOOP(memory, moved_up)
{
    volatile long *a = SLOT(0);

    for (long i = n; i > 0; i--)
        a[i] = a[i - 1];
}

struct reader {
    unsigned char *next;
    long left;
    unsigned sum;
};

LOOP(memory, reader_in_memory)
{
    volatile struct reader *r = SLOT(5);

    r->next = SLOT(0);
    r->left = n;
    do
        r->sum += *r->next++;
    while (--r->left > 0);
}

/* Loops that memory does not bound. */

LOOP(other, base64_digits)
{
    unsigned char *restrict in = SLOT(0), *restrict out = SLOT(2);
    char *restrict table = SLOT(1);

    for (long i = 0; i < n; i++)
        out[i] = (unsigned char)table[in[i] & 63];
}

LOOP(other, grey)
{
    unsigned char *restrict rgb = SLOT(0), *restrict out = SLOT(2);

    for (long i = 0; i < n; i++)
        out[i] = (unsigned char)((77 * rgb[3 * i] + 150 * rgb[3 * i + 1] +
                                  29 * rgb[3 * i + 2]) >>
                                 8);
}

LOOP(other, newton_root)
{
    double *a = SLOT(0), x = 1;

    for (long i = 0; i < n; i++)
        x = 0.5 * (x + a[i] / x);
    USE(x);
}

LOOP(other, greatest_common_divisors)
{
    int *restrict a = SLOT(3), *restrict out = SLOT(0);

    for (long i = 0; i < n; i++)
        out[i] = (a[i] + 1000) % (a[i + 1] + 1);
}

LOOP(other, interpolated)
{
    float *restrict x = SLOT(0), *restrict out = SLOT(2);
    float *restrict table = SLOT(1);

    for (long i = 0; i < n; i++) {
        int k = (int)x[i] & 511;

        out[i] = table[k] + (x[i] - (float)k) * (table[k + 1] - table[k]);
    }
}

LOOP(other, axpy)
{
    double *restrict x = SLOT(0), *restrict y = SLOT(1);

    for (long i = 0; i < n; i++)
        y[i] += 0.3 * x[i];
}

LOOP(other, morton)
{
    unsigned *restrict x = SLOT(0), *restrict out = SLOT(2);

    for (long i = 0; i < n; i++) {
        unsigned a = x[i] & 0xffff;

        a = (a | a << 8) & 0x00ff00ff;
        a = (a | a << 4) & 0x0f0f0f0f;
        a = (a | a << 2) & 0x33333333;
        out[i] = (a | a << 1) & 0x55555555;
    }
}

LOOP(other, vowels)
{
    unsigned char *bytes = SLOT(0);
    long count = 0;

    for (long i = 0; i < n; i++)
        count += 0x208222 >> (bytes[i] & 31) & 1;
    USE(count);
}

LOOP(other, exponential)
{
    double x = 1, s = 1, *a = SLOT(0);

    for (long i = 0; i < n; i++) {
        x = x * a[0] * 0.4;
        s += x;
    }
    USE(s);
}
