-- For each predicted dependency that occurred in a binary: its smallest distance,
-- compared with the distance that some predicted delta k gives.  `larger`: the
-- block was left and entered again between the two, or ran more iterations.
-- `smaller` contradicts the prediction.
--
-- SPDX-License-Identifier: GPL-2.0-or-later
.mode tabs
ATTACH 'static.db' AS predicted;
SELECT build_id, src, dst,
    CASE WHEN max(distance = expected) THEN 'equal'
         WHEN max(distance > expected) THEN 'larger'
         ELSE 'smaller' END
FROM (
    SELECT o.build_id, printf('0x%x', d.src) AS src, printf('0x%x', d.dst) AS dst,
        d.min_distance AS distance,
        p.delta_k * b.instructions + p.dst_index - p.src_index AS expected
    FROM dep AS d
    JOIN object AS o ON o.object_id = d.src_object
    JOIN predicted.object AS po ON po.build_id = o.build_id
    JOIN predicted.block AS b ON b.object_id = po.object_id
    JOIN predicted.dep AS p
        ON p.block_id = b.block_id AND p.src = d.src AND p.dst = d.dst)
GROUP BY build_id, src, dst
ORDER BY build_id, src, dst;
