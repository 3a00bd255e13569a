/*
 * cc_pack: parts of the page that are unpacked when they are looked at.
 *
 * A part is HTML, deflated, in base64, in an element that browsers do not show.
 * HTML of listings repeats itself so much that a tenth of it is left.  page.js
 * unpacks the part and puts it where it belongs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_PACK_H
#define COVERAGE_CC_PACK_H

#include <stddef.h>
#include <stdio.h>

struct cc_pack {
    FILE *out; /* where HTML is written */
    char *text;
    size_t size;
};

/* Begins an empty part. */
void cc_pack_open(struct cc_pack *pack);

/* How many bytes of HTML it has so far. */
size_t cc_pack_bytes(struct cc_pack *pack);

/* Ends it, and writes it into the page: packed, in an element with this id and
   these attributes, or as it is.  The former returns how many bytes it took. */
size_t cc_pack_close(struct cc_pack *pack, FILE *page, const char *id,
                     const char *attributes);
void cc_pack_close_plain(struct cc_pack *pack, FILE *page);

#endif
