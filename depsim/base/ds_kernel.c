/*
 * ds_kernel: the few system calls that Valgrind does not offer to a tool.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/ds_kernel.h"

Word ds_kernel_call(Word number, Word a, Word b, Word c, Word d, Word e, Word f)
{
    register Word r10 __asm__("r10") = d;
    register Word r8 __asm__("r8") = e;
    register Word r9 __asm__("r9") = f;
    Word result;

    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8),
                       "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}
