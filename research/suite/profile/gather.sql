-- What research/run profile measured and predicted, joined by function.
-- SPDX-License-Identifier: GPL-2.0-or-later
.mode tabs
CREATE TABLE package(name TEXT, half TEXT, package TEXT);
CREATE TABLE time(name TEXT, run INTEGER, seconds REAL);
CREATE TABLE quiet(name TEXT, run INTEGER, share REAL, mhz REAL);
CREATE TABLE kernel(name TEXT, run TEXT, n INTEGER);
CREATE TABLE sample(name TEXT, run TEXT, object TEXT, address INTEGER);
CREATE TABLE block(name TEXT, file TEXT, object TEXT, start INTEGER, "end" INTEGER,
    function TEXT);
CREATE TABLE program(name TEXT, executed INTEGER, predicted REAL, modelled REAL, low REAL, high REAL,
    instructions INTEGER, cycles REAL, misprediction REAL, touches INTEGER);
CREATE TABLE function(name TEXT, object TEXT, function TEXT, cycles REAL);
CREATE TABLE verdict(name TEXT, cause TEXT, place TEXT, file TEXT, address INTEGER);
.import state/packages package
.import state/times time
.import state/quiet quiet
.import state/kernel kernel
.import state/samples sample
.import state/blocks block
.import state/programs program
.import state/functions function
.import state/verdicts verdict
CREATE INDEX block_by_start ON block(name, object, start);

-- The kernel's share of the samples.
CREATE TABLE outside AS
SELECT name, sum(n) / (sum(n) + (SELECT count(*) FROM sample
        WHERE sample.name = kernel.name) + 0.0) AS kernel
FROM kernel GROUP BY name;

-- The cycles of each run without the kernel's, by what the clock was in its quiet slices.
CREATE TABLE counted AS
SELECT name, run, share, seconds * 1e6 * mhz * (1 - kernel) AS cycles
FROM time JOIN quiet USING (name, run) JOIN outside USING (name)
WHERE mhz > 0;

-- How many more cycles, as a share, a run takes that finds its core disturbed at the end of
-- all its slices: the slope of the runs of each program, of all programs together.  No less
-- than nothing, and no more than a sibling thread takes that shares the core in halves.
CREATE TABLE disturbed AS
SELECT ifnull(max(0, min(1, -sum(x * y) / sum(x * x))), 0) AS slope,
    pow(sum(x * y), 2) / (sum(x * x) * sum(y * y)) AS explained, count(*) AS n
FROM (SELECT share - avg(share) OVER (PARTITION BY name) AS x,
        ln(cycles) - avg(ln(cycles)) OVER (PARTITION BY name) AS y
    FROM counted);

-- The cycles of each run as it would be on a core that is always quiet.
CREATE TABLE run AS
SELECT *, row_number() OVER (PARTITION BY name ORDER BY cycles) AS rank,
    count(*) OVER (PARTITION BY name) AS n
FROM (SELECT name, cycles * exp(-slope * (1 - share)) AS cycles, cycles AS uncorrected
    FROM counted JOIN disturbed);

CREATE TABLE total AS
SELECT p.name, half, package, executed, measured, uncorrected, spread / measured AS spread,
    (SELECT avg(share) FROM quiet WHERE quiet.name = p.name) AS quiet, predicted, modelled, nullif(low, '') AS low,
    nullif(high, '') AS high,
    (predicted - measured) / measured AS error,
    misprediction / p.cycles AS misprediction,
    1000.0 * touches / instructions AS touches, kernel
FROM program AS p JOIN package USING (name) JOIN (SELECT name,
        (SELECT cycles FROM run AS r WHERE r.name = run.name
            ORDER BY uncorrected LIMIT 1) AS measured, min(uncorrected) AS uncorrected,
        (max(cycles) FILTER (WHERE rank = n + 1 - (n + 3) / 4) -
            max(cycles) FILTER (WHERE rank = (n + 3) / 4)) / 2 AS spread
    FROM run GROUP BY name) USING (name) JOIN outside USING (name);

-- The function of each sample: that of the block that it lies in.
CREATE TABLE sampled AS
SELECT name, run, object, ifnull((SELECT iif(s.address < "end", function, '')
        FROM block AS b
        WHERE b.name = s.name AND b.object = s.object AND start <= s.address
        ORDER BY start DESC LIMIT 1), '') AS function, count(*) AS n
FROM sample AS s GROUP BY 1, 2, 3, 4;

-- The shares of all samples and of the predicted cycles, and those of the samples of two
-- halves of the runs.
CREATE TABLE share AS
SELECT name, object, function,
    replace(object, rtrim(object, replace(object, '/', '')), '') AS file,
    iif(function = '', 'no function', function) AS called,
    sum(measured) AS measured, sum(predicted) AS predicted, sum(even) AS even, sum(odd) AS odd
FROM (SELECT name, object, function, n * 1.0 / sum(n) OVER (PARTITION BY name) AS measured,
        0 AS predicted,
        iif(half = 0, n * 1.0 / sum(n) OVER (PARTITION BY name, half), 0) AS even,
        iif(half = 1, n * 1.0 / sum(n) OVER (PARTITION BY name, half), 0) AS odd
    FROM (SELECT *, substr(run, -1) % 2 AS half FROM sampled)
    UNION ALL
    SELECT name, object, function, 0, cycles / sum(cycles) OVER (PARTITION BY name), 0, 0
    FROM function)
WHERE name IN (SELECT name FROM total)
GROUP BY name, object, function;

-- Kendall's tau-b, over functions that have a hundredth of the time in either of two.
CREATE TABLE beside AS
SELECT name, 'model' AS of, measured AS one, predicted AS other FROM share
UNION ALL SELECT name, 'samples', even, odd FROM share;
CREATE TABLE tau AS
SELECT a.name, a.of, sum(sign(a.one - b.one) * sign(a.other - b.other)) /
    sqrt(sum(abs(sign(a.one - b.one))) * sum(abs(sign(a.other - b.other)))) AS tau
FROM beside AS a JOIN beside AS b USING (name, of)
WHERE max(a.one, a.other) >= 0.01 AND max(b.one, b.other) >= 0.01
GROUP BY 1, 2;

CREATE TABLE hottest AS
SELECT name, called, measured, predicted FROM (SELECT *,
        row_number() OVER (PARTITION BY name ORDER BY measured DESC) AS rank
    FROM share)
WHERE rank = 1;

CREATE TABLE ordered AS
SELECT s.name, (SELECT count(*) FROM sample WHERE sample.name = s.name) AS samples,
    sum(max(s.measured, s.predicted) >= 0.01) AS functions,
    (SELECT tau FROM tau WHERE tau.name = s.name AND of = 'model') AS tau,
    (SELECT tau FROM tau WHERE tau.name = s.name AND of = 'samples') AS itself,
    sum(abs(s.measured - s.predicted)) / 2 AS differ, h.called AS hottest,
    h.measured AS hottest_measured, h.predicted AS hottest_predicted, cause, place,
    -- Of all samples, those in the 16 bytes from the load on that the report names first.
    (SELECT sum(object LIKE '%/' || v.file AND
            sample.address BETWEEN v.address AND v.address + 15) * 1.0 / count(*)
        FROM sample WHERE sample.name = s.name AND v.address <> '') AS there
FROM share AS s JOIN hottest AS h USING (name) LEFT JOIN verdict AS v USING (name)
GROUP BY s.name;
