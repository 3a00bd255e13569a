-- Fills a static.db of walks with the objects, blocks and dependencies of many.sql,
-- which is attached as m, and with dependencies between blocks.  Every fifth
-- block lies in another function than its neighbours, as parts do that a
-- compiler moved away.
INSERT INTO object SELECT * FROM m.object;
INSERT INTO function
    SELECT min(block_id), object_id, function, min(start), max("end")
    FROM m.block WHERE function IS NOT NULL GROUP BY object_id, function;
INSERT INTO block
    SELECT block_id, object_id,
        (SELECT function_id FROM function AS f
         WHERE f.object_id = b.object_id
             AND f.name = iif(block_id % 5, function, 'f3')),
        start, "end", instructions, status, follows_itself, block_id % 4
    FROM m.block AS b;
INSERT INTO analysis VALUES ('scope', 'program');
INSERT OR IGNORE INTO dep
    SELECT block_id, block_id, src, dst, src_index, dst_index, 'block',
        nullif(delta_k, 2), 1, (src * 31 + dst) % 33 / 32.0,
        iif((src + dst) % 5, 'walk', 'flow')
    FROM m.dep;
CREATE TEMP TABLE digit AS
    WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i LIMIT 4000)
    SELECT n, (n * 2654435761) % 4294967291 AS r FROM i;
INSERT OR IGNORE INTO dep
    SELECT a.block_id, b.block_id, a.start + r / 3 % 16 * 4,
        b.start + r / 51 % 16 * 4, r / 3 % 16, r / 51 % 16, 'program', NULL, 1,
        r % 33 / 32.0, iif(r % 11, 'flow', 'walk')
    FROM digit JOIN block AS a ON a.block_id = n % 60 + 1
        JOIN block AS b ON b.block_id = r / 7 % 60 + 1
    WHERE a.block_id <> b.block_id;
-- Some of what occurred, too.
INSERT OR IGNORE INTO dep
    SELECT a.block_id, b.block_id, d.src, d.dst, 0, 0, 'program', NULL, 1,
        dep_id % 21 / 20.0, iif(dep_id % 5, 'walk', 'flow')
    FROM t.dep AS d
        JOIN t.object AS x ON x.object_id = src_object
        JOIN t.object AS y ON y.object_id = dst_object
        JOIN object AS p ON p.build_id = x.build_id
        JOIN object AS q ON q.build_id = y.build_id
        JOIN block AS a ON a.object_id = p.object_id
            AND a.start <= src AND src < a."end"
        JOIN block AS b ON b.object_id = q.object_id
            AND b.start <= dst AND dst < b."end"
    WHERE dep_id % 3 AND a.block_id <> b.block_id;
