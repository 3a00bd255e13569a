/*
 * schema: the tables of both databases, the contract between the programs.
 *
 * Addresses are ELF virtual addresses of the object file, stored as SQLite's
 * signed 64-bit integers.  doc/schema.md explains each column.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COMMON_SCHEMA_H
#define COMMON_SCHEMA_H

#define SCHEMA_VERSION       2 /* PRAGMA user_version of both databases, */
#define SCHEMA_WALKS_VERSION 3 /* and of a static.db of functions */

/* PRAGMA application_id: "deps" and "stat" in ASCII. */
#define SCHEMA_DEPS_ID   0x64657073
#define SCHEMA_STATIC_ID 0x73746174

/* What depsim writes.  `session` is common to the processes of one
   invocation, and `started` in microseconds since 1970 tells those of one pid
   apart; `lifetime` holds the bounds that a run counted; exit_status is NULL
   unless it ended by an exit.  A database that an older depsim wrote has no
   `program` until the next run is added. */
#define SCHEMA_DEPS                                          \
    "CREATE TABLE run("                                      \
    " run_id INTEGER PRIMARY KEY,"                           \
    " pid INTEGER NOT NULL,"                                 \
    " command TEXT NOT NULL,"                                \
    " exit_status INTEGER,"                                  \
    " instructions INTEGER NOT NULL,"                        \
    " complete INTEGER NOT NULL CHECK(complete IN (0, 1)),"  \
    " session TEXT NOT NULL,"                                \
    " started INTEGER NOT NULL,"                             \
    " ended TEXT CHECK("                                     \
    "  ended IN ('exit', 'signal', 'exec')),"                \
    " program TEXT,"                                         \
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
    "  CHECK(cross_thread IN (0, 1))) STRICT;"               \
    "CREATE TABLE dep_lifetime("                             \
    " dep_id INTEGER NOT NULL REFERENCES dep,"               \
    " lifetime INTEGER NOT NULL,"                            \
    " occurrences INTEGER NOT NULL CHECK(occurrences > 0),"  \
    " PRIMARY KEY(dep_id, lifetime)) STRICT, WITHOUT ROWID;"

/* What staticdeps writes.  `src_index` and `dst_index` number the instructions
   of the block from 0.  `unknown_address` has the instructions that loaded, or
   stored, at an address that was bottom; `access` how the other addresses of
   blocks with both loads and stores were made. */
#define SCHEMA_STATIC                                                   \
    "CREATE TABLE object("                                              \
    " object_id INTEGER PRIMARY KEY,"                                   \
    " path TEXT NOT NULL,"                                              \
    " build_id TEXT NOT NULL,"                                          \
    " arch TEXT NOT NULL) STRICT;"                                      \
    "CREATE TABLE block("                                               \
    " block_id INTEGER PRIMARY KEY,"                                    \
    " object_id INTEGER NOT NULL REFERENCES object,"                    \
    " function TEXT,"                                                   \
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
    " PRIMARY KEY(block_id, address, stores)) STRICT, WITHOUT ROWID;"   \
    "CREATE TABLE analysis("                                            \
    " key TEXT PRIMARY KEY,"                                            \
    " value ANY NOT NULL) STRICT, WITHOUT ROWID;"

/* What staticdeps writes with --scope=function and --scope=program.  A pair's
   ends may lie in different blocks; then it has no `delta_k`.  `distance` is
   the fewest instructions between them that the analysis saw.  `weak`,
   `coming`, `access` and `call` tell why others are not there. */
#define SCHEMA_WALKS                                                       \
    "CREATE TABLE object("                                                 \
    " object_id INTEGER PRIMARY KEY,"                                      \
    " path TEXT NOT NULL,"                                                 \
    " build_id TEXT NOT NULL,"                                             \
    " arch TEXT NOT NULL) STRICT;"                                         \
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
    " PRIMARY KEY(src_block, src, dst_block, dst)) STRICT, WITHOUT ROWID;" \
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
    " blocks INTEGER NOT NULL) STRICT;"                                    \
    "CREATE TABLE analysis("                                               \
    " key TEXT PRIMARY KEY,"                                               \
    " value ANY NOT NULL) STRICT, WITHOUT ROWID;"

#endif
