/*
 * ds_fastpath: the fast path of a load and a store, in translated code.
 *
 * The number of instructions determines the cost.  A plain address is a
 * multiple of the access's unit and below DS_LINEAR_END; arithmetic gives its
 * entries.  From any other address the fast path first removes the bits that it
 * cannot handle, so that the rest leads to entries in any case.  The one
 * comparison that decides on the slow path also tests whether bits were
 * removed.  So the only branch is the one around the call of the slow path, and
 * the processor executes all this while it waits for the program's own work.
 *
 * The kind of a hit says how the load was forwarded.  A load of up to a granule
 * lies within one, and a load of a word has a word's address: neither crosses a
 * line, and the entries tell the rest (ds_sites).  The kind of a wider load
 * says whether its entries are equal or differ; the load also counts how often
 * it crosses a line.  The comparison includes a test that differing entries
 * have one writer, that the last one is the most recent, and that all are near
 * if the load expects near ones.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "instrument/ds_instrument.h"

#include "count/ds_lines.h"

#define ENTRY_SIZE  8 /* bytes of an entry */
#define ENTRY_SHIFT 1 /* entries take twice as many bytes as granules */
#define BYTE_SHIFT  3 /* and eight times as many as single bytes */
#define LINE_SHIFT  6 /* log2 of FORWARD_LINE */

Bool ds_fastpath_has(SizeT n)
{
    return n <= 32 && (n & (n - 1)) == 0;
}

SizeT ds_fastpath_unit_of_load(SizeT n)
{
    return n == DS_WORD ? DS_WORD : n < DS_GRANULE ? n : DS_GRANULE;
}

/* A store at a multiple of this unit stores whole words, so its entry has the
   writer's first number (ds_sites). */
SizeT ds_fastpath_unit_of_store(SizeT n)
{
    return n > DS_GRANULE ? DS_WORD : n;
}

/* The address without the bits that the fast path cannot handle, for a multiple
   of `unit`, which is at most a word. */
static IRExpr *known_part(IRSB *sb, IRExpr *arena, IRExpr *address, SizeT unit)
{
    return ds_ir_binary(
        sb, Iop_And64, address,
        ds_ir_value(sb, arena, &ds_access->known[__builtin_ctzl(unit)]));
}

static IRExpr *place_of(IRSB *sb, IRExpr *arena, IRExpr *granule)
{
    return ds_ir_binary(sb, Iop_Add64, arena,
                        ds_ir_binary(sb, Iop_Shl64, granule,
                                     IRExpr_Const(IRConst_U8(ENTRY_SHIFT))));
}

static IRExpr *entries_after(IRSB *sb, IRExpr *place, SizeT i)
{
    return ds_ir_binary(sb, Iop_Add64, place, ds_ir_constant(i * ENTRY_SIZE));
}

static IRExpr *either(IRSB *sb, IRExpr *x, IRExpr *y)
{
    return ds_ir_binary(sb, Iop_Or64, x, y);
}

static IRExpr *less(IRSB *sb, IRExpr *x, IRExpr *y)
{
    return ds_ir_binary(sb, Iop_Sub64, x, y);
}

/* Counts a load that crosses a line. */
static void count_crossing(IRSB *sb, IRExpr *arena, IRExpr *address,
                           const struct ds_expect *load)
{
    IRExpr *in_line =
        ds_ir_binary(sb, Iop_And64, address, ds_ir_constant(FORWARD_LINE - 1));
    IRExpr *lines =
        ds_ir_binary(sb, Iop_Shr64, ds_ir_plus(sb, in_line, load->n - 1),
                     IRExpr_Const(IRConst_U8(LINE_SHIFT)));

    tl_assert(load->n <= FORWARD_LINE);
    ds_ir_store(sb, ds_ir_field(sb, arena, &load->crossed),
                ds_ir_binary(sb, Iop_Add64, lines,
                             ds_ir_value(sb, arena, &load->crossed)));
}

/* How entries differ: 0 if all are equal, more than any distance if the last
   one has another writer than the rest, or is not the most recent. */
