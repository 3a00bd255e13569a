/*
 * Memory that changes without a store.  In each case store_X writes a word,
 * something happens to it, and load_X reads it: depsim must see a dependency
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define PAGE 4096

/* A store and a load that no other case shares. */
#define CASE(name)                                                \
    __attribute__((noinline)) void store_##name(volatile long *p) \
    {                                                             \
        *p = 1;                                                   \
    }                                                             \
    __attribute__((noinline)) long load_##name(volatile long *p)  \
    {                                                             \
        return *p;                                                \
    }
CASE(nothing)
CASE(read)
CASE(short_read)
CASE(readv)
CASE(fstat)
CASE(munmap)
CASE(mmap_over)
CASE(mremap)
CASE(brk)

static long area[PAGE / sizeof(long)];

static void *page(void)
{
    void *p = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (p == MAP_FAILED)
        exit(1);
    return p;
}

static void system_calls(int zero)
{
    struct iovec part = {&area[8], sizeof(long)};

    store_nothing(&area[0]);
    load_nothing(&area[0]);
    store_read(&area[1]);
    if (read(zero, &area[1], sizeof(long)) != sizeof(long))
        exit(1);
    load_read(&area[1]);
    /* At the end of a file nothing is read: the store is still the last. */
    store_short_read(&area[2]);
    if (read(open("/dev/null", O_RDONLY), &area[2], sizeof(long)) != 0)
        exit(1);
    load_short_read(&area[2]);
    store_readv(&area[8]);
    if (readv(zero, &part, 1) != sizeof(long))
        exit(1);
    load_readv(&area[8]);
    store_fstat(&area[16]);
    if (fstat(zero, (struct stat *)&area[16]) != 0)
        exit(1);
    load_fstat(&area[16]);
}

static void mappings(void)
{
    long *p = page(), *q;

    store_munmap(p);
    munmap(p, PAGE);
    q = mmap(p, PAGE, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    load_munmap(q);
    store_mmap_over(q);
    q = mmap(p, PAGE, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    load_mmap_over(q);
    p = page();
    store_mremap(p);
    q = mremap(p, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, page());
    if (q == MAP_FAILED)
        exit(1);
    load_mremap(q);
}

static void heap(void)
{
    long *top = sbrk(PAGE);

    if (top == (void *)-1)
        exit(1);
    store_brk(top);
    if (sbrk(-PAGE) == (void *)-1 || sbrk(PAGE) == (void *)-1)
        exit(1);
    load_brk(top);
}

int main(void)
{
    int zero = open("/dev/zero", O_RDONLY);

    if (zero < 0)
        return 1;
    system_calls(zero);
    mappings();
    heap();
    return 0;
}
