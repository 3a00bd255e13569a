/*
 * The instructions and accesses of superblocks.
 *
 * A superblock is translated again now and then, so a struct ds_way with the
 * same content is used again.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/ds_memory.h"
#include "window/ds_reuse.h"
#include "window/ds_window.h"

#define ROOM_INSNS    256 /* instructions; VEX translates 100 at a time */
#define ROOM_ACCESSES 4096
#define MOST_BYTES    15 /* of an instruction */

struct ways {
    struct ds_key key; /* where the superblock begins */
    struct ds_way *first;
};
static struct ds_table table;

/* The superblock that is being described, in arrays of the largest size. */
static struct ds_way_insn insns[ROOM_INSNS];
static UInt kinds[ROOM_ACCESSES];
static struct ds_piece pieces[ROOM_INSNS];
static struct ds_way_touch touches[2 * ROOM_INSNS + ROOM_ACCESSES];
static UInt n_insns, n_accesses, n_pieces, n_touches;
static ULong last_line; /* of code: its name; 0: none */

void ds_way_begin(void)
{
    n_insns = n_accesses = n_pieces = n_touches = 0;
    last_line = 0;
}

void ds_way_instruction(UInt object, Addr address, Addr bias, UInt size)
{
    struct ds_piece *piece = &pieces[n_pieces];

    /* To VEX, a client request is an instruction of 19 bytes. */
    if (size > MOST_BYTES)
        size = MOST_BYTES;
    tl_assert(n_insns < ROOM_INSNS && size >= 1);
    if (n_pieces == 0 || piece[-1].object != object ||
        piece[-1].end != address || piece[-1].bias != bias)
        pieces[n_pieces++] = (struct ds_piece){.object = object,
                                               .start = address,
                                               .end = address,
                                               .bias = bias,
                                               .first_insn = n_insns,
                                               .first_access = n_accesses};
    piece = &pieces[n_pieces - 1];
    piece->n_insns++;
    piece->end += size;
    for (Addr a = address; a < address + size;
         a = (a | (DS_REUSE_LINE - 1)) + 1) {
        ULong name = ds_reuse_code(object, a), line = name / DS_REUSE_LINE + 1;

        if (line != last_line)
            touches[n_touches++] = (struct ds_way_touch){
                .insn = n_insns, .at = a + bias, .name = name};
        last_line = line;
    }
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
    touches[n_touches++] = (struct ds_way_touch){
        .insn = n_insns - 1, .size = (UInt)size, .at = n_accesses};
    return n_accesses++;
}

