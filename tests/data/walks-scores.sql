-- The scores of each scope, straight from their definition, after
-- walks-joined.sql.  Gives one line
-- "scope|lifetime|found|missed|occurrences found|occurrences missed|
-- predictions judged|that occurred" for each.
SELECT name, iif(lifetime = 9223372036854775807, 'inf', lifetime),
    sum(support IS NOT NULL), sum(support IS NULL),
    sum(rho * (support IS NOT NULL)), sum(rho * (support IS NULL)),
    (SELECT count(*) FROM judged WHERE judged.number <= scope.number
        AND judged.lifetime = 9223372036854775807),
    (SELECT sum(occurred) FROM judged WHERE judged.number <= scope.number
        AND judged.lifetime = 9223372036854775807)
FROM scope JOIN placed ON placed.number <= scope.number
GROUP BY scope.number, lifetime ORDER BY scope.number, lifetime;
