/*
 * ds_stubs: one function for each load, which tells ds_access the load's
 * number.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "count/internal.h"

#define STUB_SIZE    10 /* bytes */
#define TEXT_OF(x)   #x
#define NUMBER_OF(x) TEXT_OF(x)

/* Bytes, since the assembler would choose among forms of different lengths:
   `mov $number, %esi` and `jmp 1b`. */
__asm__(
    ".pushsection .text\n"
    "1: jmp ds_access_missed_by\n"
    ".globl ds_stubs_begin\n"
    "ds_stubs_begin:\n"
    ".set ds_stubs_number, 0\n"
    ".rept " NUMBER_OF(DS_STUBS) "\n"
                                 ".byte 0xbe\n"
                                 ".long ds_stubs_number\n"
                                 ".byte 0xe9\n"
                                 ".long 1b - . - 4\n"
                                 ".set ds_stubs_number, ds_stubs_number + 1\n"
                                 ".endr\n"
                                 ".popsection");

extern const UChar ds_stubs_begin[];

ds_stub ds_stubs_get(UInt number)
{
    tl_assert(number < DS_STUBS);
    return (ds_stub)(Addr)(ds_stubs_begin + (SizeT)number * STUB_SIZE);
}
