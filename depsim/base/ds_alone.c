/*
 * ds_alone: translations that are executed alone.
 *
 * After an exit of kind Ijk_NoRedir, the core executes another translation of
 * the address, once, and gets control again.  It means this for functions that
 * a program replaces, and calls nevertheless, so it keeps at most 500 of these
 * translations, and searches them one by one.  depsim executes whole windows in
 * this way (ds_window).  So the linker puts the functions below in the place of
 * the core's own (--wrap): they keep as many translations as there are, in a
 * table.
 *
 * Limits: when 64 MiB are full, all translations are thrown away.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/ds_valgrind.h"

#include "base/ds_memory.h"

#define CHUNK    ((SizeT)4 << 20)
#define N_CHUNKS 16

struct alone {
    struct ds_key key; /* the address of the code */
    Addr code;         /* the translation; 0: there is none */
    VexGuestExtents from;
};
static struct ds_table table;

static UChar *chunks[N_CHUNKS]; /* mapped when they are needed */
static SizeT n_used;            /* bytes of code in all chunks */

static Bool is_wanted; /* the core now translates code to be executed alone */

Bool ds_valgrind_is_alone(void)
{
    return is_wanted;
}

/* The names that the linker's --wrap gives to a function and its wrapper. */
#define REAL(name) __real_vgPlain_##name
#define WRAP(name) __wrap_vgPlain_##name
#define WRAPPED(result, name, ...)         \
    extern result REAL(name)(__VA_ARGS__); \
    extern result WRAP(name)(__VA_ARGS__);

WRAPPED(Bool, translate, ThreadId tid, Addr address, Bool debugging,
        Int verbosity, ULong n_blocks, Bool allow_redirection)
WRAPPED(Bool, search_unredir_transtab, Addr *code, Addr address)
WRAPPED(void, add_to_unredir_transtab, const VexGuestExtents *from,
        Addr address, Addr code, UInt size)
WRAPPED(void, discard_translations, Addr start, ULong n, const HChar *who)

Bool WRAP(translate)(ThreadId tid, Addr address, Bool debugging, Int verbosity,
                     ULong n_blocks, Bool allow_redirection)
{
    Bool result;

    is_wanted = !allow_redirection;
    /* A limit that the program has set is not meant for the core's tables. */
    ds_limits_lift();
    result = REAL(translate)(tid, address, debugging, verbosity, n_blocks,
                             allow_redirection);
    ds_limits_restore();
    is_wanted = False;
    return result;
}

static struct alone *obtain(Addr address)
{
    return ds_table_obtain(&table, (struct ds_key){{address, 0, 0}},
                           sizeof(struct alone));
}

Bool WRAP(search_unredir_transtab)(Addr *code, Addr address)
{
    *code = obtain(address)->code;
    return *code != 0;
}

static void discard_all(void)
{
    SizeT cursor = 0;
    struct alone *a;

    while ((a = ds_table_next(&table, &cursor)) != NULL)
        a->code = 0;
    n_used = 0;
}

/* Memory for the code of a translation. */
static void *room(SizeT size)
{
    SizeT left = CHUNK - n_used % CHUNK;
    UChar **chunk;

    tl_assert(size > 0 && size <= CHUNK);
    if (size > left)
        n_used += left;
    if (n_used + size > CHUNK * N_CHUNKS)
        discard_all();
    chunk = &chunks[n_used / CHUNK];
    if (*chunk == NULL)
        *chunk = ds_valgrind_map(CHUNK);
    if (*chunk == NULL)
        VG_(tool_panic)("out of memory for the code of windows");
    n_used += size;
    tl_assert(n_used <= CHUNK * N_CHUNKS);
    return *chunk + (n_used - size) % CHUNK;
}

void WRAP(add_to_unredir_transtab)(const VexGuestExtents *from, Addr address,
                                   Addr code, UInt size)
{
    void *to = room((size + 15) & ~(SizeT)15);
    struct alone *a = obtain(address);

    VG_(memcpy)(to, (const void *)code, size);
    a->code = (Addr)to;
    a->from = *from;
}

static Bool overlaps(const VexGuestExtents *from, Addr start, ULong n)
{
    for (UInt i = 0; i < from->n_used; i++)
        if (from->base[i] - start < n || start - from->base[i] < from->len[i])
            return True;
    return False;
}

void ds_valgrind_discard_alone(Addr start, ULong n)
{
    SizeT cursor = 0;
    struct alone *a;

    while ((a = ds_table_next(&table, &cursor)) != NULL)
        if (a->code != 0 && overlaps(&a->from, start, n))
            a->code = 0;
}

void WRAP(discard_translations)(Addr start, ULong n, const HChar *who)
{
    if (n > 0)
        ds_valgrind_discard_alone(start, n);
    REAL(discard_translations)(start, n, who);
}
