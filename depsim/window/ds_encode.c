/*
 * ds_encode: a window -> the bytes of the database (doc/schema.md).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "window/internal.h"

/* A sequence of values, most of which are as predicted: by turns the number of
   these, and one that is not. */
struct sequence {
    struct ds_bytes *to;
    ULong n_right;
};

static ULong n_windows; /* encoded so far: the number of the current one */

static void put_byte(struct ds_bytes *to, UChar byte)
{
    if (to->n == to->room) {
        to->room = 2 * to->room + 64;
        to->bytes = VG_(realloc)("ds.window", to->bytes, to->room);
    }
    to->bytes[to->n++] = byte;
}

/* LEB128. */
static void put(struct ds_bytes *to, ULong value)
{
    for (; value >= 0x80; value >>= 7)
        put_byte(to, (UChar)(value | 0x80));
    put_byte(to, (UChar)value);
}

static ULong unsign(ULong value)
{
    return value << 1 ^ (value >> 63 != 0 ? ~(ULong)0 : 0);
}

static void right(struct sequence *s)
{
    s->n_right++;
}

static void wrong(struct sequence *s, ULong value)
{
    put(s->to, s->n_right);
    put(s->to, value);
    s->n_right = 0;
}

/* A sequence that ends with right predictions needs their number. */
static void end(struct sequence *s)
{
    if (s->n_right > 0)
        put(s->to, s->n_right);
}

static UInt number_of_object(struct ds_kept *kept, UInt object)
{
    for (UInt i = 0; i < kept->n_objects; i++)
        if (kept->objects[i] == object)
            return i;
    kept->objects = VG_(realloc)("ds.window", kept->objects,
                                 (kept->n_objects + 1) * sizeof *kept->objects);
    kept->objects[kept->n_objects] = object;
    return kept->n_objects++;
}

/* The pieces of a window, which are numbered as they come. */
struct pieces {
    struct ds_bytes bytes;
    UInt n;
    Addr end; /* of the last one */
};

static void put_piece(struct pieces *to, struct ds_kept *kept,
                      const struct ds_way *way, const struct ds_piece *piece)
{
    UInt access = piece->first_access;

    put(&to->bytes, number_of_object(kept, piece->object));
    put(&to->bytes, unsign(piece->start - to->end));
    put(&to->bytes, piece->n_insns);
    for (UInt i = 0; i < piece->n_insns; i++) {
        struct ds_way_insn insn = way->insns[piece->first_insn + i];

        put(&to->bytes, (UInt)insn.n_accesses << 4 | insn.size);
        for (UInt j = 0; j < insn.n_accesses; j++)
            put(&to->bytes, way->accesses[access++].kind);
    }
    tl_assert(access == piece->first_access + piece->n_accesses);
    to->end = piece->end;
}

/* Makes a piece one of this window. */
static void begin_piece(struct pieces *to, struct ds_kept *kept,
                        struct ds_way *way, struct ds_piece *piece)
{
    put_piece(to, kept, way, piece);
    piece->window = n_windows;
    piece->number = to->n++;
    piece->next = NULL;
    for (UInt i = 0; i < piece->n_accesses; i++)
        way->accesses[piece->first_access + i].stride = (struct stride){0};
}

/* The execution before the current one, and the state of all sequences. */
struct coding {
    struct ds_kept *kept;
    struct pieces pieces;
    struct ds_bytes executions;
    struct sequence path, accesses;
    struct ds_piece *last; /* NULL: none yet */
    ULong address;         /* of the last access that happened */
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
        begin_piece(&c->pieces, c->kept, way, piece);
    if (is_predicted(c, piece, n)) {
        right(&c->path);
    } else if (n == piece->n_insns) {
        wrong(&c->path, (ULong)piece->number << 1);
    } else {
        wrong(&c->path, (ULong)piece->number << 1 | 1);
        put(c->path.to, n);
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

    if (address == DS_NOT_DONE) {
        wrong(&c->accesses, 0);
        return;
    }
    if (address == expected)
        right(&c->accesses);
    else
        wrong(&c->accesses, unsign(address - expected));
    stride_take(stride, address);
    c->address = address;
}

/* Codes an execution of a superblock; returns its number of accesses. */
static SizeT put_run(struct coding *c, const struct ds_run_of_way *run,
                     const ULong *addresses)
{
    struct ds_way *way = run->way;
    UInt n_accesses = ds_way_n_accesses(way, run->n);
    UInt left = run->n;

    for (UInt i = 0; left > 0; i++) {
        struct ds_piece *piece = &way->pieces[i];
        UInt n = left < piece->n_insns ? left : piece->n_insns;

        tl_assert(i < way->n_pieces);
        put_execution(c, way, piece, n);
        left -= n;
    }
    for (UInt i = 0; i < n_accesses; i++)
        put_access(c, &way->accesses[i].stride, addresses[i]);
    return n_accesses;
}

static void append(struct ds_bytes *to, struct ds_bytes *from)
{
    for (SizeT i = 0; i < from->n; i++)
        put_byte(to, from->bytes[i]);
    VG_(free)(from->bytes);
}

void ds_encode(struct ds_kept *kept, const struct ds_run_of_way *runs, SizeT n,
               const ULong *addresses)
{
    struct coding c = {.kept = kept, .accesses.to = &kept->accesses};

    n_windows++;
    c.path.to = &c.executions;
    for (SizeT i = 0; i < n; i++)
        addresses += put_run(&c, &runs[i], addresses);
    end(&c.path);
    end(&c.accesses);
    put(&kept->path, c.pieces.n);
    append(&kept->path, &c.pieces.bytes);
    append(&kept->path, &c.executions);
}

void ds_kept_fini(struct ds_kept *kept)
{
    VG_(free)(kept->objects);
    VG_(free)(kept->path.bytes);
    VG_(free)(kept->accesses.bytes);
    *kept = (struct ds_kept){0};
}
