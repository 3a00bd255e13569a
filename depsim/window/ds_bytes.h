/*
 * ds_bytes: bytes and numbers, appended one by one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_BYTES_H
#define DS_BYTES_H

#include "base/ds_memory.h"

struct ds_bytes {
    UChar *bytes; /* to be freed by VG_(free) */
    SizeT n, room;
};

static inline void ds_bytes_put_byte(struct ds_bytes *to, UChar byte)
{
    to->bytes = ds_memory_grow(to->bytes, &to->room, to->n, 1);
    to->bytes[to->n++] = byte;
}

/* Appends a number in LEB128. */
static inline void ds_bytes_put(struct ds_bytes *to, ULong value)
{
    for (; value >= 0x80; value >>= 7)
        ds_bytes_put_byte(to, (UChar)(value | 0x80));
    ds_bytes_put_byte(to, (UChar)value);
}

#endif
