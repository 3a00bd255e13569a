/*
 * schedule: programs of a few letters that go through the core model.
 *
 * A program is a list of words, one for each instruction:
 *
 *     a=3:bc       a is computed from b and c in 3 cycles
 *     a=3:bc#5     the same, by unit 0 or unit 2 (bits of a hexadecimal number)
 *     a=3:bc#5x1.5 which is taken for a cycle and a half
 *     a=1:b<p@40   a is computed from b and what is loaded at 0x40 by p
 *     a~b          b is moved to a
 *     a<p@40.4     4 bytes are loaded at 0x40; without ".4", 8; "@-": the load
 *                  does not happen; "@40.8x2": recorded as two loads of 8
 *     a>p@40       a is stored
 *     a>p@40+8     as a>p@40, 8 bytes further each time
 *     ?a           a branch that depends on a; ?a! is mispredicted
 *     /            a jump
 *     %a>p@40      an instruction of vector registers
 *     ^a=3:c       one that keeps the upper half of its register, which is b
 *     !a>p@40      an atomic instruction
 *     &a=1:b<p@40  one with an index in its address
 *     mfence       a fence; also lfence, sfence
 *     +a           a constant is added to a
 *     nop
 *     sys          a system call
 *     huh          an instruction that is not known
 *     3*WORD       three such instructions
 *     [ ... ]3     a loop of three rounds, whose last word should be a branch
 *
 * Registers are lower case letters.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "core/cy_simulate.h"

#define SCHEDULE_MOST  4096
#define SCHEDULE_INSNS 128

struct schedule {
    struct cy_machine *machine;
    struct cy_model model;
    struct cy_simulated_insn insns[SCHEDULE_INSNS];
    struct cy_step code_steps[SCHEDULE_INSNS];
    struct cy_mca_uses uses[SCHEDULE_INSNS];
    struct cy_code_insn code[SCHEDULE_INSNS];
    struct cy_mca_insn mca[SCHEDULE_INSNS];
    struct cy_window_access accesses[SCHEDULE_INSNS][2];
    bool missed[SCHEDULE_INSNS];
    int64_t places[SCHEDULE_INSNS], steps[64];
    unsigned runs[SCHEDULE_INSNS];
    size_t n_insns;
    struct cy_executed executed[SCHEDULE_MOST + 1];
    uint64_t addresses[2 * SCHEDULE_MOST];
    struct cy_turn turns[SCHEDULE_MOST];
    struct cy_recorded window;
    struct cy_recipes recipes;
    struct cy_pipeline *pipeline;
    struct cy_outcome outcome;
};

/* Runs a program on a machine: keys of a machine file, which add to a width of
   1000, loads of 4 cycles, forwards of 5, and failures of 13.  NULL as `fix`
   stands for none. */
struct schedule *schedule_run(const char *keys, const char *program,
                              const struct cy_fix *fix);
void schedule_free(struct schedule *s);

/* The time when a register has its value. */
double schedule_time(const struct schedule *s, char name);

/* The time when the last instruction has retired. */
double schedule_end(const struct schedule *s);
