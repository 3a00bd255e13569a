-- What the queries of walks share, after joined.sql, for all blocks that executed:
-- the pairs that occurred in them, and the predictions that are judged.
CREATE TEMP TABLE scope(number, name);
INSERT INTO scope VALUES (0, 'block'), (1, 'function'), (2, 'object'),
    (3, 'program');
-- Two blocks, and the smallest scope that holds both.
CREATE TEMP TABLE apart AS
    SELECT a.block_id AS src_block, b.block_id AS dst_block,
        a.start AS src_start, a."end" AS src_end, a.build_id AS src_id,
        b.start AS dst_start, b."end" AS dst_end, b.build_id AS dst_id,
        a.weight,
        CASE WHEN a.block_id = b.block_id THEN 0
            WHEN a.function_id = b.function_id THEN 1
            WHEN a.object_id = b.object_id THEN 2 ELSE 3 END AS number
    FROM weighed AS a JOIN weighed AS b WHERE a.weight > 0 AND b.weight > 0;
-- The support is NULL if nothing was predicted.  A column with + has no type, like
-- those of s.dep, so that the index of that table serves.
CREATE TEMP TABLE placed AS
    SELECT pair.*, apart.src_block, apart.dst_block, number, support, evidence
    FROM pair JOIN apart ON pair.src_id = apart.src_id
        AND pair.dst_id = apart.dst_id
        AND src_start <= pair.src AND pair.src < src_end
        AND dst_start <= pair.dst AND pair.dst < dst_end
        LEFT JOIN s.dep AS p ON p.src_block = +apart.src_block
            AND p.src = +pair.src AND p.dst_block = +apart.dst_block
            AND p.dst = +pair.dst
    WHERE rho > 0;
CREATE INDEX temp.pair_placed
    ON placed(src_block, src, dst_block, dst, lifetime);
-- A judged prediction, once for each bound.
CREATE TEMP TABLE judged AS
    SELECT number, support, evidence, lifetime, EXISTS (SELECT 1 FROM placed AS o
            WHERE o.src_block = p.src_block AND o.src = p.src
                AND o.dst_block = p.dst_block AND o.dst = p.dst
                AND o.lifetime = bound.lifetime) AS occurred
    FROM s.dep AS p JOIN apart USING(src_block, dst_block), bound
    WHERE coalesce(weight > delta_k, 1);
