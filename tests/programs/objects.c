/* Code from many places:  objects WAY [ARGUMENT...] */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

__attribute__((noinline)) void work(int n)
{
    static volatile long counter;

    for (int i = 0; i < n; i++)
        counter++;
}

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static void *load(const char *path, void (**function)(int))
{
    void *library = dlopen(path, RTLD_NOW);

    if (library == NULL)
        fail(dlerror());
    *function = (void (*)(int))dlsym(library, "work_in_library");
    if (*function == NULL)
        fail(dlerror());
    return library;
}

/* Loads and unloads the libraries one after the other, all at one address. */
static void in_turn(char **path)
{
    void (*function)(int), (*before)(int) = NULL;

    for (int n = 101; *path != NULL; path++, n += 100) {
        void *library = load(*path, &function);

        if (before != NULL && function != before)
            fail("not at the same address");
        before = function;
        function(n);
        dlclose(library);
    }
}

/* Loads a library from a path several times, each time from another file. */
static void replace_path(char **path)
{
    void (*function)(int);

    for (int n = 101; *path != NULL; path++, n += 100) {
        void *library;

        rename(*path, "./library.so");
        library = load("./library.so", &function);
        function(n);
        dlclose(library);
        unlink("./library.so");
    }
}

/* Removes a library after its code has run, and runs other code of the library
   after another one was mapped. */
static void remove_used(char **path)
{
    void (*function)(int), (*other)(int);

    load(path[0], &function);
    function(101);
    unlink(path[0]);
    load(path[1], &other);
    other(11);
    function(-101);
}

/* Loads a library, puts another file, or none, at its path before its code
   first runs, and runs the code, again after another library was loaded. */
static void lose(char **path)
{
    void (*function)(int), (*other)(int);

    load(path[0], &function);
    if (path[2] != NULL)
        rename(path[2], path[0]);
    else
        unlink(path[0]);
    function(101);
    load(path[1], &other);
    function(101);
}

/* Code that counts edi down in memory on the stack. */
static const unsigned char code[] = {
    0x48, 0x83, 0xec, 0x10,       /* sub $16, %rsp */
    0x89, 0x3c, 0x24,             /* mov %edi, (%rsp) */
    0xff, 0x0c, 0x24,             /* 1: decl (%rsp) */
    0x75, 0xfb,                   /* jnz 1b */
    0x48, 0x83, 0xc4, 0x10, 0xc3, /* add $16, %rsp; ret */
};

/* Runs code without a file, and then code from a file that is not ELF. */
static void generated(int fd)
{
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                      fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, fd, 0);

    if (page == MAP_FAILED)
        fail("mmap");
    memcpy(page, code, sizeof code);
    ((void (*)(int))page)(1001);
}

int main(int argc, char **argv)
{
    struct timespec now;
    int fd;

    if (argc < 2)
        return 2;
    if (strcmp(argv[1], "turn") == 0) {
        in_turn(argv + 2);
    } else if (strcmp(argv[1], "replace") == 0) {
        replace_path(argv + 2);
    } else if (strcmp(argv[1], "lose") == 0) {
        lose(argv + 2);
    } else if (strcmp(argv[1], "remove") == 0) {
        remove_used(argv + 2);
    } else if (strcmp(argv[1], "generated") == 0) {
        generated(-1);
    } else if (strcmp(argv[1], "memory") == 0) {
        fd = memfd_create("code", 0);
        if (fd < 0 || ftruncate(fd, 4096) != 0)
            fail("memfd_create");
        generated(fd);
    } else if (strcmp(argv[1], "self") == 0) {
        if (unlink(argv[0]) != 0)
            fail("unlink");
        work(101);
    } else if (strcmp(argv[1], "clock") == 0) {
        for (int i = 0; i < 10; i++)
            clock_gettime(CLOCK_MONOTONIC, &now);
    } else {
        work(101);
    }
    return 0;
}
