/*
 * ds_valgrind: what depsim needs and Valgrind's headers for tools do not
 * declare.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/ds_valgrind.h"

#include "config.h"

#include "pub_tool_transtab.h"
#include "pub_tool_xarray.h"

/* The options that a program after an execve is run with. */
extern XArray *VG_(args_for_valgrind);

/* May translations be discarded?  The core says so during client requests
   only. */
extern Bool VG_(ok_to_discard_translations);

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

void *ds_valgrind_map(SizeT size)
{
#ifdef SHADOW_ALLOC_GIVES_SYSRES
    SysRes result = VG_(am_shadow_alloc)(size);

    return sr_isError(result) ? NULL : (void *)sr_Res(result);
#else
    return VG_(am_shadow_alloc)(size);
#endif
}

void ds_valgrind_hand_on(const HChar *option)
{
    tl_assert(option[0] == '-');
    VG_(addToXA)(VG_(args_for_valgrind), &option);
}

void ds_valgrind_discard_translations(Addr a, SizeT n)
{
    Bool ok = VG_(ok_to_discard_translations);

    VG_(ok_to_discard_translations) = True;
    VG_(discard_translations_safely)(a, n, "depsim");
    VG_(ok_to_discard_translations) = ok;
}
