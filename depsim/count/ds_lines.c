/*
 * Translated code looks at the table in front of each access, once a second
 * thread has begun, and calls this file where the word does not tell that
 * nothing is to be done.  It is called for each access that shares a line, so
 * the threads that hold such a line are not in the word, but in a record of the
 * line.  The stores since a loss are in shadow memory.
 *
 * Limits: an access counts for the line of its first byte.  Threads are told
 * apart by their ThreadId: one that begins after another has ended may get its
 * number, and what it held, as if it ran on the same processor; and those whose
 * numbers differ by a multiple of SLOTS are taken for one.  Lines from
 * DS_LINEAR_END on are never shared.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "count/ds_lines.h"

#include "base/ds_arch.h"
#include "count/internal.h"

#define SLOTS 63
/* In a word of the table: threads hold the line that have no bit there. */
#define MORE ((ULong)1 << SLOTS)
#define LINE ((SizeT)FORWARD_LINE)

/* What is known of a line that was lost or shared. */
struct line {
    ULong turn;   /* the turn in which the thread shares it, or shared it */
    UInt writer;  /* the site of the store that it shares it with then */
    UInt n_slots; /* threads in `lost` */
    ULong holders;
    ULong lost[]; /* when a thread lost it: a count (ds_clock); 0: never */
};

struct ds_lines *ds_lines;
static Bool is_on;
static ULong began; /* when the second thread began, as a count */
static ULong turn;  /* the number of the running thread's turn, from 1 */
static UInt slot;   /* the running thread */
static struct ds_table table;

void ds_lines_init(void)
{
    tl_assert(ds_lines == NULL);
    ds_lines = ds_arena_new(sizeof *ds_lines);
    ds_lines->table = (Addr)ds_shadow_lines[0];
    ds_lines->places = (DS_LINEAR_END / LINE - 1) * sizeof(ULong);
}

Bool ds_lines_begin(void)
{
    Bool is_first = !is_on;

    if (is_first)
        began = ds_clock_executed();
    is_on = True;
    return is_first;
}

Bool ds_lines_are_on(void)
{
    return is_on;
}

void ds_lines_resume(ThreadId tid)
{
    tl_assert(tid > 0);
    turn++;
    slot = (tid - 1) % SLOTS;
    if (ds_lines != NULL)
        ds_lines->self = (ULong)1 << slot;
}

/* Where the table refers to the record of a line. */
static struct line **place_of(Addr a)
{
    return (struct line **)(Addr)&ds_shadow_lines[1][a / LINE];
}

/* The record of a line, made if there is none, with room for a slot. */
static struct line *obtain(Addr a, UInt slot_of)
{
    struct line **place = place_of(a), *line = *place;
    UInt n = line == NULL ? 0 : line->n_slots, n_new = n == 0 ? 2 : n;

    tl_assert(slot_of < SLOTS);
    while (n_new <= slot_of)
        n_new *= 2;
    if (n_new == n)
        return line;
    line = VG_(realloc)("ds.lines", line,
                        sizeof *line + n_new * sizeof line->lost[0]);
    if (n == 0)
        line->turn = line->holders = line->writer = 0;
    for (UInt i = n; i < n_new; i++)
        line->lost[i] = 0;
    line->n_slots = n_new;
    *place = line;
    return line;
}

static ULong holders_of(Addr a)
{
    const struct line *line = *place_of(a);

    return (ds_shadow_lines[0][a / LINE] & ~MORE) |
           (line == NULL ? 0 : line->holders);
}

/* All other threads lose the line, since the running one stores there. */
static void take(Addr a)
{
    ULong others = holders_of(a) & ~ds_lines->self;

    tl_assert(others == 0 || ds_threads_since() > 0);
    for (; others != 0; others &= others - 1) {
        UInt i = (UInt)__builtin_ctzll(others);

        obtain(a, i)->lost[i] = ds_threads_since();
    }
}

/* Sets who holds a line: the running thread, and others unless it stores.  The
   table has its bit, unless it `shares` the line. */
