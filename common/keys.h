/*
 * keys: numbers that belong to keys of 64 bits.
 *
 * `struct keys` gives numbers from 0 on, in the order in which the keys come.
 * What belongs to a key is the caller's, in an array by its number.  A key may
 * be a hash of more than 64 bits: then keys_match() finds it, and keys_append()
 * adds it.
 *
 * `struct ids` has the numbers that the caller gives to the ids of a table's
 * rows.  An id is found by binary search, but at once if it is the one found
 * last or the next: rows that refer to other rows mostly come in the order of
 * the latter.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "basics.h"

/* The first place of 2^bits for a key, 1 <= bits <= 64: Fibonacci hashing (D.
   Knuth, The Art of Computer Programming 3, section 6.4), with 2^64 divided by
   the golden ratio. */
static inline size_t hash_place(uint64_t key, unsigned bits)
{
    return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits));
}

/* A hash to which n bytes are added (Fowler, Noll and Vo, FNV-1a; it may begin
   with any number). */
static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t n)
{
    const uint8_t *at = bytes;

    for (size_t i = 0; i < n; i++)
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    return hash;
}

#define NO_KEY UINT32_MAX

/* A zeroed struct has no keys. */
struct keys {
    uint64_t *list; /* the keys, by number */
    size_t n, room;
    uint32_t *table; /* open addressing: numbers plus 1 */
    unsigned bits;   /* the table has 2^bits places; 0: there is none */
};

void keys_fini(struct keys *keys);
void keys_clear(struct keys *keys);

/* The number of a hash for which `is_same`, an expression in which the number
   is called `i`, says that its key is the one; NO_KEY if none is. */
#define keys_match(known, hash, i, is_same)                       \
    __extension__({                                               \
        const struct keys *k_ = (known);                          \
        uint64_t hash_ = (hash);                                  \
        size_t at_ = k_->n > 0 ? hash_place(hash_, k_->bits) : 0; \
        uint32_t i = NO_KEY;                                      \
                                                                  \
        while (k_->n > 0 && (i = k_->table[at_] - 1) != NO_KEY && \
               (k_->list[i] != hash_ || !(is_same)))              \
            at_ = (at_ + 1) & (((size_t)1 << k_->bits) - 1);      \
        i;                                                        \
    })

/* The number of a key; NO_KEY if it has none. */
static inline uint32_t keys_find(const struct keys *keys, uint64_t key)
{
    return keys_match(keys, key, i, true);
}

/* Adds a key, even if it is there.  Its number is keys->n before the call. */
uint32_t keys_append(struct keys *keys, uint64_t key);

/* The number of a key; if it is new, adds it with the number keys->n. */
uint32_t keys_add(struct keys *keys, uint64_t key);

/* The key of a pair of numbers. */
static inline uint64_t keys_pair(uint32_t first, uint32_t second)
{
    return (uint64_t)first << 32 | second;
}

/* --- Ids --- */

/* A zeroed struct has no ids.  For one thread only: a search sets `at`. */
struct ids {
    struct id {
        int64_t id;
        uint32_t number;
    } * entries;
    size_t n_entries, entries_room;
    size_t at; /* the entry found last */
};

/* Adds an id that is not there yet.  Call ids_sort after the last one. */
void ids_add(struct ids *ids, int64_t id, uint32_t number);
void ids_sort(struct ids *ids);

/* The entry of an id, or NULL; the number of an id, false if it has none. */
struct id *ids_entry(struct ids *ids, int64_t id);
bool ids_find(struct ids *ids, int64_t id, uint32_t *number);

/* Frees what the struct holds, and leaves it empty. */
void ids_fini(struct ids *ids);
