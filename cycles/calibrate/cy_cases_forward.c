/*
 * cy_cases: values through memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "calibrate/internal.h"

/* X(name, how it differs from the first case of its class, links per round,
   code before the loop, before the arithmetic, after it, and after the loop).
   A chain at delta k = 1 loads before the arithmetic and stores after it; a
   chain at delta k = 0 stores and loads after it. */
#define GENERAL(X)                                                           \
    X(general, "", 1, "", "mov (%%rdi), %%rax", "mov %%rax, (%%rdi)", "")    \
    X(other_base, "", 1, "", "mov (%%rdi), %%rax", "mov %%rax, (%%rbx)", "") \
    X(moving_pointer, "", 1, "add $8, %%rsi", "mov -8(%%rsi), %%rax",        \
      "mov %%rax, (%%rsi)\n\t" ADVANCE, RESTART)                             \
    X(moving_index, "", 1, "inc %%ecx", "mov -8(%%rdi,%%rcx,8), %%rax",      \
      "mov %%rax, (%%rdi,%%rcx,8)\n\t" ADVANCE_INDEX, RESTART_INDEX)         \
    X(index, BOTH("index"), 1, "", "mov (%%rdi,%%rcx,8), %%rax",             \
      "mov %%rax, (%%rdi,%%rcx,8)", "")                                      \
    X(load_index, LOAD("index"), 1, "", "mov (%%rdi,%%rcx,8), %%rax",        \
      "mov %%rax, (%%rdi)", "")                                              \
    X(store_index, STORE("index"), 1, "", "mov (%%rdi), %%rax",              \
      "mov %%rax, (%%rdi,%%rcx,8)", "")                                      \
    X(rip, BOTH("rip"), 1, CELL, "mov 9b(%%rip), %%rax",                     \
      "mov %%rax, 9b(%%rip)", "")                                            \
    X(stack, BOTH("stack"), 1, "", "mov 16(%%rsp), %%rax",                   \
      "mov %%rax, 16(%%rsp)", "")                                            \
    X(push, BOTH("push"), 1, "", "", "push %%rax\n\tpop %%rax", "")          \
    X(bits_32, WIDTH("32") ", \"extend\": \"none\"", 1, "",                  \
      "mov (%%rdi), %%eax", "mov %%eax, (%%rdi)", "")                        \
    X(bits_32_sign, WIDTH("32") ", \"extend\": \"sign\"", 1, "",             \
      "movslq (%%rdi), %%rax", "mov %%eax, (%%rdi)", "")                     \
    X(bits_16, WIDTH("16") ", \"extend\": \"none\"", 1, "",                  \
      "movw (%%rdi), %%ax", "mov %%ax, (%%rdi)", "")                         \
    X(bits_16_zero, WIDTH("16") ", \"extend\": \"zero\"", 1, "",             \
      "movzwl (%%rdi), %%eax", "mov %%ax, (%%rdi)", "")                      \
    X(bits_16_sign, WIDTH("16") ", \"extend\": \"sign\"", 1, "",             \
      "movswl (%%rdi), %%eax", "mov %%ax, (%%rdi)", "")                      \
    X(bits_8, WIDTH("8") ", \"extend\": \"none\"", 1, "",                    \
      "movb (%%rdi), %%al", "mov %%al, (%%rdi)", "")                         \
    X(bits_8_zero, WIDTH("8") ", \"extend\": \"zero\"", 1, "",               \
      "movzbl (%%rdi), %%eax", "mov %%al, (%%rdi)", "")                      \
    X(bits_8_sign, WIDTH("8") ", \"extend\": \"sign\"", 1, "",               \
      "movsbl (%%rdi), %%eax", "mov %%al, (%%rdi)", "")                      \
    X(delta_0, "\"delta_k\": 0", 4, "", ".irp d, 0, 64, 128, 192",           \
      "mov %%rax, \\d(%%rdi)\n\tmov \\d(%%rdi), %%rax\n\t.endr", "")         \
    X(delta_1_store_first, "\"delta_k\": 1, \"store_first\": true", 0.5,     \
      "add $8, %%rsi", "",                                                   \
      "mov %%rax, (%%rsi)\n\tmov -8(%%rsi), %%rax\n\t" ADVANCE, RESTART)     \
    X(delta_2, "\"delta_k\": {\"from\": 2}", 0.5, "add $16, %%rsi",          \
      "mov -16(%%rsi), %%rax", "mov %%rax, (%%rsi)\n\t" ADVANCE, RESTART)    \
    X(in_64_of_32, INSIDE("32", "64", "false"), 1, "", "",                   \
      "mov %%rax, (%%rdi)\n\tmov (%%rdi), %%eax", "")                        \
    X(in_64_of_32_high, INSIDE("32", "64", "true"), 1, "", "",               \
      "mov %%rax, (%%rdi)\n\tmov 4(%%rdi), %%eax", "")                       \
    X(in_64_of_8, INSIDE("[8, 16]", "[32, 64]", "false"), 1, "", "",         \
      "mov %%rax, (%%rdi)\n\tmovzbl (%%rdi), %%eax", "")                     \
    X(in_64_of_8_high, INSIDE("[8, 16]", "[16, 32, 64]", "true"), 1, "", "", \
      "mov %%rax, (%%rdi)\n\tmovzbl 1(%%rdi), %%eax", "")                    \
    X(several, "\"relation\": \"several\"", 1, "", "",                       \
      "mov %%eax, (%%rdi)\n\tmov %%eax, 4(%%rdi)\n\tmov (%%rdi), %%rax", "") \
    X(partial, "\"relation\": \"partial\"", 1, "", "",                       \
      "mov %%eax, (%%rdi)\n\tmov (%%rdi), %%rax", "")                        \
    X(line, "\"relation\": \"crossing\"", 1, "", "mov 60(%%rdi), %%rax",     \
      "mov %%rax, 60(%%rdi)", "")                                            \
    X(page, "\"relation\": \"crossing-page\"", 1, "",                        \
      "mov 4092(%%rdi), %%rax", "mov %%rax, 4092(%%rdi)", "")

