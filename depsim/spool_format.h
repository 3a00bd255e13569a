/*
 * spool_format: what depsim leaves for depsim-import.
 *
 * The file is a sequence of little-endian integers, texts and bytes; the last
 * two are their length (u32) and as many bytes, without a final zero.  Only
 * addresses use all of their 64 bits: other integers, and the sum of a
 * dependency's occurrences, stay below 2^63, since SQLite's integers are
 * signed.  Each row from the segments on comes after a u32 of 1,
 * and a u32 of 0 ends the rows of a kind.
 *
 *     char[8]  SPOOL_MAGIC
 *     u32      SPOOL_VERSION
 *     u32      append: 0: replace runs of other sessions, 1: keep them
 *     u64      when the run began, in microseconds since 1970; with session
 *              and pid it names the run, which replaces an earlier state of it
 *     u32      pid
 *     u32      how it ended: SPOOL_EXIT with an exit status, or otherwise
 *     i32      exit status
 *     u64      instructions
 *     u64      how many of them were executed while recording was on
 *     u32      complete: 0 or 1
 *     text     session
 *     text     command
 *     text     path of the executable, or empty
 *     text     path of the program that replaced it, or empty
 *     u32      number of bounds (1 to LIFETIMES_MAX), then each:
 *       u64      lifetime bound, rising
 *     u32      number of objects, then each, numbered from 0:
 *       text     path
 *       text     build-id or SHA-256 in hexadecimal, or empty
 *     segments, each:
 *       u32      object
 *       u64      start, end: ELF virtual addresses
 *       u64      executions
 *     dependencies, each:
 *       u32      object of src
 *       u64      src
 *       u32      object of dst
 *       u64      dst
 *       u64      minimum, maximum distance
 *       u64      occurrences whose store was another thread's
 *       u32      number of forwards, then each, rising:
 *         u32      an `enum forward`, and SPOOL_CROSSES if it crosses a line
 *         u64[]    occurrences, one a bound
 *     pairs that shared lines, each:
 *       u32      object of src
 *       u64      src
 *       u32      object of dst
 *       u64      dst
 *       u32      dst stores: 0 or 1
 *       u64      accesses, turns
 *     pieces of windows, numbered from 0, each:
 *       u32      object
 *       u64      address
 *       bytes    instructions (doc/schema.md)
 *     places of leads, numbered from 0, each:
 *       u32      object
 *       u64      address
 *       u32      kind: 0 conditional, 1 indirect branch, 2 target
 *     windows, each:
 *       u32      thread
 *       u64      start, in instructions
 *       u64      instructions
 *       bytes    path (doc/schema.md)
 *       bytes    accesses
 *       bytes    gaps
 *       bytes    reuse
 *       bytes    lead
 *     char[8]  SPOOL_END
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#define SPOOL_MAGIC   "DEPSPOOL"
#define SPOOL_END     "SPOOLEND"
#define SPOOL_VERSION 10
#define SPOOL_CROSSES 4 /* added to the forward of a load across lines */

enum spool_end {
    SPOOL_EXIT,
    SPOOL_SIGNAL,
    SPOOL_EXEC,
    SPOOL_RUNNING,
    SPOOL_N_ENDS
};
