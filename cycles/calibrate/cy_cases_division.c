/*
 * cy_cases: division and square root.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "calibrate/internal.h"

/* X(name of the type, setup).  After each division the chain multiplies, and
   after each root it adds, so that the numbers stay in range.  No quotient and
   no root is exact, since some dividers stop early at exact ones.  The low half
   of a double is 0 as a single; so singles get the high halves, 1.9375 and
   1.9625. */
#define SINGLES                        \
    "shufps $0xf5, %%xmm0, %%xmm0\n\t" \
    "shufps $0xf5, %%xmm2, %%xmm2\n\t"
#define XMM(X) X(sd, "") X(ss, SINGLES) X(pd, "") X(ps, SINGLES)
#define YMM(X) X(pd, "") X(ps, SINGLES)

#define XMM_LOOPS(type, setup)                                                 \
    CY_LOOP(div##type, setup,                                                  \
            "div" #type " %%xmm2, %%xmm0\n\tmul" #type " %%xmm2, %%xmm0", "")  \
    CY_LOOP(sqrt##type, setup,                                                 \
            "sqrt" #type " %%xmm0, %%xmm0\n\tadd" #type " %%xmm2, %%xmm0", "") \
    CY_LOOP(div##type##_occupancy, "",                                         \
            ".irp r, 4, 5, 6, 7\n\tmovaps %%xmm0, %%xmm\\r\n\tdiv" #type       \
            " %%xmm2, %%xmm\\r\n\t.endr",                                      \
            "")                                                                \
    CY_LOOP(sqrt##type##_occupancy, "",                                        \
            ".irp r, 4, 5, 6, 7\n\tmovaps %%xmm0, %%xmm\\r\n\tsqrt" #type      \
            " %%xmm2, %%xmm\\r\n\t.endr",                                      \
            "")
#define YMM_LOOPS(type, setup)                                          \
    CY_LOOP(div##type##_ymm, setup CY_FILL_YMM,                         \
            "vdiv" #type " %%ymm2, %%ymm0, %%ymm0\n\tvmul" #type        \
            " %%ymm2, %%ymm0, %%ymm0",                                  \
            "vzeroupper")                                               \
    CY_LOOP(sqrt##type##_ymm, setup CY_FILL_YMM,                        \
            "vsqrt" #type " %%ymm0, %%ymm0\n\tvadd" #type               \
            " %%ymm2, %%ymm0, %%ymm0",                                  \
            "vzeroupper")                                               \
    CY_LOOP(div##type##_ymm_occupancy, setup CY_FILL_YMM,               \
            ".irp r, 4, 5, 6, 7\n\tvdiv" #type                          \
            " %%ymm2, %%ymm0, %%ymm\\r\n\t.endr",                       \
            "vzeroupper")                                               \
    CY_LOOP(sqrt##type##_ymm_occupancy, setup CY_FILL_YMM,              \
            ".irp r, 4, 5, 6, 7\n\tvsqrt" #type " %%ymm2, %%ymm\\r\n\t" \
            ".endr",                                                    \
            "vzeroupper")
XMM(XMM_LOOPS)

/* Roots into a register whose upper half is 0. */
CY_LOOP(sqrtsd_zero, "pxor %%xmm0, %%xmm0",
        ".rept 4\n\tsqrtsd %%xmm2, %%xmm0\n\t.endr", "")
YMM(YMM_LOOPS)

#define XMM_KEYS(op) CY_KEYS(CY_NAMES_2(op, "v" op), "128")
#define YMM_KEYS(op) CY_KEYS(CY_NAMES_1("v" op), "256")
#define ROWS(op, keys, flag, minus)              \
    {#op, CY_LATENCY, keys, flag, 1, minus, op}, \
        {"occupancy_" #op, CY_OCCUPANCY, keys, flag, 4, NULL, op##_occupancy},
#define XMM_ROWS(type, setup)                                 \
    ROWS(div##type, XMM_KEYS("div" #type), NULL, "mul" #type) \
    ROWS(sqrt##type, XMM_KEYS("sqrt" #type), NULL, "add" #type)
#define YMM_ROWS(type, setup)                                               \
    ROWS(div##type##_ymm, YMM_KEYS("div" #type), "avx", "mul" #type "_ymm") \
    ROWS(sqrt##type##_ymm, YMM_KEYS("sqrt" #type), "avx", "add" #type "_ymm")

static const struct cy_insn_case cases[] = {
    {"sqrtsd_zero", CY_BESIDE, NULL, NULL, 4, NULL, sqrtsd_zero},
    XMM(XMM_ROWS) YMM(YMM_ROWS)};

const struct cy_insn_table cy_division_cases = {cases,
                                                sizeof cases / sizeof *cases};
