/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "instrument/ds_instrument.h"

#include "switch/ds_switch.h"

Bool ds_instrument_precise, ds_instrument_careful = DS_ARCH_HAS_TAGS;

/* Advances the clock to `n` instructions since the superblock's start. */
static void advance(struct ds_block *b, ULong n)
{
    tl_assert(n >= b->n_advanced);
    if (n > b->n_advanced)
        ds_ir_add(b->out, b->arena, ds_clock_now, n - b->n_advanced);
    b->n_advanced = n;
}

/* Begins a segment at the current instruction, with the clock advanced to it.
   Its counter is known only where it ends, so the counter's address is filled
   in there. */
static void open_segment(struct ds_block *b)
{
    IRExpr *from, *to, *n;

    tl_assert(b->has_begun && b->open.counter == NULL);
    advance(b, b->n_before);
    b->open.counter = IRConst_U64(0);
    b->open.offset = IRConst_U64(0);
    b->open.start = b->insn.address;
    b->open.n_before = b->n_before;
    b->open.n = b->open.n_loads = 0;
    b->open.accesses = (struct ds_accesses){0};
    b->accesses = &b->open.accesses;
    from = ds_ir_binary(b->out, Iop_Add64, b->arena,
                        IRExpr_Const(b->open.counter));
    n = ds_ir_plus(b->out, ds_ir_loaded(b->out, from), 1);
    to = ds_ir_binary(b->out, Iop_Add64, b->arena,
                      IRExpr_Const(b->open.counter));
    ds_ir_store(b->out, to, n);
    ds_ir_store(b->out, ds_ir_field(b->out, b->arena, &ds_access->running),
                IRExpr_Const(b->open.offset));
}

static void close_segment(struct ds_block *b)
{
    struct ds_segment *segment;
    struct ds_part *part;

    if (b->open.counter == NULL)
        return;
    tl_assert(b->open.n >= 1 && b->open.n_loads <= b->open.n);
    tl_assert(b->open.n_before + b->open.n - b->n_before <= 1);
    segment = ds_segments_obtain(b->range.object, b->open.start - b->range.bias,
                                 b->open.sizes, b->open.n);
    tl_assert(segment->key.word[2] - segment->key.word[1] ==
              b->open.next - b->open.start);
    part = ds_segments_part(segment, b->superblock, b->open.n_before);
    for (UInt i = 0; i < b->open.n_loads; i++)
        ds_expect_attach(b->open.loads[i], &part->executions);
    b->open.offset->Ico.U64 = ds_arena_offset(&part->executions);
    b->open.counter->Ico.U64 = 0 - b->open.offset->Ico.U64;
    b->open.counter = NULL;
    /* If an exit divides an instruction, its rest belongs to this segment. */
    segment->accesses = b->open.accesses;
    b->accesses = &segment->accesses;
}

/* One unsigned comparison tests if the stack pointer has left its range. */
static void add_leave(IRSB *sb, IRExpr *sp)
{
    IRExpr *low = ds_ir_loaded(sb, ds_ir_pointer(&ds_functions_stack.low));
    IRExpr *span = ds_ir_loaded(sb, ds_ir_pointer(&ds_functions_stack.span));
    IRExpr *above = ds_ir_binary(sb, Iop_Sub64, sp, low);
    IRExpr *has_left = ds_ir_binary(sb, Iop_CmpLT64U, span, above);

    ds_ir_call(sb, "ds_functions_leave", ds_functions_leave, mkIRExprVec_1(sp),
               has_left);
}

/* A return leads to the start of a superblock.  The stack pointer may be as it
   was when the function began. */
static void add_return(IRSB *sb, IRExpr *sp, Addr address)
{
    IRExpr *back = ds_ir_loaded(sb, ds_ir_pointer(&ds_functions_stack.back));
    IRExpr *low = ds_ir_loaded(sb, ds_ir_pointer(&ds_functions_stack.low));
    IRExpr *span = ds_ir_loaded(sb, ds_ir_pointer(&ds_functions_stack.span));
    IRExpr *end = ds_ir_binary(sb, Iop_Add64, low, span);
    IRExpr *elsewhere =
        ds_ir_binary(sb, Iop_Xor64, back, ds_ir_constant(address));
    IRExpr *deeper = ds_ir_binary(sb, Iop_Xor64, sp, end);
    IRExpr *not_yet = ds_ir_binary(sb, Iop_Or64, elsewhere, deeper);

    ds_ir_call(sb, "ds_functions_leave", ds_functions_leave, mkIRExprVec_1(sp),
               ds_ir_binary(sb, Iop_CmpEQ64, not_yet, ds_ir_constant(0)));
}

