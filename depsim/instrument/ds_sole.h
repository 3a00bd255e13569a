/*
 * ds_sole: instructions that do nothing that can fail but one load.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DS_SOLE_H
#define DS_SOLE_H

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

/* Is the instruction, whose mark is this statement, one of them?  If it ends
   early, then its load has not happened. */
Bool ds_sole_is(const IRSB *sb, Int mark);

#endif
