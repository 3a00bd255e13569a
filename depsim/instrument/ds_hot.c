/*
 * ds_hot: which superblocks are executed often, and how they are translated.
 *
 * The fast path of an access (ds_fastpath) is many statements.  Valgrind takes
 * longer to translate these than to run most superblocks; that would be half of
 * the time that depsim adds to the start of a program.  So a superblock first
 * calls a function at each access, and counts its executions.  When it is hot,
 * it is translated anew, in the shortest form, which relies on registers being
 * multiples of a word or a granule (ds_aligned).  If one is not, the superblock
 * is translated again, in a form that relies on granules alone, and then in one
 * that relies on nothing.
 *
 * A superblock that is to be translated anew exits to an address without code,
 * which holds the superblock's number.  So the superblock need not store its
 * number each time it is executed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "instrument/ds_instrument.h"

#include "base/ds_options.h"
#include "base/ds_table.h"
#include "instrument/internal.h"

struct heat {
    struct ds_key key; /* where the superblock begins: before redirection,
                          and its code; and whether it is the recorded form */
    ULong executions;  /* while it is not hot */
    UInt n_misaligned; /* how often a register was not the multiple relied on */
};

/* The base of addresses without code, because user space ends at 2^47.  Such an
   address holds the superblock's number, of 31 bits, and whether its registers
   were misaligned. */
#define NOWHERE    ((ULong)0x5ca1ab1e << 32)
#define MISALIGNED ((ULong)1 << 31)
#define NUMBER     (MISALIGNED - 1)

static struct ds_table table = {.allocate = ds_arena_new};

/* After how many executions a superblock is hot.  Discarding a translation
   empties the core's cache of translations, which costs as much as some
   thousand calls: the default is of that order. */
static ULong hot_threshold(void)
{
    return ds_options.inline_after;
}

static struct heat *obtain(const VgCallbackClosure *closure, Bool is_recorded)
{
    return ds_table_obtain(
        &table,
        (struct ds_key){{closure->nraddr, closure->readdr, is_recorded}},
        sizeof(struct heat));
}

UInt ds_hot_number(const VgCallbackClosure *closure, Bool is_recorded)
{
    return (UInt)ds_arena_offset(obtain(closure, is_recorded)); /* 31 bits */
}

Bool ds_hot_is(const VgCallbackClosure *closure)
{
    return obtain(closure, False)->executions >= hot_threshold();
}

SizeT ds_hot_unit(const VgCallbackClosure *closure)
{
    UInt n = obtain(closure, False)->n_misaligned;

    return n == 0 ? DS_WORD : n == 1 ? DS_GRANULE : 1;
}

static void add_exit(IRSB *sb, IRExpr *guard, Addr to, Int offset_ip)
{
    addStmtToIRSB(
        sb, IRStmt_Exit(guard, Ijk_InvalICache, IRConst_U64(to), offset_ip));
}

void ds_hot_add_count(IRSB *sb, IRExpr *arena, const VgCallbackClosure *closure,
                      Int offset_ip)
{
    const ULong *executions = &obtain(closure, False)->executions;
    IRExpr *n;

    tl_assert(*executions < hot_threshold());
    ds_ir_add(sb, arena, executions, 1);
    n = ds_ir_value(sb, arena, executions);
    add_exit(sb,
             ds_ir_binary(sb, Iop_CmpEQ64, n, ds_ir_constant(hot_threshold())),
             NOWHERE | ds_hot_number(closure, False), offset_ip);
}

void ds_hot_add_check(IRSB *sb, IRExpr *bits, const VgCallbackClosure *closure,
                      Int offset_ip)
{
    add_exit(sb, ds_ir_binary(sb, Iop_CmpNE64, bits, ds_ir_constant(0)),
             NOWHERE | MISALIGNED | ds_hot_number(closure, False), offset_ip);
}

Bool ds_hot_left(Addr *ip)
{
    struct heat *h;

    if (LIKELY((*ip & ~(MISALIGNED | NUMBER)) != NOWHERE))
        return False;
    h = ds_arena_at(*ip & NUMBER);
    tl_assert(h->executions >= hot_threshold());
    if ((*ip & MISALIGNED) != 0)
        h->n_misaligned++;
    *ip = h->key.word[0];
    ds_valgrind_discard_translations(h->key.word[1], 1);
    return True;
}
