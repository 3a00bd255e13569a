/*
 * What depsim's pure parts take from Valgrind, made of the C library.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>

#include "pub_tool_basics.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_mallocfree.h"

#include "ds_memory.h"

void *ds_memory_new(SizeT size)
{
    void *p = calloc(1, size);

    if (p == NULL)
        abort();
    return p;
}

void *VG_(calloc)(const HChar *cost_centre, SizeT n, SizeT size)
{
    (void)cost_centre;
    return calloc(n, size);
}

void *VG_(realloc)(const HChar *cost_centre, void *p, SizeT size)
{
    (void)cost_centre;
    return realloc(p, size);
}

void VG_(free)(void *p)
{
    free(p);
}

void VG_(assert_fail)(Bool is_core, const HChar *expr, const HChar *file,
                      Int line, const HChar *fn, const HChar *format, ...)
{
    (void)is_core, (void)expr, (void)file, (void)line, (void)fn, (void)format;
    abort();
}
