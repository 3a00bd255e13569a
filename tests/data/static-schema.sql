-- The tables of static.db that covcheck reads, without their constraints, so
-- that tests can break them.
PRAGMA application_id = 0x73746174;
PRAGMA user_version = 4;
CREATE TABLE object(object_id INTEGER PRIMARY KEY, path, build_id, arch);
CREATE TABLE block(block_id INTEGER PRIMARY KEY, object_id, function, start,
    "end", instructions, status, follows_itself INTEGER DEFAULT 0,
    function_start INTEGER DEFAULT -1);
CREATE TABLE unknown_address(block_id, address, loads, stores,
    PRIMARY KEY(block_id, address)) WITHOUT ROWID;
CREATE TABLE analysis(key PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE dep(block_id, src, dst, src_index, dst_index, delta_k, support,
    PRIMARY KEY(block_id, src, dst, delta_k)) WITHOUT ROWID;
CREATE TABLE access(block_id, address, stores, base, loaded,
    PRIMARY KEY(block_id, address, stores)) WITHOUT ROWID;
CREATE TABLE alias(object_id, start, name);
