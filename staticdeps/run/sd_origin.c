/*
 * sd_origin: finds what the addresses of a block's accesses are computed from.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "run/sd_origin.h"

#include <assert.h>
#include <stdlib.h>

#include "lift/sd_value.h"
#include "array.h"

#define MOST_BASES 4096 /* limited because the search is linear */

enum { FIRST, OTHER_MEMORY, OTHER_REGISTERS };

void sd_origin_fini(struct sd_origin *origin)
{
    for (int i = 0; i < 3; i++)
        free(origin->probes[i]);
    free(origin->bases);
    free(origin->accesses);
    *origin = (struct sd_origin){0};
}

/* The number of a base, from 1; 0: there are too many. */
static uint16_t number_of(struct sd_origin *o, struct sd_base base)
{
    for (size_t i = o->n_bases; i-- > 0;)
        if (o->bases[i].by_memory == base.by_memory &&
            o->bases[i].by_registers == base.by_registers)
            return (uint16_t)(i + 1);
    if (o->n_bases == MOST_BASES)
        return 0;
    array_append(o, bases, base);
    return (uint16_t)o->n_bases;
}

static void add(struct sd_origin *o, uint32_t insn, bool is_store)
{
    size_t at = 2 * ((size_t)insn + 1) + is_store; /* of its site */
    const struct sd_probe *first = &o->probes[FIRST][at],
                          *memory = o->has_memory ? &o->probes[OTHER_MEMORY][at]
                                                  : first,
                          *registers = &o->probes[OTHER_REGISTERS][at];
    struct sd_base base;
    uint16_t number;

    if (!first->has_happened && !memory->has_happened &&
        !registers->has_happened)
        return;
    if (!first->has_happened || !memory->has_happened ||
        !registers->has_happened) {
        array_push(o->accesses, o->n, o->room,
                   (struct sd_access){insn, is_store, 0, 0});
        return;
    }
    base.by_memory = memory->address - first->address;
    base.by_registers = registers->address - first->address;
    number = number_of(o, base);
    if (number != SD_FIRST_BASE || base.by_memory != 0)
        array_push(
            o->accesses, o->n, o->room,
            (struct sd_access){insn, is_store, base.by_memory != 0, number});
}

static struct sd_probe *probes(struct sd_origin *o, int which,
                               const struct sd_trace *trace)
{
    return o->probes[which] = memory_grow(
               o->probes[which], &o->probes_room[which],
               2 * ((size_t)trace->n_sites + 1), sizeof **o->probes);
}

struct sd_probe *sd_origin_probes(struct sd_origin *o,
                                  const struct sd_trace *trace)
{
    return probes(o, FIRST, trace);
}

void sd_origin_find(struct sd_origin *o, struct sd_exec *exec,
                    struct sd_trace *trace, uint64_t key)
{
    uint64_t other = sd_random(key, UINT64_MAX - 3);

    o->has_memory = trace->needs_memory;
    if (o->has_memory)
        sd_exec_probe(exec, trace, key, other, probes(o, OTHER_MEMORY, trace));
    sd_exec_probe(exec, trace, other, key, probes(o, OTHER_REGISTERS, trace));
    o->n = o->n_bases = 0;
    for (uint32_t i = 0; i < trace->n_sites; i++) {
        add(o, i, false);
        add(o, i, true);
    }
}
