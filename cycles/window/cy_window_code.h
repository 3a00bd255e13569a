/*
 * cy_window_code: the bytes of a window (doc/schema.md) -> instructions and
 * addresses.
 *
 * Limits: windows of more than a million instructions or 2^24 accesses are
 * refused, because a few bytes can stand for any number of them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_WINDOW_CODE_H
#define CY_WINDOW_CODE_H

#include "window/cy_window.h"

#define CY_WINDOW_INSNS    1000000
#define CY_WINDOW_ACCESSES ((size_t)1 << 24)

/* Finds instructions that are in cy_windows already.  All zero at first. */
struct cy_window_index {
    uint32_t *slots; /* the number of an instruction plus 1, or 0 */
    size_t n_slots;  /* 0, or a power of two */
};
void cy_window_index_fini(struct cy_window_index *index);

/* The object with an object_id, in `context`; false: there is none. */
typedef bool cy_window_object_of(void *context, uint64_t id, uint32_t *object);

/* Reads objects and pieces of a row, whose path is set; adds instructions to
   `windows`.  NULL, or what is wrong. */
const char *cy_window_read_pieces(struct cy_windows *windows,
                                  struct cy_window_row *row,
                                  struct cy_window_index *index,
                                  cy_window_object_of *object_of,
                                  void *context);

/* Expands a row with pieces.  NULL, or what is wrong. */
const char *cy_window_read_executions(const struct cy_windows *windows,
                                      const struct cy_window_row *row,
                                      struct cy_recorded *recorded);

#endif
