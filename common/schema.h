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
#define SCHEMA_COST_VERSION   7
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

/* What depbound writes of windows.  Figures are cycles in the windows; `total`
   has cycles of the whole run. */
#define SCHEMA_COST_WINDOW                             \
    "CREATE TABLE window_total("                       \
    " function TEXT,"                                  \
    " windows INTEGER NOT NULL,"                       \
    " instructions INTEGER NOT NULL,"                  \
    " cycles REAL NOT NULL,"                           \
    " recorded INTEGER NOT NULL,"                      \
    " runs INTEGER NOT NULL,"                          \
    " runs_without INTEGER NOT NULL,"                  \
    " wide_gain REAL NOT NULL,"                        \
    " predicted_gain REAL NOT NULL,"                   \
    " branches INTEGER NOT NULL,"                      \
    " mispredicted INTEGER NOT NULL,"                  \
    " typical_penalty INTEGER NOT NULL"                \
    "  CHECK(typical_penalty IN (0, 1)),"              \
    " first_touches INTEGER NOT NULL,"                 \
    " system_calls INTEGER NOT NULL,"                  \
    " unknown_instructions INTEGER NOT NULL,"          \
    " guessed_costs INTEGER NOT NULL,"                 \
    " unknown_order INTEGER NOT NULL,"                 \
    " string_rounds INTEGER NOT NULL,"                 \
    " prefetches INTEGER NOT NULL,"                    \
    " no_rules INTEGER NOT NULL) STRICT;"              \
    "CREATE TABLE window_cause("                       \
    " cause TEXT PRIMARY KEY CHECK(cause IN ("         \
    "  'registers', 'loads', 'forwarded', 'failed',"   \
    "  'addresses',"                                   \
    "  'units', 'dispatch', 'fetch', 'misprediction'," \
    "  'store_buffer', 'order', 'l2', 'l3', 'memory'," \
    "  'pages', 'code')),"                             \
    " cycles REAL NOT NULL) STRICT, WITHOUT ROWID;"    \
    "CREATE TABLE window_full("                        \
    " buffer TEXT PRIMARY KEY CHECK(buffer IN ("       \
    "  'reorder_buffer', 'scheduler', 'load_buffer',"  \
    "  'store_buffer')),"                              \
    " cycles REAL NOT NULL) STRICT, WITHOUT ROWID;"    \
    "CREATE TABLE window_line("                        \
    " object_id INTEGER NOT NULL REFERENCES object,"   \
    " line TEXT NOT NULL,"                             \
    " path REAL NOT NULL,"                             \
    " instructions REAL NOT NULL,"                     \
    " cycles REAL NOT NULL,"                           \
    " PRIMARY KEY(object_id, line)) STRICT,"           \
    " WITHOUT ROWID;"                                  \
    "CREATE TABLE window_pair("                        \
    " store_object INTEGER NOT NULL"                   \
    "  REFERENCES object,"                             \
    " store INTEGER NOT NULL,"                         \
    " store_instruction TEXT,"                         \
    " store_line TEXT,"                                \
    " load_object INTEGER NOT NULL"                    \
    "  REFERENCES object,"                             \
    " load INTEGER NOT NULL,"                          \
    " load_instruction TEXT,"                          \
    " load_line TEXT,"                                 \
    " passages INTEGER NOT NULL,"                      \
    " cycles REAL NOT NULL,"                           \
    " failed REAL NOT NULL,"                           \
    " fix INTEGER NOT NULL,"                           \
    " gain REAL) STRICT;"                              \
    "CREATE TABLE window_miss("                        \
    " object_id INTEGER NOT NULL REFERENCES object,"   \
    " address INTEGER NOT NULL,"                       \
    " access TEXT NOT NULL CHECK(access IN ("          \
    "  'load', 'store', 'code')),"                     \
    " instruction TEXT,"                               \
    " line TEXT,"                                      \
    " level TEXT NOT NULL CHECK(level IN ("            \
    "  'l2', 'l3', 'memory', 'pages', 'code')),"       \
    " cycles REAL NOT NULL,"                           \
    " l2 REAL NOT NULL,"                               \
    " l3 REAL NOT NULL,"                               \
    " memory REAL NOT NULL,"                           \
    " pages REAL NOT NULL,"                            \
    " code REAL NOT NULL,"                             \
    " executions REAL NOT NULL,"                       \
    " missed REAL NOT NULL,"                           \
    " from_l2 REAL NOT NULL,"                          \
    " from_l3 REAL NOT NULL,"                          \
    " from_memory REAL NOT NULL,"                      \
    " pages_missed REAL NOT NULL,"                     \
    " never_touched REAL NOT NULL,"                    \
    " lines_since REAL,"                               \
    " gain_cached REAL,"                               \
    " gain_prefetched REAL,"                           \
    " chased INTEGER NOT NULL"                         \
    "  CHECK(chased IN (0, 1)),"                       \
    " origin_object INTEGER REFERENCES object,"        \
    " origin INTEGER) STRICT;"

/* What depbound writes.  Figures are cycles of one round of a loop, of one
   execution of a block, or, for a function and the program (whose name is
   NULL), of the whole run.  `units` is NULL without llvm-mca. */