#define XMM(X)                                                              \
    X(xmm, "", 1, "", "movsd (%%rdi), %%xmm0", "movsd %%xmm0, (%%rdi)", "") \
    X(xmm_index, BOTH("index"), 1, "", "movsd (%%rdi,%%rcx,8), %%xmm0",     \
      "movsd %%xmm0, (%%rdi,%%rcx,8)", "")                                  \
    X(xmm_rip, BOTH("rip"), 1, CELL, "movsd 9b(%%rip), %%xmm0",             \
      "movsd %%xmm0, 9b(%%rip)", "")                                        \
    X(xmm_stack, BOTH("stack"), 1, "", "movsd 16(%%rsp), %%xmm0",           \
      "movsd %%xmm0, 16(%%rsp)", "")                                        \
    X(xmm_bits_32, WIDTH("32"), 1, "", "movss (%%rdi), %%xmm0",             \
      "movss %%xmm0, (%%rdi)", "")                                          \
    X(xmm_bits_128, WIDTH("128"), 1, "", "movups (%%rdi), %%xmm0",          \
      "movups %%xmm0, (%%rdi)", "")                                         \
    X(xmm_delta_0, "\"delta_k\": 0", 4, "", ".irp d, 0, 64, 128, 192",      \
      "movsd %%xmm0, \\d(%%rdi)\n\tmovsd \\d(%%rdi), %%xmm0\n\t.endr", "")  \
    X(xmm_delta_2, "\"delta_k\": {\"from\": 2}", 0.5, "add $16, %%rsi",     \
      "movsd -16(%%rsi), %%xmm0", "movsd %%xmm0, (%%rsi)\n\t" ADVANCE,      \
      RESTART)                                                              \
    X(in_128_of_64, INSIDE("64", "128", "false"), 1, "", "",                \
      "movups %%xmm0, (%%rdi)\n\tmovsd (%%rdi), %%xmm0", "")                \
    X(in_128_of_64_high, INSIDE("64", "128", "true"), 1, "", "",            \
      "movups %%xmm0, (%%rdi)\n\tmovsd 8(%%rdi), %%xmm0", "")               \
    X(xmm_several, "\"relation\": \"several\"", 1, "", "",                  \
      "movsd %%xmm0, (%%rdi)\n\tmovsd %%xmm0, 8(%%rdi)\n\t"                 \
      "movups (%%rdi), %%xmm0",                                             \
      "")                                                                   \
    X(xmm_partial, "\"relation\": \"partial\"", 1, "", "",                  \
      "movsd %%xmm0, (%%rdi)\n\tmovups (%%rdi), %%xmm0", "")                \
    X(xmm_several_32, SEVERAL("[8, 16, 32]") ", " WIDTH("128"), 1, "", "",  \
      FOUR("movss", "4"), "")                                               \
    X(xmm_several_128, SEVERAL("[128, 256]"), 1, "", "",                    \
      "movups %%xmm0, (%%rdi)\n\tmovups %%xmm0, 16(%%rdi)\n\t"              \
      "movups 8(%%rdi), %%xmm0",                                            \
      "")                                                                   \
    X(xmm_partial_128, PARTIAL("[128, 256]"), 1, "", "",                    \
      "movups %%xmm0, (%%rdi)\n\tmovups 8(%%rdi), %%xmm0", "")              \
    X(xmm_line, "\"relation\": \"crossing\"", 1, "",                        \
      "movups 56(%%rdi), %%xmm0", "movups %%xmm0, 56(%%rdi)", "")           \
    X(xmm_page, "\"relation\": \"crossing-page\"", 1, "",                   \
      "movups 4088(%%rdi), %%xmm0", "movups %%xmm0, 4088(%%rdi)", "")

