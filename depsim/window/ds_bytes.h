/* ds_bytes: bytes and numbers, appended one by one. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "base/ds_memory.h"

struct ds_bytes {
    UChar *bytes; /* to be freed by VG_(free) */
    SizeT n, room;
};

static inline void ds_bytes_put_byte(struct ds_bytes *to, UChar byte)
{
    if (to->n == to->room)
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

/* Appends the bytes of *from, and frees them. */
static inline void ds_bytes_append(struct ds_bytes *to, struct ds_bytes *from)
{
    for (SizeT i = 0; i < from->n; i++)
        ds_bytes_put_byte(to, from->bytes[i]);
    VG_(free)(from->bytes);
}

/* A sequence of values, most of which are as predicted.  It is written as, by
   turns, the number of predicted values and a value that is not. */
struct ds_sequence {
    struct ds_bytes *to;
    ULong n_right;
};

static inline void ds_sequence_right(struct ds_sequence *s)
{
    s->n_right++;
}

static inline void ds_sequence_wrong(struct ds_sequence *s, ULong value)
{
    ds_bytes_put(s->to, s->n_right);
    ds_bytes_put(s->to, value);
    s->n_right = 0;
}

/* Writes how many of the last values were as predicted. */
static inline void ds_sequence_end(struct ds_sequence *s)
{
    if (s->n_right > 0)
        ds_bytes_put(s->to, s->n_right);
}
