/* oracle_calls: what system calls do to memory, from the lines that
   `valgrind --trace-syscalls=yes` prints. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "oracle_maps.h"
#include "oracle_shadow.h"
#include "oracle_sites.h"

struct oracle_calls;

/* System calls change all three arguments, which must outlive the result. */
struct oracle_calls *oracle_calls_new(struct oracle_shadow *shadow,
                                      struct oracle_maps *maps,
                                      struct oracle_sites *sites);
void oracle_calls_free(struct oracle_calls *calls);

/* Takes a line that begins with "SYSCALL[".  -1: the writes are unknown. */
int oracle_calls_line(struct oracle_calls *calls, const char *line,
                      struct diag *d);
