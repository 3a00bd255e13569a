/*
 * Many of something, one after the other:
 *
 *     many objects N     files of code, each with its own path and build-id
 *     many threads N     threads
 *     many words N       words of memory, all stored to and then all loaded
 *
 * The instructions at the labels `step`, `store` and `load` are executed N
 * times.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

/* A file of code, as small as ELF allows: incq (%rdi); ret. */
struct object {
    Elf64_Ehdr header;
    Elf64_Phdr code, note;
    struct {
        Elf64_Nhdr header;
        char name[4];
        unsigned id;
    } build_id;
    unsigned char instructions[4];
};

static void run_object(unsigned i, volatile long *counter)
{
    struct object o = {
        .header = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1},
                   .e_type = ET_DYN,
                   .e_machine = EM_X86_64,
                   .e_version = 1,
                   .e_phoff = offsetof(struct object, code),
                   .e_ehsize = sizeof o.header,
                   .e_phentsize = sizeof o.code,
                   .e_phnum = 2},
        .code = {PT_LOAD, PF_R | PF_X, 0, 0, 0, sizeof o, sizeof o, 4096},
        .note = {PT_NOTE, PF_R, offsetof(struct object, build_id), 0, 0,
                 sizeof o.build_id, sizeof o.build_id, 4},
        .build_id = {{4, 4, NT_GNU_BUILD_ID}, "GNU", i},
        .instructions = {0x48, 0xff, 0x07, 0xc3}};
    char path[32];
    void *mapped;
    int fd;

    snprintf(path, sizeof path, "object-%u", i);
    fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || write(fd, &o, sizeof o) != sizeof o)
        fail(path);
    mapped = mmap(NULL, sizeof o, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
    close(fd);
    if (mapped == MAP_FAILED)
        fail("mmap");
    ((void (*)(volatile long *))(
        (char *)mapped + offsetof(struct object, instructions)))(counter);
    munmap(mapped, sizeof o);
    unlink(path);
}

static void *run_thread(void *counter)
{
    __asm__ volatile("step: incq (%0)" ::"r"(counter) : "memory", "cc");
    return NULL;
}

static void run_words(unsigned long n)
{
    unsigned long i = 0, size = n * sizeof(long);
    long *words = mmap(NULL, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (words == MAP_FAILED)
        fail("mmap");
    __asm__ volatile("store: movq %0, (%1,%0,8)\n"
                     "incq %0\n"
                     "cmpq %2, %0\n"
                     "jb store\n"
                     "xorl %k0, %k0\n"
                     "load: movq (%1,%0,8), %%rax\n"
                     "incq %0\n"
                     "cmpq %2, %0\n"
                     "jb load"
                     : "+r"(i)
                     : "r"(words), "r"(n)
                     : "rax", "memory", "cc");
}

int main(int argc, char **argv)
{
    unsigned long n = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
    volatile long counter = 0;
    pthread_t thread;

    if (n > 0 && strcmp(argv[1], "objects") == 0)
        for (unsigned i = 0; i < n; i++)
            run_object(i, &counter);
    else if (n > 0 && strcmp(argv[1], "threads") == 0)
        for (unsigned long i = 0; i < n; i++) {
            if (pthread_create(&thread, NULL, run_thread, (void *)&counter) !=
                0)
                fail("pthread_create");
            pthread_join(thread, NULL);
        }
    else if (n > 0 && strcmp(argv[1], "words") == 0)
        run_words(n), counter = (long)n;
    return counter > 0 && (unsigned long)counter == n ? 0 : 1;
}
