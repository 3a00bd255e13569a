/*
 * forward: how the bytes of a load lie to the stores that wrote them last.
 *
 * A store is one access, of one execution of an instruction.  If one store
 * wrote all bytes of a load, the load can take them from the store before they
 * are in the cache; any other load has to wait until they are.  The cache has
 * bytes that no store wrote, and those of a store that is not near: to the
 * other stores they have no writer.  Such a store itself is not forwarded; it
 * counts as partial if it did not write all bytes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COMMON_FORWARD_H
#define COMMON_FORWARD_H

enum forward {
    FORWARD_SAME,      /* one store wrote all bytes, and no others */
    FORWARD_CONTAINED, /* one store wrote all bytes, and more */
    FORWARD_PARTIAL,   /* one store wrote some bytes; the cache has the rest */
    FORWARD_SEVERAL,   /* several near stores wrote them */
    FORWARD_N
};

/* A store is near if it is at most this many instructions before the load.  An
   older one has left the reorder buffer, and its bytes are in the cache.  This
   is the size of Golden Cove's (Intel, "Optimization Reference Manual"), the
   largest in depbound/machines.  Limit: smaller ones forget earlier. */
#define FORWARD_NEAR 512

/* The names, by kind, and the size of a line in bytes. */
#define FORWARD_NAMES                             \
    {                                             \
        "same", "contained", "partial", "several" \
    }
#define FORWARD_LINE 64

#endif
