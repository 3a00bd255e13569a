/*
 * sd_evidence: what walks tell of pairs that they do not show.
 *
 * A pair that happens and is not predicted was missed for a reason, and
 * covcheck finds it from this: which walks came to a block, how addresses were
 * made, and what became of calls.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SD_EVIDENCE_H
#define SD_EVIDENCE_H

#include "out/sd_db.h"
#include "out/sd_walks.h"

/* Writes it for each block that has a number in the database; 0 if it is not
   there.  `first` is added to the numbers of walks: the database has those of
   other programs, too. */
int sd_evidence_write(struct sd_db *db, const struct sd_program *program,
                      const struct sd_walks *walks, const int64_t *block_ids,
                      uint64_t first, struct diag *d);

#endif
