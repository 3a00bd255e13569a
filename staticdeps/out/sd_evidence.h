/*
 * sd_evidence: writes why walks did not show other pairs.
 *
 * covcheck finds from this why a pair that happens was not predicted: which
 * walks visited a block, what addresses were computed from, and the fate of
 * calls.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_EVIDENCE_H
#define SD_EVIDENCE_H

#include "out/sd_db.h"
#include "out/sd_walks.h"

/* Writes the evidence of each block in the database, whose number there is in
   `block_ids`; 0: the block is not there.  `first` is added to the numbers of
   walks, because the database may have walks of other programs. */
int sd_evidence_write(struct sd_db *db, const struct sd_program *program,
                      const struct sd_walks *walks, const int64_t *block_ids,
                      uint64_t first, struct diag *d);

#endif