/* Is `way` as described?  A piece's first address determines the others. */
static Bool is_described(const struct ds_way *way)
{
    if (way->n_insns != n_insns || way->n_accesses != n_accesses ||
        way->n_pieces != n_pieces ||
        VG_(memcmp)(way->insns, insns, n_insns * sizeof *insns) != 0)
        return False;
    for (UInt i = 0; i < n_accesses; i++)
        if (way->accesses[i].kind != kinds[i])
            return False;
    for (UInt i = 0; i < n_pieces; i++)
        if (way->pieces[i].object != pieces[i].object ||
            way->pieces[i].start != pieces[i].start ||
            way->pieces[i].bias != pieces[i].bias ||
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
        .n_touches = n_touches,
        .insns = ds_memory_new(n_insns * sizeof *insns),
        .accesses = ds_memory_new(n_accesses * sizeof *way->accesses + 1),
        .pieces = ds_memory_new(n_pieces * sizeof *pieces),
        .touches = ds_memory_new(n_touches * sizeof *touches),
    };
    VG_(memcpy)(way->insns, insns, n_insns * sizeof *insns);
    VG_(memcpy)(way->pieces, pieces, n_pieces * sizeof *pieces);
    VG_(memcpy)(way->touches, touches, n_touches * sizeof *touches);
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

/* A window -> the bytes of the database (doc/schema.md). */

static ULong n_windows; /* windows encoded so far: the current one's number */

static ULong unsign(ULong value)
{
    return value << 1 ^ (value >> 63 != 0 ? ~(ULong)0 : 0);
}

/* All pieces that a window ever had, by their ids. */
static struct numbered {
    const struct ds_way *way;
    const struct ds_piece *piece;
} * numbered;
static UInt n_numbered;
static SizeT numbered_room;

UInt ds_pieces_number(void)
{
    return n_numbered;
}

struct ds_kept_piece ds_pieces_get(UInt i)
{
    static struct ds_bytes bytes;
    const struct ds_way *way = numbered[i].way;
    const struct ds_piece *piece = numbered[i].piece;
    UInt access = piece->first_access;

    tl_assert(i < n_numbered);
    bytes.n = 0;
    for (UInt j = 0; j < piece->n_insns; j++) {
        struct ds_way_insn insn = way->insns[piece->first_insn + j];

        ds_bytes_put(&bytes, (UInt)insn.n_accesses << 4 | insn.size);
        for (UInt k = 0; k < insn.n_accesses; k++)
            ds_bytes_put(&bytes, way->accesses[access++].kind);
    }
    tl_assert(access == piece->first_access + piece->n_accesses);
    return (struct ds_kept_piece){piece->object, piece->start, bytes};
}

static void give_id(const struct ds_way *way, struct ds_piece *piece)
{
    if (piece->is_numbered)
        return;
    numbered =
        ds_memory_grow(numbered, &numbered_room, n_numbered, sizeof *numbered);
    piece->is_numbered = True;
    piece->id = n_numbered;
    numbered[n_numbered++] = (struct numbered){way, piece};
}

/* The pieces of a window, numbered in the order in which they are executed. */
struct pieces {
    struct ds_bytes bytes;
    UInt n;
    ULong next; /* the id after that of the last one */
};

/* Adds a piece to those of this window. */
static void begin_piece(struct pieces *to, struct ds_way *way,
                        struct ds_piece *piece)
{
    give_id(way, piece);
    ds_bytes_put(&to->bytes, unsign(piece->id - to->next));
    to->next = (ULong)piece->id + 1;
    piece->window = n_windows;
    piece->number = to->n++;
    piece->next = NULL;
    for (UInt i = 0; i < piece->n_accesses; i++)
        way->accesses[piece->first_access + i].stride = (struct stride){0};
}

/* The execution before the current one, and the state of all sequences. */
struct coding {
    struct pieces pieces;
    struct ds_bytes executions;
    struct ds_sequence path, accesses;
    struct ds_piece *last; /* the last piece executed; NULL: none yet */
    ULong address;         /* the address of the last access that happened */
};

static Bool is_predicted(const struct coding *c, const struct ds_piece *piece,
                         UInt n)
{
    if (c->last != NULL && c->last->next != NULL)
        return piece == c->last->next && n == c->last->n_next;
    return piece->number == (c->last == NULL ? 0 : c->last->number + 1) &&
           n == piece->n_insns;
}

static void put_execution(struct coding *c, struct ds_way *way,
                          struct ds_piece *piece, UInt n)
{
    if (piece->window != n_windows)
        begin_piece(&c->pieces, way, piece);
    if (is_predicted(c, piece, n)) {
        ds_sequence_right(&c->path);
    } else if (n == piece->n_insns) {
        ds_sequence_wrong(&c->path, (ULong)piece->number << 1);
    } else {
        ds_sequence_wrong(&c->path, (ULong)piece->number << 1 | 1);
        ds_bytes_put(c->path.to, n);
    }
    if (c->last != NULL) {
        c->last->next = piece;
        c->last->n_next = n;
    }
    c->last = piece;
}

static void put_access(struct coding *c, struct stride *stride, ULong address)
{
    ULong expected = stride_next(stride, c->address);

    if (address == DS_TRACE_NONE) {
        ds_sequence_wrong(&c->accesses, 0);
        return;
    }
    if (address == expected)
        ds_sequence_right(&c->accesses);
    else
        ds_sequence_wrong(&c->accesses, unsign(address - expected));
    stride_take(stride, address);
    c->address = address;
}

/* Codes an execution of a superblock; returns its number of accesses. */
static SizeT put_run(struct coding *c, const struct ds_run_of_way *run,
                     const ULong *addresses)
{
    struct ds_way *way = run->way;
    UInt n = ds_way_n_accesses(way, run->n);
    UInt left = run->n;

    for (UInt i = 0; left > 0; i++) {
        struct ds_piece *piece = &way->pieces[i];
        UInt part = left < piece->n_insns ? left : piece->n_insns;

        tl_assert(i < way->n_pieces);
        put_execution(c, way, piece, part);
        left -= part;
    }
    for (UInt i = 0; i < n; i++)
        put_access(c, &way->accesses[i].stride, addresses[i]);
    return n;
}

void ds_encode(struct ds_kept *kept)
{
    struct coding c = {.accesses.to = &kept->accesses};
    const struct ds_run_of_way *runs = kept->ran.runs;
    const ULong *addresses = kept->ran.addresses;
    ULong since_gap = 0;

    n_windows++;
    c.path.to = &c.executions;
    for (SizeT i = 0; i < kept->ran.n_runs; i++) {
        if (runs[i].is_apart) {
            tl_assert(since_gap > 0);
            ds_bytes_put(&kept->gaps, since_gap);
            since_gap = 0;
        }
        since_gap += runs[i].n;
        addresses += put_run(&c, &runs[i], addresses);
    }
    ds_sequence_end(&c.path);
    ds_sequence_end(&c.accesses);
    ds_bytes_put(&kept->path, c.pieces.n);
    ds_bytes_append(&kept->path, &c.pieces.bytes);
    ds_bytes_append(&kept->path, &c.executions);
    kept->lead = ds_lead_encode(&kept->ran.before);
}
