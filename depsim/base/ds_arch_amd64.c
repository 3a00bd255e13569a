/* ds_arch_amd64: x86-64's guest state and system calls. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/ds_arch.h"

#include "pub_tool_guest.h"

const struct ds_arch ds_arch = {
    .general = offsetof(VexGuestAMD64State, guest_RAX),
    .n_general = 16,
    .vector = offsetof(VexGuestAMD64State, guest_YMM0),
    .n_vectors = 16,
    .vector_size = sizeof(U256),
    .spare = sizeof(VexGuestAMD64State),
    .ip = offsetof(VexGuestAMD64State, guest_RIP),
    .link = -1,
};

Word ds_valgrind_system_call(Word number, Word a, Word b, Word c, Word d,
                             Word e, Word f)
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
