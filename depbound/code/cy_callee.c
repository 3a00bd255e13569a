/*
 * cy_callee: which registers a call may overwrite.
 *
 * A callee whose code is in the file overwrites what it and its callees write,
 * except registers that it saves and the ABI preserves.  Compilers do the same
 * (GCC's -fipa-ra).  Of other callees, only the ABI is known.
 *
 * Limits: the ABI is that of Linux, or of Go in a file that its compiler made;
 * calls of Windows code preserve more registers than are assumed here.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "code/internal.h"

/* Larger functions are assumed to overwrite what the ABI says. */
#define MOST_INSNS 512

void cy_callees_fini(struct cy_callees *callees)
{
    free(callees->list);
    *callees = (struct cy_callees){0};
}

/* A block of a callee, and the state at its start. */
struct place {
    uint32_t block;
    bool has_stack; /* is `stack` known, the bytes that the stack pointer has
                       moved since the entry? */
    int64_t stack;
};

struct reading {
    struct cy_code *code;
    uint32_t object;
    struct place *places; /* blocks in the order of discovery */
    size_t n_places, places_room;
    struct cy_code_insn *insns; /* instructions of one block */
    size_t n_read, insns_room;
    struct flow_sources written, saved; /* sets of registers */
};

/* Adds the block that starts at an address, once; false if none does. */
static bool add_place(struct reading *r, uint64_t address, struct place at)
{
    const struct cy_data *data = r->code->data;

    at.block = cy_data_block(data, r->object, address);
    if (at.block == CY_NO_BLOCK || data->blocks[at.block].start != address)
        return false;
    for (size_t i = 0; i < r->n_places; i++)
        if (r->places[i].block == at.block)
            return true;
    array_append(r, places, at);
    return true;
}

/* Is the sum the stack pointer, moved by a constant? */
static bool is_of_stack(enum arch arch, const struct flow_sum *sum)
{
    return sum->is_known && sum->n == 1 && sum->factors[0] == 1 &&
           guest_is_stack_pointer(arch, sum->words[0]);
}

/* Notes the registers that are copied, since they may be restored later. */
static void note_copy(struct reading *r, const struct flow_sources *value)
{
    if (!value->is_computed && value->loads == 0)
        flow_sources_join(&r->saved, value);
}

/* Takes an instruction; false if it is not known, or changes the return
   address. */
static bool take_insn(struct reading *r, const struct cy_code_insn *insn,
                      struct place *at)
{
    const struct flow *flow = &insn->flow;

    if (!flow->is_known || flow->is_cut)
        return false;
    for (unsigned i = 0; i < flow->n_stores; i++) {
        const struct flow_access *store = &flow->stores[i];

        note_copy(r, &store->data);
        if (at->has_stack && is_of_stack(insn->arch, &store->place) &&
            at->stack + (int64_t)store->place.constant == 0)
            return false;
    }
    if (flow->leave == FLOW_TO_CALLER)
        return !at->has_stack || at->stack == 0;
    for (unsigned i = 0; i < flow->n_puts; i++) {
        const struct flow_put *put = &flow->puts[i];

        note_copy(r, &put->value);
        r->written.words[put->word / 64] |= UINT64_C(1) << put->word % 64;
        /* What a call pushes is popped when it returns. */
        if (!guest_is_stack_pointer(insn->arch, put->word) ||
            flow->leave == FLOW_CALL)
            continue;
        at->has_stack &= is_of_stack(insn->arch, &put->sum);
        at->stack += (int64_t)put->sum.constant;
    }
    return true;
}

/* Takes a block, and adds its successors; false if its code is not known. */
static bool take_block(struct reading *r, struct place at)
{
    const struct cy_block *block = &r->code->data->blocks[at.block];
    size_t n = 0;

    if (cy_code_block(r->code, block, &r->insns, &n, &r->insns_room, NULL) !=
            0 ||
        n == 0 || (r->n_read += n) > MOST_INSNS)
        return false;
    for (size_t i = 0; i < n; i++)
        if (!take_insn(r, &r->insns[i], &at))
            return false;
    const struct flow *last = &r->insns[n - 1].flow;
    if (last->leave == FLOW_AWAY ||
        (last->leave == FLOW_CALL &&
         (last->called == FLOW_NOWHERE ||
          !add_place(r, last->called, (struct place){.has_stack = true}))) ||
        (last->taken != FLOW_NOWHERE && !add_place(r, last->taken, at)))
        return false;
    return !last->falls_through || add_place(r, block->end, at);
}

/* Reads a callee from its entry on; false if part of it is not known. */
static bool read_callee(struct reading *r, uint64_t entry)
{
    bool is_known = entry != FLOW_NOWHERE &&
                    add_place(r, entry, (struct place){.has_stack = true});

    for (size_t i = 0; i < r->n_places && is_known; i++)
        is_known = take_block(r, r->places[i]);
    free(r->places);
    free(r->insns);
    return is_known;
}

static struct flow_sources overwritten(struct cy_code *code, uint32_t object,
                                       uint64_t entry)
{
    struct reading r = {.code = code, .object = object};
    enum arch arch = code->data->arch;
    struct objfile *file = cy_code_file(code, object, NULL);
    /* Go's linker adds this section to each program. */
    bool go = file != NULL && objfile_has_section(file, ".go.buildinfo");
    bool is_known = read_callee(&r, entry);
    struct flow_sources words = {0};

    for (unsigned w = 0; w < FLOW_WORDS; w++) {
        bool is_kept = guest_keeps(arch, w) && !go;

        if (!guest_is_stack_pointer(arch, w) &&
            (is_known ? flow_sources_has(&r.written, w) &&
                            !(is_kept && flow_sources_has(&r.saved, w))
                      : !is_kept))
            words.words[w / 64] |= UINT64_C(1) << w % 64;
    }
    return words;
}

ARRAY_ORDER(callee_order, struct cy_callee,
            array_order(a->object, b->object)
                ?: array_order(a->entry, b->entry))

struct flow_sources cy_code_overwritten(struct cy_code *code, uint32_t object,
                                        const struct cy_code_insn *call)
{
    struct cy_callees *all = &code->callees;
    struct cy_callee callee = {.object = object, .entry = call->flow.called};
    size_t at =
        array_bisect(0, all->n, i, callee_order(&all->list[i], &callee) < 0);

    assert(call->flow.leave == FLOW_CALL && object < code->data->n_objects);
    if (at < all->n && callee_order(&all->list[at], &callee) == 0)
        return all->list[at].overwritten;
    callee.overwritten = overwritten(code, object, callee.entry);
    array_push(all->list, all->n, all->room, callee);
    memmove(&all->list[at + 1], &all->list[at],
            (all->n - 1 - at) * sizeof *all->list);
    all->list[at] = callee;
    assert(at == 0 || callee_order(&all->list[at - 1], &callee) < 0);
    return callee.overwritten;
}
