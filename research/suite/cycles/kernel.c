/*
 * kernel: a C kernel of the tests as a loop of its repetitions.
 *
 * It is compiled with the kernel's name as KERNEL, the kernel with its main as
 * kernel_main.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>

#include "loops/loop.h"

int kernel_main(int argc, char **argv);

static void run(long n, void *data)
{
    char name[] = KERNEL, repeats[24];
    char *argv[] = {name, repeats, NULL};

    (void)data;
    snprintf(repeats, sizeof repeats, "%ld", n);
    kernel_main(2, argv);
}

static const struct loop loop = {"kernel", KERNEL, run};
static const struct loop *const entry __attribute__((section("loops"), used)) =
    &loop;
