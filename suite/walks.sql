-- How much of what depsim observed the walks predicted: joins static.db (main)
-- with deps.db (t), in one object.  Parameters: :min_weight, the least weight of
-- a block in percent of the heaviest; :support, the least support; :bound, the
-- lifetime bound.
--
-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE TEMP TABLE o AS
SELECT t.object.object_id AS theirs, main.object.object_id AS ours
  FROM t.object JOIN main.object USING(build_id);

CREATE TEMP TABLE segment AS
SELECT start, "end", sum(executions) AS executions
  FROM t.segment JOIN o ON object_id = theirs GROUP BY start, "end";
CREATE INDEX temp.segment_start ON segment(start);
CREATE TEMP TABLE longest AS SELECT max("end" - start) AS n FROM segment;

CREATE TEMP TABLE weighed AS
SELECT block_id, function_id, start, "end",
       (SELECT sum(executions) FROM temp.segment g
         WHERE g.start BETWEEN b.start - (SELECT n FROM longest) AND b.start
           AND g."end" > b.start) AS weight
  FROM block b WHERE object_id IN (SELECT ours FROM o);

CREATE TEMP TABLE kept AS
SELECT * FROM weighed
 WHERE weight * 100.0 >= :min_weight * (SELECT max(weight) FROM weighed);
CREATE INDEX temp.kept_start ON kept(start);

-- What was observed, both ends in kept blocks.
CREATE TEMP TABLE observed AS
WITH pair AS (
    SELECT src, dst,
           sum(CASE WHEN lifetime <= :bound THEN l.occurrences END) AS n
      FROM t.dep d JOIN t.dep_lifetime l USING(dep_id)
     WHERE src_object IN (SELECT theirs FROM o)
       AND dst_object IN (SELECT theirs FROM o)
     GROUP BY src, dst),
located AS (
    SELECT pair.*,
           (SELECT block_id FROM kept WHERE start <= src AND "end" > src
             ORDER BY start DESC LIMIT 1) AS src_block,
           (SELECT block_id FROM kept WHERE start <= dst AND "end" > dst
             ORDER BY start DESC LIMIT 1) AS dst_block
      FROM pair)
SELECT src, dst, n,
       CASE WHEN a.function_id = b.function_id THEN 1 ELSE 0 END AS is_near
  FROM located JOIN kept a ON a.block_id = src_block
               JOIN kept b ON b.block_id = dst_block;
CREATE UNIQUE INDEX temp.observed_pair ON observed(src, dst);

CREATE TEMP TABLE predicted AS
SELECT src, dst, scope <> 'object' AS is_near FROM dep
 WHERE src_block IN (SELECT block_id FROM kept)
   AND dst_block IN (SELECT block_id FROM kept)
   AND support >= :support;
CREATE UNIQUE INDEX temp.predicted_pair ON predicted(src, dst);

CREATE TEMP TABLE score AS
WITH scope(name, least) AS (VALUES('function', 1), ('object', 0)),
found AS (
    SELECT name, count(*) AS n, sum(p.src IS NOT NULL) AS hits,
           sum(o.n) AS occurrences,
           sum(CASE WHEN p.src IS NOT NULL THEN o.n ELSE 0 END) AS found
      FROM scope JOIN observed o ON o.is_near >= least AND o.n > 0
           LEFT JOIN predicted p USING(src, dst)
     GROUP BY name),
said AS (
    SELECT name, count(*) AS n, sum(o.src IS NOT NULL) AS hits
      FROM scope JOIN predicted p ON p.is_near >= least
           LEFT JOIN observed o USING(src, dst)
     GROUP BY name)
SELECT name AS scope, found.n AS observed, said.n AS predicted,
       100.0 * found.hits / found.n AS cov_u,
       100.0 * found / occurrences AS cov_w,
       100.0 * said.hits / said.n AS precision
  FROM found LEFT JOIN said USING(name);

SELECT printf('%s %.1f %.1f %.1f %d %d', scope, cov_u, cov_w, precision,
              observed, predicted) FROM score ORDER BY scope;
