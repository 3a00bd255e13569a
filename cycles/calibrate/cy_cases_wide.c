/*
 * cy_cases: ymm and zmm registers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "calibrate/cy_cases.h"

/* A case of a chain: X(name, keys, flag, instruction). */
#define KEYS(op, bits) CY_KEYS(CY_NAMES_1("v" #op), bits)
#define YMM_IF(X, op, flag) \
    X(op##_ymm, KEYS(op, "256"), flag, "v" #op " %%ymm2, %%ymm0, %%ymm0")
#define YMM(X, op)  YMM_IF(X, op, "avx")
#define YMM2(X, op) YMM_IF(X, op, "avx2")
#define ZMM(X, op) \
    X(op##_zmm, KEYS(op, "512"), "avx512f", "v" #op " %%zmm2, %%zmm0, %%zmm0")
#define OTHER(X, op, operands, flag) \
    X(op, KEYS(op, "256"), flag, "v" #op " " operands)
#define FMA_NAMES(op, type) \
    "\"v" op "132" type "\", \"v" op "213" type "\", \"v" op "231" type "\""
#define FMA(X, type, register, bits, flag)                                     \
    X(fma_##type##_##register,                                                 \
      CY_KEYS(                                                                 \
          "[" FMA_NAMES("fmadd", #type) ", " FMA_NAMES(                        \
              "fmsub", #type) ", " FMA_NAMES("fnmadd",                         \
                                             #type) ", " FMA_NAMES("fnmsub",   \
                                                                   #type) "]", \
          bits),                                                               \
      flag,                                                                    \
      "vfmadd231" #type                                                        \
      " %%" #register "2, %%" #register "2, %%" #register "0")

#define CHAINS(X)                                               \
    YMM(X, addpd)                                               \
    YMM(X, addps)                                               \
    YMM(X, subpd)                                               \
    YMM(X, subps)                                               \
    YMM(X, mulpd)                                               \
    YMM(X, mulps)                                               \
    YMM(X, minpd)                                               \
    YMM(X, maxpd)                                               \
    YMM(X, andpd)                                               \
    YMM(X, orpd)                                                \
    YMM(X, xorpd)                                               \
    YMM(X, unpcklpd)                                            \
    YMM(X, unpckhpd)                                            \
    YMM(X, haddpd)                                              \
    YMM2(X, paddd)                                              \
    YMM2(X, paddq)                                              \
    YMM2(X, psubd)                                              \
    YMM2(X, pand)                                               \
    YMM2(X, por)                                                \
    YMM2(X, pxor)                                               \
    YMM2(X, pmuludq)                                            \
    YMM2(X, pmulld)                                             \
    YMM2(X, pmaxsd)                                             \
    YMM2(X, pminsd)                                             \
    YMM2(X, pcmpeqd)                                            \
    YMM2(X, pcmpgtd)                                            \
    YMM2(X, pshufb)                                             \
    ZMM(X, addpd)                                               \
    ZMM(X, addps)                                               \
    ZMM(X, subpd)                                               \
    ZMM(X, mulpd)                                               \
    ZMM(X, mulps)                                               \
    ZMM(X, paddd)                                               \
    ZMM(X, paddq)                                               \
    ZMM(X, pmuludq)                                             \
    OTHER(X, shufpd, "$5, %%ymm0, %%ymm0, %%ymm0", "avx")       \
    OTHER(X, permilpd, "$5, %%ymm0, %%ymm0", "avx")             \
    OTHER(X, perm2f128, "$1, %%ymm0, %%ymm0, %%ymm0", "avx")    \
    OTHER(X, insertf128, "$1, %%xmm0, %%ymm0, %%ymm0", "avx")   \
    OTHER(X, extractf128, "$1, %%ymm0, %%xmm0", "avx")          \
    OTHER(X, blendpd, "$5, %%ymm2, %%ymm0, %%ymm0", "avx")      \
    OTHER(X, blendvpd, "%%ymm2, %%ymm0, %%ymm0, %%ymm0", "avx") \
    OTHER(X, cvtdq2pd, "%%xmm0, %%ymm0", "avx")                 \
    OTHER(X, cvtps2pd, "%%xmm0, %%ymm0", "avx")                 \
    OTHER(X, broadcastsd, "%%xmm0, %%ymm0", "avx2")             \
    OTHER(X, permpd, "$27, %%ymm0, %%ymm0", "avx2")             \
    OTHER(X, permq, "$27, %%ymm0, %%ymm0", "avx2")              \
    OTHER(X, perm2i128, "$1, %%ymm0, %%ymm0, %%ymm0", "avx2")   \
    OTHER(X, inserti128, "$1, %%xmm0, %%ymm0, %%ymm0", "avx2")  \
    OTHER(X, extracti128, "$1, %%ymm0, %%xmm0", "avx2")         \
    FMA(X, pd, ymm, "256", "fma")                               \
    FMA(X, ps, ymm, "256", "fma")                               \
    FMA(X, pd, zmm, "512", "avx512f")

#define LOOP(name, keys, flag, insn)                                  \
    CY_LOOP(name##_loop, CY_FILL_YMM, ".rept 4\n\t" insn "\n\t.endr", \
            "vzeroupper")
CHAINS(LOOP)

CY_LOOP(vmovaps, CY_FILL_YMM,
        ".rept 4\n\tvmovaps %%ymm0, %%ymm1\n\tvmovaps %%ymm1, %%ymm0\n\t.endr",
        "vzeroupper")

CY_LOOP(vmovaps_beside, CY_FILL_YMM,
        "vmovaps %%ymm0, %%ymm1\n\tvaddpd %%ymm2, %%ymm1, %%ymm1\n\t"
        "vmovaps %%ymm1, %%ymm0\n\tvaddpd %%ymm2, %%ymm0, %%ymm0",
        "vzeroupper")

#define ROW(name, keys, flag, insn) \
    {#name, CY_LATENCY, keys, flag, 4, NULL, name##_loop},

static const struct cy_insn_case cases[] = {
    CHAINS(ROW){"vmovaps", CY_LATENCY,
                CY_KEYS("[\"vmovaps\", \"vmovapd\", \"vmovdqa\"]", "256")
                    CY_FORM("rr"),
                "avx", 8, NULL, vmovaps},
    {"vmovaps_beside", CY_BESIDE, NULL, "avx", 2, "addpd_ymm", vmovaps_beside},
};

const struct cy_insn_table cy_wide_cases = {cases,
                                            sizeof cases / sizeof *cases};
