/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lift/sd_insn.h"

TEXT_NAMES(sd_status_name, sd_status, "ok", "undecodable", "panic",
           "not hexadecimal", "too long", "too costly")

void sd_insn_reset(struct sd_insn *insn)
{
    insn->status = SD_OK;
    insn->length = 0;
    insn->n_temps = SD_N_FIXED;
    insn->loads = insn->stores = insn->by_operands = false;
    insn->exit = (struct sd_exit){.is_direct = true};
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

/* Are the operation's operands and registers in range? */
__attribute__((unused)) static bool is_well_formed(const struct sd_insn *insn,
                                                   const struct sd_op *op)
{
    unsigned info = sd_op_info[op->code], end, first;

    if ((info & SD_READS_A && op->a >= insn->n_temps) ||
        (info & SD_READS_B && op->b >= insn->n_temps) ||
        (info & SD_READS_C && op->c >= insn->n_temps) ||
        (info & (SD_READS_DST | SD_HAS_RESULT) && op->dst >= insn->n_temps))
        return false;
    if (info & SD_HAS_RESULT && (op->dst < SD_N_FIXED || op->width < 1))
        return false;
    if (!(info & (SD_GETS | SD_PUTS)))
        return op->width <= 64;
    end = sd_op_words(op, &first);
    if (info & SD_IS_INDEXED) /* indices wrap in a file, see sd_op.h */
        return first < end && end <= SD_N_WORDS && op->c > 0 &&
               (op->c & (op->c - 1)) == 0;
    return end <= SD_N_WORDS && op->width >= 1 &&
           op->width + 8 * (op->imm % 8) <= 64;
}

void sd_insn_effect(struct sd_insn *insn, struct sd_op op)
{
    assert(op.code < SD_N_OPS && is_well_formed(insn, &op));
    array_reserve(insn, ops, insn->n_ops);
    insn->loads |= sd_op_is(&op, SD_LOADS);
    insn->stores |= sd_op_is(&op, SD_STORES);
    insn->ops[insn->n_ops++] = op;
}

uint32_t sd_insn_emit(struct sd_insn *insn, struct sd_op op)
{
    assert(sd_op_is(&op, SD_HAS_RESULT));
    op.dst = insn->n_temps++;
    sd_insn_effect(insn, op);
    return op.dst;
}

uint32_t sd_insn_pure(struct sd_insn *insn, enum sd_opcode code, unsigned width,
                      uint32_t a, uint32_t b, uint32_t c)
{
    assert(code < SD_N_PURE && width >= 1 && width <= 64);
    return sd_insn_emit(insn, (struct sd_op){.code = (uint8_t)code,
                                             .width = (uint8_t)width,
                                             .a = a,
                                             .b = b,
                                             .c = c});
}

uint32_t sd_insn_bits(struct sd_insn *insn, enum sd_opcode code, unsigned width,
                      unsigned imm, uint32_t a, uint32_t b)
{
    assert(code < SD_N_PURE && width >= 1);
    assert(code == SD_SEXT ? imm >= 1 && imm <= width : imm + width <= 64);
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
    assert(temp < insn->n_temps);
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

uint32_t sd_insn_const_pc(struct sd_insn *insn, uint64_t distance)
{
    return sd_insn_emit(
        insn,
        (struct sd_op){.code = SD_CONST_PC, .width = 64, .imm = distance});
}

uint32_t sd_insn_add(struct sd_insn *insn, uint32_t a, uint32_t b)
{
    return sd_insn_pure(insn, SD_ADD, 64, a, b, SD_ZERO);
}

uint32_t sd_insn_get(struct sd_insn *insn, unsigned offset, unsigned width)
{
    return sd_insn_emit(
        insn,
        (struct sd_op){.code = SD_GET, .width = (uint8_t)width, .imm = offset});
}

void sd_insn_put(struct sd_insn *insn, unsigned offset, unsigned width,
                 uint32_t value)
{
    sd_insn_effect(insn, (struct sd_op){.code = SD_PUT,
                                        .width = (uint8_t)width,
                                        .a = value,
                                        .imm = offset});
}

void sd_insn_clobber(struct sd_insn *insn, unsigned offset, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        sd_insn_put(insn, offset + 8 * i, 64, SD_BOTTOM);
}

void sd_insn_access(struct sd_insn *insn, enum sd_opcode code, uint32_t address,
                    unsigned n)
{
    sd_insn_effect(insn, (struct sd_op){.code = (uint8_t)code,
                                        .a = address,
                                        .b = sd_insn_const(insn, 1),
                                        .c = n,
                                        .imm = n});
}

uint32_t sd_insn_call(struct sd_insn *insn, struct sd_call call)
{
    assert(call.n_args <= SD_CALL_ARGS && call.width >= 1 && call.width <= 64);
    for (unsigned i = 0; i < call.n_args; i++)
        assert(call.args[i] < insn->n_temps);
    array_reserve(insn, calls, insn->n_calls);
    insn->calls[insn->n_calls] = call;
    return sd_insn_emit(insn, (struct sd_op){.code = SD_CALL,
                                             .width = call.width,
                                             .imm = insn->n_calls++});
}

void sd_insn_unsupported(struct sd_insn *insn, uint16_t operation)
{
    assert(operation < SD_N_OPERATIONS);
    array_append(insn, unsupported, operation);
}
