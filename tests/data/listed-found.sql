-- The dependencies that are found at the bound inf, with every delta-k that was
-- predicted, straight from the definition, for databases as joined.sql takes them, with
-- a minimum weight of 0.  A line "build-id|src|dst|occurrences|min|max|[delta-k,...]"
-- for each.
WITH
found AS (
    SELECT DISTINCT w.build_id, p.block_id, p.src, p.dst
    FROM s.dep AS p JOIN weighed AS w USING(block_id) WHERE w.weight > 0),
seen AS (
    SELECT a.build_id, src, dst, sum(occurrences) AS n,
        min(min_distance) AS least, max(max_distance) AS most
    FROM dep JOIN object AS a ON a.object_id = src_object
        JOIN object AS b ON b.object_id = dst_object
    WHERE a.build_id = b.build_id GROUP BY 1, 2, 3)
SELECT build_id, printf('0x%x', src), printf('0x%x', dst), n, least, most,
    (SELECT json_group_array(delta_k) FROM (SELECT DISTINCT delta_k FROM s.dep AS p
        WHERE p.block_id = found.block_id AND p.src = found.src
            AND p.dst = found.dst ORDER BY delta_k))
FROM found JOIN seen USING(build_id, src, dst)
WHERE n > 0
ORDER BY 1, 2, 3;
