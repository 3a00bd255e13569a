/*
 * sd_interpret: executes flat operations, both in runs of blocks and in walks.
 *
 * Both compute with numbers that have undecided bits (sd_value).  In the run of
 * a block, undecided bits are bottom, and an address that is bottom cannot be
 * accessed; in a walk, they are drawn (sd_drawn), so that each address is a
 * number.  A policy says what else differs: what loads and stores report, and
 * how a rep instruction ends.  The policy is a constant with which everything
 * is inlined, so operations cost no calls through pointers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "lift/sd_insn.h"

/* A rep instruction that is being executed. */
struct sd_repeat {
    const struct sd_op *first; /* the operation after SD_LOOP */
    uint32_t n_done;           /* elements before the current one */
    bool leaves;               /* does it end before the current element? */
    bool is_counted;           /* is `n` known?  The policy sets both */
    uint64_t n;                /* the number of elements */
};

/* What differs between runs and walks.  Each function gets machine.of. */
struct sd_policy {
    bool draws; /* undecided bits are drawn; otherwise bottom */
    struct sd_value (*unknown)(void *of, unsigned width);
    struct sd_value (*fresh)(void *of, const struct sd_op *op);
    struct sd_value (*load)(void *of, const struct sd_op *op);
    void (*store)(void *of, const struct sd_op *op, struct sd_value value);
    struct sd_value (*call)(void *of, const struct sd_op *op);
    /* Evaluates a pure operation that sd_step() does not know itself. */
    struct sd_value (*eval)(void *of, const struct sd_op *op);
    /* The number of bytes that an SD_READ or SD_WRITE accesses. */
    uint32_t (*extent)(void *of, const struct sd_op *op);
    /* `leaves`, at SD_LEAVE: is there no other element?  `goes_on`, at
       SD_AGAIN, also after SD_LEAVE has left: does another element follow? */
    bool (*leaves)(void *of, const struct sd_op *op, struct sd_repeat *r);
    bool (*goes_on)(void *of, const struct sd_op *op, struct sd_repeat *r);
};

struct sd_machine {
    struct sd_value *temps, *registers;
    void *of;
};

#define SD_INLINE __attribute__((always_inline)) static inline

/* Assigns word by word, as numbers are written: processors do not forward two
   stores to one wide load. */
SD_INLINE void sd_value_copy(struct sd_value *to, const struct sd_value *from)
{
    to->bits = from->bits;
    to->bottom = from->bottom;
}

/* May an access with a guard happen? */
SD_INLINE bool sd_may_happen(const struct sd_policy *p, struct sd_value guard)
{
    return guard.bits & 1 || (!p->draws && !sd_is_known(guard));
}

/* What an access with a guard loads or stores. */
SD_INLINE struct sd_value sd_guarded(const struct sd_policy *p,
                                     const struct sd_op *op,
                                     struct sd_value guard,
                                     struct sd_value value)
{
    return p->draws || sd_is_known(guard) ? value : sd_bottom(op->width);
}

/* Executes SD_READ and SD_WRITE, which access any number of bytes, eight at a
   time. */
static inline void sd_access_bytes(const struct sd_policy *p,
                                   const struct sd_machine *m,
                                   const struct sd_op *op)
{
    uint32_t end = p->extent(m->of, op);
    struct sd_op part = *op;

    for (uint32_t done = 0; done < end; done += part.width / 8u) {
        uint32_t left = end - done;

        part.width = left >= 8 ? 64 : (uint8_t)(8 * left);
        part.disp = (int16_t)done;
        if (op->code == SD_READ)
            p->load(m->of, &part);
        else
            p->store(m->of, &part, p->unknown(m->of, part.width));
    }
}

/* Reads or writes the element of a rotating register file that an index
   selects.  If the index is bottom, it may be any element. */
