/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sampler.h"

#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PERIOD 250000            /* nanoseconds */
#define MOST   ((size_t)4 << 20) /* bytes of samples: a minute of them */

bool sampler_open(struct sampler *sampler, pid_t child)
{
    struct perf_event_attr event = {.type = PERF_TYPE_SOFTWARE,
                                    .size = sizeof event,
                                    .config = PERF_COUNT_SW_CPU_CLOCK,
                                    .sample_period = PERIOD,
                                    .sample_type = PERF_SAMPLE_IP,
                                    .disabled = 1,
                                    .enable_on_exec = 1,
                                    .mmap = 1,
                                    .mmap2 = 1};
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    int fd = (int)syscall(SYS_perf_event_open, &event, child, -1, -1, 0);
    void *ring;

    if (fd < 0)
        return false;
    ring = mmap(NULL, page + MOST, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    sampler->ring = ring == MAP_FAILED ? NULL : ring;
    return sampler->ring != NULL;
}

/* Code in memory, and its file. */
struct code {
    uint64_t begin, end, offset; /* offset: in the file, of begin */
    const char *path;
    const uint8_t *bytes; /* of the file; NULL: there is none */
    size_t size;
};

/* A record of the kernel's of new code. */
struct mapped {
    struct perf_event_header header;
    uint32_t pid, tid;
    uint64_t begin, size, offset, device, inode, generation;
    uint32_t protection, flags;
    char path[];
};

static struct code code_of(const struct mapped *mapped)
{
    struct code code = {mapped->begin,  mapped->begin + mapped->size,
                        mapped->offset, mapped->path,
                        NULL,           0};
    struct stat stat;
    void *bytes;
    int fd;

    if (mapped->path[0] != '/' || mapped->path[1] == '/')
        return code;
    fd = open(mapped->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return code;
    if (fstat(fd, &stat) == 0 && stat.st_size > 0) {
        bytes = mmap(NULL, (size_t)stat.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (bytes != MAP_FAILED) {
            code.bytes = bytes;
            code.size = (size_t)stat.st_size;
        }
    }
    close(fd);
    return code;
}

/* The address of a byte as the file has it; false: it is no code of it. */
static bool address_of(const struct code *code, uint64_t offset,
                       uint64_t *address)
{
    const Elf64_Ehdr *file = (const void *)code->bytes;
    const Elf64_Phdr *part;

    if (code->bytes == NULL || code->size < sizeof *file ||
        memcmp(file->e_ident, ELFMAG, SELFMAG) != 0 ||
        file->e_phoff > code->size ||
        file->e_phnum > (code->size - file->e_phoff) / sizeof *part)
        return false;
    part = (const void *)(code->bytes + file->e_phoff);
    for (const Elf64_Phdr *end = part + file->e_phnum; part < end; part++) {
        if (part->p_type != PT_LOAD || offset < part->p_offset ||
            offset - part->p_offset >= part->p_filesz)
            continue;
        *address = offset - part->p_offset + part->p_vaddr;
        return true;
    }
    return false;
}

/* Is there the return from the kernel? An interrupt that comes while the kernel
   lets none in lies there. */
static bool after_system_call(const struct code *code, uint64_t offset)
{
    return offset >= 2 && offset <= code->size &&
           memcmp(code->bytes + offset - 2, "\x0f\x05", 2) == 0;
}

/* Writes a sample of the user's; false: it is the kernel's. */
static bool write_sample(const struct code *codes, size_t n, uint64_t at,
                         FILE *out)
{
    uint64_t offset, address;

    while (n > 0 && (at < codes[n - 1].begin || at >= codes[n - 1].end))
        n--;
    if (n > 0) {
        const struct code *code = &codes[n - 1];

        offset = at - code->begin + code->offset;
        if (address_of(code, offset, &address)) {
            if (after_system_call(code, offset))
                return false;
            fprintf(out, "sample\t%s\t%" PRIu64 "\n", code->path, address);
            return true;
        }
    }
    fputs("other\n", out);
    return true;
}

bool sampler_write(const struct sampler *sampler, FILE *out)
{
    static struct code codes[4096];
    const struct perf_event_mmap_page *ring = sampler->ring;
    uint64_t end = __atomic_load_n(&ring->data_head, __ATOMIC_ACQUIRE);
    const char *data = (const char *)ring + ring->data_offset;
    size_t n_codes = 0, n_kernel = 0;
    const struct perf_event_header *record;

    /* Nothing is lost, and no record begins anew, before it is full. */
    if (end > MOST - 65536)
        return false;
    for (uint64_t at = 0; at < end; at += record->size) {
        record = (const void *)(data + at);
        if (record->type == PERF_RECORD_MMAP2 &&
            n_codes < sizeof codes / sizeof *codes) {
            codes[n_codes++] = code_of((const void *)record);
        } else if (record->type == PERF_RECORD_SAMPLE) {
            uint64_t where;

            memcpy(&where, record + 1, sizeof where);
            if ((record->misc & PERF_RECORD_MISC_CPUMODE_MASK) !=
                    PERF_RECORD_MISC_USER ||
                !write_sample(codes, n_codes, where, out))
                n_kernel++;
        }
    }
    fprintf(out, "kernel\t%zu\n", n_kernel);
    return true;
}
