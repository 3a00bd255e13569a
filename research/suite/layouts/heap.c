/*
 * heap: a preloaded library that decides at which places of their pages the
 * first blocks of a program are.
 *
 *     LD_PRELOAD=heap.so LAYOUT_HEAP=SEED:RANGE PROGRAM
 *
 * Each of the first 1,024 blocks that the program allocates gets pages of its
 * own, and begins at a multiple of 16 below RANGE in the first one, as the seed
 * decides. So it makes no difference what the C library and the dynamic linker
 * allocated before, which is not the same under Valgrind.  A block that is
 * freed is not used again.  Without LAYOUT_HEAP, or if there is no more room,
 * all blocks are the C library's.
 *
 * Limits: glibc; programs of one thread; no malloc_usable_size.  What
 * posix_memalign and its like allocate stays where it is.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "draw.h"

#define PAGE   4096
#define BLOCKS 1024
#define ROOM   ((size_t)256 << 20)

/* glibc's own names of the functions that this library replaces. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *block, size_t size);
void __libc_free(void *block);

static struct {
    char *start, *next; /* next is the start of a page */
    uint64_t seed, range;
    unsigned n;
    size_t sizes[BLOCKS];
    char *blocks[BLOCKS];
} heap;

/* Runs when the C library is ready, before the program starts. */
static __attribute__((constructor)) void begin(void)
{
    const char *text = getenv("LAYOUT_HEAP");
    char *end;
    void *start;

    if (text == NULL)
        return;
    heap.seed = strtoull(text, &end, 10);
    if (*end != ':')
        return;
    heap.range = strtoull(end + 1, NULL, 10) / 16;
    if (heap.range == 0)
        return;
    start = mmap(NULL, ROOM, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start != MAP_FAILED)
        heap.start = heap.next = start;
}

/* A block of zeros at the seed's place; NULL if there is no room. */
static void *place(size_t size)
{
    char *block;

    if (heap.start == NULL || heap.n == BLOCKS)
        return NULL;
    block = heap.next + 16 * draw(heap.seed, heap.n, heap.range);
    if (size > ROOM || (size_t)(block - heap.start) + size + PAGE > ROOM)
        return NULL;
    heap.next = block + size + PAGE - 1;
    heap.next -= (size_t)(heap.next - heap.start) % PAGE;
    if (heap.next == block)
        heap.next += PAGE;
    heap.sizes[heap.n] = size;
    heap.blocks[heap.n++] = block;
    return block;
}

static bool is_placed(const void *block)
{
    return heap.start != NULL && (const char *)block >= heap.start &&
           (const char *)block < heap.start + ROOM;
}

static size_t size_of(const void *block)
{
    for (unsigned i = 0; i < heap.n; i++)
        if (heap.blocks[i] == block)
            return heap.sizes[i];
    abort();
}

void *malloc(size_t size)
{
    void *block = place(size);

    return block != NULL ? block : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    size_t bytes;
    void *block = __builtin_mul_overflow(n, size, &bytes) ? NULL : place(bytes);

    return block != NULL ? block : __libc_calloc(n, size);
}

void free(void *block)
{
    if (!is_placed(block))
        __libc_free(block);
}

void *realloc(void *block, size_t size)
{
    size_t before;
    void *moved;

    if (block == NULL)
        return malloc(size);
    if (!is_placed(block))
        return __libc_realloc(block, size);
    if (size == 0)
        return NULL;
    before = size_of(block);
    moved = malloc(size);
    if (moved != NULL)
        memcpy(moved, block, before < size ? before : size);
    return moved;
}