static void add_enter(struct ds_block *b, IRExpr *sp,
                      struct ds_pattern *pattern)
{
    IRExpr *back =
        ds_arch.link < 0
            ? ds_ir_constant(0)
            : ds_ir_assign(b->out, IRExpr_Get(ds_arch.link, Ity_I64));

    ds_ir_call(b->out, "ds_functions_enter", ds_functions_enter,
               mkIRExprVec_3(sp, ds_ir_pointer(pattern), back), NULL);
}

/* Adds what --fn needs at the start of a segment, before it is counted; the
   stack pointer and the clock are up to date there.  A function that matches
   begins a segment. Without --fn it adds nothing; with it, each segment costs
   two more loads and a comparison. */
static void add_functions(struct ds_block *b)
{
    struct ds_pattern *pattern;
    IRExpr *sp;
    UInt i = 0;

    if (!ds_functions_limit)
        return;
    advance(b, b->n_before);
    sp = ds_ir_assign(b->out, IRExpr_Get(b->sp, Ity_I64));
    add_leave(b->out, sp);
    if (ds_arch.link >= 0 && b->n_before == 0)
        add_return(b->out, sp, b->insn.address);
    while ((pattern = ds_functions_match(b->range, b->insn.address, &i)) !=
           NULL)
        add_enter(b, sp, pattern);
}

/* Adds an exit to the recorded form, taken when a window begins or goes on.
   That form is executed alone, so it never comes here. */
static void add_window_check(struct ds_block *b)
{
    IRExpr *now = ds_ir_value(b->out, b->arena, ds_clock_now);
    IRExpr *from = ds_ir_value(b->out, b->arena, &ds_window->from);

    addStmtToIRSB(b->out,
                  IRStmt_Exit(ds_ir_binary(b->out, Iop_CmpLE64U, from, now),
                              Ijk_NoRedir, IRConst_U64(b->closure->readdr),
                              b->ip));
}

/* Adds, where a round of the superblock begins, a note of it and the time. */
static void add_note(struct ds_block *b)
{
    IRExpr *n, *at;
    ULong to;

    if (b->lead == 0 || b->is_shown)
        return;
    b->now = ds_ir_value(b->out, b->arena, ds_clock_now);
    n = ds_ir_value(b->out, b->arena, &ds_lead->n);
    at = ds_ir_binary(b->out, Iop_And64, n, ds_ir_constant(DS_LEAD - 1));
    at = ds_ir_binary(b->out, Iop_Shl64, at, IRExpr_Const(IRConst_U8(3)));
    /* VEX makes one address of this order. */
    at = ds_ir_binary(b->out, Iop_Add64, b->arena, at);
    to = 0 - ds_arena_offset(ds_lead->ring);
    ds_ir_store(b->out, ds_ir_plus(b->out, at, to), ds_ir_constant(b->lead));
    addStmtToIRSB(b->out,
                  IRStmt_Store(Iend_LE, ds_ir_plus(b->out, at, to + 4),
                               ds_ir_unary(b->out, Iop_64to32, b->now)));
    ds_ir_store(b->out, ds_ir_field(b->out, b->arena, &ds_lead->n),
                ds_ir_plus(b->out, n, 1));
}

/* Adds what is to be done at the start of the superblock, after the mark of its
   first instruction, when it is known whether recording is on. */
static void begin_superblock(struct ds_block *b)
{
    if (b->is_shown)
        ds_way_begin();
    else if (b->may_record)
        add_window_check(b);
    if (b->is_to_check)
        ds_heat_add_check(b->out, ds_aligned_add(b->out), b->superblock, b->ip);
    if (b->is_hot)
        ds_heat_add_empty(b, Iop_CmpNE64, &ds_traces->first);
    else
        ds_heat_add_record(b);
}

