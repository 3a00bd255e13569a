/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/ds_valgrind.h"

#include "config.h"

#include "pub_tool_debuginfo.h"
#include "pub_tool_transtab.h"
#include "pub_tool_xarray.h"

/* The options that a program after an execve is run with. */
extern XArray *VG_(args_for_valgrind);

/* The symbols of an object, in the order of their addresses: see
   ds_valgrind_names. */
extern Int VG_(DebugInfo_syms_howmany)(const DebugInfo *object);
extern void VG_(DebugInfo_syms_getidx)(const DebugInfo *object, Int i, Addr *a,
                                       UInt *size, const HChar **name,
                                       const HChar ***others, Bool *is_code,
                                       Bool *is_indirect, Bool *is_global);
extern void VG_(demangle)(Bool cxx, Bool z, const HChar *symbol,
                          const HChar **name);

/* May translations be discarded?  The core allows it in client requests. */
extern Bool VG_(ok_to_discard_translations);

/* The level of checks: from 3 on, the core compares the mappings of the process
   with those it knows. */
extern Int VG_(clo_sanity_level);

/* Tells the core of a mapping, as if the program had made it. */
extern Bool VG_(am_notify_client_mmap)(Addr a, SizeT n, UInt prot, UInt flags,
                                       Int fd, Off64T offset);
extern Bool VG_(am_notify_munmap)(Addr a, SizeT n);

const HChar ds_valgrind_copyright[] =
    "Copyright (C) 2026, the depsim authors; " VALGRIND_LICENCE ".";

void *ds_valgrind_map(SizeT size)
{
#ifdef SHADOW_ALLOC_GIVES_SYSRES
    SysRes result = VG_(am_shadow_alloc)(size);

    return sr_isError(result) ? NULL : (void *)sr_Res(result);
#else
    return VG_(am_shadow_alloc)(size);
#endif
}

Bool ds_valgrind_checks(void)
{
    return VG_(clo_sanity_level) >= 3;
}

/* The core has room for 30,000 mappings: tell it only if it checks them. */
void ds_valgrind_note_mapped(Addr a, SizeT n, Bool is_mapped)
{
    if (!ds_valgrind_checks())
        return;
    if (is_mapped)
        VG_(am_notify_client_mmap)
    (a, n, VKI_PROT_READ | VKI_PROT_WRITE, VKI_MAP_PRIVATE | VKI_MAP_ANONYMOUS,
     -1, 0);
    else VG_(am_notify_munmap)(a, n);
}

void ds_valgrind_take_core_errors(Bool options_are_read)
{
#if HAVE_DECL_VGPLAIN_CLO_TRACK_FDS
    VG_(needs_core_errors)(!options_are_read || VG_(clo_track_fds) != 0);
#else
    (void)options_are_read;
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

/* Symbol number i of an object; *a is its address. */
static struct ds_names symbol(const DebugInfo *object, Int i, Addr *a,
                              Bool *is_code)
{
    struct ds_names names;
    Bool is_indirect, is_global;
    UInt size;

    VG_(DebugInfo_syms_getidx)
    (object, i, a, &size, &names.first, &names.others, is_code, &is_indirect,
     &is_global);
    return names;
}

/* Searches for the function's symbol among all, which are in the order of their
   addresses. */
struct ds_names ds_valgrind_names(Addr a)
{
    const DebugInfo *object = VG_(find_DebugInfo)(VG_(current_DiEpoch)(), a);
    Int low = 0, high;

    high = object != NULL ? VG_(DebugInfo_syms_howmany)(object) : 0;
    while (low < high) {
        Int middle = low + (high - low) / 2;
        Bool is_code;
        Addr at;
        struct ds_names names = symbol(object, middle, &at, &is_code);

        if (at == a && is_code)
            return names;
        if (at < a)
            low = middle + 1;
        else
            high = middle;
    }
    return (struct ds_names){NULL, NULL};
}

Bool ds_valgrind_is_in_function(Addr a)
{
    const HChar *name;

    return VG_(get_fnname)(VG_(current_DiEpoch)(), a, &name);
}

void ds_valgrind_each_function(void (*take)(void *argument,
                                            const HChar *symbol),
                               void *argument)
{
    const DebugInfo *object = NULL;

    while ((object = VG_(next_DebugInfo)(object)) != NULL)
        for (Int i = 0; i < VG_(DebugInfo_syms_howmany)(object); i++) {
            Bool is_code;
            Addr at;
            struct ds_names names = symbol(object, i, &at, &is_code);

            if (!is_code)
                continue;
            take(argument, names.first);
            for (const HChar **o = names.others; o != NULL && *o != NULL; o++)
                take(argument, *o);
        }
}

const HChar *ds_valgrind_demangle(const HChar *symbol)
{
    const HChar *name;

    VG_(demangle)(True, True, symbol, &name);
    return name;
}