#define YMM(X)                                                                \
    X(ymm, "", 1, "", "vmovups (%%rdi), %%ymm0", "vmovups %%ymm0, (%%rdi)",   \
      "vzeroupper")                                                           \
    X(ymm_delta_0, "\"delta_k\": 0", 1, "", "",                               \
      "vmovups %%ymm0, (%%rdi)\n\tvmovups (%%rdi), %%ymm0", "vzeroupper")     \
    X(ymm_several, "\"relation\": \"several\"", 1, "", "",                    \
      "vmovups %%xmm0, (%%rdi)\n\tvmovups %%xmm0, 16(%%rdi)\n\t"              \
      "vmovups (%%rdi), %%ymm0",                                              \
      "vzeroupper")                                                           \
    X(ymm_partial, "\"relation\": \"partial\"", 1, "", "",                    \
      "vmovups %%xmm0, (%%rdi)\n\tvmovups (%%rdi), %%ymm0", "vzeroupper")     \
    X(ymm_several_64, SEVERAL("[8, 16, 32, 64]"), 1, "", "", FOUR_YMM,        \
      "vzeroupper")                                                           \
    X(ymm_several_256, SEVERAL("256"), 1, "", "",                             \
      "vmovups %%ymm0, (%%rdi)\n\tvmovups %%ymm0, 32(%%rdi)\n\t"              \
      "vmovups 8(%%rdi), %%ymm0",                                             \
      "vzeroupper")                                                           \
    X(ymm_partial_64, PARTIAL("[8, 16, 32, 64]"), 1, "", "",                  \
      "vmovsd %%xmm0, 8(%%rdi)\n\tvmovups (%%rdi), %%ymm0", "vzeroupper")     \
    X(ymm_partial_256, PARTIAL("256"), 1, "", "",                             \
      "vmovups %%ymm0, (%%rdi)\n\tvmovups 8(%%rdi), %%ymm0", "vzeroupper")    \
    X(ymm_line, "\"relation\": \"crossing\"", 1, "",                          \
      "vmovups 48(%%rdi), %%ymm0", "vmovups %%ymm0, 48(%%rdi)", "vzeroupper") \
    X(ymm_page, "\"relation\": \"crossing-page\"", 1, "",                     \
      "vmovups 4080(%%rdi), %%ymm0", "vmovups %%ymm0, 4080(%%rdi)",           \
      "vzeroupper")

/* Loads of narrower registers from the store of a ymm register. */
#define XMM_OF_YMM(X)                                                         \
    X(in_256, "\"relation\": \"contained\", \"store_class\": \"ymm\"", 1, "", \
      "", "vmovups %%ymm0, (%%rdi)\n\tvmovups (%%rdi), %%xmm0", "vzeroupper") \
    X(in_256_high,                                                            \
      "\"relation\": \"contained\", \"store_class\": \"ymm\", "               \
      "\"inside\": true",                                                     \
      1, "", "", "vmovups %%ymm0, (%%rdi)\n\tvmovups 16(%%rdi), %%xmm0",      \
      "vzeroupper")

