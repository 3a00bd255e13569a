-- The tables of a static.db of walks that covcheck reads, without their
-- constraints, so that tests can break them.
PRAGMA application_id = 0x73746174;
PRAGMA user_version = 4;
CREATE TABLE object(object_id INTEGER PRIMARY KEY, path, build_id, arch);
CREATE TABLE function(function_id INTEGER PRIMARY KEY, object_id, name, start,
    "end");
CREATE TABLE block(block_id INTEGER PRIMARY KEY, object_id, function_id, start,
    "end", instructions, status, follows_itself INTEGER DEFAULT 0, walks);
CREATE TABLE dep(src_block, dst_block, src, dst, src_index, dst_index, scope,
    delta_k, distance, support, evidence,
    PRIMARY KEY(src_block, src, dst_block, dst)) WITHOUT ROWID;
CREATE TABLE walked(function_id INTEGER PRIMARY KEY, walks, instructions,
    blocks);
CREATE TABLE analysis(key PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE weak(src_block, dst_block, src, dst, support,
    PRIMARY KEY(src_block, src, dst_block, dst)) WITHOUT ROWID;
CREATE TABLE coming(block_id INTEGER PRIMARY KEY, walks);
CREATE TABLE access(block_id, address, stores, made,
    PRIMARY KEY(block_id, address, stores)) WITHOUT ROWID;
CREATE TABLE call(block_id INTEGER PRIMARY KEY, fate);
CREATE TABLE vector(src_block, src, dst_block, dst, level, loop, rounds,
    PRIMARY KEY(src_block, src, dst_block, dst, level)) WITHOUT ROWID;
CREATE TABLE alias(object_id, start, name);
