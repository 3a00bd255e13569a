/* Analyses machine code and writes its dependencies as a text. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "block/sd_analyse.h"
#include "staticdeps/graph.h"
#include "staticdeps/hex.h"

static struct sd_analyser analyser;

BEFORE_ALL()
{
    const struct sd_settings settings = {
        .rob = 512, .threshold = 0.8, .n_seeds = 2, .seed = 1};

    sd_analyser_init(&analyser, &settings);
}

AFTER_ALL()
{
    sd_analyser_fini(&analyser);
}

static inline enum sd_status analyse_hex(const char *hex, uint64_t address)
{
    static uint8_t bytes[256];
    struct sd_blocks alone = {0};
    enum sd_status status;

    sd_blocks_add_bytes(&alone, decoder(), bytes,
                        from_hex(hex, bytes, sizeof bytes), NULL, address);
    alone.blocks[0].address = address;
    status = sd_analyse(&analyser, &alone, &alone.blocks[0]);
    sd_blocks_fini(&alone);
    return status;
}

/* The dependencies as "SRC>DST@DELTA_K", by instructions of the block. */
static inline const char *deps_found(void)
{
    static char text[1000];
    int n = 0;

    text[0] = '\0';
    for (size_t i = 0; i < analyser.reroll.n_deps; i++) {
        const struct sd_dep *dep = &analyser.reroll.deps[i];

        n += snprintf(text + n, sizeof text - (size_t)n, "%s%u>%u@%u",
                      i > 0 ? " " : "", dep->src, dep->dst, dep->delta_k);
    }
    return text;
}
