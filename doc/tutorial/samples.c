/*
 * A queue of samples: a struct with padding is filled in by members, and copied
 * as a whole.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "measure.h"

enum { N = 4000, QUEUE = 8 };

struct sample {
    int id;
    long value;
};

static struct sample queue[QUEUE];

__attribute__((noinline)) static void push(struct sample *to,
                                           const struct sample *from)
{
#ifndef FAST
    *to = *from;
#else
    to->id = from->id;
    to->value = from->value;
#endif
}

static void once(void)
{
    struct sample next = {0, 0};

    for (int i = 0; i < N; i++) {
        next.id = i;
        next.value = queue[(i + QUEUE - 1) % QUEUE].value + 3;
        push(&queue[i % QUEUE], &next);
    }
}

int main(int argc, char **argv)
{
    measure(argc, argv, N, once);
    printf("last %d: %s\n", queue[(N - 1) % QUEUE].id,
           queue[0].value > 0 ? "more than 0" : "0");
    return 0;
}
