/*
 * sd_insn: what one machine instruction does, as flat operations.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "ir/sd_insn.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

const char *sd_status_name(enum sd_status status)
{
    static const char *const names[SD_N_STATUSES] = {
        [SD_OK] = "ok",
        [SD_UNDECODABLE] = "undecodable",
        [SD_PANIC] = "panic",
        [SD_NOT_HEX] = "not hexadecimal",
    };

    return names[status];
}

void sd_insn_reset(struct sd_insn *insn)
{
    insn->status = SD_OK;
    insn->length = 0;
    insn->n_temps = SD_N_FIXED;
    insn->loads = insn->stores = insn->by_operands = false;
    insn->n_ops = insn->n_calls = insn->n_unsupported = 0;
}

void sd_insn_fini(struct sd_insn *insn)
{
    free(insn->ops);
    free(insn->calls);
    free(insn->unsupported);
    *insn = (struct sd_insn){0};
}

static void *copy_array(const void *array, size_t n, size_t size)
{
    void *copy;

    if (n == 0)
        return NULL;
    copy = memory_new(n, size);
    memcpy(copy, array, n * size);
    return copy;
}

void sd_insn_copy(struct sd_insn *copy, const struct sd_insn *insn)
{
    *copy = *insn;
    copy->ops = copy_array(insn->ops, insn->n_ops, sizeof *insn->ops);
    copy->calls = copy_array(insn->calls, insn->n_calls, sizeof *insn->calls);
    copy->unsupported = copy_array(insn->unsupported, insn->n_unsupported,
                                   sizeof *insn->unsupported);
    copy->ops_room = insn->n_ops;
    copy->calls_room = insn->n_calls;
    copy->unsupported_room = insn->n_unsupported;
}

void sd_insn_effect(struct sd_insn *insn, struct sd_op op)
{
    insn->ops =
        memory_grow(insn->ops, &insn->ops_room, insn->n_ops, sizeof *insn->ops);
    insn->loads |= sd_op_is(&op, SD_LOADS);
    insn->stores |= sd_op_is(&op, SD_STORES);
    insn->ops[insn->n_ops++] = op;
}

uint32_t sd_insn_emit(struct sd_insn *insn, struct sd_op op)
{
    op.dst = insn->n_temps++;
    sd_insn_effect(insn, op);
    return op.dst;
}

uint32_t sd_insn_pure(struct sd_insn *insn, enum sd_opcode code, unsigned width,
                      uint32_t a, uint32_t b, uint32_t c)
{
    return sd_insn_emit(insn, (struct sd_op){.code = (uint8_t)code,
                                             .width = (uint8_t)width,
                                             .a = a,
                                             .b = b,
                                             .c = c});
}

uint32_t sd_insn_bits(struct sd_insn *insn, enum sd_opcode code, unsigned width,
                      unsigned imm, uint32_t a, uint32_t b)
{
    return sd_insn_emit(insn, (struct sd_op){.code = (uint8_t)code,
                                             .width = (uint8_t)width,
                                             .a = a,
                                             .b = b,
                                             .c = SD_ZERO,
                                             .imm = imm});
}

const struct sd_op *sd_insn_definition(const struct sd_insn *insn,
                                       uint32_t temp)
{
    if (temp < SD_N_FIXED)
        return NULL;
    for (size_t i = insn->n_ops; i > 0; i--)
        if (insn->ops[i - 1].dst == temp)
            return &insn->ops[i - 1];
    return NULL;
}

uint32_t sd_insn_const(struct sd_insn *insn, uint64_t value)
{
    if (value == 0)
        return SD_ZERO;
    return sd_insn_emit(
        insn, (struct sd_op){.code = SD_CONST, .width = 64, .imm = value});
}

uint32_t sd_insn_call(struct sd_insn *insn, struct sd_call call)
{
    insn->calls = memory_grow(insn->calls, &insn->calls_room, insn->n_calls,
                              sizeof *insn->calls);
    insn->calls[insn->n_calls] = call;
    return sd_insn_emit(insn, (struct sd_op){.code = SD_CALL,
                                             .width = call.width,
                                             .imm = insn->n_calls++});
}

void sd_insn_unsupported(struct sd_insn *insn, uint16_t operation)
{
    insn->unsupported =
        memory_grow(insn->unsupported, &insn->unsupported_room,
                    insn->n_unsupported, sizeof *insn->unsupported);
    insn->unsupported[insn->n_unsupported++] = operation;
}
