/*
 * rounds: runs blocks as BHive's harness does, for depsim to record windows of.
 *
 * Every page that a block touches is the same page of memory, whose words have
 * one value, as have all registers but the stack and frame pointers.  A first
 * run maps pages at its faults; the second, which has none, is recorded.  For
 * each block it prints "done", or what went wrong.
 *
 * The blocks are functions of another file, which `blocks windows` writes.
 *
 * Limits: BHive begins anew after 100 or 200 rounds, this after as many as a
 * window needs, so that pointers get further.  A load from the code gets the
 * bytes of the code.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "depsim.h"

#define START      UINT64_C(0x2324000) /* what BHive sets registers to */
#define PAGE       UINT64_C(4096)
#define MOST_PAGES 1024 /* as in BHive */

struct block {
    const char *code;
    uint64_t times; /* rounds of its loop */
};

extern const struct block blocks[];
extern const uint64_t n_blocks;

/* Runs code in a loop until it jumps to rounds_done. */
void rounds_run(const char *code, uint64_t times);

uint64_t rounds_left;
static sigjmp_buf given_up;
static const char *volatile why;
static uint64_t pages[MOST_PAGES];
static volatile unsigned n_pages;
static int memory;

__asm__(".text\n"
        ".globl rounds_run, rounds_done\n"
        "rounds_run:\n"
        "    push %rbx\n    push %rbp\n    push %r12\n    push %r13\n"
        "    push %r14\n    push %r15\n"
        "    mov %rsp, stack(%rip)\n"
        "    mov %rdi, target(%rip)\n"
        "    mov %rsi, rounds_left(%rip)\n"
        "    vzeroall\n"
        "    mov $0x2324000, %eax\n"
        "    mov %rax, %rbx\n    mov %rax, %rcx\n    mov %rax, %rdx\n"
        "    mov %rax, %rsi\n    mov %rax, %rdi\n    mov %rax, %r8\n"
        "    mov %rax, %r9\n    mov %rax, %r10\n    mov %rax, %r11\n"
        "    mov %rax, %r12\n    mov %rax, %r13\n    mov %rax, %r14\n"
        "    mov %rax, %r15\n"
        "    lea 2048(%rax), %rsp\n"
        "    lea 2032(%rax), %rbp\n"
        "    test %rax, %rax\n"
        "    jmp *target(%rip)\n"
        "rounds_done:\n"
        "    mov stack(%rip), %rsp\n"
        "    cld\n"
        "    pop %r15\n    pop %r14\n    pop %r13\n    pop %r12\n"
        "    pop %rbp\n    pop %rbx\n"
        "    ret\n"
        ".local stack, target\n"
        ".comm stack, 8\n"
        ".comm target, 8\n");

static void give_up(const char *reason)
{
    why = reason;
    siglongjmp(given_up, 1);
}

/* Maps the page of a fault, or gives the block up. */
static void caught(int number, siginfo_t *info, void *context)
{
    uint64_t page = (uint64_t)info->si_addr & ~(PAGE - 1);

    (void)context;
    if (number != SIGSEGV)
        give_up(strsignal(number));
    for (unsigned i = 0; i < n_pages; i++)
        if (pages[i] == page)
            give_up("faulted again");
    if (n_pages == MOST_PAGES)
        give_up("wanted too many pages");
    if (mmap((void *)page, PAGE, PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_FIXED_NOREPLACE, memory, 0) != (void *)page)
        give_up("wanted a page of the program");
    pages[n_pages++] = page;
}

static void forget_pages(void)
{
    for (unsigned i = 0; i < n_pages; i++)
        munmap((void *)pages[i], PAGE);
    n_pages = 0;
}

static void fill(uint64_t *words)
{
    for (size_t i = 0; i < PAGE / sizeof *words; i++)
        words[i] = START;
}

static void run(const struct block *b, uint64_t *words)
{
    if (sigsetjmp(given_up, 1) != 0) {
        DEPSIM_STOP;
        puts(why);
        forget_pages();
        return;
    }
    fill(words);
    rounds_run(b->code, b->times);
    fill(words);
    DEPSIM_START;
    rounds_run(b->code, b->times);
    DEPSIM_STOP;
    puts("done");
    forget_pages();
}

int main(void)
{
    static char handler_stack[1 << 16];
    const stack_t other = {.ss_sp = handler_stack,
                           .ss_size = sizeof handler_stack};
    struct sigaction action = {.sa_sigaction = caught,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK};
    const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
    uint64_t *words;

    memory = memfd_create("page", 0);
    if (memory < 0 || ftruncate(memory, (off_t)PAGE) != 0)
        return 2;
    words = mmap((void *)START, PAGE, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_FIXED_NOREPLACE, memory, 0);
    if (words != (void *)START || sigaltstack(&other, NULL) != 0)
        return 2;
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        if (sigaction(signals[i], &action, NULL) != 0)
            return 2;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (uint64_t i = 0; i < n_blocks; i++)
        run(&blocks[i], words);
    return 0;
}
