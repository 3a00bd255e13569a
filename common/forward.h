/*
 * forward: how the bytes of a load lie to the stores that wrote them last.
 *
 * A store is one access, of one execution of an instruction.  A load whose
 * bytes are those of one store can take them from it before they are in the
 * cache; any other load has to wait until they are.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COMMON_FORWARD_H
#define COMMON_FORWARD_H

enum forward {
    FORWARD_SAME,      /* all bytes are one store's, and they are all of its */
    FORWARD_CONTAINED, /* all bytes are one store's, which wrote more */
    FORWARD_PARTIAL,   /* some bytes are one store's, the rest have no writer */
    FORWARD_SEVERAL,   /* several stores wrote them */
    FORWARD_N
};

/* The names, by kind, and a load that crosses a boundary of this many bytes
   crosses a line. */
#define FORWARD_NAMES                             \
    {                                             \
        "same", "contained", "partial", "several" \
    }
#define FORWARD_LINE 64

#endif
