/*
 * internal: the parts of cy_mca.
 *
 * cy_dialogue: questions to llvm-mc and llvm-mca about instructions, and how
 * their answers are read.  llvm-mca reads assembly, so llvm-mc first makes
 * LLVM's text of the machine code.
 *
 * cy_cache: earlier answers of llvm-mca, in the user's cache directory.  It
 * only saves time: after any failure it counts as empty, and a file that has
 * grown large is deleted.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_MCA_INTERNAL_H
#define CY_MCA_INTERNAL_H

#include "mca/cy_mca.h"

/* An architecture as LLVM's programs know it. */
struct cy_assembly {
    const char *triple;
    /* Written after each instruction, so that an instruction for which llvm-mc
       prints two lines, or none, does not shift the others: an instruction that
       no code has, in bytes, and what llvm-mc makes of it. */
    const char *marker_bytes, *marker;
    const char *accesses; /* loads and stores alone: the units that they occupy
                             are those for memory */
};

const struct cy_assembly *cy_assembly_of(enum arch arch);

/* Is a width of the dispatch possible?  What llvm-mca prints, and what the
   cache holds, may be anything. */
bool cy_mca_is_width(double width);

/* Instructions as llvm-mc reads them: a text of *size bytes, to be freed. */
char *cy_dialogue_code(enum arch arch, const struct cy_mca_insn *insns,
                       size_t n, size_t *size);

/* The texts that llvm-mc gives n instructions, "" for those that it does not
   know; the caller frees each and the array.  NULL if `text` is no output of
   llvm-mc. */
char **cy_dialogue_texts(enum arch arch, const char *text, size_t n,
                         struct diag *d);

/* The texts of n instructions as llvm-mca reads them: to be freed, of *size
   bytes. */
char *cy_dialogue_question(enum arch arch, char **texts, size_t n,
                           size_t *size);

/* Fills in n instructions, and what they use, from the report of llvm-mca's
   instruction tables, in JSON. */
int cy_dialogue_units(struct cy_mca_insn *insns, struct cy_mca_uses *uses,
                      size_t n, char **texts, const char *text, size_t size,
                      struct diag *d);

/* Reads the width of the dispatch from a report that has a summary. */
int cy_dialogue_width(double *width, const char *text, size_t size,
                      struct diag *d);

/* Finds the uses that an instruction's pressure on units is made of: llvm-mca
   spreads each evenly over the units that may do it.  Units of one use have the
   same family, if that makes whole cycles. */
struct cy_mca_pressure {
    double cycles[CY_MOST_UNITS];
    unsigned family[CY_MOST_UNITS];
    bool for_memory[CY_MOST_UNITS];
};
void cy_uses_of(struct cy_mca_uses *uses, struct cy_mca_pressure pressure);

struct cy_cache;

/* Never NULL. */
struct cy_cache *cy_cache_new(void);
void cy_cache_free(struct cy_cache *cache);

/* The width of the dispatch; false: it is not in the cache.  `mca` names
   processor and version, here and below. */
bool cy_cache_get_width(struct cy_cache *cache, const char *mca, double *width);
void cy_cache_put_width(struct cy_cache *cache, const char *mca, double width);

/* The answer about an instruction, if it is in the cache. */
bool cy_cache_get_uses(struct cy_cache *cache, const char *mca,
                       struct cy_mca_insn *insn, struct cy_mca_uses *uses);
void cy_cache_put_uses(struct cy_cache *cache, const char *mca,
                       const struct cy_mca_insn *const *insns,
                       const struct cy_mca_uses *const *uses, size_t n);

#endif
