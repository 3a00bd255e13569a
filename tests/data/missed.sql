-- The dependencies that are missed at the bound inf, and why, straight from
-- the definition, after joined.sql, with a minimum weight of 0.  A line
-- "build-id|src|dst|occurrences|min|max|reason" for each.
WITH
part AS (
    SELECT b.*, (SELECT value FROM s.analysis WHERE key = 'rob') AS rob
    FROM weighed AS b WHERE weight > 0),
made AS ( -- of each access: its base, NULL if it is unknown
    SELECT block_id, address, stores, nullif(base, 0) AS base, loaded
    FROM s.access),
pair AS (
    SELECT a.build_id, src, dst, sum(occurrences) AS n,
        min(min_distance) AS least, max(max_distance) AS most
    FROM dep JOIN object AS a ON a.object_id = src_object
        JOIN object AS b ON b.object_id = dst_object
    WHERE a.build_id = b.build_id GROUP BY 1, 2, 3)
SELECT pair.build_id, printf('0x%x', src), printf('0x%x', dst), n, least, most,
    CASE
    WHEN status <> 'ok' THEN 'not-analysed'
    WHEN EXISTS (SELECT 1 FROM s.unknown_address AS u
        WHERE u.block_id = part.block_id
            AND ((u.address = src AND stores) OR (u.address = dst AND loads)))
        THEN 'unknown-address'
    WHEN EXISTS (SELECT 1 FROM made AS m WHERE m.block_id = part.block_id
        AND loaded AND address = iif(stores, src, dst)) THEN 'data-dependent'
    WHEN (SELECT iif(count(*), base, 1) FROM made AS m
            WHERE m.block_id = part.block_id AND address = src AND stores) <>
        (SELECT iif(count(*), base, 1) FROM made AS m
            WHERE m.block_id = part.block_id AND address = dst AND NOT stores)
        THEN 'different-bases'
    -- Unrolled until there are at least rob + instructions.
    WHEN least >= instructions * ((rob + 2 * instructions - 1) / instructions)
        THEN 'beyond-window'
    WHEN EXISTS (SELECT 1 FROM made AS m WHERE m.block_id = part.block_id
        AND base IS NULL AND address = iif(stores, src, dst))
        THEN 'different-bases'
    ELSE 'same-base' END
FROM pair JOIN part ON pair.build_id = part.build_id
    AND start <= src AND src < "end" AND start <= dst AND dst < "end"
WHERE n > 0 AND NOT EXISTS (SELECT 1 FROM s.dep AS p
    WHERE p.block_id = part.block_id AND p.src = pair.src AND p.dst = pair.dst)
ORDER BY 1, 2, 3;
