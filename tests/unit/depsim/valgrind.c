/* The functions of Valgrind that depsim's pure parts use, on top of the C
   library. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/ds_memory.h"
#include "base/ds_options.h"

/* The C library's macros would break Valgrind's headers if they came first. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "depsim/valgrind.h"

/* Reports no leaks: like Valgrind's tools, depsim frees nothing at its end. */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

Word ds_valgrind_system_call(Word number, Word a, Word b, Word c, Word d,
                             Word e, Word f)
{
    Word result = syscall(number, a, b, c, d, e, f);

    return result == -1 ? -errno : result;
}

void *ds_valgrind_map(SizeT size)
{
    return calloc(1, size);
}

void ds_valgrind_note_mapped(Addr a, SizeT n, Bool is_mapped)
{
    (void)a, (void)n, (void)is_mapped;
}

bool has_no_files;

SysRes VG_(open)(const HChar *path, Int flags, Int mode)
{
    int fd = has_no_files ? -1 : open(path, flags, mode);

    return (SysRes){._val = (UWord)fd, ._isError = fd < 0};
}

Int VG_(getrlimit)(Int number, struct vki_rlimit *limit)
{
    return (Int)syscall(SYS_getrlimit, number, limit);
}

Int VG_(setrlimit)(Int number, const struct vki_rlimit *limit)
{
    return (Int)syscall(SYS_setrlimit, number, limit);
}

void VG_(close)(Int fd)
{
    close(fd);
}

Int VG_(read)(Int fd, void *buffer, Int n)
{
    return (Int)read(fd, buffer, (size_t)n);
}

Off64T VG_(lseek)(Int fd, Off64T offset, Int whence)
{
    return lseek(fd, offset, whence);
}

/* Maps shadow memory at a fault, as core/ds_main does. */
static void fault(int number, siginfo_t *info, void *context)
{
    (void)number, (void)context;
    if (!ds_reserve_open((Addr)info->si_addr))
        abort();
}

static __attribute__((constructor)) void catch_faults(void)
{
    struct sigaction action = {.sa_sigaction = fault, .sa_flags = SA_SIGINFO};

    sigaction(SIGSEGV, &action, NULL);
}

/* Keeps cmocka from setting its own handler before each case. */
__sighandler_t signal(int number, __sighandler_t handler)
{
    struct sigaction action = {.sa_handler = handler}, old;

    if (number == SIGSEGV)
        return SIG_DFL;
    return sigaction(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

jmp_buf *on_refusal;

void ds_message_refuse(const HChar *format, ...)
{
    (void)format;
    if (on_refusal != NULL)
        longjmp(*on_refusal, 1);
    abort();
}

void *VG_(memcpy)(void *to, const void *from, SizeT n)
{
    for (SizeT i = 0; i < n; i++)
        ((UChar *)to)[i] = ((const UChar *)from)[i];
    return to;
}

void *VG_(memset)(void *to, Int value, SizeT n)
{
    return memset(to, value, n);
}

Int VG_(memcmp)(const void *a, const void *b, SizeT n)
{
    return memcmp(a, b, n);
}

void *VG_(calloc)(const HChar *cost_centre, SizeT n, SizeT size)
{
    (void)cost_centre;
    return calloc(n, size);
}

void *VG_(malloc)(const HChar *cost_centre, SizeT size)
{
    (void)cost_centre;
    return malloc(size);
}

void *VG_(realloc)(const HChar *cost_centre, void *p, SizeT size)
{
    (void)cost_centre;
    return realloc(p, size);
}

void VG_(free)(void *p)
{
    free(p);
}

void VG_(assert_fail)(Bool is_core, const HChar *expr, const HChar *file,
                      Int line, const HChar *fn, const HChar *format, ...)
{
    (void)is_core, (void)format;
    fprintf(stderr, "%s:%d: %s: %s does not hold\n", file, line, fn, expr);
    abort();
}
