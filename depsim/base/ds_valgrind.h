/*
 * ds_valgrind: Valgrind's headers for tools that most files need, and what
 * these headers lack: some system calls, a few variables of the core, and
 * memory.
 *
 * This is the one module, with ds_alone, that uses symbols of the core which
 * those headers do not declare (ds_passes and ds_arch_arm64 wrap two of VEX's),
 * calls the kernel directly, or knows where versions of Valgrind differ;
 * configure tests for that.  Look here first when Valgrind changes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "pub_tool_aspacemgr.h"
#include "pub_tool_basics.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_options.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

/* The tool contains Valgrind's core, so its licence depends on the version. */
extern const HChar ds_valgrind_copyright[];

/* A system call: its result, or minus an error's number (in ds_arch). */
Word ds_valgrind_system_call(Word number, Word a, Word b, Word c, Word d,
                             Word e, Word f);

/* `size` zeroed bytes, in pages, for the rest of the run; NULL: no memory. */
void *ds_valgrind_map(SizeT size);

/* Is the core to check itself (--sanity-level)? */
Bool ds_valgrind_checks(void);

/* Notes that n bytes of readable and writable memory were mapped or unmapped by
   a system call of the tool's own. */
void ds_valgrind_note_mapped(Addr a, SizeT n, Bool is_mapped);

/* Lets the core report what it finds itself: in newer Valgrinds, file
   descriptors that are misused, if --track-fds is given.  Call it before
   options are read, and again after that. */
void ds_valgrind_take_core_errors(Bool options_are_read);

/* Adds an option, which must stay, to those that Valgrind gives to itself when
   it follows an execve (--trace-children=yes). */
void ds_valgrind_hand_on(const HChar *option);

/* The symbols of a function: the first, or NULL if there is none, and the
   others with NULL after the last, or NULL if there are no others. */
struct ds_names {
    const HChar *first, **others;
};

/* The symbols of the function that begins at a run-time address.  Valid until
   the address space changes.  O(log(symbols)). */
struct ds_names ds_valgrind_names(Addr a);

/* Is the address in a function that Valgrind knows, its start included? */
Bool ds_valgrind_is_in_function(Addr a);

/* Calls `take` with each symbol of code that is loaded. */
void ds_valgrind_each_function(void (*take)(void *argument,
                                            const HChar *symbol),
                               void *argument);

/* The name of a symbol of C++ or Rust as Valgrind prints it, or else the
   symbol. Valid until the next call. */
const HChar *ds_valgrind_demangle(const HChar *symbol);

/* ds_alone: is the translation that the core asks for one that it executes
   alone, after an exit of kind Ijk_NoRedir?  These are kept apart from the
   usual ones, and the core gets control after each execution. */
Bool ds_valgrind_is_alone(void);

/* Calls this when such a translation has been executed and its thread is about
   to go on: true if the next one is to be executed alone, too, if there is one.
   The core need not get control then. */
void ds_valgrind_follow_alone(Bool (*is_followed_by_alone)(void));

/* Discards the translations of n bytes of code that are executed alone. */
void ds_valgrind_discard_alone(Addr a, ULong n);

/* Discards the translations of n bytes of code.  Only before a system call,
   where the core itself discards some, for munmap; or when a thread has left
   translated code by an exit that asks the core to discard some. */
void ds_valgrind_discard_translations(Addr a, SizeT n);
