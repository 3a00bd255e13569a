/*
 * cy_cases: values through memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "calibrate/cy_cases.h"

/* A case: how it differs from the first of its class, links a round, what comes
   before the loop, before and after the arithmetic, and after the loop.  A
   chain at delta k = 1 loads before and stores after; one at delta k = 0 stores
   and loads again after. */
#define GENERAL(X)                                                           \
    X(general, "", 1, "", "mov (%%rdi), %%rax", "mov %%rax, (%%rdi)", "")    \
    X(other_base, "", 1, "", "mov (%%rdi), %%rax", "mov %%rax, (%%rbx)", "") \
    X(moving_pointer, "", 1, "add $8, %%rsi", "mov -8(%%rsi), %%rax",        \
      "mov %%rax, (%%rsi)\n\t" ADVANCE, RESTART)                             \
    X(moving_index, "", 1, "inc %%ecx", "mov -8(%%rdi,%%rcx,8), %%rax",      \
      "mov %%rax, (%%rdi,%%rcx,8)\n\t" ADVANCE_INDEX, RESTART_INDEX)         \
    X(index, BOTH("index"), 1, "", "mov (%%rdi,%%rcx,8), %%rax",             \
      "mov %%rax, (%%rdi,%%rcx,8)", "")                                      \
    X(load_index, "\"load_addressing\": \"index\"", 1, "",                   \
      "mov (%%rdi,%%rcx,8), %%rax", "mov %%rax, (%%rdi)", "")                \
    X(store_index, "\"store_addressing\": \"index\"", 1, "",                 \
      "mov (%%rdi), %%rax", "mov %%rax, (%%rdi,%%rcx,8)", "")                \
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
    X(ymm_line, "\"relation\": \"crossing\"", 1, "",                          \
      "vmovups 48(%%rdi), %%ymm0", "vmovups %%ymm0, 48(%%rdi)", "vzeroupper") \
    X(ymm_page, "\"relation\": \"crossing-page\"", 1, "",                     \
      "vmovups 4080(%%rdi), %%ymm0", "vmovups %%ymm0, 4080(%%rdi)",           \
      "vzeroupper")

/* Narrower registers out of a store of a ymm register. */
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

#define BOTH(word) \
    "\"load_addressing\": \"" word "\", \"store_addressing\": \"" word "\""
#define WIDTH(bits) "\"bits\": " bits
#define INSIDE(bits, store_bits, inside)           \
    "\"relation\": \"contained\", \"bits\": " bits \
    ", \"store_bits\": " store_bits ", \"inside\": " inside

/* A pointer to the next 8 bytes, and at the end of the data to the beginning,
   where the last value goes.  Both halves of a chain at delta k = 2 may get the
   same value there, which changes nothing. */
#define ADVANCE "add $8, %%rsi\n\ttest $0x3fff, %%esi\n\tjz 3f\n2:"
#define RESTART                                                        \
    "jmp 4f\n3:\n\tlea 16(%%rdi), %%rsi\n\tmov %%rax, (%%rdi)\n\tmov " \
    "%%rax, 8(%%rdi)\n\tjmp 2b\n4:"
#define ADVANCE_INDEX "inc %%ecx\n\tcmp $2048, %%ecx\n\tje 3f\n2:"
#define RESTART_INDEX \
    "jmp 4f\n3:\n\tmov $1, %%ecx\n\tmov %%rax, (%%rdi)\n\tjmp 2b\n4:"
#define CELL ".pushsection .bss\n\t.balign 64\n9:\n\t.skip 64\n\t.popsection"

