/* oracle_shadow: which store wrote each byte last, and when.  One record a
   byte, so that nothing has to be split or merged. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdint.h>

#define ORACLE_ADDRESS_MAX (((uint64_t)1 << 47) - 1)

struct oracle_write {
    uint64_t when;  /* instructions executed before the store */
    uint32_t site;  /* 0: the byte has no writer */
    uint32_t size;  /* of the store, in bytes */
    uint64_t store; /* the store's number: each access has one */
};

struct oracle_shadow;

/* Every range of these functions ends at ORACLE_ADDRESS_MAX or before. */
struct oracle_shadow *oracle_shadow_new(void);
void oracle_shadow_free(struct oracle_shadow *s);

/* Records that `write`, whose site is not 0, wrote the n bytes at `address`. */
void oracle_shadow_store(struct oracle_shadow *s, uint64_t address, uint64_t n,
                         struct oracle_write write);

/* Forgets the writers of the n bytes at `address`. */
void oracle_shadow_clear(struct oracle_shadow *s, uint64_t address, uint64_t n);

/* The writer of each of the n bytes at `address`; and each instruction that
   wrote any of them, with its latest store.  Returns how many these are. */
unsigned oracle_shadow_load(struct oracle_shadow *s, uint64_t address,
                            unsigned n, struct oracle_write *byte,
                            struct oracle_write *writer);
