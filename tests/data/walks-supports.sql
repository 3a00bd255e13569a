-- The scores of each scope and threshold of support, straight from their
-- definition, after walks-joined.sql.  Gives one line
-- "scope|support|lifetime|found|missed|occurrences found|occurrences missed|
-- precision|predictions judged|that occurred at any distance" for each.
CREATE TEMP TABLE threshold AS
    WITH RECURSIVE i(percent) AS (
        SELECT 0 UNION ALL SELECT percent + 5 FROM i WHERE percent < 100)
    SELECT percent FROM i;
CREATE TEMP TABLE precise AS
    SELECT scope.number, percent, lifetime, count(*) AS judged,
        sum(occurred) AS occurred
    FROM scope, threshold JOIN judged ON judged.number <= scope.number
        AND support * 100 >= percent
    GROUP BY 1, 2, 3;
SELECT name, percent, iif(lifetime = 9223372036854775807, 'inf', lifetime),
    sum(coalesce(support * 100 >= percent, 0)),
    sum(NOT coalesce(support * 100 >= percent, 0)),
    sum(rho * coalesce(support * 100 >= percent, 0)),
    sum(rho * NOT coalesce(support * 100 >= percent, 0)),
    (SELECT printf('%.9f', 100.0 * occurred / judged) FROM precise AS p
     WHERE p.number = scope.number AND p.percent = threshold.percent
        AND p.lifetime = placed.lifetime),
    (SELECT judged || '|' || occurred FROM precise AS p
     WHERE p.number = scope.number AND p.percent = threshold.percent
        AND p.lifetime = 9223372036854775807)
FROM scope, threshold JOIN placed ON placed.number <= scope.number
GROUP BY scope.number, percent, lifetime
ORDER BY scope.number, percent, lifetime;
