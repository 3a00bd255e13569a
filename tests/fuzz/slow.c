/*
 * Any machine code of x86-64, as the code of a file that consists of nothing
 * else: how long does a byte of it take?
 *
 * The fuzzer is steered to slow inputs: each doubling of the time per byte
 * counts as newly reached code.  Each input slower than all before it is
 * printed, in hexadecimal, for a line of tests/fuzz/found.hex or a kind of
 * tests/staticdeps/hostile.py.
 *
 * Limits: processor time is measured, which is noisy.  An input is
 * repeated up to CODE bytes, so that costs that occur once count little.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "fuzz.h"

#define CODE 1024

/* libFuzzer takes each counter that is not 0 for code that was reached. */
__attribute__((
    section("__libfuzzer_extra_counters"))) static uint8_t doublings[64];

static double analyse(uint8_t code[CODE])
{
    double start = fuzz_processor_time();
    struct sd_section section = {
        .address = 0x1000, .bytes = code, .size = CODE};
    struct sd_image image = {
        .arch = ARCH_X86_64, .sections = &section, .n_sections = 1};
    struct sd_blocks blocks = {0};

    sd_blocks_of_image(&blocks, fuzz_decoder(ARCH_X86_64), &image);
    for (size_t i = 0; i < blocks.n_blocks; i++)
        fuzz_run(ARCH_X86_64, &blocks,
                 i); /* asking for the time costs more than a ret */
    sd_blocks_fini(&blocks);
    return fuzz_processor_time() - start;
}

static void show(const uint8_t *data, size_t size, double time)
{
    fprintf(stderr, "%.3f ms for %d bytes: ", 1000 * time, CODE);
    for (size_t i = 0; i < size; i++)
        fprintf(stderr, "%02x", data[i]);
    putc('\n', stderr);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static double slowest;
    uint8_t code[CODE];
    double time;

    if (size == 0)
        return 0;
    for (size_t at = 0; at < CODE; at += size)
        memcpy(code + at, data, at + size <= CODE ? size : CODE - at);
    time = analyse(code);
    doublings[(int)fmin(fmax(log2(time * 1e6), 0), 63)] = 1;
    if (time > 1.1 * slowest) {
        slowest = time;
        show(data, size, time);
    }
    return 0;
}
