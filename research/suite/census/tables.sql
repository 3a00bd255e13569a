-- The tables of research/run census, in Markdown, from the table
--     row(kind, name, variant, lifetime, pairs, same, contained, partial, several,
--         crossing)
-- and, of programs in windows,
--     met(name, stores, loads)
-- A program has no variant; its inputs are rows of the same name.
.mode list

CREATE TEMP VIEW near AS
SELECT kind, name, variant, sum(pairs) AS pairs, sum(same) AS same,
    sum(contained) AS contained, sum(partial) AS partial, sum(several) AS several,
    sum(crossing) AS crossing,
    sum(iif(lifetime <= 8, pairs, 0)) AS to_8,
    sum(iif(lifetime > 8 AND lifetime <= 64, pairs, 0)) AS to_64
FROM row WHERE lifetime BETWEEN 1 AND 512 GROUP BY 1, 2, 3;

CREATE TEMP VIEW whole AS
SELECT kind, name, variant,
    1e3 * sum(iif(lifetime BETWEEN 1 AND 512, pairs, 0))
        / sum(iif(lifetime = 0, pairs, 0)) AS rate,
    1e2 * sum(iif(lifetime > 512, pairs, 0))
        / nullif(sum(iif(lifetime > 0, pairs, 0)), 0) AS old
FROM row GROUP BY 1, 2, 3;

-- Percentages, of a program or a kernel.
CREATE TEMP TABLE share AS
SELECT kind, name, variant, rate, old, 1e2 * same / pairs AS same,
    1e2 * contained / pairs AS contained, 1e2 * several / pairs AS several,
    1e2 * partial / pairs AS partial, 1e2 * crossing / pairs AS crossing,
    1e2 * to_8 / pairs AS to_8, 1e2 * to_64 / pairs AS to_64,
    1e2 * (pairs - to_8 - to_64) / pairs AS to_512
FROM whole LEFT JOIN near USING (kind, name, variant);

-- lib/report.sh describes the line.
SELECT '<!-- results only -->';
SELECT '
Programs of Debian:

| program | pairs | same | contained | several | partial | crossing | to 8 | to 64 | to 512 | older |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|';
SELECT format('| %s | %.0f | %.2f | %.2f | %.2f | %.3f | %.2f | %.0f | %.0f | %.0f | %.0f |',
    name, rate, same, contained, several, partial, crossing, to_8, to_64, to_512, old)
FROM share WHERE kind = 'program' ORDER BY name;
SELECT '<!-- end of results only -->';

SELECT '
Means of the programs of Debian, which all weigh the same, and of the kernels by each
compiler:

| code | number | pairs | same | contained | several | partial | crossing | to 8 | to 64 | to 512 | older |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|';
SELECT format('| %s | %d | %.0f | %.2f | %.2f | %.2f | %.3f | %.2f | %.0f | %.0f | %.0f | %.0f |',
    iif(kind = 'program', 'programs', variant), count(*), avg(rate), avg(same),
    avg(contained), avg(several), avg(partial), avg(crossing), avg(to_8), avg(to_64),
    avg(to_512), avg(old))
FROM share GROUP BY kind, variant ORDER BY kind DESC, variant;

-- What distance has to do with it.
CREATE TEMP TABLE apart AS
SELECT kind, name, variant, lifetime, 1e2 * sum(pairs) / total AS pairs,
    1e2 * sum(same) / sum(pairs) AS same,
    1e2 * sum(contained) / sum(pairs) AS contained,
    1e2 * sum(several) / sum(pairs) AS several,
    1e2 * sum(partial) / sum(pairs) AS partial,
    1e2 * sum(crossing) / sum(pairs) AS crossing
FROM row JOIN (
    SELECT kind, name, variant, sum(pairs) AS total FROM row WHERE lifetime > 0
    GROUP BY 1, 2, 3) USING (kind, name, variant)
WHERE lifetime > 0 GROUP BY 1, 2, 3, 4;

SELECT '<!-- results only -->';
SELECT '
By distance, in programs. All programs that have such pairs weigh the same:

| instructions, up to | programs | of all pairs | same | contained | several | partial | crossing |
|---|--:|--:|--:|--:|--:|--:|--:|';
SELECT format('| %s | %d | %.1f | %.2f | %.2f | %.2f | %.2f | %.2f |',
    iif(lifetime > 1 << 40, 'any number', lifetime), count(*),
    sum(pairs) / (SELECT count(*) FROM share WHERE kind = 'program'), avg(same),
    avg(contained), avg(several), avg(partial), avg(crossing))
FROM apart WHERE kind = 'program' GROUP BY lifetime ORDER BY lifetime;

-- The same in stores, in windows.
CREATE TEMP TABLE nearest AS
SELECT name, 1e2 * sum(iif(stores = '1', loads, 0)) / sum(loads) AS to_1,
    1e2 * sum(iif(stores IN ('2', '4', '8'), loads, 0)) / sum(loads) AS to_8,
    1e2 * sum(iif(stores IN ('16', '32'), loads, 0)) / sum(loads) AS to_32,
    1e2 * sum(iif(stores = '64', loads, 0)) / sum(loads) AS to_64,
    1e2 * sum(iif(stores = '128', loads, 0)) / sum(loads) AS to_128,
    1e2 * sum(iif(stores = 'more', loads, 0)) / sum(loads) AS more
FROM met GROUP BY name HAVING sum(loads) > 0;

SELECT '
By distance in stores: the nearest store that wrote a byte of what a load reads, itself
counted. Shares of the loads in windows that have 128 stores before them there:

| program | to 1 | to 8 | to 32 | to 64 | to 128 | further, or none |
|---|--:|--:|--:|--:|--:|--:|';
SELECT format('| %s | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f |', name, to_1, to_8, to_32,
    to_64, to_128, more)
FROM nearest ORDER BY name;
SELECT format('| mean of %d | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f |', count(*),
    avg(to_1), avg(to_8), avg(to_32), avg(to_64), avg(to_128), avg(more))
FROM nearest;
SELECT '<!-- end of results only -->';

SELECT '
Where loads read what several stores wrote, which no processor forwards at once: the
highest shares, if there is at least one pair in 1000 instructions:

| program or kernel | variant | of its pairs | pairs |
|---|---|--:|--:|';
SELECT format('| %s | %s | %.1f | %.0f |', name, variant, several, rate) FROM share
WHERE several >= 1 AND rate >= 1 ORDER BY several DESC LIMIT 15;
