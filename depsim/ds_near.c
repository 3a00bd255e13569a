/*
 * ds_near: records that translated code reaches from one register.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "ds_near.h"

#include "ds_ir.h"
#include "ds_memory.h"
#include "ds_message.h"

#define RANGE ((SizeT)1 << 30)

static UChar *range;
static SizeT n_used;

void *ds_near_new(SizeT size)
{
    void *p;

    if (range == NULL)
        range = ds_memory_reserve(RANGE);
    size = (size + 15) & ~(SizeT)15;
    if (size > RANGE - n_used)
        ds_message_refuse("memory: the records of code take more than %lu MiB, "
                          "the run is lost",
                          RANGE >> 20);
    p = range + n_used;
    n_used += size;
    return p;
}

/* It is loaded from memory, since VEX would put a constant into each use. */
IRExpr *ds_near_base(IRSB *sb)
{
    return ds_ir_loaded(sb, ds_ir_pointer(&range));
}

ULong ds_near_offset(const void *field)
{
    return (ULong)((const UChar *)field - range);
}

IRExpr *ds_near_address(IRSB *sb, IRExpr *base, const void *field)
{
    return ds_ir_binary(sb, Ity_I64, Iop_Add64, base,
                        ds_ir_constant(ds_near_offset(field)));
}