/* Notes that the instruction touches its lines (ds_reuse), unless the one
   before has just noted it. */
static void touch_code(struct ds_block *b, Addr address, UInt size)
{
    Addr line = address & ~(Addr)(DS_REUSE_LINE - 1);

    for (; line < address + size; line += DS_REUSE_LINE)
        if (line != b->touched && line < DS_LINEAR_END) {
            ds_ir_store(b->out, ds_ir_pointer(ds_shadow_touch(DS_CODE, line)),
                        b->now);
            b->touched = line;
        }
}

static void begin_instruction(struct ds_block *b, Int mark)
{
    Addr address = b->in->stmts[mark]->Ist.IMark.addr;
    UInt size = b->in->stmts[mark]->Ist.IMark.len;
    Bool is_elsewhere = address < b->range.start || address >= b->range.end;
    Bool is_first = b->arena == NULL, begins_round = !b->has_begun;

    if (is_first)
        b->arena = ds_ir_arena(b->out);
    if (b->has_begun)
        b->n_before++;
    b->has_begun = True;
    b->insn = (struct ds_instruction){
        .address = address,
        .size = size,
        .is_sole = ds_passes_is_sole(b->in, mark),
        .code = ds_code_of((const UChar *)address, size)};
    if (is_elsewhere || address != b->open.next ||
        ds_functions_match(b->range, address, &(UInt){0}) != NULL)
        close_segment(b);
    if (is_elsewhere)
        b->range = ds_objects_locate(address);
    if (b->open.counter == NULL) {
        add_functions(b);
        if (is_first)
            begin_superblock(b);
        if (begins_round)
            add_note(b);
        open_segment(b);
    }
    if (b->is_described)
        ds_lead_instruction(b->range.object, b->range.bias, address, size);
    if (b->is_shown)
        ds_way_instruction(b->range.object, address - b->range.bias,
                           b->range.bias, size);
    else if (ds_window != NULL)
        touch_code(b, address, size);
    b->open.next = address + size;
    tl_assert(b->open.n < DS_SEGMENT_MAX && size <= 255);
    b->open.sizes[b->open.n++] = (UChar)size;
}

/* Advances the clock for an exit inside or after the current instruction. */
static void prepare_exit(struct ds_block *b)
{
    if (b->has_begun)
        advance(b, b->n_before + 1);
}

/* Is this an instruction that VEX decodes as undefined? */
static Bool is_undefined(const IRSB *sb, Addr address)
{
    return sb->jumpkind == Ijk_NoDecode && sb->next->tag == Iex_Const &&
           sb->next->Iex.Const.con->Ico.U64 == address;
}

static void copy(struct ds_block *b, Int i)
{
    IRStmt *st = b->in->stmts[i];

    switch (st->tag) {
    case Ist_NoOp:
        return;
    case Ist_IMark:
        /* An instruction of size 0 is one that VEX could not decode. */
        addStmtToIRSB(b->out, st);
        if (st->Ist.IMark.len > 0 && !is_undefined(b->out, st->Ist.IMark.addr))
            begin_instruction(b, i);
        return;
    case Ist_Exit:
        prepare_exit(b);
        if (b->is_described && st->Ist.Exit.jk == Ijk_Boring)
            ds_lead_exit(st->Ist.Exit.dst->Ico.U64);
        addStmtToIRSB(b->out, st);
        /* What follows the exit belongs to another segment. */
        close_segment(b);
        return;
    default:
        addStmtToIRSB(b->out, st);
        /* Statements before the first instruction check the code itself. */
        if (b->has_begun)
            ds_statement_add(b, st);
    }
}

/* Where a superblock leads at its end: 0 for an indirect jump or call.  What
   returns, or enters the kernel, is no branch: as if it led on. */
static Addr next_of(const IRSB *sb)
{
    if (sb->next->tag == Iex_Const)
        return sb->next->Iex.Const.con->Ico.U64;
    return sb->jumpkind == Ijk_Boring || sb->jumpkind == Ijk_Call ? 0 : 1;
}

