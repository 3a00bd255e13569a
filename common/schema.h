/*
 * schema: the tables of both databases, the contract between the programs.
 *
 * Addresses are ELF virtual addresses of the object file, stored as SQLite's
 * signed 64-bit integers.  doc/schema.md explains each column.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

/* PRAGMA user_version. */
#define SCHEMA_VERSION        4 /* the version of deps.db */
#define SCHEMA_STATIC_VERSION 4 /* of static.db, of blocks or of functions */
#define SCHEMA_COST_VERSION   8
#define SCHEMA_CACHE_VERSION  2

/* PRAGMA application_id: "deps", "stat", "cost" and "cach" in ASCII. */
#define SCHEMA_DEPS_ID   0x64657073
#define SCHEMA_STATIC_ID 0x73746174
#define SCHEMA_COST_ID   0x636f7374
#define SCHEMA_CACHE_ID  0x63616368

/* What depsim writes.  `session` is common to the processes of one invocation,
   and `started` in microseconds since 1970 tells processes of one pid apart;
   `recorded` counts the instructions while recording was on; `lifetime` holds
   the bounds that a run counted; exit_status is NULL unless the run ended by an
   exit, and `successor`, the program that its execve named, unless by that. The
   columns from `same` on say how occurrences were forwarded (occurrence.h).
   Windows are what --windows records. */
