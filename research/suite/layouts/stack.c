/*
 * stack: runs the program with its stack at the place in a page that its layout
 * says, whoever calls it.  So the place is the same when the program is
 * measured and under Valgrind, which puts other things above the stack.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <alloca.h>
#include <stdint.h>

#define PAGE 4096

/* From the linker script: its address modulo PAGE is that of the stack. */
extern const char layout_stack[];

/* The program's main, and the main that suite/cycles/kernel.c calls. */
int program_main(int argc, char **argv);
int kernel_main(int argc, char **argv);

int kernel_main(int argc, char **argv)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    char *gap = alloca((here - (uintptr_t)layout_stack) % PAGE);

    __asm__ volatile("" : : "r"(gap) : "memory");
    return program_main(argc, argv);
}
