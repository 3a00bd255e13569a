/*
 * sd_capstone: instructions that capstone 4 and capstone 5 name differently.
 *
 * configure tests for the names.  An instruction that only capstone 5 knows
 * gets a number that capstone 4 never gives.  Private to the files that include
 * capstone's header.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_CAPSTONE_H
#define SD_CAPSTONE_H

#include "config.h"

#if !HAVE_DECL_X86_INS_UD1
#define X86_INS_UD1 X86_INS_UD2B
#endif
#if !HAVE_DECL_X86_INS_MOVDIR64B
#define X86_INS_MOVDIR64B (X86_INS_ENDING + 1)
#endif

#endif
