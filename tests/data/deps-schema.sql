-- The tables of deps.db that covcheck reads, without their constraints, so
-- that tests can break them.
PRAGMA application_id = 0x64657073;
PRAGMA user_version = 4;
CREATE TABLE run(run_id INTEGER PRIMARY KEY, complete, instructions, recorded,
    session, pid, started, ended, program, successor);
CREATE TABLE lifetime(run_id, lifetime, PRIMARY KEY(run_id, lifetime));
CREATE TABLE object(object_id INTEGER PRIMARY KEY, path, build_id);
CREATE TABLE segment(run_id, object_id, start, "end", executions);
CREATE TABLE dep(dep_id INTEGER PRIMARY KEY, run_id, src_object, src,
    dst_object, dst, occurrences, min_distance, max_distance,
    cross_thread INTEGER DEFAULT 0);
CREATE TABLE shared_line(run_id, src_object, src, dst_object, dst, stores, accesses, turns);
CREATE TABLE dep_lifetime(dep_id, lifetime, occurrences, same DEFAULT 0,
    contained DEFAULT 0, partial DEFAULT 0, several DEFAULT 0, crossing DEFAULT 0,
    PRIMARY KEY(dep_id, lifetime)) WITHOUT ROWID;
