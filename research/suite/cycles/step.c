/* step: which instructions of a function execute how often, by single steps. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "step.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define FEW  192 /* rounds; both leave vector loops the same remainder */
#define MANY 448

#define LONGEST 15 /* bytes of the longest instruction of x86 */

/* From the linker: the program's first byte, and the end of its code. */
extern const char __ehdr_start[], etext[];

static struct {
    uint32_t *counts; /* executions, by address */
    uint32_t *passed; /* the next instruction, if it follows; 0: never */
    uint32_t *jumped; /* the next instruction, if it is elsewhere; 0: never */
    size_t size, last;
} steps;

static void on_step(int signal, siginfo_t *info, void *context)
{
    const ucontext_t *u = context;
    uintptr_t at =
        (uintptr_t)u->uc_mcontext.gregs[REG_RIP] - (uintptr_t)__ehdr_start;

    (void)signal;
    (void)info;
    if (at >= steps.size)
        return;
    steps.counts[at]++;
    if (steps.last < steps.size) {
        if (at > steps.last && at - steps.last <= LONGEST)
            steps.passed[steps.last] = (uint32_t)at;
        else
            steps.jumped[steps.last] = (uint32_t)at;
    }
    steps.last = at;
}

/* Changes the flags, on the stack beyond the red zone. */
#define CHANGE_FLAGS(instruction)                    \
    __asm__ volatile("lea -128(%%rsp), %%rsp\n\t"    \
                     "pushfq\n\t" instruction "\n\t" \
                     "popfq\n\t"                     \
                     "lea 128(%%rsp), %%rsp"         \
                     :                               \
                     :                               \
                     : "memory", "cc")

static void run(const struct loop *loop, void *data, long n)
{
    steps.last = SIZE_MAX;
    CHANGE_FLAGS("orq $0x100, (%%rsp)"); /* the trap flag */
    loop->run(n, data);
    CHANGE_FLAGS("andq $~0x100, (%%rsp)");
}

/* The length of an instruction that only ever was a taken jump. */
static size_t jump_length(const unsigned char *code)
{
    if (code[0] == 0x0f)
        return 6;
    return code[0] == 0xe9 ? 5 : 2;
}

/* Do the instructions from first to last run in order, and then the first? */
static int is_circle(size_t first, size_t last, unsigned n_insns)
{
    size_t at = first;

    for (unsigned i = 1; i < n_insns; i++) {
        if (steps.passed[at] == 0 || steps.jumped[at] != 0)
            return 0;
        at = steps.passed[at];
    }
    return at == last && steps.jumped[last] == first;
}

/* Finds the loop from counts of more rounds minus those of fewer.  What
   executes less than a quarter as often as the most frequent instruction is not
   in the loop. */
static int find(struct step_loop *found)
{
    size_t first = SIZE_MAX, last = 0;
    uint32_t most = 0;
    int alike = 1;

    *found = (struct step_loop){0};
    for (size_t i = 0; i < steps.size; i++)
        most = steps.counts[i] > most ? steps.counts[i] : most;
    if (most == 0)
        return -1;
    for (size_t i = 0; i < steps.size; i++) {
        if (steps.counts[i] == 0 || steps.counts[i] < most / 4)
            continue;
        first = first == SIZE_MAX ? i : first;
        last = i;
        found->n_insns++;
        alike &= steps.counts[i] == most;
    }
    found->single = alike && is_circle(first, last, found->n_insns);
    found->start = first;
    found->end =
        steps.passed[last] != 0
            ? steps.passed[last]
            : last + jump_length((const unsigned char *)__ehdr_start + last);
    found->rounds = (double)most / (MANY - FEW);
    return 0;
}

int step_find(const struct loop *loop, void *data, struct step_loop *found)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO}, before;
    uint32_t *fewer;
    int status;

    steps.size = (size_t)(etext - __ehdr_start);
    steps.counts = calloc(4 * steps.size, sizeof *steps.counts);
    if (steps.counts == NULL)
        abort();
    steps.passed = steps.counts + steps.size;
    steps.jumped = steps.passed + steps.size;
    fewer = steps.jumped + steps.size;
    action.sa_sigaction = on_step;
    sigaction(SIGTRAP, &action, &before);
    run(loop, data, FEW);
    memcpy(fewer, steps.counts, steps.size * sizeof *fewer);
    memset(steps.counts, 0, steps.size * sizeof *fewer);
    run(loop, data, MANY);
    sigaction(SIGTRAP, &before, NULL);
    for (size_t i = 0; i < steps.size; i++)
        steps.counts[i] -=
            steps.counts[i] > fewer[i] ? fewer[i] : steps.counts[i];
    status = find(found);
    free(steps.counts);
    return status;
}
