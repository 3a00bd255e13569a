/*
 * Code that may confuse a tool about which functions are on the stack.
 *
 * Recording is confined to functions called kernel_*.  An instruction with a
 * label in_* is executed while one of them is on the stack, one with a label
 * out_* while none is; each increments a counter of its own.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Executes the instruction at the label n times. */
#define TIMES(n, label)                                     \
    do {                                                    \
        long left = (n);                                    \
        __asm__ volatile(".lcomm n_" #label ", 4\n" #label  \
                         ": addl $1, n_" #label "(%%rip)\n" \
                         "dec %0\njnz " #label              \
                         : "+r"(left)::"memory", "cc");     \
    } while (0)
#define COUNT(label) TIMES(1, label)
#define FUNCTION     __attribute__((noipa)) static void

static jmp_buf jump_target, inner_target;
static sigjmp_buf handler_target;

/* Recursion. */
FUNCTION kernel_recursive(int depth)
{
    COUNT(in_before_recursion);
    if (depth > 0)
        kernel_recursive(depth - 1);
    COUNT(in_after_recursion);
}

/* Jumps out of the function, and within it, by longjmp. */
FUNCTION jump(jmp_buf to)
{
    COUNT(in_jumper);
    longjmp(to, 1);
}

FUNCTION kernel_left_by_jump(void)
{
    COUNT(in_before_jump);
    jump(jump_target);
}

FUNCTION kernel_with_jump(void)
{
    if (setjmp(inner_target) == 0)
        jump(inner_target);
    COUNT(in_after_inner_jump);
}

FUNCTION jumps(void)
{
    if (setjmp(jump_target) == 0)
        kernel_left_by_jump();
    COUNT(out_after_jump);
    kernel_with_jump();
    COUNT(out_after_inner_jump);
}

/* Tail calls of the function and by it; code that falls into it; and a function
   that follows changes of the stack pointer, and makes some, without an access
   in between. */
void tail_caller(void), tail_called(void), falls(void), shifts(void);
void kernel_tail(void);
__asm__(".text\n"
        ".type kernel_tail, @function\n"
        "kernel_tail: jmp tail_called\n"
        ".size kernel_tail, . - kernel_tail\n"
        ".type tail_caller, @function\n"
        "tail_caller: jmp kernel_tail\n"
        ".size tail_caller, . - tail_caller\n"
        ".type falls, @function\n"
        "falls: incl n_fall(%rip)\n"
        "out_fall: incl n_fall(%rip)\n"
        ".size falls, . - falls\n"
        ".type kernel_fall, @function\n"
        "kernel_fall: incl n_fall(%rip)\n"
        "in_fall: incl n_fall(%rip)\n"
        "ret\n"
        ".size kernel_fall, . - kernel_fall\n"
        ".type shifts, @function\n"
        "shifts: sub $24, %rsp\n"
        "mov n_fall(%rip), %eax\n"
        "add $24, %rsp\n"
        ".size shifts, . - shifts\n"
        ".type kernel_shift, @function\n"
        "kernel_shift: sub $24, %rsp\n"
        "test %rax, %rax\n"
        "js 1f\n"
        "1: add $24, %rsp\n"
        "test %rsp, %rsp\n"
        "js 2f\n"
        "jmp 2f\n"
        "2: incl n_fall(%rip)\n"
        "in_shift: incl n_fall(%rip)\n"
        "ret\n"
        ".size kernel_shift, . - kernel_shift\n"
        ".lcomm n_fall, 4\n");

__attribute__((noipa)) void tail_called(void)
{
    COUNT(in_tail);
}

FUNCTION tails(void)
{
    kernel_tail();
    COUNT(out_after_tail);
    tail_caller();
    COUNT(out_after_tail_caller);
    falls();
    COUNT(out_after_fall);
    shifts();
    COUNT(out_after_shift);
}

/* Threads: one is inside while another is outside, in turns and in time slices.
   A thread that is created inside starts outside. */
static int to_main[2], to_thread[2];
static char byte;

FUNCTION kernel_in_thread(void)
{
    TIMES(2, in_thread);
    if (write(to_main[1], &byte, 1) != 1 || read(to_thread[0], &byte, 1) != 1)
        abort();
    TIMES(2, in_thread_later);
    if (write(to_main[1], &byte, 1) != 1)
        abort();
    TIMES(300000, in_slices);
}

static void *thread(void *unused)
{
    kernel_in_thread();
    TIMES(300000, out_after_slices);
    return unused;
}

