/*
 * cy_cases: how many instructions of a kind begin in a cycle.
 *
 * The loops have many of them, which do not wait for one another: what they add
 * to is made anew each time by a move or an idiom, which needs no unit.  Of
 * general registers there is only what few units do: with loads and stores in
 * between, fewer of the others begin in a cycle than these loops would show.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "calibrate/internal.h"

/* Mnemonics of SSE, and those of AVX. */
#define NAME(x, op) "\"" op "\", \"v" op "\", "
#define NAMES(first, ...) \
    "[" CY_EACH(NAME, , __VA_ARGS__) "\"" first "\", \"v" first "\"]"
#define ANEW "movaps %%xmm0, %%xmm4\n\t"

/* X(name, mnemonics, an instruction with what it needs), 48 times
   in a round. */
#define UNITS(X)                                                             \
    X(to_int, NAMES("cvttsd2si", "cvttss2si"), "cvttsd2si %%xmm0, %%r8")     \
    X(from_int, NAMES("cvtsi2sd", "cvtsi2ss"),                               \
      "pxor %%xmm4, %%xmm4\n\tcvtsi2sd %%rcx, %%xmm4")                       \
    X(compare, NAMES("comisd", "ucomisd", "comiss", "ucomiss"),              \
      "ucomisd %%xmm2, %%xmm0")                                              \
    X(least,                                                                 \
      NAMES("minsd", "maxsd", "minss", "maxss", "minpd", "maxpd", "minps",   \
            "maxps"),                                                        \
      ANEW "minsd %%xmm2, %%xmm4")                                           \
    X(shuffle, NAMES("pshufd", "pshuflw", "pshufhw"),                        \
      "pshufd $0x1b, %%xmm0, %%xmm4")                                        \
    X(unpack,                                                                \
      NAMES("punpcklbw", "punpckhbw", "punpcklwd", "punpckhwd", "punpckldq", \
            "punpckhdq", "punpcklqdq", "punpckhqdq", "unpcklpd", "unpckhpd", \
            "unpcklps", "unpckhps", "shufps", "shufpd"),                     \
      ANEW "punpckldq %%xmm2, %%xmm4")                                       \
    X(pack, NAMES("packuswb", "packsswb", "packssdw"),                       \
      ANEW "packuswb %%xmm2, %%xmm4")                                        \
    X(multiply, NAMES("pmuludq", "pmaddwd", "pmullw"),                       \
      ANEW "pmuludq %%xmm2, %%xmm4")                                         \
    X(shift, NAMES("psrld", "pslld", "psrlq", "psllq", "psrlw", "psllw"),    \
      ANEW "psrld $3, %%xmm4")

#define LOOP(name, names, insn) \
    CY_LOOP(name, "", ".rept 48\n\t" insn "\n\t.endr", "")
UNITS(LOOP)
LOOP(mul, , "mov %%rcx, %%rax\n\tmul %%rcx")
LOOP(imul, , "imul $5, %%rcx, %%rdx")
CY_LOOP(set, "",
        ".rept 8\n\t.irp r, %%al, %%bl, %%dl, %%sil, %%dil, %%r8b\n\t"
        "sets \\r\n\t.endr\n\t.endr",
        "")
#define SET(x, condition) "\"set" condition "\", "
#define SETS                                                                 \
    "[" CY_EACH(SET, , "e", "ne", "b", "ae", "a", "s", "ns", "l", "ge", "g", \
                "le") "\"setbe\"]"
CY_LOOP(adc, "",
        ".rept 12\n\t.irp r, %%rax, %%rbx, %%rsi, %%r8\n\t"
        "xor %%edx, %%edx\n\tadc %%rcx, \\r\n\t.endr\n\t.endr",
        "")

#define ROW(name, names, insn) \
    {"units_" #name, CY_UNITS, CY_KEYS(names, "128"), NULL, 48, NULL, name},
#define GENERAL_ROW(name, names)                                              \
    {                                                                         \
        "units_" #name, CY_UNITS, CY_KEYS(names, "[32, 64]"), NULL, 48, NULL, \
            name                                                              \
    }
static const struct cy_insn_case cases[] = {
    UNITS(ROW) GENERAL_ROW(mul, CY_NAMES_1("mul")),
    GENERAL_ROW(imul, CY_NAMES_1("imul")),
    {"units_set", CY_UNITS, CY_KEYS(SETS, "8"), NULL, 48, NULL, set},
    GENERAL_ROW(adc, CY_NAMES_2("adc", "sbb"))};

const struct cy_insn_table cy_unit_cases = {cases,
                                            sizeof cases / sizeof *cases};
