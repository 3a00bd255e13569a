/*
 * ds_sampler: windows that lie evenly over a run whose length nobody knows.
 *
 * The run is divided into intervals of equal length.  Each has one window, at a
 * place that is drawn, so that no rhythm of the program is met always at the
 * same beat.  When there are too many, two intervals become one, and which of
 * their windows stays is drawn, too: so each place of an interval is as
 * probable as before.  At the end there are at least half as many windows as
 * were asked for, unless the run was too short.
 *
 * Draws depend on nothing but the seed and the interval, so two runs of a
 * program that does the same have the same windows.  Each forked child has a
 * seed of its own: children that do the same show different places.
 *
 * Limits: a window that is recorded until after the next one was to begin (a
 * thread that waits for another) takes its place; there is none then.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "window/internal.h"

/* Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators. */
static ULong mix(ULong z)
{
    z += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static ULong drawn(const struct ds_sampler *s, UInt interval)
{
    return mix(mix(s->interval + s->seed) + interval);
}

void ds_sampler_init(struct ds_sampler *s, UInt n_most, UInt length,
                     ULong interval, ULong seed)
{
    tl_assert(n_most >= 1 && length >= 1 && interval >= length);
    s->n_most = n_most + n_most % 2;
    s->length = length;
    s->interval = interval;
    s->seed = seed;
    s->next = 0;
}

ULong ds_sampler_seed(const struct ds_sampler *s, UInt child)
{
    return mix(s->seed + child);
}

ULong ds_sampler_begin(const struct ds_sampler *s)
{
    ULong room = s->interval - s->length + 1;

    return s->next * s->interval + drawn(s, s->next) % room;
}

static void halve(struct ds_sampler *s, void (*merge)(UInt, UInt, UInt))
{
    for (UInt i = 0; i < s->n_most / 2; i++) {
        UInt second = (UInt)(drawn(s, 2 * i) >> 63);

        merge(i, 2 * i + second, 2 * i + 1 - second);
    }
    s->interval *= 2;
}

void ds_sampler_advance(struct ds_sampler *s, ULong now,
                        void (*merge)(UInt to, UInt keep, UInt drop))
{
    ULong next = s->next + 1;

    if (next < now / s->interval)
        next = now / s->interval;
    while (next >= s->n_most) {
        halve(s, merge);
        next = (next + 1) / 2;
    }
    s->next = (UInt)next;
    if (ds_sampler_begin(s) < now)
        ds_sampler_advance(s, now, merge);
}
