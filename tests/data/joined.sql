-- What the queries that recompute covcheck's figures share, straight from the
-- definitions and slowly, for databases in which each build-id has one object in
-- s, the static.db that is attached to deps.db.
-- What each block weighs, in all runs: what executed most of its parts, which are
-- longer than a repeated string instruction; or, if none is, the least of those that
-- executed.
CREATE TEMP TABLE weighed AS
WITH
ran AS MATERIALIZED (
    SELECT build_id, start, "end", executions
    FROM segment JOIN object USING(object_id)),
named AS (SELECT b.*, o.build_id FROM s.block AS b JOIN s.object AS o
    USING(object_id)),
point AS (
    SELECT block_id, build_id, "end" AS stop, start AS at FROM named
    UNION SELECT block_id, b.build_id, b."end", r.start
    FROM named AS b JOIN ran AS r USING(build_id)
    WHERE b.start < r.start AND r.start < b."end"
    UNION SELECT block_id, b.build_id, b."end", r."end"
    FROM named AS b JOIN ran AS r USING(build_id)
    WHERE b.start < r."end" AND r."end" < b."end"),
level AS (
    SELECT *, (SELECT coalesce(sum(executions), 0) FROM ran
        WHERE ran.build_id = point.build_id AND start <= at AND at < "end") AS n
    FROM point),
change AS (
    SELECT *, lag(n) OVER (PARTITION BY block_id ORDER BY at) AS before FROM level),
part AS MATERIALIZED (
    SELECT block_id, n,
        lead(at, 1, stop) OVER (PARTITION BY block_id ORDER BY at) - at AS size
    FROM change WHERE n IS NOT before)
SELECT named.*,
    (SELECT coalesce(nullif(max(iif(size > 5, n, 0)), 0), min(nullif(n, 0)), 0)
     FROM part WHERE part.block_id = named.block_id) AS weight
FROM named;
CREATE TEMP TABLE bound(lifetime);
INSERT INTO bound VALUES (512), (1024), (9223372036854775807);
-- How often each pair occurred within each bound, if it did.
CREATE TEMP TABLE pair AS
    SELECT bound.lifetime, a.build_id AS src_id, src, b.build_id AS dst_id, dst,
        sum(l.occurrences) AS rho
    FROM bound JOIN dep_lifetime AS l ON l.lifetime <= bound.lifetime
        JOIN dep AS d USING(dep_id)
        JOIN object AS a ON a.object_id = src_object
        JOIN object AS b ON b.object_id = dst_object
    GROUP BY 1, 2, 3, 4, 5;
CREATE INDEX temp.pair_ends ON pair(src, dst);