#define SCHEMA_DEPS                                          \
    "CREATE TABLE run("                                      \
    " run_id INTEGER PRIMARY KEY,"                           \
    " pid INTEGER NOT NULL,"                                 \
    " command TEXT NOT NULL,"                                \
    " exit_status INTEGER,"                                  \
    " instructions INTEGER NOT NULL,"                        \
    " recorded INTEGER NOT NULL"                             \
    "  CHECK(recorded BETWEEN 0 AND instructions),"          \
    " complete INTEGER NOT NULL CHECK(complete IN (0, 1)),"  \
    " session TEXT NOT NULL,"                                \
    " started INTEGER NOT NULL,"                             \
    " ended TEXT CHECK("                                     \
    "  ended IN ('exit', 'signal', 'exec')),"                \
    " program TEXT,"                                         \
    " successor TEXT CHECK(successor IS NULL"                \
    "  OR ended = 'exec'),"                                  \
    " UNIQUE(session, pid, started)) STRICT;"                \
    "CREATE TABLE lifetime("                                 \
    " run_id INTEGER NOT NULL REFERENCES run,"               \
    " lifetime INTEGER NOT NULL,"                            \
    " PRIMARY KEY(run_id, lifetime)) STRICT, WITHOUT ROWID;" \
    "CREATE TABLE object("                                   \
    " object_id INTEGER PRIMARY KEY,"                        \
    " path TEXT NOT NULL,"                                   \
    " build_id TEXT NOT NULL,"                               \
    " UNIQUE(build_id, path)) STRICT;"                       \
    "CREATE TABLE segment("                                  \
    " run_id INTEGER NOT NULL REFERENCES run,"               \
    " object_id INTEGER NOT NULL REFERENCES object,"         \
    " start INTEGER NOT NULL,"                               \
    " \"end\" INTEGER NOT NULL,"                             \
    " executions INTEGER NOT NULL) STRICT;"                  \
    "CREATE TABLE dep("                                      \
    " dep_id INTEGER PRIMARY KEY,"                           \
    " run_id INTEGER NOT NULL REFERENCES run,"               \
    " src_object INTEGER NOT NULL REFERENCES object,"        \
    " src INTEGER NOT NULL,"                                 \
    " dst_object INTEGER NOT NULL REFERENCES object,"        \
    " dst INTEGER NOT NULL,"                                 \
    " occurrences INTEGER NOT NULL,"                         \
    " min_distance INTEGER NOT NULL,"                        \
    " max_distance INTEGER NOT NULL,"                        \
    " cross_thread INTEGER NOT NULL DEFAULT 0"               \
    "  CHECK(cross_thread BETWEEN 0 AND occurrences))"       \
    " STRICT;"                                               \
    "CREATE TABLE dep_lifetime("                             \
    " dep_id INTEGER NOT NULL REFERENCES dep,"               \
    " lifetime INTEGER NOT NULL,"                            \
    " occurrences INTEGER NOT NULL CHECK(occurrences > 0),"  \
    " same INTEGER NOT NULL DEFAULT 0,"                      \
    " contained INTEGER NOT NULL DEFAULT 0,"                 \
    " partial INTEGER NOT NULL DEFAULT 0,"                   \
    " several INTEGER NOT NULL DEFAULT 0,"                   \
    " crossing INTEGER NOT NULL DEFAULT 0,"                  \
    " PRIMARY KEY(dep_id, lifetime)) STRICT, WITHOUT ROWID;" \
    "CREATE TABLE shared_line("                              \
    " run_id INTEGER NOT NULL REFERENCES run,"               \
    " src_object INTEGER NOT NULL REFERENCES object,"        \
    " src INTEGER NOT NULL,"                                 \
    " dst_object INTEGER NOT NULL REFERENCES object,"        \
    " dst INTEGER NOT NULL,"                                 \
    " stores INTEGER NOT NULL CHECK(stores IN (0, 1)),"      \
    " accesses INTEGER NOT NULL CHECK(accesses > 0),"        \
    " turns INTEGER NOT NULL"                                \
    "  CHECK(turns BETWEEN 1 AND accesses)) STRICT;"         \
    "CREATE TABLE window("                                   \
    " window_id INTEGER PRIMARY KEY,"                        \
    " run_id INTEGER NOT NULL REFERENCES run,"               \
    " thread INTEGER NOT NULL CHECK(thread >= 0),"           \
    " start_timestamp INTEGER NOT NULL"                      \
    "  CHECK(start_timestamp >= 0),"                         \
    " instructions INTEGER NOT NULL"                         \
    "  CHECK(instructions > 0),"                             \
    " path BLOB NOT NULL,"                                   \
    " accesses BLOB NOT NULL,"                               \
    " gaps BLOB NOT NULL,"                                   \
    " reuse BLOB NOT NULL,"                                  \
    " lead BLOB NOT NULL DEFAULT x'') STRICT;"               \
    "CREATE TABLE window_place("                             \
    " run_id INTEGER NOT NULL REFERENCES run,"               \
    " place INTEGER NOT NULL,"                               \
    " object_id INTEGER NOT NULL REFERENCES object,"         \
    " address INTEGER NOT NULL,"                             \
    " kind INTEGER NOT NULL CHECK(kind IN (0, 1, 2)),"       \
    " PRIMARY KEY(run_id, place)) STRICT, WITHOUT ROWID;"    \
    "CREATE TABLE window_piece("                             \
    " run_id INTEGER NOT NULL REFERENCES run,"               \
    " piece INTEGER NOT NULL CHECK(piece >= 0),"             \
    " object_id INTEGER NOT NULL REFERENCES object,"         \
    " address INTEGER NOT NULL,"                             \
    " instructions BLOB NOT NULL,"                           \
    " PRIMARY KEY(run_id, piece)) STRICT, WITHOUT ROWID;"

/* Tables of several kinds of databases. */
#define SCHEMA_OBJECT                 \
    "CREATE TABLE object("            \
    " object_id INTEGER PRIMARY KEY," \
    " path TEXT NOT NULL,"            \
    " build_id TEXT NOT NULL,"        \
    " arch TEXT NOT NULL) STRICT;"
/* Other names of the function that begins at an address. */
#define SCHEMA_ALIAS                                 \
    "CREATE TABLE alias("                            \
    " object_id INTEGER NOT NULL REFERENCES object," \
    " start INTEGER NOT NULL,"                       \
    " name TEXT NOT NULL) STRICT;"
#define SCHEMA_ANALYSIS      \
    "CREATE TABLE analysis(" \
    " key TEXT PRIMARY KEY," \
    " value ANY NOT NULL) STRICT, WITHOUT ROWID;"

