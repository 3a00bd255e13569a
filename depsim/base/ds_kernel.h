/*
 * ds_kernel: the few system calls that Valgrind does not offer to a tool.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_KERNEL_H
#define DS_KERNEL_H

#include "pub_tool_basics.h"

/* The call's result, or the negative of an error's number. */
Word ds_kernel_call(Word number, Word a, Word b, Word c, Word d, Word e,
                    Word f);

#endif
