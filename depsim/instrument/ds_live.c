/*
 * ds_live: which temporaries of a superblock are of use.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "instrument/ds_live.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

static Bool *is_live; /* by temporary */
static UInt room;

static void use(const IRExpr *e)
{
    if (e == NULL)
        return;
    switch (e->tag) {
    case Iex_RdTmp:
        is_live[e->Iex.RdTmp.tmp] = True;
        break;
    case Iex_GetI:
        use(e->Iex.GetI.ix);
        break;
    case Iex_Unop:
        use(e->Iex.Unop.arg);
        break;
    case Iex_Binop:
        use(e->Iex.Binop.arg1);
        use(e->Iex.Binop.arg2);
        break;
    case Iex_Triop:
        use(e->Iex.Triop.details->arg1);
        use(e->Iex.Triop.details->arg2);
        use(e->Iex.Triop.details->arg3);
        break;
    case Iex_Qop:
        use(e->Iex.Qop.details->arg1);
        use(e->Iex.Qop.details->arg2);
        use(e->Iex.Qop.details->arg3);
        use(e->Iex.Qop.details->arg4);
        break;
    case Iex_Load:
        use(e->Iex.Load.addr);
        break;
    case Iex_ITE:
        use(e->Iex.ITE.cond);
        use(e->Iex.ITE.iftrue);
        use(e->Iex.ITE.iffalse);
        break;
    case Iex_CCall:
        for (IRExpr **arg = e->Iex.CCall.args; *arg != NULL; arg++)
            use(*arg);
        break;
    default: /* constants, registers, and what is no value */
        break;
    }
}

static void use_all(const IRExpr *a, const IRExpr *b, const IRExpr *c)
{
    use(a);
    use(b);
    use(c);
}

static void use_call(const IRDirty *d)
{
    use_all(d->guard, d->mAddr, NULL);
    for (IRExpr **arg = d->args; *arg != NULL; arg++)
        use(*arg);
}

static void use_cas(const IRCAS *cas)
{
    use_all(cas->addr, cas->expdLo, cas->expdHi);
    use_all(cas->dataLo, cas->dataHi, NULL);
}

static void look_at(const IRStmt *st)
{
    switch (st->tag) {
    case Ist_WrTmp:
        if (is_live[st->Ist.WrTmp.tmp])
            use(st->Ist.WrTmp.data);
        break;
    case Ist_Put:
        use(st->Ist.Put.data);
        break;
    case Ist_PutI:
        use_all(st->Ist.PutI.details->ix, st->Ist.PutI.details->data, NULL);
        break;
    case Ist_Store:
        use_all(st->Ist.Store.addr, st->Ist.Store.data, NULL);
        break;
    case Ist_LoadG:
        use_all(st->Ist.LoadG.details->addr, st->Ist.LoadG.details->alt,
                st->Ist.LoadG.details->guard);
        break;
    case Ist_StoreG:
        use_all(st->Ist.StoreG.details->addr, st->Ist.StoreG.details->data,
                st->Ist.StoreG.details->guard);
        break;
    case Ist_CAS:
        use_cas(st->Ist.CAS.details);
        break;
    case Ist_LLSC:
        use_all(st->Ist.LLSC.addr, st->Ist.LLSC.storedata, NULL);
        break;
    case Ist_Dirty:
        use_call(st->Ist.Dirty.details);
        break;
    case Ist_Exit:
        use(st->Ist.Exit.guard);
        break;
    default: /* no-ops, marks, fences, hints */
        break;
    }
}

void ds_live_look(const IRSB *sb)
{
    UInt n = (UInt)sb->tyenv->types_used;

    if (n > room) {
        room = 2 * n;
        is_live = VG_(realloc)("ds.live", is_live, room * sizeof *is_live);
    }
    VG_(memset)(is_live, False, n * sizeof *is_live);
    use(sb->next);
    for (Int i = sb->stmts_used - 1; i >= 0; i--)
        look_at(sb->stmts[i]);
}

Bool ds_live_is(IRTemp t)
{
    tl_assert(t < room);
    return is_live[t];
}
