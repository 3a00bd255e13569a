-- Where both ends of all that occurred lie, straight from the definition, for
-- databases as joined.sql takes them.  A line "lifetime|all|block|function|
-- across|unknown|
-- outside" for each bound.
WITH
place AS (
    SELECT d.object_id, b.start, b."end", b.block_id, b.function, o.build_id
    FROM s.block AS b JOIN s.object AS o USING(object_id)
        JOIN object AS d ON d.build_id = o.build_id),
bound(lifetime) AS (VALUES (9223372036854775807), (1024), (512)),
placed AS MATERIALIZED (
    SELECT bound.lifetime, l.occurrences AS n,
        (SELECT block_id FROM place WHERE object_id = src_object
            AND start <= src AND src < "end") AS src_block,
        (SELECT block_id FROM place WHERE object_id = dst_object
            AND start <= dst AND dst < "end") AS dst_block
    FROM bound JOIN dep_lifetime AS l ON l.lifetime <= bound.lifetime
        JOIN dep USING(dep_id)),
scoped AS (
    SELECT lifetime, n, CASE
        WHEN src_block IS NULL OR dst_block IS NULL THEN 'outside'
        WHEN src_block = dst_block THEN 'block'
        WHEN a.function IS NULL OR b.function IS NULL THEN 'unknown'
        WHEN a.object_id = b.object_id AND a.function = b.function
            THEN 'function'
        ELSE 'across' END AS scope
    FROM placed LEFT JOIN s.block AS a ON a.block_id = src_block
        LEFT JOIN s.block AS b ON b.block_id = dst_block)
SELECT iif(lifetime = 9223372036854775807, 'inf', lifetime), sum(n),
    sum(iif(scope = 'block', n, 0)), sum(iif(scope = 'function', n, 0)),
    sum(iif(scope = 'across', n, 0)), sum(iif(scope = 'unknown', n, 0)),
    sum(iif(scope = 'outside', n, 0))
FROM scoped GROUP BY lifetime ORDER BY lifetime DESC;
