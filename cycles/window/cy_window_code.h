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

/* Adds a piece, whose run and number come after those that are there, at an
   address of an object, with instructions in the form of the database.  NULL,
   or what is wrong. */
const char *cy_window_add_piece(struct cy_windows *windows,
                                struct cy_window_index *index, int64_t run,
                                uint64_t number, uint32_t object,
                                uint64_t address, const uint8_t *insns,
                                size_t size);

/* Reads which pieces a row, whose path is set, executes.  NULL, or what is
   wrong. */
const char *cy_window_read_pieces(const struct cy_windows *windows,
                                  struct cy_window_row *row);

/* Expands a row with pieces.  NULL, or what is wrong. */
const char *cy_window_read_executions(const struct cy_windows *windows,
                                      const struct cy_window_row *row,
                                      struct cy_recorded *recorded);

#endif