#define ZMM(X)                                                                \
    X(zmm, "", 1, "", "vmovups (%%rdi), %%zmm0", "vmovups %%zmm0, (%%rdi)",   \
      "vzeroupper")                                                           \
    X(zmm_several, "\"relation\": \"several\"", 1, "", "",                    \
      "vmovups %%ymm0, (%%rdi)\n\tvmovups %%ymm0, 32(%%rdi)\n\t"              \
      "vmovups (%%rdi), %%zmm0",                                              \
      "vzeroupper")                                                           \
    X(zmm_partial, "\"relation\": \"partial\"", 1, "", "",                    \
      "vmovups %%ymm0, (%%rdi)\n\tvmovups (%%rdi), %%zmm0", "vzeroupper")     \
    X(zmm_line, "\"relation\": \"crossing\"", 1, "",                          \
      "vmovups 32(%%rdi), %%zmm0", "vmovups %%zmm0, 32(%%rdi)", "vzeroupper") \
    X(zmm_page, "\"relation\": \"crossing-page\"", 1, "",                     \
      "vmovups 4064(%%rdi), %%zmm0", "vmovups %%zmm0, 4064(%%rdi)",           \
      "vzeroupper")

#define LOAD(word)  "\"load_addressing\": \"" word "\""
#define STORE(word) "\"store_addressing\": \"" word "\""
#define BOTH(word)  LOAD(word) ", " STORE(word)
#define WIDTH(bits) "\"bits\": " bits
#define INSIDE(bits, store_bits, inside)           \
    "\"relation\": \"contained\", \"bits\": " bits \
    ", \"store_bits\": " store_bits ", \"inside\": " inside

/* Processors that split a wide access forward from stores of just a part's
   width, and fail for others. */
#define SEVERAL(store_bits) \
    "\"relation\": \"several\", \"store_bits\": " store_bits
#define PARTIAL(store_bits) \
    "\"relation\": \"partial\", \"store_bits\": " store_bits
#define FOUR(move, size)                                             \
    ".irp i, 0, 1, 2, 3\n\t" move " %%xmm0, \\i*" size "(%%rdi)\n\t" \
    ".endr\n\tmovups (%%rdi), %%xmm0"
#define FOUR_YMM                                            \
    ".irp i, 0, 1, 2, 3\n\tvmovsd %%xmm0, \\i*8(%%rdi)\n\t" \
    ".endr\n\tvmovups (%%rdi), %%ymm0"

/* Moves the pointer or index to the next 8 bytes.  At the end of the data it
   goes back to the beginning, and copies the last value there.  Both halves of
   a chain at delta k = 2 then go on with one value, which changes nothing. */
#define ADVANCE "add $8, %%rsi\n\ttest $0x3fff, %%esi\n\tjz 3f\n2:"
#define RESTART                                                        \
    "jmp 4f\n3:\n\tlea 16(%%rdi), %%rsi\n\tmov %%rax, (%%rdi)\n\tmov " \
    "%%rax, 8(%%rdi)\n\tjmp 2b\n4:"
#define ADVANCE_INDEX "inc %%ecx\n\tcmp $2048, %%ecx\n\tje 3f\n2:"
#define RESTART_INDEX \
    "jmp 4f\n3:\n\tmov $1, %%ecx\n\tmov %%rax, (%%rdi)\n\tjmp 2b\n4:"
#define CELL ".pushsection .bss\n\t.balign 64\n9:\n\t.skip 64\n\t.popsection"

