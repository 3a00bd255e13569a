-- Two runs of one program under two paths.  Bounds in common: 256, 512, 1024
-- and inf.  The scores are worked out in tests/covcheck.sh.
INSERT INTO run(run_id, complete, instructions, recorded)
    VALUES (1, 1, 200000, 200000), (2, 1, 50000, 50000);
INSERT INTO lifetime VALUES
    (1, 256), (1, 512), (1, 1024), (1, 9223372036854775807),
    (2, 64), (2, 256), (2, 512), (2, 1024), (2, 9223372036854775807);
INSERT INTO object VALUES
    (1, '/opt/bench', 'b1'),
    (2, '/lib/libc.so', 'c0'),
    (3, '/tmp/copy-of-bench', 'b1'),
    (4, '/tmp/without-identity', '');

-- Blocks weigh 1000 (600 + 400), 100, 500, 99 and 0; of all instructions they
-- executed 1.6%, 0.12%, 0.8%, 0.0792% and 0%.
INSERT INTO segment VALUES
    (1, 1, 4096, 4112, 600),
    (2, 3, 4096, 4112, 400),
    (1, 1, 4112, 4124, 100),
    (1, 1, 4120, 4140, 500),
    (1, 1, 4140, 4150, 99),
    (1, 2, 4096, 4160, 1000000);

INSERT INTO dep(dep_id, run_id, src_object, src, dst_object, dst,
    occurrences, min_distance, max_distance) VALUES
    (1, 1, 1, 4096, 1, 4100, 600, 1, 256),    -- found, delta-k agrees
    (2, 2, 3, 4096, 3, 4100, 400, 700, 900),  -- the same, in the other run
    (3, 1, 1, 4100, 1, 4096, 999, 300, 5000), -- found, delta-k does not
    (4, 1, 1, 4104, 1, 4108, 50, 600, 700),   -- missed
    (5, 1, 1, 4112, 1, 4120, 100, 2, 2),      -- found, delta-k agrees
    (6, 1, 1, 4124, 1, 4128, 500, 1, 1),      -- missed: block not analysed
    (7, 1, 1, 4140, 1, 4144, 99, 1, 1),       -- in a dropped block
    (8, 1, 1, 4096, 1, 4124, 15, 4, 2000),    -- spans two kept blocks
    (9, 1, 1, 4108, 2, 4108, 7, 9000, 9000),  -- spans two objects
    (10, 1, 2, 4096, 2, 4100, 77, 1, 1),      -- of another object
    (11, 1, 1, 4140, 1, 5000, 3, 5, 5),       -- from a dropped block
    (12, 1, 4, 4096, 4, 4100, 1, 1, 1);       -- of an unknown object
INSERT INTO dep_lifetime(dep_id, lifetime, occurrences) VALUES
    (1, 256, 600),
    (2, 1024, 400),
    (3, 512, 99), (3, 9223372036854775807, 900),
    (4, 1024, 50),
    (5, 256, 100),
    (6, 256, 500),
    (7, 256, 99),
    (8, 256, 10), (8, 9223372036854775807, 5),
    (9, 9223372036854775807, 7),
    (10, 256, 77),
    (11, 256, 3),
    (12, 256, 1);
