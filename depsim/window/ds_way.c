/*
 * ds_way: the instructions and accesses of superblocks.
 *
 * A superblock is translated again now and then, so a way with the same content
 * is used again.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "window/internal.h"

#include "base/ds_memory.h"
#include "base/ds_table.h"

#define ROOM_INSNS    256 /* VEX translates 100 at a time */
#define ROOM_ACCESSES 4096
#define MOST_BYTES    15 /* of an instruction */

struct ways {
    struct ds_key key; /* where the superblock begins */
    struct ds_way *first;
};
static struct ds_table table;

UInt ds_way_most_accesses;

/* The way that is being described, in whole arrays. */
static struct ds_way_insn insns[ROOM_INSNS];
static UInt kinds[ROOM_ACCESSES];
static struct ds_piece pieces[ROOM_INSNS];
static UInt n_insns, n_accesses, n_pieces;

void ds_way_begin(void)
{
    n_insns = n_accesses = n_pieces = 0;
}

void ds_way_instruction(UInt object, Addr address, UInt size)
{
    struct ds_piece *piece = &pieces[n_pieces];

    /* To VEX, a client request is an instruction of 19 bytes. */
    if (size > MOST_BYTES)
        size = MOST_BYTES;
    tl_assert(n_insns < ROOM_INSNS && size >= 1);
    if (n_pieces == 0 || piece[-1].object != object || piece[-1].end != address)
        pieces[n_pieces++] = (struct ds_piece){.object = object,
                                               .start = address,
                                               .end = address,
                                               .first_insn = n_insns,
                                               .first_access = n_accesses};
    piece = &pieces[n_pieces - 1];
    piece->n_insns++;
    piece->end += size;
    insns[n_insns++] = (struct ds_way_insn){.size = (UChar)size};
}

UInt ds_way_access(SizeT size, Bool is_store)
{
    tl_assert(n_insns > 0 && n_accesses < ROOM_ACCESSES);
    tl_assert(size >= 1 && size <= 0xffff);
    tl_assert(insns[n_insns - 1].n_accesses < 0xff);
    insns[n_insns - 1].n_accesses++;
    pieces[n_pieces - 1].n_accesses++;
    kinds[n_accesses] = 2 * (UInt)size + (is_store ? 1 : 0);
    return n_accesses++;
}

/* Pieces follow from the first instruction of each. */
static Bool is_described(const struct ds_way *way)
{
    if (way->n_insns != n_insns || way->n_accesses != n_accesses ||
        way->n_pieces != n_pieces)
        return False;
    for (UInt i = 0; i < n_insns; i++)
        if (way->insns[i].size != insns[i].size ||
            way->insns[i].n_accesses != insns[i].n_accesses)
            return False;
    for (UInt i = 0; i < n_accesses; i++)
        if (way->accesses[i].kind != kinds[i])
            return False;
    for (UInt i = 0; i < n_pieces; i++)
        if (way->pieces[i].object != pieces[i].object ||
            way->pieces[i].start != pieces[i].start ||
            way->pieces[i].n_insns != pieces[i].n_insns)
            return False;
    return True;
}

static struct ds_way *described(Addr superblock)
{
    struct ds_way *way = ds_memory_new(sizeof *way);

    *way = (struct ds_way){
        .superblock = superblock,
        .n_insns = n_insns,
        .n_accesses = n_accesses,
        .n_pieces = n_pieces,
        .insns = ds_memory_new(n_insns * sizeof *insns),
        .accesses = ds_memory_new(n_accesses * sizeof *way->accesses + 1),
        .pieces = ds_memory_new(n_pieces * sizeof *pieces),
    };
    VG_(memcpy)(way->insns, insns, n_insns * sizeof *insns);
    VG_(memcpy)(way->pieces, pieces, n_pieces * sizeof *pieces);
    for (UInt i = 0; i < n_accesses; i++)
        way->accesses[i].kind = kinds[i];
    return way;
}

struct ds_way *ds_way_end(Addr superblock)
{
    struct ways *ways = ds_table_obtain(
        &table, (struct ds_key){{superblock, 0, 0}}, sizeof *ways);
    struct ds_way *way = ways->first;

    tl_assert(n_insns > 0);
    while (way != NULL && !is_described(way))
        way = way->other;
    if (way == NULL) {
        way = described(superblock);
        way->other = ways->first;
        ways->first = way;
    }
    if (ds_way_most_accesses < n_accesses)
        ds_way_most_accesses = n_accesses;
    return way;
}

UInt ds_way_n_accesses(const struct ds_way *way, UInt n)
{
    UInt sum = 0;

    tl_assert(n <= way->n_insns);
    if (n == way->n_insns)
        return way->n_accesses;
    for (UInt i = 0; i < n; i++)
        sum += way->insns[i].n_accesses;
    return sum;
}