static void hold(Addr a, Bool stores, Bool shares)
{
    ULong *word = &ds_shadow_lines[0][a / LINE], self = ds_lines->self;
    struct line *line = *place_of(a);

    if (stores) {
        take(a);
        line = *place_of(a);
        *word = 0;
        if (line != NULL)
            line->holders = 0;
    }
    tl_assert(!shares || line != NULL);
    if (shares) {
        line->holders |= self;
        *word = (*word & ~self) | MORE;
        return;
    }
    if (line != NULL)
        line->holders &= ~self;
    *word |= self;
    if (line == NULL || line->holders == 0)
        *word &= ~MORE;
}

/* Has the byte at a a store that another thread made from `since` on?  The
   running thread has stored to the line in its own turn, if at all.  Returns
   the first address after those that are known to have the same. */
static Addr next_foreign(Addr a, ULong since, Bool *is_foreign,
                         struct ds_write *w)
{
    ULong entry;
    Addr next = ds_shadow_next(a, &entry);

    *w = ds_shadow_decode(entry, *ds_clock_now);
    ULong count = ds_clock_executed() - w->distance;
    *is_foreign = entry != 0 && count >= since && count < ds_threads_since();
    return next;
}

/* The site of the last store to a line that others made since then; 0 if there
   is none, or they wrote all its bytes. */
static UInt last_store(Addr a, ULong since)
{
    struct ds_write w, last = {.distance = ~(ULong)0};
    Bool is_foreign, is_all = True;

    a &= ~(LINE - 1);
    for (Addr at = a; at < a + LINE;) {
        at = next_foreign(at, since, &is_foreign, &w);
        is_all &= is_foreign;
        if (is_foreign && w.distance < last.distance)
            last = w;
    }
    return last.writer == 0 || is_all ? 0
                                      : ds_sites_writer_get(last.writer).site;
}

/* Have others stored one of the bytes since then? */
static Bool is_passed(Addr a, SizeT n, ULong since)
{
    Addr end = n > LINE - a % LINE ? (a | (LINE - 1)) + 1 : a + n;
    Bool is_foreign = False;
    struct ds_write w;

    while (a < end && !is_foreign)
        a = next_foreign(a, since, &is_foreign, &w);
    return is_foreign;
}

static ULong lost_at(const struct line *line)
{
    return line != NULL && slot < line->n_slots && line->lost[slot] != 0
               ? line->lost[slot]
               : began;
}

static void count(UInt writer, UInt site, Bool stores)
{
    if (site == 0 || ds_deps_end == 0)
        return;
    struct ds_shared_line *shared = ds_table_obtain(
        &table, (struct ds_key){{writer, site, stores}}, sizeof *shared);
    shared->accesses++;
    shared->turns += shared->last_turn != turn;
    shared->last_turn = turn;
}

/* Does the running thread share the line in its turn?  It does not, as long as
   it holds the line since an earlier one. */
static Bool shares(Addr a)
{
    struct line *line = *place_of(a);

    if (line != NULL && line->turn == turn)
        return True;
    if ((holders_of(a) & ds_lines->self) != 0)
        return False;
    UInt writer = last_store(a, lost_at(line));
    if (writer == 0)
        return False;
    line = obtain(a, slot);
    line->turn = turn;
    line->writer = writer;
    return True;
}

void ds_lines_access(Addr a, SizeT n, ULong stores, ULong site)
{
    tl_assert(is_on && n > 0);
    a = ds_arch_untagged(a);
    if (a >= DS_LINEAR_END)
        return;
    Bool is_shared = shares(a);
    if (is_shared && !is_passed(a, n, lost_at(*place_of(a))))
        count((*place_of(a))->writer, (UInt)site, stores != 0);
    hold(a, stores != 0, is_shared);
    tl_assert((holders_of(a) & ds_lines->self) != 0);
}

const struct ds_shared_line *ds_lines_next(SizeT *cursor)
{
    const struct ds_shared_line *shared;

    do
        shared = ds_table_next(&table, cursor);
    while (shared != NULL && shared->accesses == 0);
    return shared;
}

void ds_lines_reset(void)
{
    SizeT cursor = 0;
    struct ds_shared_line *shared;

    while ((shared = ds_table_next(&table, &cursor)) != NULL)
        shared->accesses = shared->turns = shared->last_turn = 0;
}
