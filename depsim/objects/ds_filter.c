/*
 * ds_filter: which objects take part: --objects.
 *
 * A pattern with a slash is compared with an object's whole path, one without
 * with the part after the last slash.  `main` is the program's executable,
 * whatever its name.
 *
 * In an object that takes no part, loads are ignored, and stores leave bytes
 * without a writer, so earlier writers are not seen.  This is decided when code
 * is translated, and costs nothing later.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "objects/ds_objects.h"

#include "base/ds_options.h"
#include "text.h"

#include <elf.h>

#define MAIN "main" /* the pattern that means the executable */

/* For each object: does it take part? */
enum answer { UNKNOWN, STAYS_OUT, TAKES_PART };
static UChar *answers;
static UInt n_answers;

static Bool has_started;
static Bool has_main;
static UInt main_object;

/* The address of the executable's first instruction, which the kernel gives
   every program on its stack: argc, the arguments, 0, the environment, 0, and
   pairs (System V ABI, AMD64 supplement, 3.4.1).  0 if there is none. */
static Addr entry_point(Addr sp)
{
    const UWord *p = (const UWord *)sp;

    p += 1 + p[0] + 1;
    while (*p != 0)
        p++;
    for (p++; p[0] != AT_NULL; p += 2)
        if (p[0] == AT_ENTRY)
            return p[1];
    return 0;
}

void ds_filter_start(ThreadId tid)
{
    Addr entry;

    if (has_started)
        return;
    has_started = True;
    entry = entry_point(VG_(get_SP)(tid));
    has_main = entry != 0;
    if (has_main)
        main_object = ds_objects_locate(entry).object;
}

const HChar *ds_filter_program(void)
{
    return has_main ? ds_objects_get(main_object)->path : "";
}

static Bool matches(const struct ds_pattern *pattern, UInt object)
{
    const HChar *path = ds_objects_get(object)->path;

    if (VG_(strcmp)(pattern->text, MAIN) == 0)
        return has_main && object == main_object;
    if (VG_(strchr)(pattern->text, '/') == NULL)
        path = text_base_name(path);
    return text_matches(path, pattern->text);
}

/* Tries every pattern, to note which ones match. */
static Bool decide(UInt object)
{
    Bool found = ds_options.objects.n == 0;

    for (UInt i = 0; i < ds_options.objects.n; i++) {
        struct ds_pattern *pattern = &ds_options.objects.pattern[i];

        if (matches(pattern, object))
            found = pattern->has_matched = True;
    }
    return found;
}

Bool ds_filter_admits(UInt object)
{
    tl_assert(object < ds_objects_number());
    if (object >= n_answers) {
        UInt n = 2 * object + 16;

        answers = VG_(realloc)("ds.filter", answers, n);
        VG_(memset)(answers + n_answers, UNKNOWN, n - n_answers);
        n_answers = n;
    }
    if (answers[object] == UNKNOWN)
        answers[object] = decide(object) ? TAKES_PART : STAYS_OUT;
    return answers[object] == TAKES_PART;
}

void ds_filter_complain(void)
{
    ds_patterns_complain(&ds_options.objects, "--objects",
                         "no executed object matches");
}
