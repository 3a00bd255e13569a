-- What each kind of evidence brought in each scope, straight from its definition,
-- after walks-joined.sql.  Gives one line
-- "scope|evidence|lifetime|predictions judged|that occurred within it|
-- found|occurrences found|not found by it|their occurrences|share_w" for each.
CREATE TEMP TABLE kind(evidence);
INSERT INTO kind VALUES ('walk'), ('flow');
SELECT name, kind.evidence, iif(lifetime = 9223372036854775807, 'inf', lifetime),
    (SELECT count(*) FROM judged AS j WHERE j.number <= scope.number
        AND j.evidence = kind.evidence AND j.lifetime = placed.lifetime),
    (SELECT sum(occurred) FROM judged AS j WHERE j.number <= scope.number
        AND j.evidence = kind.evidence AND j.lifetime = placed.lifetime),
    sum(placed.evidence IS kind.evidence),
    sum(rho * (placed.evidence IS kind.evidence)),
    sum(placed.evidence IS NOT kind.evidence),
    sum(rho * (placed.evidence IS NOT kind.evidence)),
    printf('%.9f', 100.0 * sum(rho * (placed.evidence IS kind.evidence))
        / sum(rho * (placed.evidence IS NOT NULL)))
FROM scope, kind JOIN placed ON placed.number <= scope.number
GROUP BY scope.number, kind.evidence, lifetime
ORDER BY scope.number, kind.evidence DESC, lifetime;
