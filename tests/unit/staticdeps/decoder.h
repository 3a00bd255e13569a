/* decoder: the decoder of x86-64 that the tests of a file share. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "decode/sd_blocks.h"

static inline struct sd_decoder *decoder(void)
{
    static struct sd_decoder *shared;

    if (shared == NULL)
        shared = sd_decoder_new(ARCH_X86_64);
    return shared;
}
