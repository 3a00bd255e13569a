-- What a deps.db says of how loads get their bytes: a row for each bound, with the
-- pairs whose distance lies between it and the bound before it, and one row, whose bound
-- is 0, with the executed instructions.
SELECT lifetime, sum(occurrences), sum(same), sum(contained), sum(partial),
    sum(several), sum(crossing)
FROM dep_lifetime GROUP BY lifetime
UNION ALL
SELECT 0, sum(instructions), 0, 0, 0, 0, 0 FROM run;