/* What staticdeps writes.  `src_index` and `dst_index` number the instructions
   of the block from 0.  `unknown_address` has the instructions that loaded, or
   stored, at an address that was bottom; `access` how the other addresses of
   blocks with both loads and stores were made.  `relation` and `offset` of a
   pair say how the bytes of the load lie to those of the store
   (staticdeps/interpret/sd_memory.h).  `function_start` tells functions of one
   name apart. */
#define SCHEMA_STATIC                                                   \
    SCHEMA_OBJECT                                                       \
    "CREATE TABLE block("                                               \
    " block_id INTEGER PRIMARY KEY,"                                    \
    " object_id INTEGER NOT NULL REFERENCES object,"                    \
    " function TEXT,"                                                   \
    " function_start INTEGER,"                                          \
    " start INTEGER NOT NULL,"                                          \
    " \"end\" INTEGER NOT NULL,"                                        \
    " instructions INTEGER NOT NULL,"                                   \
    " status TEXT NOT NULL,"                                            \
    " follows_itself INTEGER NOT NULL DEFAULT 0"                        \
    "  CHECK(follows_itself IN (0, 1))) STRICT;"                        \
    "CREATE TABLE dep("                                                 \
    " block_id INTEGER NOT NULL REFERENCES block,"                      \
    " src INTEGER NOT NULL,"                                            \
    " dst INTEGER NOT NULL,"                                            \
    " src_index INTEGER NOT NULL,"                                      \
    " dst_index INTEGER NOT NULL,"                                      \
    " delta_k INTEGER NOT NULL CHECK(delta_k >= 0),"                    \
    " support REAL NOT NULL CHECK(support BETWEEN 0 AND 1),"            \
    " relation TEXT NOT NULL DEFAULT 'unknown' CHECK("                  \
    "  relation IN ('same', 'contained', 'partial', 'several',"         \
    "  'unknown')),"                                                    \
    " offset INTEGER CHECK(offset IS NULL OR relation <> 'unknown'),"   \
    " PRIMARY KEY(block_id, src, dst, delta_k)) STRICT, WITHOUT ROWID;" \
    "CREATE TABLE unknown_address("                                     \
    " block_id INTEGER NOT NULL REFERENCES block,"                      \
    " address INTEGER NOT NULL,"                                        \
    " loads INTEGER NOT NULL CHECK(loads IN (0, 1)),"                   \
    " stores INTEGER NOT NULL CHECK(stores IN (0, 1)),"                 \
    " PRIMARY KEY(block_id, address)) STRICT, WITHOUT ROWID;"           \
    "CREATE TABLE access("                                              \
    " block_id INTEGER NOT NULL REFERENCES block,"                      \
    " address INTEGER NOT NULL,"                                        \
    " stores INTEGER NOT NULL CHECK(stores IN (0, 1)),"                 \
    " base INTEGER NOT NULL,"                                           \
    " loaded INTEGER NOT NULL CHECK(loaded IN (0, 1)),"                 \
    " PRIMARY KEY(block_id, address, stores)) STRICT, WITHOUT "         \
    "ROWID;" SCHEMA_ALIAS SCHEMA_ANALYSIS

/* What staticdeps writes with --scope=function and --scope=program.  A pair's
   ends may lie in different blocks; then it has no `delta_k`.  `distance` is
   the fewest instructions between them that the analysis saw, and `loop` the
   header of the loop that was re-entered in between, if one was.  `vector` has
   the rounds of each loop that lie between them, where they are fixed.  `weak`,
   `coming`, `access` and `call` tell why other pairs are not there. */
