/*
 * ds_memory: memory that lives as long as the run.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "base/ds_memory.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "base/ds_message.h"
#include "base/ds_valgrind.h"

#define CHUNK      ((SizeT)4 << 20)
#define NORESERVE  0x4000 /* MAP_NORESERVE, for one */
#define DONTNEED   4      /* MADV_DONTNEED */
#define NOHUGEPAGE 15     /* MADV_NOHUGEPAGE */
#define DONTDUMP   16     /* MADV_DONTDUMP */
#define PRESENT_MASK                                         \
    ((ULong)3 << 62) /* of /proc/PID/pagemap: or swapped out \
                      */

static UChar *chunk;
static SizeT n_left;
static SizeT n_mapped;

static void *map(SizeT size)
{
    void *p = VG_(am_shadow_alloc)(size);

    if (p == NULL)
        ds_message_refuse("memory: there is no more than %lu KiB for tables, "
                          "the run is lost",
                          n_mapped >> 10);
    n_mapped += size;
    return p;
}

void *ds_memory_new(SizeT size)
{
    void *p;

    tl_assert(size > 0);
    size = (size + 15) & ~(SizeT)15;
    if (size > CHUNK / 4)
        return map((size + DS_MEMORY_PAGE - 1) & ~(DS_MEMORY_PAGE - 1));
    if (size > n_left) {
        chunk = map(CHUNK);
        n_left = CHUNK;
    }
    p = chunk;
    tl_assert((Addr)p % 16 == 0);
    chunk += size;
    n_left -= size;
    return p;
}

SizeT ds_memory_total(void)
{
    return n_mapped;
}

static Bool is_whole(const void *p, SizeT size)
{
    return (Addr)p % DS_MEMORY_PAGE == 0 && size % DS_MEMORY_PAGE == 0;
}

/* A huge page would take 2 MiB for one word. */
void *ds_memory_reserve(SizeT size)
{
    Word p = ds_valgrind_system_call(
        __NR_mmap, 0, (Word)size, VKI_PROT_READ | VKI_PROT_WRITE,
        VKI_MAP_PRIVATE | VKI_MAP_ANONYMOUS | NORESERVE, -1, 0);

    if (p < 0 && p > -4096)
        ds_message_refuse("memory: %lu GiB of addresses cannot be reserved "
                          "(see ulimit -v, and vm.overcommit_memory)",
                          size >> 30);
    tl_assert(is_whole((void *)p, size));
    ds_valgrind_system_call(__NR_madvise, p, (Word)size, NOHUGEPAGE, 0, 0, 0);
    ds_valgrind_system_call(__NR_madvise, p, (Word)size, DONTDUMP, 0, 0, 0);
    return (void *)p;
}

void ds_memory_clear(void *p, SizeT size)
{
    tl_assert(is_whole(p, size));
    ds_valgrind_system_call(__NR_madvise, (Word)(Addr)p, (Word)size, DONTNEED,
                            0, 0, 0);
}

/* If the kernel does not tell which pages are there, all are visited. */
void ds_memory_visit(void *p, SizeT size, void (*visit)(void *page))
{
    static ULong map[1 << 16];
    SysRes opened = VG_(open)("/proc/self/pagemap", VKI_O_RDONLY, 0);
    UChar *page = p, *end = page + size;
    Int fd = sr_isError(opened) ? -1 : (Int)sr_Res(opened), n = 0, i = 0;

    tl_assert(is_whole(p, size));
    VG_(lseek)(fd, (Off64T)((Addr)p / DS_MEMORY_PAGE * 8), VKI_SEEK_SET);
    for (; page < end; page += DS_MEMORY_PAGE, i++) {
        if (i == n && fd >= 0) {
            n = VG_(read)(fd, map, sizeof map) / (Int)sizeof *map;
            i = 0;
        }
        if (i >= n || (map[i] & PRESENT_MASK) != 0)
            visit(page);
    }
    if (fd >= 0)
        VG_(close)(fd);
}
