-- Fills deps.db, with static.db attached as s, with blocks, segments and
-- dependencies that look random, from the one row of the table seed(n).  Two
-- objects; three runs; blocks of 64 bytes and 16 instructions.
INSERT INTO run(run_id, complete, instructions, recorded)
    VALUES (1, 1, 1400000, 1400000), (2, 1, 1600000, 1600000),
    (3, 1, 1800000, 1800000);
INSERT INTO lifetime
    SELECT run_id, value FROM run,
        json_each('[16, 512, 1024, 9223372036854775807]');
INSERT INTO object VALUES (1, 'a', 'aa'), (2, 'b', 'bb'), (3, 'c', 'aa');
INSERT INTO s.object VALUES (1, 'a', 'aa', ''), (2, 'b', 'bb', '');

CREATE TEMP TABLE digit AS
    WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i LIMIT 4000)
    SELECT i.n AS n, (i.n * 2654435761 + seed.n * 40503) % 4294967291 AS r
    FROM i, seed;
INSERT INTO s.block
    SELECT n, 1 + n % 2, iif(n < 7, NULL, 'f' || (n / 6)), 4096 + 64 * (n / 2), 4160 + 64 * (n / 2), 16,
        iif(r % 7, 'ok', 'undecodable'), n % 3 > 0,
        -1
    FROM digit WHERE n <= 60;
INSERT INTO segment
    SELECT 1 + n % 3, 1 + r % 3, 4096 + r / 3 % 1920,
        4096 + r / 3 % 1920 + r / 7 % 200,
        (r / 11 % 10) * (r / 11 % 10) * (r / 11 % 10)
    FROM digit WHERE n <= 90;
INSERT OR IGNORE INTO s.unknown_address
    SELECT n, 4096 + 64 * (n / 2) + r % 6 * 4, r % 2, 1 - r % 2
    FROM digit WHERE n <= 60 AND r % 3 = 0;
INSERT OR IGNORE INTO s.access
    SELECT n % 60 + 1, 4096 + 64 * ((n % 60 + 1) / 2) + r % 6 * 4, r / 6 % 2,
        r / 12 % 4, r / 48 % 5 = 0
    FROM digit WHERE n <= 300;
INSERT INTO s.analysis VALUES ('rob', 16);
INSERT OR IGNORE INTO s.dep
    SELECT n % 60 + 1, a + r % 6 * 4, a + r / 6 % 6 * 4, r % 6, r / 6 % 6,
        r / 36 % 3, 1
    FROM (SELECT n, r, 4096 + 64 * ((n % 60 + 1) / 2) AS a FROM digit)
    WHERE n <= 1200;
INSERT INTO dep(dep_id, run_id, src_object, src, dst_object, dst,
        occurrences, min_distance, max_distance)
    SELECT n, 1 + n % 3, 1 + r % 3, a + r / 3 % 6 * 4,
        iif(r / 9 % 8, 1 + r % 3, 2), a + r / 5 % 20 * 4, 0, 1 + r % 40,
        1 + r % 40 + r % 77
    FROM (SELECT n, r, 4096 + 64 * (r / 17 % 31) AS a FROM digit);
INSERT OR IGNORE INTO dep_lifetime(dep_id, lifetime, occurrences)
    SELECT n, value, 1 + r / 23 % 500 FROM digit,
        json_each('[16, 512, 1024, 9223372036854775807]')
    WHERE r / (key + 5) % 3 = 0;
UPDATE dep SET occurrences = (SELECT coalesce(sum(l.occurrences), 0)
    FROM dep_lifetime AS l WHERE l.dep_id = dep.dep_id);