#define SCHEMA_WALKS                                                       \
    SCHEMA_OBJECT                                                          \
    "CREATE TABLE function("                                               \
    " function_id INTEGER PRIMARY KEY,"                                    \
    " object_id INTEGER NOT NULL REFERENCES object,"                       \
    " name TEXT,"                                                          \
    " start INTEGER NOT NULL,"                                             \
    " \"end\" INTEGER NOT NULL) STRICT;"                                   \
    "CREATE TABLE block("                                                  \
    " block_id INTEGER PRIMARY KEY,"                                       \
    " object_id INTEGER NOT NULL REFERENCES object,"                       \
    " function_id INTEGER REFERENCES function,"                            \
    " start INTEGER NOT NULL,"                                             \
    " \"end\" INTEGER NOT NULL,"                                           \
    " instructions INTEGER NOT NULL,"                                      \
    " status TEXT NOT NULL,"                                               \
    " follows_itself INTEGER NOT NULL DEFAULT 0"                           \
    "  CHECK(follows_itself IN (0, 1)),"                                   \
    " walks INTEGER NOT NULL CHECK(walks >= 0)) STRICT;"                   \
    "CREATE TABLE dep("                                                    \
    " src_block INTEGER NOT NULL REFERENCES block,"                        \
    " dst_block INTEGER NOT NULL REFERENCES block,"                        \
    " src INTEGER NOT NULL,"                                               \
    " dst INTEGER NOT NULL,"                                               \
    " src_index INTEGER NOT NULL,"                                         \
    " dst_index INTEGER NOT NULL,"                                         \
    " scope TEXT NOT NULL CHECK("                                          \
    "  scope IN ('block', 'function', 'object', 'program')),"              \
    " delta_k INTEGER CHECK(delta_k >= 0),"                                \
    " distance INTEGER CHECK(distance >= 0),"                              \
    " support REAL NOT NULL CHECK(support BETWEEN 0 AND 1),"               \
    " evidence TEXT NOT NULL CHECK("                                       \
    "  evidence IN ('block', 'walk', 'flow')),"                            \
    " loop INTEGER REFERENCES block,"                                      \
    " relation TEXT NOT NULL DEFAULT 'unknown' CHECK("                     \
    "  relation IN ('same', 'contained', 'partial', 'several',"            \
    "  'unknown')),"                                                       \
    " offset INTEGER CHECK(offset IS NULL OR relation <> 'unknown'),"      \
    " PRIMARY KEY(src_block, src, dst_block, dst)) STRICT, WITHOUT ROWID;" \
    "CREATE TABLE vector("                                                 \
    " src_block INTEGER NOT NULL,"                                         \
    " src INTEGER NOT NULL,"                                               \
    " dst_block INTEGER NOT NULL,"                                         \
    " dst INTEGER NOT NULL,"                                               \
    " level INTEGER NOT NULL CHECK(level >= 1),"                           \
    " loop INTEGER NOT NULL REFERENCES block,"                             \
    " rounds INTEGER NOT NULL,"                                            \
    " PRIMARY KEY(src_block, src, dst_block, dst, level),"                 \
    " FOREIGN KEY(src_block, src, dst_block, dst) REFERENCES dep)"         \
    " STRICT, WITHOUT ROWID;"                                              \
    "CREATE TABLE weak("                                                   \
    " src_block INTEGER NOT NULL REFERENCES block,"                        \
    " dst_block INTEGER NOT NULL REFERENCES block,"                        \
    " src INTEGER NOT NULL,"                                               \
    " dst INTEGER NOT NULL,"                                               \
    " support REAL NOT NULL CHECK(support BETWEEN 0 AND 1),"               \
    " PRIMARY KEY(src_block, src, dst_block, dst)) STRICT, WITHOUT ROWID;" \
    "CREATE TABLE coming("                                                 \
    " block_id INTEGER PRIMARY KEY REFERENCES block,"                      \
    " walks BLOB NOT NULL) STRICT;"                                        \
    "CREATE TABLE access("                                                 \
    " block_id INTEGER NOT NULL REFERENCES block,"                         \
    " address INTEGER NOT NULL,"                                           \
    " stores INTEGER NOT NULL CHECK(stores IN (0, 1)),"                    \
    " made TEXT NOT NULL CHECK(made IN ('drawn', 'loaded', 'undecided'))," \
    " PRIMARY KEY(block_id, address, stores)) STRICT, WITHOUT ROWID;"      \
    "CREATE TABLE call("                                                   \
    " block_id INTEGER PRIMARY KEY REFERENCES block,"                      \
    " fate TEXT NOT NULL CHECK("                                           \
    "  fate IN ('entered', 'skipped', 'unresolved'))) STRICT;"             \
    "CREATE TABLE walked("                                                 \
    " function_id INTEGER PRIMARY KEY REFERENCES function,"                \
    " walks INTEGER NOT NULL,"                                             \
    " instructions INTEGER NOT NULL,"                                      \
    " blocks INTEGER NOT NULL) STRICT;" SCHEMA_ALIAS SCHEMA_ANALYSIS

