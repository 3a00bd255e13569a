/* Functions of real numbers, written after the rules were fixed: reductions,
   tables, polynomials and iterations. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "whole.h"

static inline uint64_t bits_of(double x)
{
    uint64_t bits;

    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double of_bits(uint64_t bits)
{
    double x;

    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

/* 2 to the n/16, as bits, and a polynomial for the rest. */
CALLEE double power_of_e(double x)
{
    static const double sixteenths[16] = {
        1,           1.04427378243, 1.09050773267, 1.13878863476,
        1.189207115, 1.24185781207, 1.29683955465, 1.35425554694,
        1.414213562, 1.47682614594, 1.54221082541, 1.61049033195,
        1.681792831, 1.75625216038, 1.83400808641, 1.91520656140};
    double scaled = x * 23.083120654223414; /* 16 / log 2 */
    long n = (long)(scaled + (scaled < 0 ? -0.5 : 0.5));
    double r = x - (double)n * 0.043321698784996582;
    double p = 1 + r * (1 + r * (0.5 + r * (1.0 / 6 + r * (1.0 / 24))));

    return p *
           of_bits(bits_of(sixteenths[n & 15]) + ((uint64_t)(n >> 4) << 52));
}

WHOLE(powers_of_e)
{
    const double *x = SLOT(0);
    double sum = 0;

    for (int i = 0; i < 200; i++)
        sum += power_of_e(x[i] * 6 - FRESH(i) * 0.05);
    USE(sum);
}

/* The quarter decides between two polynomials, and the sign. */
CALLEE double sine(double x)
{
    long n = (long)(x * 0.63661977236758134 + (x < 0 ? -0.5 : 0.5));
    double r = x - (double)n * 1.5707963267948966, z = r * r, y;

    if (n & 1)
        y = 1 + z * (-0.5 + z * (1.0 / 24 + z * (-1.0 / 720 + z / 40320)));
    else
        y = r + r * z * (-1.0 / 6 + z * (1.0 / 120 + z * (-1.0 / 5040)));
    return n & 2 ? -y : y;
}

WHOLE(sines_of_quarters)
{
    const double *x = SLOT(0);
    double sum = 0;

    for (int i = 0; i < 160; i++)
        sum += sine(x[i] * 4 - FRESH(i) * 0.07);
    USE(sum);
}

/* The exponent, a table for the first bits of the rest, a series for what then
   remains. */
WHOLE(logarithms_by_table)
{
    const double *in = SLOT(0);
    double *table = SLOT(1), *out = SLOT(2);

    for (int i = 0; i < 16; i++)
        table[i] = 1 / (1 + (i + 0.5) / 16);
    for (int i = 0; i < 250; i++) {
        uint64_t bits = bits_of(in[i] * (FRESH(i) + 0.25));
        double n = (double)((long)(bits >> 52) - 1023);
        double m = of_bits((bits & 0xfffffffffffff) | (uint64_t)1023 << 52);
        double c = table[bits >> 48 & 15], r = m * c - 1;

        out[i] = n * 0.6931471805599453 + (1 - c) +
                 r * (1 - r * (0.5 - r * (1.0 / 3 - r * 0.25)));
    }
}

/* A third of the exponent, then Halley's iteration. */
WHOLE(cube_roots)
{
    const double *in = SLOT(0);
    double sum = 0;

    for (int i = 0; i < 100; i++) {
        double x = in[i] * (FRESH(i) + 1);
        double y = of_bits(bits_of(x) / 3 + 0x2a9f7893782da1ce);

        for (int times = 0; times < 2; times++) {
            double cube = y * y * y;

            y = y * (cube + x + x) / (cube + cube + x);
        }
        sum += y;
    }
    USE(sum);
}

/* The sum of Lanczos' approximation of the gamma function. */
WHOLE(gammas_by_lanczos)
{
    static const double weights[8] = {
        676.5203681218851,     -1259.1392167224028,  771.32342877765313,
        -176.61502916214059,   12.507343278686905,   -0.13857109526572012,
        9.9843695780195716e-6, 1.5056327351493116e-7};
    const double *in = SLOT(0);
    double *out = SLOT(1);

    for (int i = 0; i < 60; i++) {
        double x = in[i], sum = 0.99999999999980993;

        for (int k = 0; k < 8; k++)
            sum += weights[k] / (x + k);
        out[i] = sum / (x + 6.5);
    }
}

/* Quotients of complex numbers: the larger part of the divisor divides first.
 */
WHOLE(complex_quotients)
{
    const double *in = SLOT(0);
    double re = 1, im = 0.5;

    for (int i = 0; i < 120; i++) {
        double c = in[i] - FRESH(i) / 128.0, d = in[i + 200] - 0.5, r, n;
        double large_c = c < 0 ? -c : c, large_d = d < 0 ? -d : d, x;

        if (large_c >= large_d) {
            r = d / c;
            n = 1 / (c + d * r);
            x = (re + im * r) * n;
            im = (im - re * r) * n;
        } else {
            r = c / d;
            n = 1 / (c * r + d);
            x = (re * r + im) * n;
            im = (im * r - re) * n;
        }
        re = x + in[i];
        im += 0.25;
    }
    USE(re + im);
}

/* Arctangents: what is above one is turned over, what is above tan(pi/8) moved
   down. */
CALLEE double arctangent(double x)
{
    double a = x < 0 ? -x : x, offset = 0, y, z;
    int turned = a > 1;

    if (turned)
        a = 1 / a;
    if (a > 0.41421356237309503) {
        offset = 0.78539816339744828;
        a = (a - 1) / (a + 1);
    }
    z = a * a;
    y = offset + a - a * z * (1.0 / 3 - z * (0.2 - z * (1.0 / 7 - z / 9)));
    y = turned ? 1.5707963267948966 - y : y;
    return x < 0 ? -y : y;
}

WHOLE(angles_of_points)
{
    const double *in = SLOT(0);
    double sum = 0;

    for (int i = 0; i < 150; i++)
        sum += arctangent(in[i] * (FRESH(i) - 128) / 64);
    USE(sum);
}

/* Bessel functions of whole orders by the recurrence downwards, which is
   scaled where it gets large. */
WHOLE(bessel_downwards)
{
    const double *in = SLOT(0);
    double total = 0;

    for (int i = 0; i < 30; i++) {
        double x = in[i] * (1 + FRESH(i) / 64), above = 0, now = 1, sum = 0;

        for (int order = 24; order > 0; order--) {
            double below = 2 * order / x * now - above;

            above = now;
            now = below;
            if (now > 1e10) {
                now *= 1e-10;
                above *= 1e-10;
                sum *= 1e-10;
            }
            sum += order & 1 ? 2 * now : 0;
        }
        total += now / (sum - now);
    }
    USE(total);
}
