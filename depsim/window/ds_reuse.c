/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "window/ds_reuse.h"

#include "count/ds_clock.h"

#define NEVER (~(ULong)0)

/* The lines and pages that the window has touched: open addressing; 0: none.
   NULL: there are no windows. */
static ULong *seen;
static SizeT n_seen, seen_room;

ULong ds_reuse_before = NEVER;
static ULong kernel; /* the time of the kernel's last store */

void ds_reuse_init(void)
{
    seen_room = 1 << 12;
    seen = VG_(calloc)("ds.reuse", seen_room, sizeof *seen);
}

static ULong ageing;

static void age_page(void *page)
{
    for (ULong *t = page; t < (ULong *)page + DS_RESERVE_PAGE / sizeof *t; t++)
        if (*t > 0)
            *t = *t > ageing ? *t - ageing : 1;
}

void ds_reuse_age(ULong by)
{
    if (by == 0 || seen == NULL)
        return;
    ageing = by;
    ds_reuse_before = NEVER;
    kernel = kernel > by ? kernel - by : 0;
    for (UInt kind = 0; kind < 2; kind++)
        ds_reserve_visit(ds_shadow_touch(kind, DS_LINEAR_END - 1),
                         DS_SHADOW_LINES, age_page);
}

/* Closed memory is opened here, since the core may handle faults. */
void ds_reuse_kernel_wrote(Addr a, SizeT n)
{
    Addr end = a + n;

    if (seen == NULL || n == 0 || a >= DS_LINEAR_END)
        return;
    if (end > DS_LINEAR_END || end < a)
        end = DS_LINEAR_END;
    for (a &= ~(Addr)(DS_REUSE_LINE - 1); a < end; a += DS_REUSE_LINE) {
        ULong *t = ds_shadow_touch(DS_DATA, a);

        if (!ds_reserve_is_open(t))
            ds_reserve_open((Addr)t);
        *t = *ds_clock_now + 1;
    }
    ds_reuse_before = NEVER;
    kernel = *ds_clock_now + 1;
}

/* Forgets the lines that lie in the range as a whole. */
void ds_reuse_forget(Addr a, SizeT n)
{
    Addr end = a + n;

    if (seen == NULL || a >= DS_LINEAR_END)
        return;
    if (end > DS_LINEAR_END || end < a)
        end = DS_LINEAR_END;
    a = (a + DS_REUSE_LINE - 1) & ~(Addr)(DS_REUSE_LINE - 1);
    end &= ~(Addr)(DS_REUSE_LINE - 1);
    ds_reuse_before = NEVER;
    for (UInt kind = 0; kind < 2 && a < end; kind++)
        ds_reserve_zero(ds_shadow_touch(kind, end - 1),
                        (end - a) / DS_REUSE_LINE * sizeof(ULong));
}

void ds_reuse_begin(ULong time)
{
    VG_(memset)(seen, 0, seen_room * sizeof *seen);
    n_seen = 0;
    ds_reuse_before = kernel <= time ? time : NEVER;
}

void ds_reuse_mix(void)
{
    ds_reuse_before = NEVER;
}

static SizeT place_of(ULong key)
{
    SizeT i = (SizeT)(key * 0x9E3779B97F4A7C15 >> 32) & (seen_room - 1);

    while (seen[i] != 0 && seen[i] != key)
        i = (i + 1) & (seen_room - 1);
    return i;
}

static void grow(void)
{
    ULong *old = seen;
    SizeT n = seen_room;

    seen_room = 2 * n;
    seen = VG_(calloc)("ds.reuse", seen_room, sizeof *seen);
    for (SizeT i = 0; i < n; i++)
        if (old[i] != 0)
            seen[place_of(old[i])] = old[i];
    VG_(free)(old);
}

/* Does the window touch something for the first time?  Notes that it does. */
static Bool is_first(enum ds_touched kind, ULong name, SizeT unit)
{
    ULong key =
        ((name / unit) << 2 | (unit == DS_REUSE_PAGE ? 2u : 0u) | kind) + 1;
    SizeT i = place_of(key);

    if (seen[i] == key)
        return False;
    seen[i] = key;
    if (++n_seen > seen_room / 2)
        grow();
    return True;
}

static void put_since(struct ds_bytes *to, ULong touched, ULong now)
{
    tl_assert(touched <= now);
    ds_bytes_put(to, touched == 0 ? 0 : now - touched + 1);
}

static ULong last_of_page(enum ds_touched kind, Addr a)
{
    const ULong *t = ds_shadow_touch(kind, a | (DS_REUSE_PAGE - 1));
    ULong last = 0;

    for (SizeT i = 0; i < DS_REUSE_PAGE / DS_REUSE_LINE; i++)
        if (t[i] > last)
            last = t[i];
    return last;
}

static void touch_line(enum ds_touched kind, Addr a, ULong name, ULong now,
                       struct ds_bytes *to)
{
    ULong *t = ds_shadow_touch(kind, a);

    if (to != NULL && *t <= ds_reuse_before &&
        is_first(kind, name, DS_REUSE_LINE)) {
        put_since(to, *t, now);
        if (is_first(kind, name, DS_REUSE_PAGE))
            put_since(to, last_of_page(kind, a), now);
    }
    *t = now;
}

void ds_reuse_touch_any(enum ds_touched kind, Addr a, ULong name, SizeT n,
                        ULong time, struct ds_bytes *to)
{
    SizeT inside = name % DS_REUSE_LINE;

    tl_assert(n > 0);
    if (to == NULL || a + n > DS_LINEAR_END)
        ds_reuse_before = NEVER;
    for (SizeT i = 0; i < inside + n; i += DS_REUSE_LINE)
        touch_line(kind, a - inside + i, name - inside + i, time + 1, to);
}
