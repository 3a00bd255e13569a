/*
 * sd_contents: what a program's memory holds before it runs, as far as its file
 * tells: read-only and initialised data; and what sd_link puts there.
 *
 * Data that are zero at first are left out: they are where a program keeps what
 * it learns, and zero would decide too much.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_CONTENTS_H
#define SD_CONTENTS_H

#include "elf/sd_image.h"

/* A part of memory, of a multiple of 8 bytes from a multiple of 8 on. */
struct sd_part {
    uint64_t first; /* its address / 8 */
    size_t n;       /* times 8 bytes */
    uint64_t *words;
    uint8_t *unknown;  /* by word; which of its bytes are not known */
    size_t begin, end; /* words that may be addresses; no others are, whatever
                          they look like */
};

struct sd_contents {
    struct sd_part *parts; /* sorted by `first` */
    size_t n, room;
};

/* Reads the file of an image, before any relocation.  What is damaged there is
   not known. */
int sd_contents_read(struct sd_contents *contents, const char *path,
                     struct diag *d);
void sd_contents_fini(struct sd_contents *contents);

/* The 8 bytes at address 8 * number; returns which of the bits are not known,
   which are 0 in *bits. */
uint64_t sd_contents_at(const struct sd_contents *contents, uint64_t number,
                        uint64_t *bits);

/* Of use to sd_link: */

/* Moves those of `more` by a multiple of 8 and adds them; empties `more`. */
void sd_contents_join(struct sd_contents *contents, struct sd_contents *more,
                      uint64_t base);

/* Fills in n bytes that are known, or are not if `bytes` is NULL.  Those that
   no part has are left out. */
void sd_contents_fill(const struct sd_contents *contents, uint64_t address,
                      const uint8_t *bytes, size_t n);

/* The 8 bytes at any address; false if they are not known. */
bool sd_contents_word(const struct sd_contents *contents, uint64_t address,
                      uint64_t *word);

/* Gives n bytes the contents of others; they need not be in a part. */
void sd_contents_copy(struct sd_contents *contents, uint64_t to, uint64_t from,
                      size_t n);

#endif
