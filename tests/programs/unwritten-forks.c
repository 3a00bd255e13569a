/* The words where clone puts the number of a new process or thread: in the
   parent's memory, in the child's, or in what they share; see unwritten.h. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unwritten.h"

#define THREAD \
    (CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD)

static char area[1 << 14];
static char *const at = area + 4096; /* where all calls write */

/* Clones a process with a pair of words.  True in the parent, after the child
   has ended. */
static int parent(unsigned long flags, char *parent_word, char *child_word)
{
    long pid =
        syscall(SYS_clone, flags | SIGCHLD, 0, parent_word, child_word, 0);

    if (pid == 0)
        _exit(0);
    return waitpid((pid_t)pid, NULL, 0) == pid;
}

/* As parent(), but true in the child; the parent waits for it and ends. */
static int child(unsigned long flags, char *parent_word, char *child_word)
{
    long pid =
        syscall(SYS_clone, flags | SIGCHLD, 0, parent_word, child_word, 0);

    if (pid == 0)
        return 1;
    _exit(waitpid((pid_t)pid, NULL, 0) != pid);
}

/* Runs `work` in a child process, which may end in it. */
static void apart(void (*work)(void))
{
    pid_t pid = fork();

    if (pid == 0) {
        work();
        _exit(0);
    }
    if (waitpid(pid, NULL, 0) != pid)
        unwritten_fails("fork");
}

static void child_word(void)
{
    TRY(child_word_in_child, at, sizeof(int),
        child(CLONE_CHILD_SETTID, NULL, at));
}

static void parent_word(void)
{
    TRY(kept_parent_word_in_child, at, sizeof(int),
        child(CLONE_PARENT_SETTID, at, NULL));
}

/* Has nothing but the thread's stack, so it must not use the C library. */
static int nothing(void *unused)
{
    (void)unused;
    __asm__ volatile("syscall" ::"a"(SYS_exit), "D"(0) : "rcx", "r11");
    return 0;
}

static int thread(int flags, char *parent_word, char *child_word)
{
    static char stack[1 << 14] __attribute__((aligned(16)));

    return clone(nothing, stack + sizeof(stack), THREAD | flags, NULL,
                 parent_word, NULL, child_word) > 0;
}

int main(void)
{
    apart(child_word);
    apart(parent_word);
    TRY(kept_child_word_in_parent, at, sizeof(int),
        parent(CLONE_CHILD_SETTID, NULL, at));
    TRY(parent_word_in_parent, at, sizeof(int),
        parent(CLONE_PARENT_SETTID, at, NULL));
    TRY(kept_word_to_clear, at, sizeof(int),
        parent(CLONE_CHILD_CLEARTID, NULL, at));
    TRY(kept_spawned_child_word, at, sizeof(int),
        parent(CLONE_CHILD_SETTID | CLONE_VFORK, NULL, at));
    TRY(thread_child_word, at, sizeof(int),
        thread(CLONE_CHILD_SETTID, NULL, at));
    TRY(thread_parent_word, at, sizeof(int),
        thread(CLONE_PARENT_SETTID, at, NULL));
    return 0;
}