FUNCTION kernel_ends_thread(void)
{
    COUNT(in_ending_thread);
    syscall(SYS_exit, 0);
}

/* Ends inside the function.  The next thread gets the number of this one. */
static void *ends_inside(void *unused)
{
    kernel_ends_thread();
    return unused;
}

static void *begins_outside(void *unused)
{
    COUNT(out_of_new_thread);
    return unused;
}

/* Runs a thread on one of two stacks; the second has the higher addresses. */
static void run_thread(void *(*function)(void *), int stack)
{
    static char stacks[2][65536] __attribute__((aligned(64)));
    pthread_attr_t attr;
    pthread_t t;

    pthread_attr_init(&attr);
    pthread_attr_setstack(&attr, stacks[stack], sizeof stacks[stack]);
    if (pthread_create(&t, &attr, function, NULL) != 0)
        abort();
    pthread_join(t, NULL);
}

FUNCTION kernel_begins_thread(void)
{
    run_thread(begins_outside, 0);
    COUNT(in_after_join);
}

FUNCTION threads(void)
{
    pthread_t t;

    if (pipe(to_main) != 0 || pipe(to_thread) != 0)
        abort();
    pthread_create(&t, NULL, thread, NULL);
    if (read(to_main[0], &byte, 1) != 1)
        abort();
    TIMES(200000, out_while_other_waits);
    if (write(to_thread[1], &byte, 1) != 1 || read(to_main[0], &byte, 1) != 1)
        abort();
    TIMES(300000, out_in_slices);
    pthread_join(t, NULL);
    kernel_begins_thread();
    run_thread(ends_inside, 1);
    run_thread(begins_outside, 0);
    COUNT(out_after_join);
}

/* Signal handlers, on the stack and on alternate ones. */
FUNCTION count_in_handler(void)
{
    COUNT(in_handler);
}

static void handler(int n)
{
    (void)n;
    count_in_handler();
}

FUNCTION kernel_in_handler(int leave)
{
    TIMES(3, in_kernel_of_handler);
    if (leave)
        siglongjmp(handler_target, 1);
}

static void calling_handler(int n)
{
    TIMES(3, out_handler_before);
    kernel_in_handler(n == SIGUSR2);
    TIMES(3, out_handler_after);
}

FUNCTION kernel_interrupted(void)
{
    TIMES(2, in_before_signal);
    raise(SIGUSR1);
    TIMES(2, in_after_signal);
}

FUNCTION handle(int signal, void (*function)(int), void *stack)
{
    stack_t s = {.ss_sp = stack, .ss_size = 65536};
    struct sigaction action = {.sa_handler = function, .sa_flags = SA_ONSTACK};

    if (stack == NULL)
        s.ss_flags = SS_DISABLE;
    if (sigaltstack(&s, NULL) != 0)
        abort();
    sigaction(signal, &action, NULL);
}

/* Raises signals, with an alternate stack or NULL. */
static void *signals(void *stack)
{
    handle(SIGUSR1, handler, stack);
    kernel_interrupted();
    TIMES(2, out_after_interruption);
    handle(SIGUSR1, calling_handler, stack);
    handle(SIGUSR2, calling_handler, stack);
    raise(SIGUSR1);
    TIMES(2, out_after_handler);
    if (sigsetjmp(handler_target, 1) == 0)
        raise(SIGUSR2);
    TIMES(2, out_after_jump_from_handler);
    kernel_recursive(1);
    TIMES(2, out_after_handlers);
    return NULL;
}

/* Forks inside the function: the child is inside. */
FUNCTION kernel_forks(void)
{
    pid_t child = fork();

    COUNT(in_after_fork);
    if (child == 0)
        return;
    waitpid(child, NULL, 0);
}

/* Valgrind 3.19 may fail to grow the stack for a signal's frame, but not here.
 */
static __attribute__((noinline)) void grow_stack(void)
{
    volatile char pages[65536];

    for (size_t i = sizeof pages; i > 0; i -= 1024)
        pages[i - 1] = 0;
}

int main(void)
{
    static char below[65536]; /* below all stacks */
    char above[65536];        /* above the threads' stacks */
    pthread_t t;

    grow_stack();
    COUNT(out_at_first);
    kernel_recursive(5);
    COUNT(out_after_recursion);
    jumps();
    tails();
    threads();
    signals(NULL);
    signals(below);
    pthread_create(&t, NULL, signals, above);
    pthread_join(t, NULL);
    kernel_forks();
    COUNT(out_after_fork);
    return 0;
}
