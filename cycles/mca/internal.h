/*
 * internal: the parts of cy_mca.
 *
 * cy_dialogue: questions to llvm-mc and llvm-mca about regions of code, and how
 * their answers are read.  llvm-mca reads assembly, so llvm-mc first makes
 * LLVM's text of the machine code.  All regions go into one question; a region
 * from which instructions are left out is asked about twice, with and without
 * them.
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

/* cy_assembly: an architecture as LLVM's programs know it. */
struct cy_assembly {
    const char *triple;
    /* Written after each instruction, so that an instruction for which llvm-mc
       prints two lines, or none, does not shift the others: an instruction that
       no code has, in bytes, and what llvm-mc makes of it. */
    const char *marker_bytes, *marker;
    const char *accesses; /* loads and stores alone: the units that they occupy
                             are those for memory */
};

const struct cy_assembly *cy_assembly_of(enum cy_arch arch);

/* Are all figures of an answer possible for code?  What llvm-mca prints, and
   what the cache holds, may be anything. */
bool cy_mca_region_is_possible(const struct cy_mca_region *region);

/* All instructions of all regions as llvm-mc reads them: a text of *size bytes,
   to be freed. */
char *cy_dialogue_code(enum cy_arch arch, const struct cy_mca_region *regions,
                       size_t n, size_t *size);

/* The texts that llvm-mc gives n instructions, "" for those that it does not
   know; the caller frees each and the array.  NULL if `text` is no output of
   llvm-mc. */
char **cy_dialogue_texts(enum cy_arch arch, const char *text, size_t n,
                         struct diag *d);

/* The regions as llvm-mca reads them, with the texts of their instructions: to
   be freed, of *size bytes. */
char *cy_dialogue_question(enum cy_arch arch,
                           const struct cy_mca_region *regions, size_t n,
                           char **texts, size_t *size);

/* Fills the regions in from the report of llvm-mca, in JSON. */
int cy_dialogue_answer(struct cy_mca_region *regions, size_t n, char **texts,
                       const char *text, size_t size, struct diag *d);

/* Fills in the instructions of one region, of which `uses` has as many, from
   the report of llvm-mca's instruction tables. */
int cy_dialogue_units(struct cy_mca_region *region, struct cy_mca_uses *uses,
                      char **texts, const char *text, size_t size,
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

/* Used inside cy_dialogue: fills in what a report says about the instructions
   of a region, and where in its lists each is; SIZE_MAX: nowhere. */
struct json_t;
void cy_dialogue_insns(struct cy_mca_region *r, char **texts,
                       const struct json_t *region, size_t *places);

/* Used inside cy_dialogue: a copy of a text in which each run of white space is
   one blank. */
char *cy_dialogue_squeeze(const char *text, size_t n);

struct cy_cache;

/* Never NULL. */
struct cy_cache *cy_cache_new(void);
void cy_cache_free(struct cy_cache *cache);

/* Fills in the answer about a region; false: it is not in the cache.  `mca`
   names processor and version. */
bool cy_cache_get(struct cy_cache *cache, const char *mca,
                  struct cy_mca_region *region);

/* The answer about an instruction alone, if it is in the cache. */
bool cy_cache_get_uses(struct cy_cache *cache, const char *mca,
                       struct cy_mca_insn *insn, struct cy_mca_uses *uses);
void cy_cache_put_uses(struct cy_cache *cache, const char *mca,
                       const struct cy_mca_insn *const *insns,
                       const struct cy_mca_uses *const *uses, size_t n);

/* Keeps the answers about n regions. */
void cy_cache_put(struct cy_cache *cache, const char *mca,
                  const struct cy_mca_region *regions, size_t n);

#endif
