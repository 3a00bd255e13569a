/*
 * ds_alone: translations that are executed alone.
 *
 * After an exit of kind Ijk_NoRedir, the core executes another translation of
 * the address, once, and gets control again.  It means this for functions that
 * a program replaces, and calls nevertheless, so it keeps at most 500 of these
 * translations, and searches them one by one.  depsim executes whole windows in
 * this way (ds_window).  So the linker puts the functions below in the place of
 * the core's own (--wrap): they keep as many translations as there are, in a
 * table.  On x86-64, one translation goes on to the next by a jump: the way
 * through the core would take some hundred instructions.
 *
 * Limits: when 64 MiB are full, all translations are thrown away.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/ds_valgrind.h"

#include "base/ds_arch.h"
#include "base/ds_memory.h"

#define CHUNK    ((SizeT)4 << 20)
#define N_CHUNKS 16

struct alone {
    struct ds_key key; /* the address of the code */
    Addr code;         /* the translation; 0: there is none */
    VexGuestExtents from;
    Bool is_replaced; /* the core usually executes other code there */
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
extern Addr VG_(redir_do_lookup)(Addr address, Bool *wraps);
WRAPPED(void, discard_translations, Addr start, ULong n, const HChar *who)

Bool WRAP(translate)(ThreadId tid, Addr address, Bool debugging, Int verbosity,
                     ULong n_blocks, Bool allow_redirection)
{
    is_wanted = !allow_redirection;
    /* A limit that the program has set is not meant for the core's tables. */
    ds_limits_lift();
    Bool result = REAL(translate)(tid, address, debugging, verbosity, n_blocks,
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

static Bool (*is_followed)(void);

void ds_valgrind_follow_alone(Bool (*is_followed_by_alone)(void))
{
    is_followed = is_followed_by_alone;
}

#ifdef DS_ARCH_ASSISTED
/* The first words of VEX's guest state. */
static struct {
    ULong where; /* where to jump when the counter goes below 0 */
    Int left;    /* superblocks left of the time slice */
} volatile *guest;

WRAPPED(void, disp_run_translations, HWord *result, volatile void *state,
        HWord code)
void WRAP(disp_run_translations)(HWord *result, volatile void *state,
                                 HWord code)
{
    guest = state;
    REAL(disp_run_translations)(result, state, code);
}

/* The translation that the core would now execute alone: it would get there
   through another one, which counts as a superblock.  0: the core decides. */
extern Addr ds_alone_next(void **state);
Addr ds_alone_next(void **state)
{
    static struct alone *recent[1 << 12];
    Addr ip = *(volatile Addr *)((Addr)guest + (Addr)ds_arch.ip);
    struct alone **a = &recent[(ip ^ ip >> 12) & ((1 << 12) - 1)];

    if (is_followed == NULL || guest->left < 2 || !is_followed())
        return 0;
    if (*a == NULL || (*a)->key.word[0] != ip)
        *a = obtain(ip);
    if ((*a)->code == 0 || (*a)->is_replaced)
        return 0;
    guest->left--;
    *state = (void *)(Addr)guest;
    return (*a)->code;
}

__asm__(DS_ARCH_ASSISTED("__wrap_vgPlain_disp_cp_xassisted",
                         "__real_vgPlain_disp_cp_xassisted", "ds_alone_next"));
#endif

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

    tl_assert(size > 0 && size <= CHUNK);
    if (size > left)
        n_used += left;
    if (n_used + size > CHUNK * N_CHUNKS)
        discard_all();
    UChar **chunk = &chunks[n_used / CHUNK];
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
    a->is_replaced = VG_(redir_do_lookup)(address, NULL) != address;
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
