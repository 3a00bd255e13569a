/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cy_caches.h"

#define LINE 64

/* A stream is known after as many lines in a row, and a stride after as many
   steps, if it is not longer than so many bytes.  (On Zen 3, loads each of
   which waits for the one before and 100 cycles take 1 to 25 cycles more with a
   line from memory and strides up to 324 bytes, random loads of L2 between them
   or not, and hundreds with longer ones.) */
#define KNOWN   2
#define LONGEST 320

void cy_caches_restart(struct cy_caches *c, const struct cy_memory *memory)
{
    memset(c, 0, sizeof *c);
    c->memory = memory;
    for (unsigned i = 0; i < CY_LINES_KEPT; i++)
        c->coming[i].line = UINT64_MAX;
}

static double page_cycles(const struct cy_caches *c, uint8_t place)
{
    unsigned level = CY_PAGE_LEVEL(place);
    const struct cy_memory *m = c->memory;

    if (level == 0 || m == NULL)
        return 0;
    return level == CY_PAGE_AFAR ? m->page_cycles[CY_TLBS - 1] +
                                       m->beyond[2].cycles - m->beyond[1].cycles
                                 : m->page_cycles[level - 1];
}

/* The stream that a line goes on with, or a new one in place of that which was
   not used for longest. */
static struct cy_stream *stream_of(struct cy_caches *c, uint64_t line)
{
    struct cy_stream *oldest = &c->streams[0];

    for (struct cy_stream *s = c->streams; s < c->streams + CY_STREAMS; s++) {
        int64_t step = (int64_t)(line - s->line);

        if (s->used > 0 && step >= -2 && step <= 2) {
            if (step == 0)
                return s;
            s->n = step == s->step ? s->n + 1 : 1;
            s->step = step;
            s->line = line;
            s->used = ++c->n_used;
            return s;
        }
        if (s->used < oldest->used)
            oldest = s;
    }
    *oldest = (struct cy_stream){.line = line, .used = ++c->n_used};
    return oldest;
}

/* Does the access go on with its instruction's stride? */
static bool goes_on(struct cy_caches *c, const struct cy_asked_line *asked)
{
    struct cy_walker *s = &c->strides[asked->insn % CY_STRIDES];
    int64_t step = (int64_t)(asked->address - s->address);

    if (s->insn != asked->insn)
        *s = (struct cy_walker){.insn = asked->insn};
    s->n = step == s->step ? s->n + 1 : 1;
    s->n_short = llabs(step) <= LINE ? s->n_short + 1 : 0;
    s->step = step;
    s->address = asked->address;
    return s->n >= KNOWN && llabs(step) <= LONGEST;
}

bool cy_caches_walks(const struct cy_caches *c, uint32_t insn)
{
    const struct cy_walker *s = &c->strides[insn % CY_STRIDES];

    return s->insn == insn && s->n_short >= KNOWN;
}

/* When a line is there that is asked of a level at `time`. */
static double ask(struct cy_caches *c, struct cy_stream *stream, unsigned level,
                  double time, bool is_early)
{
    const struct cy_cache *from = &c->memory->beyond[level - 1];
    unsigned slot = c->n_misses % (unsigned)c->memory->misses;
    double begin = is_early ? time - from->cycles : time, there, line_cycles;

    if (c->n_misses >= (unsigned)c->memory->misses)
        begin = fmax(begin, c->misses[slot]);
    begin = fmax(begin, c->next[level]);
    there = begin + from->cycles;
    line_cycles = from->line_cycles;
    if (stream->n >= KNOWN) {
        there = fmin(there, fmax(begin, stream->time + from->stream_cycles));
        line_cycles = fmin(line_cycles, from->stream_cycles);
    }
    c->next[level] = begin + line_cycles;
    stream->time = there;
    c->misses[slot] = there;
    c->n_misses++;
    return there;
}

struct cy_arrived cy_caches_line(struct cy_caches *c,
                                 const struct cy_asked_line *asked)
{
    uint64_t line = asked->address / LINE;
    struct cy_coming *coming = &c->coming[line % CY_LINES_KEPT];
    struct cy_arrived a = {
        .page = asked->time, .there = asked->time, .asker = asked->insn};

    if (c->memory == NULL)
        return a;
    bool is_known = goes_on(c, asked);
    if (coming->line == line) {
        if (coming->time <= asked->time)
            return a;
        a.there = coming->time;
        a.level = coming->level;
        a.asker = coming->asker;
        return a;
    }
    struct cy_stream *stream = stream_of(c, line);
    if (is_known)
        stream->n = KNOWN;
    if (!asked->is_page_early)
        a.page += page_cycles(c, asked->place);
    a.page -= asked->early;
    a.level = CY_LEVEL(asked->place);
    a.is_new = true;
    if (a.level > 0) {
        a.there = ask(c, stream, a.level, a.page, asked->is_early);
        *coming =
            (struct cy_coming){line, a.there, asked->insn, (uint8_t)a.level};
    }
    a.page = fmax(a.page, asked->time);
    a.there = fmax(a.there, a.page);
    return a;
}

double cy_caches_code(const struct cy_caches *c, uint8_t place)
{
    unsigned level = CY_LEVEL(place);

    return level > 0 && c->memory != NULL ? c->memory->beyond[level - 1].cycles
                                          : 0;
}
