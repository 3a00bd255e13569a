-- The judged predictions that did not occur, straight from the definition, for
-- databases as coverage.sql takes them, with a minimum weight of 0.  A line
-- "build-id|src|dst|delta-k|weight" for each.
WITH weighed AS (
    SELECT b.block_id, o.build_id,
        (SELECT coalesce(sum(g.executions), 0)
         FROM segment AS g JOIN object AS d USING(object_id)
         WHERE d.build_id = o.build_id
             AND g.start <= b.start AND b.start < g."end") AS weight
    FROM s.block AS b JOIN s.object AS o USING(object_id))
SELECT build_id, printf('0x%x', src), printf('0x%x', dst), delta_k, weight
FROM s.dep AS p JOIN weighed USING(block_id)
WHERE weight > delta_k AND NOT EXISTS (
    SELECT 1 FROM dep AS d JOIN object AS a ON a.object_id = d.src_object
        JOIN object AS b ON b.object_id = d.dst_object
    WHERE d.src = p.src AND d.dst = p.dst AND d.occurrences > 0
        AND a.build_id = weighed.build_id AND b.build_id = weighed.build_id)
ORDER BY 1, 2, 3, 4;
