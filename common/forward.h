/*
 * forward: how the bytes of a load lie to the stores that wrote them last.
 *
 * A store is one access, of one execution of an instruction.  If one store
 * wrote all bytes of a load, the load can take them from the store before they
 * are in the cache; any other load has to wait until they are.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COMMON_FORWARD_H
#define COMMON_FORWARD_H

enum forward {
    FORWARD_SAME,      /* one store wrote all bytes, and no others */
    FORWARD_CONTAINED, /* one store wrote all bytes, and more */
    FORWARD_PARTIAL,   /* one store wrote some bytes; the rest have no writer */
    FORWARD_SEVERAL,   /* several stores wrote them */
    FORWARD_N
};

/* The names, by kind, and the size of a line in bytes. */
#define FORWARD_NAMES                             \
    {                                             \
        "same", "contained", "partial", "several" \
    }
#define FORWARD_LINE 64

#endif