static IRExpr *strangers(IRSB *sb, IRExpr *place, IRExpr *last, SizeT n)
{
    IRExpr *all = NULL;

    for (SizeT i = 0; i + 1 < n; i++) {
        IRExpr *by =
            less(sb, last, ds_ir_loaded(sb, entries_after(sb, place, i)));

        all = all == NULL ? by : either(sb, all, by);
    }
    return all;
}

/* The entry i granules after a granule.  VEX makes one operand of an address
   that has one use, so each entry gets an address of its own. */
static IRExpr *entry_at(IRSB *sb, IRExpr *arena, IRExpr *address, SizeT i)
{
    return ds_ir_loaded(sb, entries_after(sb, place_of(sb, arena, address), i));
}

/* The tag of a load that is wider than a word, less the base of what it
   expects.  If a difference of times has a bit that must be 0 (ds_kind's
   `beyond`), the tag becomes too large, as no tag that hits has such a bit. */
static IRExpr *wide_tag(IRSB *sb, IRExpr *arena, IRExpr *from, IRExpr *place,
                        const struct ds_expect *load)
{
    SizeT n = load->n / DS_GRANULE;
    IRExpr *last = ds_ir_loaded(sb, entries_after(sb, place, n - 1));
    IRExpr *by = strangers(sb, place, last, n);
    IRExpr *differs =
        ds_ir_binary(sb, Iop_And64, ds_ir_unary(sb, Iop_CmpwNEZ64, by),
                     ds_ir_value(sb, arena, &load->differs));
    IRExpr *tag = ds_ir_binary(sb, Iop_Add64, differs, less(sb, from, last));

    return either(
        sb, tag,
        ds_ir_binary(sb, Iop_And64, by, ds_ir_value(sb, arena, &load->beyond)));
}

/* The tag of a load, less the base of what it expects.  If entries differ, the
   tag is at least the largest of theirs.  Unless the address needs no test,
   anything that the fast path cannot handle makes it too large; so do bits that
   were removed from the address, because the rest is smaller. */
static IRExpr *tag_of(IRSB *sb, IRExpr *arena, IRExpr *address,
                      const struct ds_expect *load, Bool is_plain)
{
    SizeT unit = ds_fastpath_unit_of_load(load->n);
    IRExpr *known = is_plain ? address : known_part(sb, arena, address, unit);
    IRExpr *granule = known, *from, *x;

    if (unit < DS_GRANULE && is_plain)
        granule = ds_ir_binary(sb, Iop_And64, address,
                               ds_ir_constant(~(ULong)(DS_GRANULE - 1)));
    else if (unit < DS_GRANULE)
        granule = known_part(sb, arena, address, DS_GRANULE);
    from = less(sb, ds_ir_value(sb, arena, ds_clock_now),
                ds_ir_value(sb, arena, &load->expected.base));
    x = is_plain ? NULL : less(sb, known, address);
    if (load->n > DS_WORD) {
        IRExpr *tag =
            wide_tag(sb, arena, from, place_of(sb, arena, granule), load);

        return x == NULL ? tag : either(sb, tag, x);
    }
    for (SizeT i = 0; i == 0 || i < load->n / DS_GRANULE; i++) {
        IRExpr *tag = less(sb, from, entry_at(sb, arena, granule, i));

        x = x == NULL ? tag : either(sb, x, tag);
    }
    return x;
}

/* The load counts as a hit first, and the comparison comes last, so that VEX
   finds each value next to its use. */
void ds_fastpath_load(IRSB *sb, IRExpr *arena, IRExpr *address,
                      struct ds_expect *load, Bool is_plain, Bool counts)
{
    IRExpr *missed = NULL;

    tl_assert(ds_fastpath_has(load->n));
    if (counts)
        ds_ir_add(sb, arena, &load->own, 1);
    ds_expect_choose(load);
    if (!load->looks_up) {
        if (load->n > DS_WORD)
            count_crossing(sb, arena, address, load);
        IRExpr *tag = tag_of(sb, arena, address, load, is_plain);
        IRExpr *hit =
            ds_ir_binary(sb, Iop_CmpLE64U, tag,
                         ds_ir_value(sb, arena, &load->expected.span));
        missed = ds_ir_unary(sb, Iop_Not1, hit);
    }
    ds_ir_call(sb, "ds_access_missed",
               load->looks_up ? ds_access_look_up : ds_access_missed,
               mkIRExprVec_2(address, ds_ir_constant(ds_arena_offset(load))),
               missed);
}