#define GENERAL_LOOPS(name, keys, links, setup, before, after, end)          \
    CY_LOOP(name##_copy, setup, before "\n\t" after, end)                    \
    CY_LOOP(name##_add, setup, before "\n\tadd %%rax, %%rax\n\t" after, end) \
    CY_LOOP(name##_mul, setup, before "\n\timul %%rax, %%rax\n\t" after, end)
#define XMM_LOOPS(name, keys, links, setup, before, after, end)             \
    CY_LOOP(name##_copy, setup, before "\n\t" after, end)                   \
    CY_LOOP(name##_add, setup, before "\n\taddsd %%xmm1, %%xmm0\n\t" after, \
            end)                                                            \
    CY_LOOP(name##_mul, setup, before "\n\tmulsd %%xmm1, %%xmm0\n\t" after, end)
#define AVX_LOOPS(register, setup, before, after, end, name)                 \
    CY_LOOP(name##_copy, setup, before "\n\t" after, end)                    \
    CY_LOOP(name##_add, setup,                                               \
            before                                                           \
            "\n\tvaddpd " register ", " register ", " register "\n\t" after, \
            end)                                                             \
    CY_LOOP(name##_mul, setup,                                               \
            before                                                           \
            "\n\tvmulpd " register ", " register ", " register "\n\t" after, \
            end)
#define VXMM_LOOPS(name, keys, links, setup, before, after, end) \
    AVX_LOOPS("%%xmm0", setup, before, after, end, name)
#define YMM_LOOPS(name, keys, links, setup, before, after, end) \
    AVX_LOOPS("%%ymm0", setup, before, after, end, name)
#define ZMM_LOOPS(name, keys, links, setup, before, after, end) \
    AVX_LOOPS("%%zmm0", setup, before, after, end, name)

GENERAL(GENERAL_LOOPS)
XMM(XMM_LOOPS)
YMM(YMM_LOOPS)
XMM_OF_YMM(VXMM_LOOPS)
ZMM(ZMM_LOOPS)

/* Instructions that load and compute, or load, compute and store. */
CY_LOOP(load_op_add, "", "add (%%rdi), %%rax\n\tmov %%rax, (%%rdi)", "")
CY_LOOP(load_op_mul, "", "imul (%%rdi), %%rax\n\tmov %%rax, (%%rdi)", "")
CY_LOOP(self_add, "", "add %%rcx, (%%rdi)", "")
CY_LOOP(self_32_add, "", "add %%ecx, (%%rdi)", "")
CY_LOOP(self_16_add, "", "add %%cx, (%%rdi)", "")
CY_LOOP(self_8_add, "", "add %%cl, (%%rdi)", "")
CY_LOOP(self_index_add, "", "add %%rcx, (%%rdi,%%rcx,8)", "")
CY_LOOP(self_rip_add, CELL, "add %%rcx, 9b(%%rip)", "")
CY_LOOP(self_stack_add, "", "add %%rcx, 16(%%rsp)", "")
/* The constant stops the chain through the load of the second instruction. */
CY_LOOP(store_rmw_add, "",
        "movq $5, (%%rdi)\n\tadd %%rax, (%%rdi)\n\tmov (%%rdi), %%rax", "")
CY_LOOP(store_rmw_16_add, "",
        "movw $5, (%%rdi)\n\tadd %%ax, (%%rdi)\n\tmovzwl (%%rdi), %%eax", "")
CY_LOOP(store_rmw_8_add, "",
        "movb $5, (%%rdi)\n\tadd %%al, (%%rdi)\n\tmovzbl (%%rdi), %%eax", "")
CY_LOOP(load_op_sd, "", "addsd (%%rdi), %%xmm0\n\tmovsd %%xmm0, (%%rdi)", "")
CY_LOOP(load_op_msd, "", "mulsd (%%rdi), %%xmm0\n\tmovsd %%xmm0, (%%rdi)", "")
/* Between kinds of registers, there by a move and back through memory. */
CY_LOOP(general_to_xmm_copy, "",
        "mov %%rax, (%%rdi)\n\tmovsd (%%rdi), %%xmm0\n\tmovq %%xmm0, %%rax", "")
CY_LOOP(xmm_to_general_copy, "",
        "movsd %%xmm0, (%%rdi)\n\tmov (%%rdi), %%rax\n\tmovq %%rax, %%xmm0", "")

#define ROW(name, class, keys, flag, links, add, mul) \
    {#name,                                           \
     class,                                           \
     keys,                                            \
     flag,                                            \
     links,                                           \
     {NULL, add, mul},                                \
     {name##_copy, name##_add, name##_mul}},
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
#define SELF_ROW(name, keys)                                    \
    {#name, "general",           "\"self\": true" keys,   NULL, \
     1,     {NULL, "add", NULL}, {NULL, name##_add, NULL}},

const struct cy_forward_case cy_forward_cases[] = {
    GENERAL(GENERAL_ROW){"load_op",
                         "general",
                         "\"load_op\": true",
                         NULL,
                         1,
                         {NULL, "add", "imul"},
                         {NULL, load_op_add, load_op_mul}},
    SELF_ROW(self, ", \"bits\": 64") SELF_ROW(self_32, ", \"bits\": 32")
        SELF_ROW(self_16, ", \"bits\": 16") SELF_ROW(self_8, ", \"bits\": 8")
            SELF_ROW(self_index, ", \"load_addressing\": \"index\"")
                SELF_ROW(self_rip, ", \"load_addressing\": \"rip\"")
                    SELF_ROW(self_stack, ", \"load_addressing\": \"stack\""){
                        "store_rmw",
                        "general",
                        "\"store_rmw\": true, \"self\": false",
                        NULL,
                        1,
                        {NULL, "add", NULL},
                        {NULL, store_rmw_add, NULL}},
    {"store_rmw_16",
     "general",
     "\"store_rmw\": true, \"self\": false, \"bits\": 16",
     NULL,
     1,
     {NULL, "add", NULL},
     {NULL, store_rmw_16_add, NULL}},
    {"store_rmw_8",
     "general",
     "\"store_rmw\": true, \"self\": false, \"bits\": 8",
     NULL,
     1,
     {NULL, "add", NULL},
     {NULL, store_rmw_8_add, NULL}},
    {"xmm_to_general",
     "general",
     "\"store_class\": \"xmm\"",
     NULL,
     1,
     {"movq", NULL, NULL},
     {xmm_to_general_copy, NULL, NULL}},
    XMM(XMM_ROW){"load_op_xmm",
                 "xmm",
                 "\"load_op\": true",
                 NULL,
                 1,
                 {NULL, "addsd", "mulsd"},
                 {NULL, load_op_sd, load_op_msd}},
    {"general_to_xmm",
     "xmm",
     "\"store_class\": \"general\"",
     NULL,
     1,
     {"movq", NULL, NULL},
     {general_to_xmm_copy, NULL, NULL}},
    XMM_OF_YMM(VXMM_ROW) YMM(YMM_ROW) ZMM(ZMM_ROW)};
const size_t cy_n_forward_cases =
    sizeof cy_forward_cases / sizeof *cy_forward_cases;
