/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "occurrence.h"

#include "text.h"

void lifetimes_default(struct lifetimes *l)
{
    l->n = 0;
    for (unsigned i = 0; i <= 20; i++)
        l->bound[l->n++] = (uint64_t)1 << i;
    l->bound[l->n++] = LIFETIME_INF;
}

bool lifetimes_add(struct lifetimes *l, uint64_t bound)
{
    unsigned at = lifetimes_find(l, bound);

    if (at < l->n && l->bound[at] == bound)
        return true;
    if (l->n == LIFETIMES_MAX)
        return false;
    for (unsigned i = l->n; i > at; i--)
        l->bound[i] = l->bound[i - 1];
    l->bound[at] = bound;
    l->n++;
    return true;
}

bool lifetimes_parse_bound(const char *text, size_t n, uint64_t *bound)
{
    if (n == 3 && text[0] == 'i' && text[1] == 'n' && text[2] == 'f') {
        *bound = LIFETIME_INF;
        return true;
    }
    return num_parse_span(text, n, bound) && *bound >= 1 &&
           *bound <= LIFETIME_INF;
}

bool lifetimes_parse(struct lifetimes *l, const char *text)
{
    struct lifetimes parsed;

    parsed.n = 0;
    for (;;) {
        size_t n = 0;
        uint64_t bound;

        while (text[n] != '\0' && text[n] != ',')
            n++;
        if (!lifetimes_parse_bound(text, n, &bound) ||
            !lifetimes_add(&parsed, bound))
            return false;
        if (text[n] == '\0')
            break;
        text += n + 1;
    }
    /* Element by element: a struct copy may become a call of memcpy, which
       the tool does not have. */
    l->n = parsed.n;
    for (unsigned i = 0; i < parsed.n; i++)
        l->bound[i] = parsed.bound[i];
    return true;
}

unsigned lifetimes_find(const struct lifetimes *l, uint64_t distance)
{
    unsigned i = 0;

    while (i < l->n && l->bound[i] < distance)
        i++;
    return i;
}

struct bound_text bound_text(uint64_t bound)
{
    struct bound_text t = {"inf"};
    unsigned n = 1;

    if (bound == LIFETIME_INF)
        return t;
    for (uint64_t rest = bound; rest >= 10; rest /= 10)
        n++;
    t.text[n] = '\0';
    for (; n > 0; bound /= 10)
        t.text[--n] = (char)('0' + bound % 10);
    return t;
}
