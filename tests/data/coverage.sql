-- The scores once more, straight from their definition, after joined.sql.
-- Gives one line
-- "lifetime|cov_u|cov_w|spanning|spanning occurrences|kept blocks|precision|
-- precision within the bound|found in blocks that follow themselves whose
-- delta-k agrees at inf" for each bound.
WITH
part AS ( -- of a block, and what it weighs
    SELECT b.start, b."end", b.instructions, b.build_id, b.weight,
        (SELECT coalesce(sum(g.executions), 0)
         FROM segment AS g JOIN object AS d USING(object_id)
         WHERE d.build_id = b.build_id
             AND b.start <= g.start AND g.start < b."end") AS entered,
        b.block_id
    FROM weighed AS b),
kept AS MATERIALIZED (
    SELECT * FROM part
    WHERE weight > 0 AND max(weight * instructions, entered) * 1000 >=
        (SELECT sum(instructions) FROM run WHERE run_id IN
            (SELECT run_id FROM segment JOIN object USING(object_id)
             WHERE object.build_id = part.build_id))),
placed AS MATERIALIZED (
    SELECT pair.*,
        (SELECT block_id FROM part WHERE build_id = src_id
            AND start <= src AND src < "end") AS src_block,
        (SELECT block_id FROM part WHERE build_id = dst_id
            AND start <= dst AND dst < "end") AS dst_block
    FROM pair WHERE rho > 0),
judged AS (
    SELECT lifetime, rho,
        src_block IS dst_block AND src_block IN (SELECT block_id FROM kept)
            AS inside,
        EXISTS (SELECT 1 FROM s.dep AS p WHERE p.block_id = +src_block
            AND p.src = +placed.src AND p.dst = +placed.dst) AS predicted
    FROM placed
    WHERE src_block IN (SELECT block_id FROM kept)
        OR dst_block IN (SELECT block_id FROM kept))
SELECT iif(lifetime = 9223372036854775807, 'inf', lifetime),
    printf('%.9f', 100.0 * sum(inside AND predicted) / sum(inside)),
    printf('%.9f', 100.0 * sum(rho * (inside AND predicted))
        / sum(rho * inside)),
    sum(NOT inside), sum(rho * NOT inside),
    (SELECT count(*) FROM kept),
    (SELECT printf('%.9f', 100.0 * sum(EXISTS (SELECT 1 FROM pair
        WHERE rho > 0 AND pair.lifetime = 9223372036854775807
            AND src_id = build_id AND dst_id = build_id
            AND pair.src = p.src AND pair.dst = p.dst)) / count(*))
     FROM s.dep AS p JOIN kept USING(block_id) WHERE weight > delta_k),
    (SELECT printf('%.9f', 100.0 * sum(EXISTS (SELECT 1 FROM pair
        WHERE rho > 0 AND pair.lifetime = judged.lifetime
            AND src_id = build_id AND dst_id = build_id
            AND pair.src = p.src AND pair.dst = p.dst)) / count(*))
     FROM s.dep AS p JOIN kept USING(block_id) WHERE weight > delta_k),
    (SELECT printf('%.9f', 100.0 * sum(explained) / count(*))
     FROM (SELECT max(p.delta_k * b.instructions + p.dst_index - p.src_index
            = (SELECT min(min_distance)
                FROM dep AS d JOIN object AS a ON a.object_id = d.src_object
                    JOIN object AS z ON z.object_id = d.dst_object
                WHERE a.build_id = src_id AND z.build_id = dst_id
                    AND d.src = placed.src AND d.dst = placed.dst))
            AS explained
        FROM placed JOIN kept ON src_block = kept.block_id
            JOIN s.block AS b ON b.block_id = src_block AND b.follows_itself
            JOIN s.dep AS p ON p.block_id = src_block
                AND p.src = placed.src AND p.dst = placed.dst
        WHERE placed.lifetime = 9223372036854775807 AND src_block IS dst_block
        GROUP BY src_id, placed.src, placed.dst))
FROM judged GROUP BY lifetime ORDER BY lifetime;
