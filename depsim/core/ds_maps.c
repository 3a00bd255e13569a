/*
 * ds_maps: which mappings are private, as the kernel lists them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "core/ds_maps.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_vki.h"

/* A file that is read by the character. */
struct reader {
    Int fd;
    Int n, next;
    HChar buffer[4096];
};

/* The next character, or -1 at the end. */
static Int take(struct reader *r)
{
    if (r->next == r->n) {
        r->n = VG_(read)(r->fd, r->buffer, sizeof r->buffer);
        r->next = 0;
    }
    return r->n <= 0 ? -1 : r->buffer[r->next++];
}

/* A hexadecimal number; *after is the character behind it. */
static Addr take_address(struct reader *r, Int *after)
{
    Addr a = 0;

    while (VG_(isdigit)((HChar)(*after = take(r))) ||
           (*after >= 'a' && *after <= 'f'))
        a = a << 4 | (Addr)(*after <= '9' ? *after - '0' : *after - 'a' + 10);
    return a;
}

/* A line is "START-END rwxp ...", or rwxs if it is shared.  False at the end.
 */
static Bool take_line(struct reader *r, Addr *start, Addr *end, Bool *private)
{
    Int c;

    *start = take_address(r, &c);
    *end = c == '-' ? take_address(r, &c) : 0;
    for (Int i = 0; i < 4 && c != -1; i++)
        c = take(r);
    *private = c == 'p';
    while (c != '\n' && c != -1)
        c = take(r);
    return c == '\n';
}

void ds_maps_each_private(Addr a, SizeT n, void (*visit)(Addr a, SizeT n))
{
    struct reader r = {.fd = VG_(fd_open)("/proc/self/maps", VKI_O_RDONLY, 0)};
    Addr start, end;
    Bool private;

    if (r.fd < 0)
        return;
    while (take_line(&r, &start, &end, &private)) {
        Addr low = start > a ? start : a, high = end < a + n ? end : a + n;

        if (private && low < high)
            visit(low, high - low);
    }
    VG_(close)(r.fd);
}