/* What depbound writes: lists of its JSON, with their names (report/report.h,
   "report_db"); doc/depbound.schema.json says what each member is. */
#define SCHEMA_COST                                                            \
    "CREATE TABLE report(version, edges, machine, stands_for, published,"      \
    " llvm_mca);"                                                              \
    "CREATE TABLE objects(path, build_id);"                                    \
    "CREATE TABLE loops(id INTEGER PRIMARY KEY, object, function, region,"     \
    " address, instructions, rounds, entries, units, registers, memory,"       \
    " without_memory, predicted, mended, without_mispredictions, at_least,"    \
    " not_known, cycles, limited_by, memory_bound, unknown_instructions,"      \
    " guessed_latencies, recorded_rounds, in_calls, steady, low, high);"       \
    "CREATE TABLE loops_blocks(of_row, start, \"end\");"                       \
    "CREATE TABLE loops_chain(of_row, wait, from_address, to_address, rounds," \
    " cycles, forwarding, relation, observed, distance);"                      \
    "CREATE TABLE loops_failed(of_row, from_address, to_address, rounds,"      \
    " cycles, relation, observed, distance);"                                  \
    "CREATE TABLE program(id INTEGER PRIMARY KEY, \"by\", instructions,"       \
    " unmodelled, share, cycles, mended, low, high);"                          \
    "CREATE TABLE program_functions(of_row, function, object, instructions,"   \
    " unmodelled, share, cycles, mended);"                                     \
    "CREATE TABLE windows(id INTEGER PRIMARY KEY, function, windows,"          \
    " instructions, cycles, recorded, runs, runs_without, wide_gain,"          \
    " predicted_gain, branches, mispredicted, typical_penalty, first_touches," \
    " system_calls, unknown_instructions, guessed_costs, unknown_order,"       \
    " string_rounds, prefetches, no_rules, causes_registers, causes_loads,"    \
    " causes_forwarded, causes_failed, causes_addresses, causes_units,"        \
    " causes_dispatch, causes_fetch, causes_misprediction,"                    \
    " causes_store_buffer, causes_order, causes_l2, causes_l3, causes_memory," \
    " causes_pages, causes_code, full_reorder_buffer, full_scheduler,"         \
    " full_load_buffer, full_store_buffer);"                                   \
    "CREATE TABLE windows_lines(of_row, object, line, path, instructions,"     \
    " cycles);"                                                                \
    "CREATE TABLE windows_pairs(of_row, store_object, store,"                  \
    " store_instruction, store_line, load_object, load, load_instruction,"     \
    " load_line, passages, cycles, failed, fix, gain);"                        \
    "CREATE TABLE windows_misses(of_row, object, address, access,"             \
    " instruction, line, level, cycles, waits_l2, waits_l3, waits_memory,"     \
    " waits_pages, waits_code, executions, missed, from_l2, from_l3,"          \
    " from_memory, pages_missed, never_touched, lines_since, gain_cached,"     \
    " gain_prefetched, is_chased, origin_object, origin_address);"

/* What depbound keeps of llvm-mca's answers: the key is a hash of what was
   asked, the processor and the version. */
#define SCHEMA_CACHE         \
    "CREATE TABLE answer("   \
    " key TEXT PRIMARY KEY," \
    " value TEXT NOT NULL) STRICT, WITHOUT ROWID;"