#define SCHEMA_COST                                                 \
    "CREATE TABLE object("                                          \
    " object_id INTEGER PRIMARY KEY,"                               \
    " path TEXT NOT NULL,"                                          \
    " build_id TEXT NOT NULL) STRICT;"                              \
    "CREATE TABLE loop("                                            \
    " loop_id INTEGER PRIMARY KEY,"                                 \
    " object_id INTEGER NOT NULL REFERENCES object,"                \
    " function TEXT,"                                               \
    " region TEXT,"                                                 \
    " start INTEGER NOT NULL,"                                      \
    " instructions INTEGER NOT NULL,"                               \
    " rounds INTEGER NOT NULL,"                                     \
    " entries INTEGER NOT NULL,"                                    \
    " units REAL,"                                                  \
    " registers REAL,"                                              \
    " memory REAL,"                                                 \
    " without_memory REAL,"                                         \
    " predicted REAL,"                                              \
    " mended REAL,"                                                 \
    " without_mispredictions REAL,"                                 \
    " at_least INTEGER NOT NULL CHECK(at_least IN (0, 1)),"         \
    " not_known TEXT,"                                              \
    " cycles REAL,"                                                 \
    " limited_by TEXT NOT NULL"                                     \
    "  CHECK(limited_by IN ('units', 'registers', 'memory',"        \
    "   'mispredictions', 'caches', 'not known')),"                 \
    " memory_bound INTEGER NOT NULL CHECK(memory_bound IN (0, 1))," \
    " unknown_instructions INTEGER NOT NULL,"                       \
    " guessed_latencies INTEGER NOT NULL,"                          \
    " recorded_rounds INTEGER NOT NULL,"                            \
    " in_calls REAL,"                                               \
    " steady REAL,"                                                 \
    " low REAL,"                                                    \
    " high REAL) STRICT;"                                           \
    "CREATE TABLE loop_block("                                      \
    " loop_id INTEGER NOT NULL REFERENCES loop,"                    \
    " position INTEGER NOT NULL,"                                   \
    " start INTEGER NOT NULL,"                                      \
    " \"end\" INTEGER NOT NULL,"                                    \
    " PRIMARY KEY(loop_id, position)) STRICT, WITHOUT ROWID;"       \
    "CREATE TABLE link("                                            \
    " loop_id INTEGER NOT NULL REFERENCES loop,"                    \
    " position INTEGER NOT NULL,"                                   \
    " \"from\" INTEGER NOT NULL,"                                   \
    " \"to\" INTEGER NOT NULL,"                                     \
    " wait TEXT NOT NULL"                                           \
    "  CHECK(wait IN ('register', 'address', 'memory', 'data',"     \
    "   'fence', 'units')),"                                        \
    " rounds INTEGER NOT NULL,"                                     \
    " cycles REAL NOT NULL,"                                        \
    " forwarding TEXT"                                              \
    "  CHECK(forwarding IN ('forwarded', 'renamed', 'failed')),"    \
    " relation TEXT CHECK(relation IN ('same', 'contained',"        \
    "  'partial', 'several', 'crossing', 'crossing_page')),"        \
    " observed INTEGER CHECK(observed IN (0, 1)),"                  \
    " distance INTEGER,"                                            \
    " PRIMARY KEY(loop_id, position)) STRICT, WITHOUT ROWID;"       \
    "CREATE TABLE failed_forward("                                  \
    " loop_id INTEGER NOT NULL REFERENCES loop,"                    \
    " position INTEGER NOT NULL,"                                   \
    " \"from\" INTEGER NOT NULL,"                                   \
    " \"to\" INTEGER NOT NULL,"                                     \
    " rounds INTEGER NOT NULL,"                                     \
    " cycles REAL NOT NULL,"                                        \
    " relation TEXT NOT NULL CHECK(relation IN ('same',"            \
    "  'contained', 'partial', 'several', 'crossing',"              \
    "  'crossing_page')),"                                          \
    " observed INTEGER NOT NULL CHECK(observed IN (0, 1)),"         \
    " distance INTEGER NOT NULL,"                                   \
    " PRIMARY KEY(loop_id, position)) STRICT, WITHOUT ROWID;"       \
    "CREATE TABLE total("                                           \
    " function TEXT,"                                               \
    " object_id INTEGER REFERENCES object,"                         \
    " is_program INTEGER NOT NULL CHECK(is_program IN (0, 1)),"     \
    " instructions REAL NOT NULL,"                                  \
    " unmodelled REAL NOT NULL,"                                    \
    " share REAL NOT NULL,"                                         \
    " cycles REAL,"                                                 \
    " mended REAL,"                                                 \
    " low REAL,"                                                    \
    " high REAL) STRICT;" SCHEMA_COST_WINDOW SCHEMA_ANALYSIS

/* What depbound keeps of llvm-mca's answers: the key is a hash of what was
   asked, the processor and the version. */
#define SCHEMA_CACHE         \
    "CREATE TABLE answer("   \
    " key TEXT PRIMARY KEY," \
    " value TEXT NOT NULL) STRICT, WITHOUT ROWID;"
