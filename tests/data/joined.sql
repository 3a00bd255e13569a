-- What the queries that recompute covcheck's figures share, straight from the
-- definitions and slowly, for databases in which each build-id has one object in
-- s, the static.db that is attached to deps.db.
-- What each block weighs, in all runs.
CREATE TEMP TABLE weighed AS
    SELECT b.*, o.build_id,
        (SELECT coalesce(sum(g.executions), 0)
         FROM segment AS g JOIN object AS d USING(object_id)
         WHERE d.build_id = o.build_id
             AND g.start <= b.start AND b.start < g."end") AS weight
    FROM s.block AS b JOIN s.object AS o USING(object_id);
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
