/*
 * ds_gather: which elements of a gather are loaded.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "instrument/ds_gather.h"

/* VGATHERxxx and VPGATHERxxx are VEX.128/256.66.0F38 90 to 93 (Intel's manual,
   volume 2); a segment or address-size prefix may stand before. */
Bool ds_gather_is(const UChar *code, SizeT size)
{
    while (size > 0 && (*code == 0x64 || *code == 0x65 || *code == 0x67)) {
        code++;
        size--;
    }
    return size >= 4 && code[0] == 0xC4 && (code[1] & 0x1F) == 2 &&
           code[3] >= 0x90 && code[3] <= 0x93;
}

/* The address is `mask ? element : stack pointer`, perhaps by way of copies. */
IRExpr *ds_gather_guard(const IRSB *sb, const IRExpr *address)
{
    const IRExpr *e = address;

    for (Int i = sb->stmts_used - 1; i >= 0 && e->tag == Iex_RdTmp; i--) {
        const IRStmt *st = sb->stmts[i];

        if (st->tag == Ist_WrTmp && st->Ist.WrTmp.tmp == e->Iex.RdTmp.tmp)
            e = st->Ist.WrTmp.data;
    }
    return e->tag == Iex_ITE ? e->Iex.ITE.cond : NULL;
}
