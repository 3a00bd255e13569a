/*
 * sd_wide: an object -> the pairs within its functions, or across them, in the
 * database and the report.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_WIDE_H
#define SD_WIDE_H

#include "out/sd_results.h"

/* Analyses an object by walks.  `blocks` are all of its blocks; of `wanted`,
   some of them in their order, are those that both ends of a pair must lie in.
 */
int sd_wide_add(struct sd_results *results, const struct sd_image *image,
                struct sd_blocks *blocks, const struct sd_blocks *wanted,
                const struct sd_settings *settings, unsigned jobs,
                struct diag *d);

#endif
