/*
 * qemu_trace: a plugin for qemu-user that writes each instruction, load, store
 * and system call of a program to a file, or a pipe (qemu_trace.h).
 *
 *     qemu-aarch64 -plugin ./qemu_trace.so,out=FILE PROGRAM
 *
 * The parts of QEMU's interface for plugins that it uses are declared after
 * QEMU's manual ("QEMU TCG Plugins"), since Debian's packages have no header.
 * QEMU reads the API version that a plugin was made for, and refuses some
 * versions.
 *
 * Limits.  One thread.  QEMU does not show accesses of instructions that it
 * emulates by a function of its own without translated code: on AArch64, dc
 * zva.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "qemu_trace.h"

#ifndef API_VERSION
#define API_VERSION 1
#endif
#define NO_REGISTERS     0 /* a callback that reads no registers */
#define LOADS_AND_STORES 3

struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_info_t {
    const char *target_name; /* QEMU has more members after this */
};

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
struct qemu_plugin_insn *
qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t i);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
void *qemu_plugin_insn_haddr(const struct qemu_plugin_insn *insn);
unsigned qemu_plugin_mem_size_shift(uint32_t info);
bool qemu_plugin_mem_is_store(uint32_t info);
void qemu_plugin_register_vcpu_tb_trans_cb(
    uint64_t id, void (*callback)(uint64_t id, struct qemu_plugin_tb *block));
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn,
                                            void (*callback)(unsigned cpu,
                                                             void *argument),
                                            int registers, void *argument);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn,
                                      void (*callback)(unsigned cpu,
                                                       uint32_t info,
                                                       uint64_t address,
                                                       void *argument),
                                      int registers, int which, void *argument);
void qemu_plugin_register_vcpu_syscall_cb(
    uint64_t id, void (*callback)(uint64_t id, unsigned cpu, int64_t number,
                                  uint64_t, uint64_t, uint64_t, uint64_t,
                                  uint64_t, uint64_t, uint64_t, uint64_t));
void qemu_plugin_register_vcpu_syscall_ret_cb(
    uint64_t id, void (*callback)(uint64_t id, unsigned cpu, int64_t number,
                                  int64_t result));
void qemu_plugin_register_atexit_cb(uint64_t id,
                                    void (*callback)(uint64_t id, void *),
                                    void *argument);
uint64_t qemu_plugin_start_code(void);
uint64_t qemu_plugin_end_code(void);
int qemu_plugin_install(uint64_t id, const struct qemu_info_t *info, int n,
                        char **arguments);

extern int qemu_plugin_version;
int qemu_plugin_version = API_VERSION;

static uint64_t buffer[1 << 16];
static size_t n_words;
static FILE *out;
static uint64_t arguments[4]; /* of the system call */
static bool is_aarch64, is_begun;

static void flush(void)
{
    fwrite(buffer, sizeof buffer[0], n_words, out);
    n_words = 0;
}

static void put(uint64_t word)
{
    if (n_words == sizeof buffer / sizeof buffer[0])
        flush();
    buffer[n_words++] = word;
}

static void execute(unsigned cpu, void *word)
{
    (void)cpu;
    put((uintptr_t)word);
}

/* The binary logarithm of the size in bytes of each register of an AArch64
   instruction that loads or stores several: LDP, STP and the like, and multiple
   structures (Arm ARM, C4.1, "Loads and Stores"); 0: any other instruction. */
static unsigned register_shift(const struct qemu_plugin_insn *insn)
{
    uint32_t code;

    if (!is_aarch64)
        return 0;
    memcpy(&code, qemu_plugin_insn_haddr(insn), sizeof code);
    if ((code & 0xbf000000) == 0x0c000000)
        return 3 + (code >> 30);
    if ((code & 0x3a000000) != 0x28000000)
        return 0;
    return (code >> 26 & 1) != 0 ? 2 + (code >> 30) : code >> 30 == 2 ? 3 : 2;
}

static void access_memory(unsigned cpu, uint32_t info, uint64_t address,
                          void *argument)
{
    (void)cpu, (void)argument;
    put(qemu_trace_word(qemu_plugin_mem_is_store(info) ? QEMU_TRACE_STORE
                                                       : QEMU_TRACE_LOAD,
                        qemu_plugin_mem_size_shift(info), address));
}

static void translate(uint64_t id, struct qemu_plugin_tb *block)
{
    size_t n = qemu_plugin_tb_n_insns(block);

    (void)id;
    if (!is_begun) {
        put(qemu_plugin_start_code());
        put(qemu_plugin_end_code());
        is_begun = true;
    }
    for (size_t i = 0; i < n; i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(block, i);
        uint64_t word = qemu_trace_word(QEMU_TRACE_INSN, register_shift(insn),
                                        qemu_plugin_insn_vaddr(insn));

        qemu_plugin_register_vcpu_insn_exec_cb(insn, execute, NO_REGISTERS,
                                               (void *)(uintptr_t)word);
        qemu_plugin_register_vcpu_mem_cb(insn, access_memory, NO_REGISTERS,
                                         LOADS_AND_STORES, NULL);
    }
}

static void call(uint64_t id, unsigned cpu, int64_t number, uint64_t a,
                 uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f,
                 uint64_t g, uint64_t h)
{
    (void)id, (void)cpu, (void)number, (void)e, (void)f, (void)g, (void)h;
    arguments[0] = a;
    arguments[1] = b;
    arguments[2] = c;
    arguments[3] = d;
}

static void come_back(uint64_t id, unsigned cpu, int64_t number, int64_t result)
{
    (void)id, (void)cpu;
    put(qemu_trace_word(QEMU_TRACE_CALL, 0, 0));
    put((uint64_t)number);
    for (unsigned i = 0; i < 4; i++)
        put(arguments[i]);
    put((uint64_t)result);
}

static void end(uint64_t id, void *argument)
{
    (void)id, (void)argument;
    flush();
    fclose(out);
}

int qemu_plugin_install(uint64_t id, const struct qemu_info_t *info, int n,
                        char **arguments_of_plugin)
{
    const char *name = n == 1 ? arguments_of_plugin[0] : "";

    is_aarch64 = strcmp(info->target_name, "aarch64") == 0;
    if (strncmp(name, "out=", 4) == 0)
        out = fopen(name + 4, "w");
    if (out == NULL) {
        fputs("qemu_trace: out=FILE is wanted, which can be written\n", stderr);
        return -1;
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
    qemu_plugin_register_vcpu_syscall_cb(id, call);
    qemu_plugin_register_vcpu_syscall_ret_cb(id, come_back);
    qemu_plugin_register_atexit_cb(id, end, NULL);
    return 0;
}
