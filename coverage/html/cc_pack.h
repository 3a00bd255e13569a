/*
 * cc_pack: parts of the page that are unpacked when they are looked at.
 *
 * A part is HTML, deflated, in base64, in an element that browsers do not show.
 * Listings repeat themselves, so they shrink to about a tenth.  page.js unpacks
 * the part and puts it where it belongs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COVERAGE_CC_PACK_H
#define COVERAGE_CC_PACK_H

#include "memory.h"

/* Closes a stream of HTML, and writes it into the page: packed, in an element
   with this id and these attributes.  Returns how many bytes it took. */
size_t cc_pack_close(struct memory_stream *html, FILE *page, const char *id,
                     const char *attributes);

#endif
