/*
 * sd_decoded: what control does at the end of an instruction.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_DECODED_H
#define SD_DECODED_H

#include <stdbool.h>
#include <stdint.h>

struct sd_decoded {
    uint8_t length;     /* in bytes, 1 to 15 */
    bool ends_block;    /* it transfers control, always or sometimes */
    bool has_no_effect; /* on registers that matter, or memory */
    bool is_call;     /* it transfers control, and comes back if all is well */
    bool is_last;     /* control does not reach what is behind it */
    bool is_nop;      /* it does nothing, as between two blocks */
    bool is_indirect; /* a jump to where a register or memory says */
    bool has_target;  /* a jump or call to a fixed address */
    uint64_t target;
};

#endif
