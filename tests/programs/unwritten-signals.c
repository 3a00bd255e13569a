/* What the kernel writes to deliver a signal, over bytes that were stored to
   before; see unwritten.h. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "unwritten.h"

#define PAGE 4096
#define SIZE (64 * 1024)
/* Bytes of the kernel's part of a ucontext_t; the C library extends it. */
#define CONTEXT_SIZE (offsetof(ucontext_t, uc_sigmask) + 8)
#define FLOATS_SIZE  512 /* bytes for x87 and SSE */

CASE(info)
CASE(context)
CASE(floats)
CASE(fault_info)
CASE(fault_context)
CASE(alternate_info)
CASE(alternate_context)

typedef void stores(volatile char *p, size_t n);
typedef void loads(const volatile char *p, size_t n);
typedef void keeps(volatile char *p);
typedef void looks(const volatile char *p);

/* The part that is tested, the functions of its case, and where it stores. */
static enum { INFO, CONTEXT, FLOATS } part;
static loads *load;
static looks *look;
static volatile char *area;
static char *guarded; /* cannot be accessed until the handler allows it */
static volatile bool handled;

static void handler(int n, siginfo_t *info, void *context)
{
    ucontext_t *c = context;
    volatile char *p = part == INFO ? (volatile char *)info
                       : part == CONTEXT
                           ? (volatile char *)context
                           : (volatile char *)c->uc_mcontext.fpregs;
    size_t size = part == INFO      ? sizeof(siginfo_t)
                  : part == CONTEXT ? CONTEXT_SIZE
                                    : FLOATS_SIZE;

    if (n == SIGSEGV)
        mprotect(guarded, PAGE, PROT_READ | PROT_WRITE);
    if (p < area || p + size > area + SIZE)
        _exit(2); /* the test would prove nothing */
    load(p, size);
    look(area);
    look(area + 1);
    handled = true;
}

/* Fills the area; the signal's frame will lie far above its first two bytes. */
ALONE static void fill(volatile char *p, stores *store, keeps *keep)
{
    area = p;
    store(p, SIZE);
    keep(p);
    keep(p + 1);
}

/* Stores to where the stack will be when the signal comes. */
ALONE static void fill_stack(stores *store, keeps *keep)
{
    volatile char deep[SIZE];

    fill(deep, store, keep);
}

ALONE static void send(int signal)
{
    if (signal == SIGSEGV)
        *(volatile char *)guarded = 1;
    else
        syscall(SYS_tgkill, getpid(), getpid(), signal);
}

static void deliver(const char *name, int signal, int flags)
{
    struct sigaction action = {.sa_sigaction = handler};

    action.sa_flags = SA_SIGINFO | flags;
    sigaction(signal, &action, NULL);
    handled = false;
    send(signal);
    if (!handled)
        unwritten_fails(name);
    mprotect(guarded, PAGE, PROT_NONE);
}

#define DELIVER(name, which, signal, flags)             \
    do {                                                \
        part = which;                                   \
        load = load_##name;                             \
        look = look_##name;                             \
        if (((flags)&SA_ONSTACK) != 0)                  \
            fill(alternate, store_##name, keep_##name); \
        else                                            \
            fill_stack(store_##name, keep_##name);      \
        deliver(#name, signal, flags);                  \
    } while (0)

int main(void)
{
    static char alternate[SIZE];
    stack_t stack = {.ss_sp = alternate, .ss_size = SIZE};

    guarded = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (guarded == MAP_FAILED || sigaltstack(&stack, NULL) != 0)
        unwritten_fails("main");
    DELIVER(info, INFO, SIGUSR1, 0);
    DELIVER(context, CONTEXT, SIGUSR1, 0);
    DELIVER(floats, FLOATS, SIGUSR1, 0);
    DELIVER(fault_info, INFO, SIGSEGV, 0);
    DELIVER(fault_context, CONTEXT, SIGSEGV, 0);
    DELIVER(alternate_info, INFO, SIGUSR1, SA_ONSTACK);
    DELIVER(alternate_context, CONTEXT, SIGUSR1, SA_ONSTACK);
    return 0;
}
