-- The program and the library of deps.sql, walked.
INSERT INTO object VALUES
    (1, 'bench', 'b1', 'x86-64'),
    (2, 'libc.so', 'c0', 'x86-64');
INSERT INTO function VALUES
    (1, 1, 'f', 4096, 4140),
    (2, 1, 'g', 4140, 4150),
    (3, 2, NULL, 4096, 4160);
INSERT INTO block VALUES
    (1, 1, 1, 4096, 4112, 4, 'ok', 1, 9),
    (2, 1, 1, 4112, 4124, 3, 'ok', 1, 5),
    (3, 1, 1, 4124, 4140, 4, 'undecodable', 0, 5),
    (4, 1, 2, 4140, 4150, 2, 'ok', 0, 3),
    (5, 1, NULL, 4150, 4160, 2, 'ok', 0, 3),
    (6, 2, 3, 4096, 4160, 16, 'ok', 0, 0);
INSERT INTO analysis VALUES ('scope', 'program');
INSERT INTO dep VALUES
    (1, 1, 4096, 4100, 0, 1, 'block', 0, 1, 1.0, 'walk'),        -- occurred
    (1, 1, 4100, 4096, 1, 0, 'block', 1, 3, 1.0, 'walk'),        -- occurred
    (1, 1, 4104, 4104, 2, 2, 'block', 1, 4, 0.9, 'walk'),        -- did not
    (1, 3, 4096, 4124, 0, 0, 'function', NULL, 4, 0.5, 'walk'),  -- occurred
    (1, 4, 4104, 4144, 2, 1, 'object', NULL, 9, 0.5, 'walk'),    -- occurred
    (1, 5, 4104, 4152, 2, 1, 'object', NULL, 9, 0.5, 'walk'),    -- did not run
    (1, 6, 4108, 4108, 3, 3, 'program', NULL, 9, 0.5, 'walk'),   -- occurred
    (2, 1, 4112, 4100, 0, 1, 'function', NULL, 9, 0.1, 'walk'),  -- did not
    (2, 2, 4112, 4120, 0, 2, 'block', NULL, 2, 1.0, 'walk');     -- occurred
-- One walk came to all blocks that any came to.
INSERT INTO coming SELECT block_id, x'0000' FROM block WHERE walks > 0;
