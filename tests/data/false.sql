-- The judged predictions that did not occur, straight from the definition, after
-- joined.sql, with a minimum weight of 0.  A line
-- "build-id|src|dst|delta-k|weight" for each.
SELECT build_id, printf('0x%x', src), printf('0x%x', dst), delta_k, weight
FROM s.dep AS p JOIN weighed USING(block_id)
WHERE weight > delta_k AND NOT EXISTS (
    SELECT 1 FROM dep AS d JOIN object AS a ON a.object_id = d.src_object
        JOIN object AS b ON b.object_id = d.dst_object
    WHERE d.src = p.src AND d.dst = p.dst AND d.occurrences > 0
        AND a.build_id = weighed.build_id AND b.build_id = weighed.build_id)
ORDER BY 1, 2, 3, 4;
