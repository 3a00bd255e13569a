/*
 * depsim.h: what a program can ask of depsim while it runs under it.
 *
 *     DEPSIM_START;    record dependencies from here on
 *     DEPSIM_STOP;     stop recording
 *
 * With --record-from-start=no nothing is recorded before the first
 * DEPSIM_START.  While recording is off, stores are still followed, so that a
 * load after DEPSIM_START finds the store before it; but no dependency and no
 * execution is counted.  With --fn, these requests say when to record, and --fn
 * says in which functions.
 *
 * Without Valgrind, each request costs about fifteen instructions that have no
 * effect.  If NVALGRIND is defined, it costs none.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef DEPSIM_H
#define DEPSIM_H

#include <valgrind/valgrind.h>

enum {
    VG_USERREQ__DEPSIM_START = VG_USERREQ_TOOL_BASE('D', 'S'),
    VG_USERREQ__DEPSIM_STOP
};

#define DEPSIM_START \
    VALGRIND_DO_CLIENT_REQUEST_STMT(VG_USERREQ__DEPSIM_START, 0, 0, 0, 0, 0)
#define DEPSIM_STOP \
    VALGRIND_DO_CLIENT_REQUEST_STMT(VG_USERREQ__DEPSIM_STOP, 0, 0, 0, 0, 0)

#endif