/* Ends a round: what follows executes the superblock once more, or another. */
static void end_round(struct ds_block *b)
{
    prepare_exit(b);
    close_segment(b);
    tl_assert(!b->has_begun || b->n_advanced == b->n_before + 1);
    if (b->is_described && b->has_begun)
        ds_lead_end(next_of(b->in));
    b->is_described = False;
    b->has_begun = False;
    b->n_before = b->n_advanced = 0;
    b->touched = 0;
}

/* Repeats a loop that is hot.  Returns how many statements a round has. */
static Int unroll(const struct ds_block *b, IRSB *in)
{
    Addr start = b->closure->nraddr;
    Int n = in->stmts_used;

    if (!b->is_hot || start != b->closure->readdr ||
        !ds_unroll_can(in, start) || (b->is_to_check && !ds_aligned_lasts()))
        return n;
    n = (Int)ds_unroll(in);
    if (b->relies)
        ds_aligned_repeat(in);
    return n;
}

IRSB *ds_instrument(VgCallbackClosure *closure, IRSB *in,
                    const VexGuestLayout *layout,
                    const VexGuestExtents *extents, const VexArchInfo *host,
                    IRType guest_word, IRType host_word)
{
    Bool is_recorded = ds_window != NULL && ds_valgrind_is_alone();
    /* An exit must not follow another one of kind Ijk_NoRedir, and does not
       lead to code that is executed instead of the address's. */
    Bool may_record = ds_window != NULL && in->jumpkind != Ijk_NoRedir &&
                      closure->nraddr == closure->readdr;
    struct ds_heat *h = ds_heat_obtain(closure, is_recorded);
    struct ds_block b = {.superblock = (UInt)ds_arena_offset(h),
                         .closure = closure,
                         .is_hot = !is_recorded && ds_heat_is_hot(h),
                         .may_record = may_record,
                         .is_careful = ds_instrument_careful,
                         .ip = layout->offset_IP,
                         .sp = layout->offset_SP};
    Int n;

    (void)extents, (void)host;
    tl_assert(guest_word == Ity_I64 && host_word == Ity_I64);
    b.is_shown = is_recorded || (may_record && !b.is_hot);
    if (ds_lead != NULL && !is_recorded)
        b.lead = ds_lead_begin();
    in = ds_passes_join_puts(ds_code_complete(in), ds_instrument_precise);
    ds_passes_drop_puts(in, layout, ds_functions_limit, ds_instrument_precise);
    b.relies = b.is_hot && !b.is_careful && ds_heat_unit(h) > 1;
    b.is_to_check = b.relies && ds_aligned_find(in, ds_heat_unit(h));
    n = unroll(&b, in);
    b.in = in;
    b.is_described = b.lead != 0;
    ds_passes_find_live(in);
    b.out = deepCopyIRSBExceptStmts(in);
    for (Int i = 0; i < in->stmts_used; i++) {
        if (i > 0 && i % n == 0)
            end_round(&b);
        copy(&b, i);
    }
    end_round(&b);
    if (b.size != NULL)
        b.size->Ico.U64 = ds_trace_end(&h->trace);
    h->trace.way =
        b.is_shown && b.size != NULL ? ds_way_end(closure->readdr) : NULL;
    h->trace.lead = b.lead;
    return b.out;
}

void ds_instrument_anew(void)
{
    ds_valgrind_discard_translations(0, ~(SizeT)0);
    ds_valgrind_discard_alone(0, ~(ULong)0);
}

void ds_instrument_be(Bool *way)
{
    if (*way)
        return;
    *way = True;
    ds_instrument_anew();
}

void ds_instrument_fault(Addr address)
{
    struct ds_part *part;
    struct ds_range range = ds_objects_locate(address);
    UInt n;

    if (ds_access->running == 0)
        return;
    part = (struct ds_part *)((Addr)ds_arena_at(ds_access->running) -
                              __builtin_offsetof(struct ds_part, executions));
    n = ds_segments_interrupt(part, address - range.bias);
    tl_assert(n <= part->segment->n_instructions);
    *ds_clock_now += n;
    ds_expect_interrupt(&part->executions, part->n_before + n);
}
