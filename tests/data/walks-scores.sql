-- The scores of each scope, straight from their definition and slowly, for a
-- static.db of walks that is attached as s, and all blocks that executed.  Gives
-- one line "scope|lifetime|found|missed|occurrences found|occurrences missed|
-- predictions judged|that occurred" for each.
WITH
part AS (
    SELECT b.*, o.build_id,
        (SELECT coalesce(sum(g.executions), 0)
         FROM segment AS g JOIN object AS d USING(object_id)
         WHERE d.build_id = o.build_id
             AND g.start <= b.start AND b.start < g."end") AS weight
    FROM s.block AS b JOIN s.object AS o USING(object_id)),
kept AS MATERIALIZED (SELECT * FROM part WHERE weight > 0),
scope(number, name) AS (
    VALUES (0, 'block'), (1, 'function'), (2, 'object'), (3, 'program')),
bound(lifetime) AS (VALUES (512), (1024), (9223372036854775807)),
apart AS MATERIALIZED ( -- two blocks, and the smallest scope that holds both
    SELECT a.block_id AS src_block, b.block_id AS dst_block,
        a.start AS src_start, a."end" AS src_end, a.build_id AS src_id,
        b.start AS dst_start, b."end" AS dst_end, b.build_id AS dst_id,
        a.weight,
        CASE WHEN a.block_id = b.block_id THEN 0
            WHEN a.function_id = b.function_id THEN 1
            WHEN a.object_id = b.object_id THEN 2 ELSE 3 END AS number
    FROM kept AS a JOIN kept AS b),
pair AS MATERIALIZED (
    SELECT lifetime, a.build_id AS src_id, src, b.build_id AS dst_id, dst,
        sum((SELECT coalesce(sum(l.occurrences), 0) FROM dep_lifetime AS l
             WHERE l.dep_id = d.dep_id AND l.lifetime <= bound.lifetime))
            AS rho
    FROM bound, dep AS d
        JOIN object AS a ON a.object_id = src_object
        JOIN object AS b ON b.object_id = dst_object
    GROUP BY 1, 2, 3, 4, 5),
placed AS MATERIALIZED (
    SELECT pair.*, src_block, dst_block, number,
        EXISTS (SELECT 1 FROM s.dep AS p
            WHERE p.src_block = apart.src_block AND p.src = pair.src
                AND p.dst_block = apart.dst_block AND p.dst = pair.dst)
            AS predicted
    FROM pair JOIN apart ON pair.src_id = apart.src_id
        AND pair.dst_id = apart.dst_id
        AND src_start <= src AND src < src_end
        AND dst_start <= dst AND dst < dst_end
    WHERE rho > 0),
judged AS MATERIALIZED (
    SELECT number, EXISTS (SELECT 1 FROM placed AS o
            WHERE o.src_block = p.src_block AND o.src = p.src
                AND o.dst_block = p.dst_block AND o.dst = p.dst
                AND o.lifetime = 9223372036854775807) AS occurred
    FROM s.dep AS p JOIN apart USING(src_block, dst_block)
    WHERE coalesce(weight > delta_k, 1))
SELECT name, iif(lifetime = 9223372036854775807, 'inf', lifetime),
    sum(predicted), sum(NOT predicted),
    sum(rho * predicted), sum(rho * NOT predicted),
    (SELECT count(*) FROM judged WHERE judged.number <= scope.number),
    (SELECT sum(occurred) FROM judged WHERE judged.number <= scope.number)
FROM scope JOIN placed ON placed.number <= scope.number
GROUP BY scope.number, lifetime ORDER BY scope.number, lifetime;