#define LOOPS(name, setup, before, after, end, add, mul)            \
    CY_LOOP(name##_copy, setup, before "\n\t" after, end)           \
    CY_LOOP(name##_add, setup, before "\n\t" add "\n\t" after, end) \
    CY_LOOP(name##_mul, setup, before "\n\t" mul "\n\t" after, end)
#define GENERAL_LOOPS(name, keys, links, setup, before, after, end) \
    LOOPS(name, setup, before, after, end, "add %%rax, %%rax",      \
          "imul %%rax, %%rax")
#define XMM_LOOPS(name, keys, links, setup, before, after, end)    \
    LOOPS(name, setup, before, after, end, "addsd %%xmm1, %%xmm0", \
          "mulsd %%xmm1, %%xmm0")
#define AVX_LOOPS(name, setup, before, after, end, r)                 \
    LOOPS(name, setup, before, after, end, "vaddpd " r ", " r ", " r, \
          "vmulpd " r ", " r ", " r)
#define VXMM_LOOPS(name, keys, links, setup, before, after, end) \
    AVX_LOOPS(name, setup, before, after, end, "%%xmm0")
#define YMM_LOOPS(name, keys, links, setup, before, after, end) \
    AVX_LOOPS(name, setup, before, after, end, "%%ymm0")
#define ZMM_LOOPS(name, keys, links, setup, before, after, end) \
    AVX_LOOPS(name, setup, before, after, end, "%%zmm0")
GENERAL(GENERAL_LOOPS)
XMM(XMM_LOOPS)
YMM(YMM_LOOPS)
XMM_OF_YMM(VXMM_LOOPS)
ZMM(ZMM_LOOPS)

/* Instructions that load and compute. */
CY_LOOP(load_op_add, "", "add (%%rdi), %%rax\n\tmov %%rax, (%%rdi)", "")
CY_LOOP(load_op_mul, "", "imul (%%rdi), %%rax\n\tmov %%rax, (%%rdi)", "")
CY_LOOP(load_op_xmm_add, "", "addsd (%%rdi), %%xmm0\n\tmovsd %%xmm0, (%%rdi)",
        "")
CY_LOOP(load_op_xmm_mul, "", "mulsd (%%rdi), %%xmm0\n\tmovsd %%xmm0, (%%rdi)",
        "")

/* X(name, keys, setup, body): instructions that load, compute and store.  The
   constant of store_rmw stops the chain through the load of its second
   instruction. */
#define SELF      "\"self\": true, "
#define BETWEEN   "\"self\": false, \"store_rmw\": true, \"load_rmw\": "
#define REWRITTEN BETWEEN "false"
#define REWRITES(X)                                                     \
    X(self, SELF WIDTH("64"), "", "add %%rcx, (%%rdi)")                 \
    X(self_32, SELF WIDTH("32"), "", "add %%ecx, (%%rdi)")              \
    X(self_16, SELF WIDTH("16"), "", "add %%cx, (%%rdi)")               \
    X(self_8, SELF WIDTH("8"), "", "add %%cl, (%%rdi)")                 \
    X(self_index, SELF LOAD("index"), "", "add %%rcx, (%%rdi,%%rcx,8)") \
    X(self_rip, SELF LOAD("rip"), CELL, "add %%rcx, 9b(%%rip)")         \
    X(self_stack, SELF LOAD("stack"), "", "add %%rcx, 16(%%rsp)")       \
    X(store_rmw, REWRITTEN, "",                                         \
      "movq $5, (%%rdi)\n\tadd %%rax, (%%rdi)\n\tmov (%%rdi), %%rax")   \
    X(store_rmw_16, REWRITTEN ", " WIDTH("16"), "",                     \
      "movw $5, (%%rdi)\n\tadd %%ax, (%%rdi)\n\tmovzwl (%%rdi), %%eax") \
    X(store_rmw_8, REWRITTEN ", " WIDTH("8"), "",                       \
      "movb $5, (%%rdi)\n\tadd %%al, (%%rdi)\n\tmovzbl (%%rdi), %%eax")
#define REWRITE(name, keys, setup, body) CY_LOOP(name##_add, setup, body, "")
REWRITES(REWRITE)

/* X(name, keys, setup, body): two such instructions, each of which reads what
   the other one has stored. */
#define TWICE(insn) insn "\n\t" insn
#define MUTUAL(X)                                                              \
    X(mutual, BETWEEN "true, " WIDTH("[32, 64]"), "",                          \
      TWICE("add %%rcx, (%%rdi)"))                                             \
    X(mutual_16, BETWEEN "true, " WIDTH("16"), "", TWICE("add %%cx, (%%rdi)")) \
    X(mutual_8, BETWEEN "true, " WIDTH("8"), "", TWICE("add %%cl, (%%rdi)"))
MUTUAL(REWRITE)

/* Two cells that take turns.  The rule is for what goes from one such
   instruction to another, too. */
CY_LOOP(turns_add, "", "xor $1, %%eax\n\tadd %%rcx, (%%rdi,%%rax,8)", "")
#define TURNS                                          \
    "\"store_rmw\": true, \"load_rmw\": true, " WIDTH( \
        "[8, 16, 32, 64]") ", \"delta_k\": {\"from\": 2}"

/* X(name, keys, body): values between atomic instructions and others, with more
   in the chain than the atomics take. */
#define LOCKED   "\"locked\": true, "
#define MULTIPLY "\n\t.rept 16\n\timul %%rax, %%rax\n\t.endr"
#define ATOMICS(X)                                                   \
    X(locked_store, LOCKED REWRITTEN,                                \
      "xchg %%rax, (%%rdi)\n\tmov (%%rdi), %%rax" MULTIPLY)          \
    X(locked_load, LOCKED "\"store_rmw\": false",                    \
      "mov %%rax, (%%rdi)\n\txchg %%rcx, (%%rdi)\n\t"                \
      "mov %%rcx, %%rax" MULTIPLY)                                   \
    X(locked_both, LOCKED "\"store_rmw\": true, \"load_rmw\": true", \
      "lock xadd %%rax, (%%rdi)" MULTIPLY)
#define ATOMIC(name, keys, body) CY_LOOP(name##_mul, "", body, "")
ATOMICS(ATOMIC)

/* From one kind of register to the other by a move, and back through memory. */
CY_LOOP(general_to_xmm_copy, "",
        "mov %%rax, (%%rdi)\n\tmovsd (%%rdi), %%xmm0\n\tmovq %%xmm0, %%rax", "")
CY_LOOP(xmm_to_general_copy, "",
        "movsd %%xmm0, (%%rdi)\n\tmov (%%rdi), %%rax\n\tmovq %%rax, %%xmm0", "")

/* One value for each of the three chains. */
#define OF(copy, add, mul) \
    {                      \
        copy, add, mul     \
    }
#define CASE(name, class, keys, flag, links, minus, loops) \
    {name, class, keys, flag, links, minus, loops},
#define ROW(name, class, keys, flag, links, add, mul)         \
    CASE(#name, class, keys, flag, links, OF(NULL, add, mul), \
         OF(name##_copy, name##_add, name##_mul))
#define GENERAL_ROW(name, keys, links, ...) \
    ROW(name, "general", keys, NULL, links, "add", "imul")
#define XMM_ROW(name, keys, links, ...) \
    ROW(name, "xmm", keys, NULL, links, "addsd", "mulsd")
#define VXMM_ROW(name, keys, links, ...) \
    ROW(name, "xmm", keys, "avx", links, "addpd", "mulpd")
#define YMM_ROW(name, keys, links, ...) \
    ROW(name, "ymm", keys, "avx", links, "addpd_ymm", "mulpd_ymm")
#define ZMM_ROW(name, keys, links, ...) \
    ROW(name, "zmm", keys, "avx512f", links, "addpd_zmm", "mulpd_zmm")
#define OP_ROW(name, class, add, mul)                                    \
    CASE(#name, class, "\"load_op\": true", NULL, 1, OF(NULL, add, mul), \
         OF(NULL, name##_add, name##_mul))
#define ADD_ROW(name, keys, links)                                   \
    CASE(#name, "general", keys, NULL, links, OF(NULL, "add", NULL), \
         OF(NULL, name##_add, NULL))
#define REWRITE_ROW(name, keys, setup, body) ADD_ROW(name, keys, 1)
#define ATOMIC_ROW(name, keys, body)                                       \
    CASE(#name, "general", keys, NULL, 1, OF(NULL, NULL, "multiplied_16"), \
         OF(NULL, NULL, name##_mul))
#define MUTUAL_ROW(name, keys, setup, body) ADD_ROW(name, keys, 2)
#define MOVE_ROW(name, class, from)                              \
    CASE(#name, class, "\"store_class\": \"" from "\"", NULL, 1, \
         OF("movq", NULL, NULL), OF(name##_copy, NULL, NULL))

const struct cy_forward_case cy_forward_cases[] = {
    GENERAL(GENERAL_ROW) OP_ROW(load_op, "general", "add", "imul")
        REWRITES(REWRITE_ROW) MUTUAL(MUTUAL_ROW) ATOMICS(ATOMIC_ROW)
            ADD_ROW(turns, TURNS, 0.5)
                MOVE_ROW(xmm_to_general, "general", "xmm") XMM(XMM_ROW)
                    OP_ROW(load_op_xmm, "xmm", "addsd", "mulsd")
                        MOVE_ROW(general_to_xmm, "xmm", "general")
                            XMM_OF_YMM(VXMM_ROW) YMM(YMM_ROW) ZMM(ZMM_ROW)};
const size_t cy_n_forward_cases =
    sizeof cy_forward_cases / sizeof *cy_forward_cases;
