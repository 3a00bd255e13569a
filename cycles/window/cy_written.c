/*
 * cy_written: a hash of words of 8 bytes, and one of lines of 64.
 *
 * An entry is of the present window if it has its number, so that forgetting
 * takes no time.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "window/internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

struct word {
    uint64_t place; /* address / 8 */
    uint32_t window;
    uint32_t store[8];
};

struct line {
    uint64_t place; /* address / 64 */
    uint32_t window;
};

struct cy_written {
    uint32_t window;
    struct word *words;
    struct line *lines;
    size_t words_room, n_words, lines_room, n_lines; /* rooms: powers of 2 */
};

#define ROOM 4096

struct cy_written *cy_written_new(void)
{
    struct cy_written *w = memory_new(1, sizeof *w);

    *w = (struct cy_written){1,
                             memory_new(ROOM, sizeof *w->words),
                             memory_new(ROOM, sizeof *w->lines),
                             ROOM,
                             0,
                             ROOM,
                             0};
    return w;
}

void cy_written_free(struct cy_written *w)
{
    if (w == NULL)
        return;
    free(w->words);
    free(w->lines);
    free(w);
}

void cy_written_clear(struct cy_written *w)
{
    w->n_words = w->n_lines = 0;
    if (++w->window != 0)
        return;
    memset(w->words, 0, w->words_room * sizeof *w->words);
    memset(w->lines, 0, w->lines_room * sizeof *w->lines);
    w->window = 1;
}

static size_t slot_of(uint64_t place, size_t room)
{
    return (size_t)(place * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (room - 1);
}

/* The entry of a word, or the free one where it belongs. */
static struct word *find(const struct cy_written *w, uint64_t place)
{
    size_t i = slot_of(place, w->words_room);

    while (w->words[i].window == w->window && w->words[i].place != place)
        i = (i + 1) & (w->words_room - 1);
    return &w->words[i];
}

static void grow_words(struct cy_written *w)
{
    struct word *old = w->words;
    size_t n = w->words_room;

    w->words_room *= 2;
    w->words = memory_new(w->words_room, sizeof *w->words);
    for (size_t i = 0; i < n; i++)
        if (old[i].window == w->window)
            *find(w, old[i].place) = old[i];
    free(old);
}

static struct word *word_of(struct cy_written *w, uint64_t place)
{
    struct word *word;

    if (2 * w->n_words >= w->words_room)
        grow_words(w);
    word = find(w, place);
    if (word->window == w->window)
        return word;
    w->n_words++;
    *word = (struct word){.place = place, .window = w->window};
    for (unsigned i = 0; i < 8; i++)
        word->store[i] = CY_NO_STORE;
    return word;
}

void cy_written_store(struct cy_written *w, uint64_t address, unsigned size,
                      uint32_t store)
{
    assert(size > 0);
    while (size > 0) {
        unsigned first = address % 8, n = 8 - first < size ? 8 - first : size;
        struct word *word = word_of(w, address / 8);

        for (unsigned i = first; i < first + n; i++)
            word->store[i] = store;
        address += n;
        size -= n;
    }
}

/* Adds a store to those that a load needs; the latest one is met most often. */
static unsigned add(uint32_t *stores, unsigned n, uint32_t store)
{
    for (unsigned i = n; i > 0; i--)
        if (stores[i - 1] == store)
            return n;
    if (n < CY_MOST_WRITERS)
        stores[n++] = store;
    return n;
}

unsigned cy_written_load(struct cy_written *w, uint64_t address, unsigned size,
                         uint32_t stores[CY_MOST_WRITERS])
{
    unsigned n_stores = 0;

    assert(size > 0);
    while (size > 0) {
        unsigned first = address % 8, n = 8 - first < size ? 8 - first : size;
        const struct word *word = find(w, address / 8);

        if (word->window != w->window)
            n_stores = add(stores, n_stores, CY_NO_STORE);
        else
            for (unsigned i = first; i < first + n; i++)
                n_stores = add(stores, n_stores, word->store[i]);
        address += n;
        size -= n;
    }
    return n_stores;
}

static struct line *find_line(const struct cy_written *w, uint64_t place)
{
    size_t i = slot_of(place, w->lines_room);

    while (w->lines[i].window == w->window && w->lines[i].place != place)
        i = (i + 1) & (w->lines_room - 1);
    return &w->lines[i];
}

static void grow_lines(struct cy_written *w)
{
    struct line *old = w->lines;
    size_t n = w->lines_room;

    w->lines_room *= 2;
    w->lines = memory_new(w->lines_room, sizeof *w->lines);
    for (size_t i = 0; i < n; i++)
        if (old[i].window == w->window)
            *find_line(w, old[i].place) = old[i];
    free(old);
}

bool cy_written_is_first(struct cy_written *w, uint64_t address)
{
    struct line *line;

    if (2 * w->n_lines >= w->lines_room)
        grow_lines(w);
    line = find_line(w, address / 64);
    if (line->window == w->window)
        return false;
    w->n_lines++;
    *line = (struct line){address / 64, w->window};
    return true;
}
