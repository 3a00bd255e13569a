/*
 * sd_access_notes: what walks find out about single instructions.
 *
 * An address that does not depend on anything drawn has no note.  Other
 * addresses are looked at once for each function, when its walks first come to
 * the code: the operations of a block tell what an address in it is made of.
 *
 * Limits: an address that was loaded in an earlier block counts like any other
 * register.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "walk/sd_access_notes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "walk/sd_chunk.h"

void sd_access_notes_init(struct sd_access_notes *m, size_t n_insns)
{
    *m = (struct sd_access_notes){
        .notes = memory_new(n_insns + 1, sizeof *m->notes)};
}

void sd_access_notes_fini(struct sd_access_notes *m)
{
    free(m->notes);
    free(m->list);
    free(m->made);
    *m = (struct sd_access_notes){0};
}

void sd_access_notes_clear(struct sd_access_notes *m)
{
    for (size_t i = 0; i < m->n; i++)
        m->notes[m->list[i].site] = 0;
    m->n = 0;
}

void sd_access_notes_add(struct sd_access_notes *m, uint32_t site,
                         uint32_t notes)
{
    assert(site != 0 && notes != 0 && notes <= UINT16_MAX);
    if (m->notes[site] == 0)
        array_push(m->list, m->n, m->room,
                   (struct sd_site_notes){.site = site});
    m->notes[site] |= (uint16_t)notes;
}

/* What the result of an operation is made of. */
static uint8_t made_of(const struct sd_access_notes *m,
                       const struct sd_chunk *c, const struct sd_op *op)
{
    uint8_t made = 0;

    if (op->code == SD_FRESH)
        return SD_NOTE_UNDECIDED;
    if (sd_op_is(op, SD_LOADS))
        return SD_NOTE_LOADED;
    if (op->code == SD_CALL) {
        for (unsigned i = 0; i < c->calls[op->imm].n_args; i++)
            made |= m->made[c->calls[op->imm].args[i]];
        return made;
    }
    if (sd_op_is(op, SD_READS_A))
        made |= m->made[op->a];
    if (sd_op_is(op, SD_READS_B))
        made |= m->made[op->b];
    if (sd_op_is(op, SD_READS_C))
        made |= m->made[op->c];
    return made;
}

static void mark_access(struct sd_access_notes *m, const struct sd_chunk *c,
                        const struct sd_op *op)
{
    uint32_t notes = SD_NOTE_DRAWN | m->made[op->a];

    if (op->site == 0 || c->temps[op->a].bottom == 0)
        return;
    sd_access_notes_add(m, c->site + op->site,
                        sd_op_is(op, SD_STORES) ? notes << SD_NOTE_OF_STORE
                                                : notes);
}

void sd_access_notes_accesses(struct sd_access_notes *m,
                              const struct sd_chunk *c)
{
    /* Operands come before the operations that read them, and constants depend
       on nothing. */
    array_reserve(m, made, c->n_temps);
    memset(m->made, 0, c->n_temps);
    for (size_t i = 0; i < c->n_ops; i++) {
        const struct sd_op *op = &c->ops[i];

        if (sd_op_is(op, SD_LOADS | SD_STORES))
            mark_access(m, c, op);
        /* A known value was not drawn, wherever it comes from. */
        if (sd_op_is(op, SD_HAS_RESULT) && c->temps[op->dst].bottom != 0)
            m->made[op->dst] = made_of(m, c, op);
    }
}

void sd_access_notes_call(struct sd_access_notes *m, const struct sd_chunk *c,
                          bool is_entered)
{
    uint32_t site = c->site + c->n_insns;

    if (is_entered)
        sd_access_notes_add(m, site, SD_NOTE_ENTERED);
    else if (c->leaving == SD_LEAVES_BY_INDIRECT_CALL &&
             !sd_is_known(c->temps[c->target]))
        sd_access_notes_add(m, site, SD_NOTE_UNRESOLVED);
    else
        sd_access_notes_add(m, site, SD_NOTE_SKIPPED);
}

const struct sd_site_notes *sd_access_notes_list(struct sd_access_notes *m)
{
    for (size_t i = 0; i < m->n; i++)
        m->list[i].notes = m->notes[m->list[i].site];
    return m->list;
}
