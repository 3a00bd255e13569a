/*
 * sd_contents: what a program's memory holds before it runs: the read-only and
 * initialised data of its file, and what sd_link adds.
 *
 * Data that begin as zero are left out: programs overwrite them, and branches
 * that depend on such a zero would be decided too early.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "elf/sd_image.h"

/* A part of memory; its address and size are multiples of 8 bytes. */
struct sd_part {
    uint64_t first; /* the address divided by 8 */
    size_t n;       /* number of words of 8 bytes */
    uint64_t *words;
    uint8_t *unknown;  /* for each word, a bit for each unknown byte */
    size_t begin, end; /* only the words in this range may be addresses */
};

struct sd_contents {
    struct sd_part *parts; /* sorted by `first` */
    size_t n, room;
};

/* Reads the file of an image, as it is before dynamic relocation.  Damaged
   parts are left unknown. */
int sd_contents_read(struct sd_contents *contents, const char *path,
                     struct diag *d);
void sd_contents_fini(struct sd_contents *contents);

/* Reads the 8 bytes at address 8 * number into *bits.  Returns a mask of the
   bits that are unknown; these are 0 in *bits. */
uint64_t sd_contents_at(const struct sd_contents *contents, uint64_t number,
                        uint64_t *bits);

/* The functions below are for sd_link. */

/* Takes the parts of `more`, and moves them up by `base`, a multiple of 8. */
void sd_contents_join(struct sd_contents *contents, struct sd_contents *more,
                      uint64_t base);

/* Sets n bytes from an address on; if `bytes` is NULL, makes the n bytes
   unknown.  Stops at the first address that no part contains. */
void sd_contents_fill(const struct sd_contents *contents, uint64_t address,
                      const uint8_t *bytes, size_t n);

/* Reads the 8 bytes at any address; false if some of the bytes are unknown. */
bool sd_contents_word(const struct sd_contents *contents, uint64_t address,
                      uint64_t *word);

/* Copies n bytes between addresses; a part is added where `to` has none yet. */
void sd_contents_copy(struct sd_contents *contents, uint64_t to, uint64_t from,
                      size_t n);
