/* Memory that is mapped, unmapped, moved and dropped; see unwritten.h. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

#include "unwritten.h"

#define PAGE    4096
#define ACCESS  (PROT_READ | PROT_WRITE)
#define PRIVATE (MAP_PRIVATE | MAP_ANONYMOUS)

CASE(mremap_moved_from)

static char *map(void *at, size_t n, int flags)
{
    char *p = mmap(at, n, ACCESS, flags, -1, 0);

    if (p == MAP_FAILED)
        unwritten_fails("mmap");
    return p;
}

/* Maps three pages and returns the middle one, which a case will change. */
static char *middle(int flags)
{
    return map(NULL, 3 * PAGE, flags) + PAGE;
}

static int fixed(char *p)
{
    return map(p, PAGE, PRIVATE | MAP_FIXED) == p;
}

static void mappings(int file)
{
    char *p = middle(PRIVATE);

    TRY(kept_nothing, p, PAGE, 1);
    TRY(kept_mprotect, p, PAGE,
        mprotect(p, PAGE, PROT_READ) == 0 && mprotect(p, PAGE, ACCESS) == 0);
    TRY(mmap_over, p, PAGE, fixed(p));
    TRY(mmap_file_over, p, PAGE,
        mmap(p, PAGE, ACCESS, MAP_PRIVATE | MAP_FIXED, file, 0) == p);
    TRY(munmap, p, PAGE, munmap(p, PAGE) == 0 && fixed(p));
}

static void moves(void)
{
    char *p = middle(PRIVATE), *q = middle(PRIVATE);

    /* The page at p is unmapped; mremap grows the mapping before it. */
    TRY(mremap_grown, p, PAGE,
        munmap(p, PAGE) == 0 &&
            mremap(p - PAGE, PAGE, 2 * PAGE, 0) == p - PAGE);
    TRY(mremap_shrunk, p, PAGE,
        mremap(p - PAGE, 2 * PAGE, PAGE, 0) == p - PAGE && fixed(p));
    TRY(mremap_moved_to, q, PAGE,
        mremap(p, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, q) == q &&
            fixed(p));
    TRY(mremap_moved_from, p, PAGE,
        mremap(p, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, q) == q &&
            fixed(p));
    load_mremap_moved_from(q, PAGE);
}

static void advice(int file)
{
    char *p = middle(PRIVATE);
    char *shared = middle(MAP_SHARED | MAP_ANONYMOUS);

    TRY(kept_willneed, p, PAGE, madvise(p, PAGE, MADV_WILLNEED) == 0);
    TRY(dontneed, p, PAGE, madvise(p, PAGE, MADV_DONTNEED) == 0);
    if (mmap(p, PAGE, ACCESS, MAP_PRIVATE | MAP_FIXED, file, 0) != p)
        unwritten_fails("mmap");
    TRY(dontneed_file, p, PAGE, madvise(p, PAGE, MADV_DONTNEED) == 0);
    TRY(kept_shared_dontneed, shared, PAGE,
        madvise(shared, PAGE, MADV_DONTNEED) == 0);
    TRY(removed, shared, PAGE, madvise(shared, PAGE, MADV_REMOVE) == 0);
}

/* Under another root there is no /proc.  Without the privilege to change the
   root, this repeats advice(). */
static void advice_without_proc(void)
{
    int root = open("/", O_RDONLY), here = open(".", O_RDONLY);
    int is_changed = chroot(".") == 0;
    char *p = middle(PRIVATE);

    TRY(dontneed_without_proc, p, PAGE, madvise(p, PAGE, MADV_DONTNEED) == 0);
    if (is_changed &&
        (fchdir(root) != 0 || chroot(".") != 0 || fchdir(here) != 0))
        unwritten_fails("chroot");
    close(root);
    close(here);
}

static void segments(void)
{
    int one = shmget(IPC_PRIVATE, PAGE, 0600);
    int other = shmget(IPC_PRIVATE, PAGE, 0600);
    char *p = middle(PRIVATE);

    if (munmap(p, PAGE) != 0 || shmat(one, p, 0) != p)
        unwritten_fails("shmat");
    TRY(shmat, p, PAGE, shmdt(p) == 0 && shmat(other, p, 0) == p);
    shmctl(one, IPC_RMID, NULL);
    shmctl(other, IPC_RMID, NULL);
}

/* The heap shrinks and grows again, so that all memory past its old end is
   new. */
static void heap(void)
{
    char *p = sbrk(3 * PAGE), *end;

    if (p == (void *)-1)
        unwritten_fails("sbrk");
    p += PAGE;
    end = p + 2 * PAGE;
    TRY(brk, p, 2 * PAGE - 1,
        brk(p) == 0 && brk(end) == 0 && (keep_brk(end - 1), 1));
}

int main(int argc, char **argv)
{
    int file = open(argv[argc - 1], O_RDONLY);

    if (file < 0)
        unwritten_fails("open");
    mappings(file);
    moves();
    advice(file);
    advice_without_proc();
    segments();
    heap();
    return 0;
}
