/*
 * A point that moves: its coordinates are stored one by one, and loaded
 * together if the compiler makes vectors.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "measure.h"

enum { N = 4000 };

struct point {
    long x, y;
};

static struct point place;

__attribute__((noinline)) static void turn(struct point *p)
{
    long x = p->x;

    p->x = -p->y;
    p->y = x;
}

__attribute__((noinline)) static void move(struct point *p,
                                           const struct point *by)
{
    p->x += by->x;
    p->y += by->y;
}

static void once(void)
{
    static const struct point by = {3, 1};

    for (int i = 0; i < N; i++) {
        turn(&place);
        move(&place, &by);
    }
}

int main(int argc, char **argv)
{
    measure(argc, argv, N, once);
    printf("at %ld, %ld\n", place.x, place.y);
    return 0;
}
