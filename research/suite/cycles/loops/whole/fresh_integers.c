/* Big integers, written after the rules were fixed: limbs, the lowest first. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "whole.h"

typedef unsigned __int128 wide;

/* Limbs that differ in each turn. */
static inline void draw_limbs(uint64_t *limbs, int n, long turn)
{
    uint32_t state = (uint32_t)turn * 7919 + 1;

    for (int i = 0; i < n; i++) {
        uint64_t high = next_random(&state);

        limbs[i] = high << 32 | next_random(&state);
    }
}

static inline void draw_words(uint32_t *words, int n, long turn)
{
    uint32_t state = (uint32_t)turn * 7919 + 1;

    for (int i = 0; i < n; i++)
        words[i] = next_random(&state);
}

/* Fibonacci numbers of twenty limbs. */
CALLEE uint64_t add_limbs(uint64_t *to, const uint64_t *from, int n)
{
    uint64_t carry = 0;

    for (int i = 0; i < n; i++) {
        uint64_t sum = to[i] + carry;

        carry = sum < carry;
        sum += from[i];
        carry += sum < from[i];
        to[i] = sum;
    }
    return carry;
}

WHOLE(sums_with_carry)
{
    uint64_t *a = SLOT(0), *b = SLOT(1), carries = 0;

    draw_limbs(a, 20, turn);
    draw_limbs(b, 20, turn + 1);
    for (int i = 0; i < 30; i++) {
        carries += add_limbs(a, b, 20);
        carries += add_limbs(b, a, 20);
    }
    USE(carries);
}

WHOLE(square_of_limbs)
{
    uint64_t *a = SLOT(0), *to = SLOT(1), carry = 0;

    draw_limbs(a, 24, turn);
    for (int i = 0; i < 48; i++)
        to[i] = 0;
    for (int i = 0; i < 24; i++) {
        carry = 0;
        for (int j = i + 1; j < 24; j++) {
            wide x = (wide)a[i] * a[j] + to[i + j] + carry;

            to[i + j] = (uint64_t)x;
            carry = (uint64_t)(x >> 64);
        }
        to[i + 24] = carry;
    }
    carry = 0;
    for (int i = 0; i < 24; i++) {
        uint64_t top = to[2 * i + 1] >> 63;
        wide x = (wide)a[i] * a[i] + (to[2 * i] << 1 | carry);

        to[2 * i] = (uint64_t)x;
        x = (x >> 64) + ((wide)to[2 * i + 1] << 1 | to[2 * i] >> 63);
        to[2 * i + 1] = (uint64_t)x;
        carry = top;
    }
}

/* 48 limbs of 32 bits over words of 32. */
CALLEE uint32_t divide_limbs(uint32_t *limbs, int n, uint32_t by)
{
    uint64_t rest = 0;

    for (int i = n - 1; i >= 0; i--) {
        rest = rest << 32 | limbs[i];
        limbs[i] = (uint32_t)(rest / by);
        rest %= by;
    }
    return (uint32_t)rest;
}

WHOLE(quotients_by_words)
{
    uint32_t *a = SLOT(0), rests = 0;

    draw_words(a, 48, turn);
    for (int i = 0; i < 8; i++)
        rests ^= divide_limbs(a, 48, 1000003U + (uint32_t)i * 77777);
    USE(rests);
}

WHOLE(limbs_to_decimal)
{
    uint32_t *a = SLOT(0);
    char *text = SLOT(1), *at = text + 200;

    draw_words(a, 16, turn);
    *at = 0;
    for (int n = 16; n > 0;) {
        uint64_t rest = 0;

        for (int i = n - 1; i >= 0; i--) {
            rest = rest << 32 | a[i];
            a[i] = (uint32_t)(rest / 1000000000);
            rest %= 1000000000;
        }
        for (int digit = 0; digit < 9; digit++, rest /= 10)
            *--at = (char)('0' + rest % 10);
        while (n > 0 && a[n - 1] == 0)
            n--;
    }
    USE(text + 200 - at);
}

WHOLE(decimal_to_limbs)
{
    uint64_t *a = SLOT(0);
    int n = 0;

    for (int i = 0; i < 90; i++) {
        uint64_t carry = (uint64_t)FRESH(i) % 10;

        for (int j = 0; j < n; j++) {
            wide x = (wide)a[j] * 10 + carry;

            a[j] = (uint64_t)x;
            carry = (uint64_t)(x >> 64);
        }
        if (carry != 0)
            a[n++] = carry;
    }
    USE(n);
}