static inline void sd_access_element(const struct sd_policy *p,
                                     const struct sd_machine *m,
                                     const struct sd_op *op)
{
    struct sd_value index = m->temps[op->a], *t = &m->temps[op->dst];
    struct sd_op part = {.width = op->width};
    bool reads = op->code == SD_GETI;
    unsigned word, end, offset;

    if (!p->draws && !sd_is_known(index)) {
        if (reads)
            *t = sd_bottom(op->width);
        else
            for (end = sd_op_words(op, &word); word < end; word++)
                m->registers[word] = sd_bottom(64);
        return;
    }
    /* The sum wraps at 32 bits, and c divides 2^32. */
    offset = op->b + ((uint32_t)index.bits + (uint32_t)op->disp) % op->c *
                         (op->width / 8u);
    assert(offset % 8 * 8 + op->width <= 64 && offset / 8 < SD_N_WORDS);
    word = offset / 8;
    part.imm = offset % 8 * 8;
    if (reads)
        *t = sd_op_extract(&part, m->registers[word]);
    else
        m->registers[word] = sd_op_deposit(&part, m->registers[word], *t);
}

/* Executes an operation.  An SD_ADD with an `imm` goes to the policy. */
SD_INLINE void sd_step(const struct sd_policy *p, const struct sd_machine *m,
                       const struct sd_op *op)
{
    struct sd_value *t = m->temps, *dst = &t[op->dst];

    switch ((enum sd_opcode)op->code) {
    case SD_GET:
        sd_value_copy(dst, &m->registers[op->imm]);
        break;
    case SD_PUT:
        sd_value_copy(&m->registers[op->imm], &t[op->a]);
        break;
    case SD_FRESH:
        *dst = p->fresh(m->of, op);
        break;
    case SD_LOAD:
        *dst = p->load(m->of, op);
        break;
    case SD_STORE:
        p->store(m->of, op, t[op->b]);
        break;
    case SD_LOADIF:
        *dst = sd_may_happen(p, t[op->b])
                   ? sd_guarded(p, op, t[op->b], p->load(m->of, op))
                   : sd_known(0);
        break;
    case SD_STOREIF:
        if (sd_may_happen(p, t[op->c]))
            p->store(m->of, op, sd_guarded(p, op, t[op->c], t[op->b]));
        break;
    case SD_READ:
    case SD_WRITE:
        if (sd_may_happen(p, t[op->b]))
            sd_access_bytes(p, m, op);
        break;
    case SD_GETI:
    case SD_PUTI:
        sd_access_element(p, m, op);
        break;
    case SD_CALL:
        *dst = p->call(m->of, op);
        break;
    case SD_ADD: /* here and below: the most frequent pure operations */
        if (op->imm == 0) {
            uint64_t mask = sd_mask(op->width),
                     bits = (t[op->a].bits + t[op->b].bits) & mask,
                     bottom = t[op->a].bottom | t[op->b].bottom;

            dst->bits = p->draws || bottom == 0 ? bits : 0;
            dst->bottom = bottom != 0 ? mask : 0;
            break;
        }
        *dst = p->eval(m->of, op);
        break;
    case SD_EXTRACT:
        *dst = sd_op_extract(op, t[op->a]);
        break;
    case SD_DEPOSIT:
        *dst = sd_op_deposit(op, t[op->a], t[op->b]);
        break;
    default:
        *dst = p->eval(m->of, op);
    }
}

/* Executes a rep instruction, from the operation after its SD_LOOP on.  Returns
   the operation after its SD_AGAIN. */
static inline const struct sd_op *sd_repeat(const struct sd_policy *p,
                                            const struct sd_machine *m,
                                            const struct sd_op *first)
{
    struct sd_repeat r = {.first = first};

    for (const struct sd_op *op = first;; op++) {
        if (op->code == SD_LEAVE) {
            r.leaves = p->leaves(m->of, op, &r);
        } else if (op->code != SD_AGAIN) {
            if (!r.leaves)
                sd_step(p, m, op);
        } else if (!p->goes_on(m->of, op, &r)) {
            return op + 1;
        } else {
            op = first - 1;
            r.n_done++;
        }
    }
}

/* Executes n operations. */
SD_INLINE void sd_interpret(const struct sd_policy *p,
                            const struct sd_machine *m, const struct sd_op *op,
                            size_t n)
{
    const struct sd_op *end = op + n;

    while (op < end) {
        if (op->code == SD_LOOP) {
            op = sd_repeat(p, m, op + 1);
        } else {
            sd_step(p, m, op);
            op++;
        }
    }
    assert(op == end); /* no rep instruction goes on after the end */
}
