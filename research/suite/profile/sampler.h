/*
 * sampler: where a process spends its time.
 *
 * The kernel's clock of its processor time interrupts it every 250
 * microseconds, and the kernel keeps the address of the interrupted
 * instruction. Nothing is loaded into the process, which may use all signals
 * and end as it likes.
 *
 * Limits: one thread, ELF files of 64 bits, and some minute of processor time.
 * The kernel must allow perf_event_open() with samples of itself
 * (kernel.perf_event_paranoid is 1 or less, or root), which most containers do
 * not.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct sampler {
    const void *ring; /* what the kernel writes */
};

/* Samples a child from its next exec on; false: errno says why not. */
bool sampler_open(struct sampler *sampler, pid_t child);

/*
 * Writes, of a child that has ended, lines with tabs between:
 *
 *     sample  OBJECT, the path of its file, ADDRESS as in the file
 *     other   a sample in code without a file
 *     kernel  the number of samples in the kernel, or right behind a system
 *             call, where interrupts lie that the kernel did not let in
 *
 * False: there were too many.
 */
bool sampler_write(const struct sampler *sampler, FILE *out);