/* Montgomery's product of four limbs, again and again. */
CALLEE void montgomery(uint64_t *to, const uint64_t *a, const uint64_t *b,
                       const uint64_t *m, uint64_t inverse)
{
    uint64_t t[6] = {0};

    for (int i = 0; i < 4; i++) {
        uint64_t carry = 0, factor;
        wide x;

        for (int j = 0; j < 4; j++) {
            x = (wide)a[i] * b[j] + t[j] + carry;
            t[j] = (uint64_t)x;
            carry = (uint64_t)(x >> 64);
        }
        x = (wide)t[4] + carry;
        t[4] = (uint64_t)x;
        t[5] = (uint64_t)(x >> 64);
        factor = t[0] * inverse;
        carry = (uint64_t)(((wide)factor * m[0] + t[0]) >> 64);
        for (int j = 1; j < 4; j++) {
            x = (wide)factor * m[j] + t[j] + carry;
            t[j - 1] = (uint64_t)x;
            carry = (uint64_t)(x >> 64);
        }
        x = (wide)t[4] + carry;
        t[3] = (uint64_t)x;
        t[4] = t[5] + (uint64_t)(x >> 64);
    }
    for (uint64_t j = 0, borrow = 0, subtract = -t[4]; j < 4; j++) {
        wide x = (wide)t[j] - (m[j] & subtract) - borrow;

        to[j] = (uint64_t)x;
        borrow = (uint64_t)(x >> 64) & 1;
    }
}

WHOLE(montgomery_powers)
{
    uint64_t *a = SLOT(0), *result = SLOT(1), m[4], inverse = 1;

    draw_limbs(a, 4, turn);
    draw_limbs(result, 4, turn + 1);
    draw_limbs(m, 4, 17);
    m[0] |= 1;
    a[3] >>= 1;
    m[3] |= (uint64_t)1 << 63;
    for (int i = 0; i < 6; i++)
        inverse *= 2 - m[0] * inverse;
    for (int bit = 0; bit < 32; bit++) {
        montgomery(result, result, result, m, -inverse);
        if (EIGHTH(bit) & 1)
            montgomery(result, result, a, m, -inverse);
    }
}

/* Long division of twelve limbs of 32 bits by four, as in Knuth's book. */
WHOLE(long_divisions)
{
    uint32_t *u = SLOT(0), *v = SLOT(1), *q = SLOT(2);

    for (int times = 0; times < 10; times++) {
        draw_words(u, 12, turn * 10 + times);
        draw_words(v, 4, turn + times);
        v[3] |= 1U << 31;
        u[12] = 0;
        for (int j = 8; j >= 0; j--) {
            uint64_t top = (uint64_t)u[j + 4] << 32 | u[j + 3];
            uint64_t guess = top / v[3], rest = top % v[3], carry = 0;
            int64_t borrow = 0;

            while (guess >> 32 != 0 || guess * v[2] > (rest << 32 | u[j + 2])) {
                guess--;
                rest += v[3];
                if (rest >> 32 != 0)
                    break;
            }
            for (int i = 0; i < 4; i++) {
                uint64_t product = guess * v[i] + carry;

                carry = product >> 32;
                borrow += (int64_t)u[i + j] - (uint32_t)product;
                u[i + j] = (uint32_t)borrow;
                borrow >>= 32;
            }
            borrow += (int64_t)u[j + 4] - (int64_t)carry;
            u[j + 4] = (uint32_t)borrow;
            q[j] = (uint32_t)guess;
            if (borrow < 0) {
                q[j]--;
                carry = 0;
                for (int i = 0; i < 4; i++) {
                    carry = (carry >> 32) + u[i + j] + v[i];
                    u[i + j] = (uint32_t)carry;
                }
                u[j + 4] += (uint32_t)(carry >> 32);
            }
        }
    }
}

/* Inverses modulo a prime, by the extended algorithm of Euclid. */
WHOLE(inverses_by_euclid)
{
    const int64_t prime = 1000000007;
    int64_t sum = 0;

    for (int i = 0; i < 24; i++) {
        int64_t a = FRESH(i) * 3000017L + i + 1, b = prime, x = 1, y = 0;

        while (a > 1) {
            int64_t q = a / b, t = b;

            b = a % b;
            a = t;
            t = y;
            y = x - q * y;
            x = t;
        }
        sum += x < 0 ? x + prime : x;
    }
    USE(sum);
}