/* The entry of a byte below DS_LINEAR_END, if it has one of its own. */
static IRExpr *place_of_byte(IRSB *sb, IRExpr *arena, IRExpr *byte)
{
    return ds_ir_binary(sb, Iop_Add64,
                        ds_ir_value(sb, arena, &ds_access->bytes),
                        ds_ir_binary(sb, Iop_Shl64, byte,
                                     IRExpr_Const(IRConst_U8(BYTE_SHIFT))));
}

/* 0 if the bytes of the granule at this place have entries of their own. */
static IRExpr *undivided(IRSB *sb, IRExpr *arena, IRExpr *place)
{
    return less(sb, ds_ir_loaded(sb, place),
                ds_ir_value(sb, arena, &ds_access->single));
}

/* A store of less than a granule is in line where its bytes have entries of
   their own.  Comparing twice is faster than keeping the result in a register.
 */
void ds_fastpath_store(IRSB *sb, IRExpr *arena, IRExpr *address, SizeT n,
                       IRExpr *entry, Bool is_plain)
{
    Bool is_narrow = n < DS_GRANULE;
    SizeT n_entries = is_narrow ? n : n / DS_GRANULE;

    tl_assert(ds_fastpath_has(n));
    if (is_plain && !is_narrow) {
        for (SizeT i = 0; i < n_entries; i++)
            ds_ir_store(sb, entries_after(sb, place_of(sb, arena, address), i),
                        entry);
        return;
    }
    IRExpr *known =
        known_part(sb, arena, address, ds_fastpath_unit_of_store(n));
    IRExpr *x = less(sb, known, address);
    if (is_narrow) {
        IRExpr *granule = known_part(sb, arena, address, DS_GRANULE);

        x = either(sb, x, undivided(sb, arena, place_of(sb, arena, granule)));
    }
    IRExpr *place = is_narrow ? place_of_byte(sb, arena, known)
                              : place_of(sb, arena, known);
    IRExpr *fits = ds_ir_binary(sb, Iop_CmpEQ64, x, ds_ir_constant(0));
    tl_assert(n_entries * ENTRY_SIZE <= sizeof ds_access->trash);
    place = ds_ir_assign(
        sb, IRExpr_ITE(fits, place, ds_ir_field(sb, arena, &ds_access->trash)));
    for (SizeT i = 0; i < n_entries; i++)
        ds_ir_store(sb, entries_after(sb, place, i), entry);
    ds_ir_call(sb, "ds_access_store", ds_access_store,
               mkIRExprVec_3(address, ds_ir_constant(n), entry),
               ds_ir_binary(sb, Iop_CmpNE64, x, ds_ir_constant(0)));
}

/* A word of the table takes an eighth of the line's bytes. */
IRExpr *ds_fastpath_may_share(IRSB *sb, IRExpr *arena, IRExpr *address,
                              Bool stores)
{
    IRExpr *offset = ds_ir_binary(
        sb, Iop_And64,
        ds_ir_binary(sb, Iop_Shr64, address,
                     IRExpr_Const(IRConst_U8(LINE_SHIFT - BYTE_SHIFT))),
        ds_ir_value(sb, arena, &ds_lines->places));
    IRExpr *word = ds_ir_loaded(
        sb, ds_ir_binary(sb, Iop_Add64, offset,
                         ds_ir_value(sb, arena, &ds_lines->table)));
    IRExpr *self = ds_ir_value(sb, arena, &ds_lines->self);

    if (stores)
        return ds_ir_binary(sb, Iop_CmpNE64, word, self);
    return ds_ir_binary(sb, Iop_CmpEQ64,
                        ds_ir_binary(sb, Iop_And64, word, self),
                        ds_ir_constant(0));
}
