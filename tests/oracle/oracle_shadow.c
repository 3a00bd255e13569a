/* oracle_shadow: a radix tree over the 47 bits of a user's address: 18 bits
   choose the node, 17 the leaf, 12 the byte. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "oracle_shadow.h"

#include "basics.h"

#define BYTES  (1u << 12) /* bytes of a leaf */
#define LEAVES (1u << 17) /* leaves of a node */
#define NODES  (1u << 18)

_Static_assert(ORACLE_ADDRESS_MAX == (uint64_t)NODES * LEAVES * BYTES - 1,
               "the tree holds all addresses");

struct leaf {
    struct oracle_write byte[BYTES];
};

struct node {
    struct leaf *leaf[LEAVES];
};

struct oracle_shadow {
    struct node *node[NODES];
    uint64_t last_page; /* of the leaf used last, if there was one */
    struct leaf *last;
};

struct oracle_shadow *oracle_shadow_new(void)
{
    return memory_new(1, sizeof(struct oracle_shadow));
}

void oracle_shadow_free(struct oracle_shadow *s)
{
    for (unsigned i = 0; i < NODES && s != NULL; i++) {
        for (unsigned j = 0; j < LEAVES && s->node[i] != NULL; j++)
            free(s->node[i]->leaf[j]);
        free(s->node[i]);
    }
    free(s);
}

/* The leaf of a page; NULL if none of its bytes was ever stored to. */
static struct leaf *find(struct oracle_shadow *s, uint64_t page)
{
    const struct node *node;

    if (s->last != NULL && s->last_page == page)
        return s->last;
    assert(page / LEAVES < NODES);
    node = s->node[page / LEAVES];
    if (node == NULL || node->leaf[page % LEAVES] == NULL)
        return NULL;
    s->last_page = page;
    s->last = node->leaf[page % LEAVES];
    return s->last;
}

static struct leaf *make(struct oracle_shadow *s, uint64_t page)
{
    struct node **node;

    assert(page / LEAVES < NODES);
    node = &s->node[page / LEAVES];
    if (*node == NULL)
        *node = memory_new(1, sizeof(struct node));
    if ((*node)->leaf[page % LEAVES] == NULL)
        (*node)->leaf[page % LEAVES] = memory_new(1, sizeof(struct leaf));
    return find(s, page);
}

void oracle_shadow_store(struct oracle_shadow *s, uint64_t address, uint64_t n,
                         struct oracle_write write)
{
    for (uint64_t a = address; a != address + n; a++) {
        struct leaf *leaf = find(s, a / BYTES);

        if (leaf == NULL)
            leaf = make(s, a / BYTES);
        leaf->byte[a % BYTES] = write;
    }
}

void oracle_shadow_clear(struct oracle_shadow *s, uint64_t address, uint64_t n)
{
    uint64_t here = address, end = address + n;

    while (here < end) {
        uint64_t rest = BYTES - here % BYTES;
        uint64_t size = end - here < rest ? end - here : rest;
        struct leaf *leaf = find(s, here / BYTES);

        if (leaf != NULL)
            memset(&leaf->byte[here % BYTES], 0, size * sizeof(*leaf->byte));
        here += size;
    }
}

unsigned oracle_shadow_load(struct oracle_shadow *s, uint64_t address,
                            unsigned n, struct oracle_write *byte,
                            struct oracle_write *writer)
{
    unsigned n_writers = 0;

    for (unsigned i = 0; i < n; i++, address++) {
        const struct leaf *leaf = find(s, address / BYTES);
        unsigned j = 0;

        byte[i] = leaf == NULL ? (struct oracle_write){0}
                               : leaf->byte[address % BYTES];
        if (byte[i].site == 0)
            continue;
        while (j < n_writers && writer[j].site != byte[i].site)
            j++;
        if (j == n_writers)
            writer[n_writers++] = byte[i];
        else if (writer[j].when < byte[i].when)
            writer[j] = byte[i];
    }
    return n_writers;
}
