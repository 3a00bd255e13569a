-- What research/run profile measured and predicted, joined by function.
-- SPDX-License-Identifier: GPL-2.0-or-later
.mode tabs
CREATE TABLE package(name TEXT, package TEXT);
CREATE TABLE time(name TEXT, run INTEGER, user REAL, system REAL);
CREATE TABLE quiet(name TEXT, run INTEGER, share REAL, mhz REAL);
CREATE TABLE sample(name TEXT, run INTEGER, object TEXT, address INTEGER);
CREATE TABLE block(name TEXT, file TEXT, object TEXT, start INTEGER, "end" INTEGER,
    function TEXT);
CREATE TABLE program(name TEXT, executed INTEGER, predicted REAL, low REAL, high REAL,
    instructions INTEGER, cycles REAL, misprediction REAL, touches INTEGER);
CREATE TABLE function(name TEXT, object TEXT, function TEXT, cycles REAL);
CREATE TABLE verdict(name TEXT, first TEXT);
.import state/packages package
.import state/times time
.import state/quiet quiet
.import state/samples sample
.import state/blocks block
.import state/programs program
.import state/functions function
.import state/verdicts verdict
CREATE INDEX block_by_start ON block(name, object, start);

-- The cycles of each run, by what the clock was in its quiet slices.
CREATE TABLE run AS
SELECT *, row_number() OVER (PARTITION BY name ORDER BY cycles) AS rank,
    count(*) OVER (PARTITION BY name) AS n
FROM (SELECT name, user, system, user * 1e6 * mhz AS cycles
    FROM time JOIN quiet USING (name, run))
WHERE cycles > 0;

CREATE TABLE total AS
SELECT p.name, package, executed, measured, spread / measured AS spread,
    (SELECT avg(share) FROM quiet WHERE quiet.name = p.name) AS quiet, predicted, nullif(low, '') AS low,
    nullif(high, '') AS high,
    (predicted - measured) / measured AS error,
    misprediction / p.cycles AS misprediction,
    1000.0 * touches / instructions AS touches, kernel
FROM program AS p JOIN package USING (name) JOIN (SELECT name,
        min(cycles) AS measured,
        (max(cycles) FILTER (WHERE rank = n + 1 - (n + 3) / 4) -
            max(cycles) FILTER (WHERE rank = (n + 3) / 4)) / 2 AS spread,
        sum(system) / sum(user + system) AS kernel
    FROM run GROUP BY name) USING (name);

-- The function of each sample: that of the block that it lies in.
CREATE TABLE sampled AS
SELECT name, object, ifnull((SELECT iif(s.address < "end", function, '')
        FROM block AS b
        WHERE b.name = s.name AND b.object = s.object AND start <= s.address
        ORDER BY start DESC LIMIT 1), '') AS function, count(*) AS n
FROM sample AS s GROUP BY 1, 2, 3;

CREATE TABLE share AS
SELECT name, object, function,
    replace(object, rtrim(object, replace(object, '/', '')), '') AS file,
    iif(function = '', 'no function', function) AS called,
    sum(measured) AS measured, sum(predicted) AS predicted
FROM (SELECT name, object, function,
        n * 1.0 / sum(n) OVER (PARTITION BY name) AS measured, 0 AS predicted
    FROM sampled
    UNION ALL
    SELECT name, object, function, 0, cycles / sum(cycles) OVER (PARTITION BY name)
    FROM function)
WHERE name IN (SELECT name FROM total)
GROUP BY name, object, function;

-- Kendall's tau-b, over functions that have a hundredth of the time in either.
CREATE TABLE tau AS
SELECT a.name, sum(sign(a.measured - b.measured) * sign(a.predicted - b.predicted)) /
    sqrt(sum(abs(sign(a.measured - b.measured))) *
        sum(abs(sign(a.predicted - b.predicted)))) AS tau
FROM share AS a JOIN share AS b USING (name)
WHERE max(a.measured, a.predicted) >= 0.01 AND max(b.measured, b.predicted) >= 0.01
GROUP BY 1;

CREATE TABLE hottest AS
SELECT name, called, measured, predicted FROM (SELECT *,
        row_number() OVER (PARTITION BY name ORDER BY measured DESC) AS rank
    FROM share)
WHERE rank = 1;

CREATE TABLE ordered AS
SELECT s.name, (SELECT count(*) FROM sample WHERE sample.name = s.name) AS samples,
    sum(max(s.measured, s.predicted) >= 0.01) AS functions, tau,
    sum(abs(s.measured - s.predicted)) / 2 AS differ, h.called AS hottest,
    h.measured AS hottest_measured, h.predicted AS hottest_predicted,
    (SELECT first FROM verdict WHERE verdict.name = s.name) AS named
FROM share AS s JOIN hottest AS h USING (name) LEFT JOIN tau USING (name)
GROUP BY s.name;
