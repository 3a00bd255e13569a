/* frame: a place in the source of a program. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

struct source_frame {
    const char *function;  /* NULL: not known */
    const char *file;      /* NULL: not known */
    const char *directory; /* where a relative path of the file begins; NULL:
                              not known, or not asked for */
    int line;              /* from 1; 0: not known */
    int column;            /* of an instruction, from 1; 0: not known */
};
