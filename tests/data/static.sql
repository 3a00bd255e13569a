-- The program of deps.sql, its stripped copy that is cut into fewer blocks,
-- another program, and one without identity.
INSERT INTO object VALUES
    (6, 'bench.stripped', 'b1', 'x86-64'),
    (7, 'bench', 'b1', 'x86-64'),
    (8, 'other', 'ff', 'x86-64'),
    (9, 'unknown', '', 'x86-64');
INSERT INTO block(block_id, object_id, function, start, "end", instructions,
    status) VALUES
    (1, 7, 'f', 4096, 4112, 4, 'ok'),
    (2, 7, 'f', 4112, 4124, 3, 'ok'),
    (3, 7, 'f', 4124, 4140, 4, 'undecodable'),
    (4, 7, 'g', 4140, 4150, 2, 'ok'),
    (5, 7, 'g', 4150, 4160, 2, 'ok'),
    (6, 6, NULL, 4096, 4160, 16, 'ok'),
    (7, 8, 'f', 4096, 4112, 4, 'ok'),
    (8, 9, 'f', 4096, 4112, 4, 'ok');
UPDATE block SET follows_itself = 1 WHERE block_id IN (1, 4);
INSERT INTO dep VALUES
    (1, 4096, 4100, 0, 1, 0, 1.0),    -- occurred
    (1, 4100, 4096, 1, 0, 1, 1.0),    -- occurred
    (1, 4104, 4104, 2, 2, 1, 0.9),    -- did not
    (1, 4096, 4104, 0, 2, 1000, 0.9), -- not judged: too many iterations
    (2, 4112, 4120, 0, 2, 0, 1.0),    -- occurred
    (4, 4140, 4144, 0, 1, 0, 1.0),    -- not judged: dropped block
    (6, 4104, 4108, 2, 3, 0, 1.0),    -- of the copy
    (7, 4104, 4108, 2, 3, 0, 1.0),    -- of the other program
    (8, 4104, 4108, 2, 3, 0, 1.0);
