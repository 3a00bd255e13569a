/*
 * oracle_calls: what system calls do to memory, from the lines that
 * `valgrind --trace-syscalls=yes` prints.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef ORACLE_CALLS_H
#define ORACLE_CALLS_H

#include "oracle_maps.h"
#include "oracle_shadow.h"
#include "oracle_sites.h"

struct oracle_calls;

/* System calls change the shadow, the maps and the sites, which must outlive
   the result. */
struct oracle_calls *oracle_calls_new(struct oracle_shadow *shadow,
                                      struct oracle_maps *maps,
                                      struct oracle_sites *sites);
void oracle_calls_free(struct oracle_calls *calls);

/* Takes one line, which begins with "SYSCALL[".  -1 for a system call whose
   writes are not known. */
int oracle_calls_line(struct oracle_calls *calls, const char *line,
                      struct diag *d);

#endif
