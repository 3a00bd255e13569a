-- Gathers what was simulated and timed of layouts in one database.  It needs the tables
--
--     job(job, program, seed, which)   that were planned; which: less, more or NULL
--     counted(job, event, n)           of a repetition
--     timed(job, quality, cycles)      a row for each run; cycles of a repetition
--     printed(job, output)             checksums
--     predicted(job, predicted)        cycles of a repetition
--
-- and makes
--
--     agreed(job, cycles)              of a repetition
--     figure(job, ..., instructions, cycles, cpi)     of a repetition
--     point(program, event, job, which, x, y)         events of a thousand instructions,
--                                                     cycles of one
--     range(program, n, predicted, low, median, high)      of 95 % of random layouts, in
--                                      cycles of a repetition, beside what is predicted
--     varied(program, event, least, most, varies)     x of random layouts
--     direct(program, event, seed, cost)              cycles
--
-- SPDX-License-Identifier: GPL-2.0-or-later

-- Programs that print something else in some layouts; they are left out.
CREATE TABLE astray AS
    SELECT program FROM job JOIN printed USING (job)
    GROUP BY program HAVING count(DISTINCT output) > 1;

-- A disturbance of some seconds slows all samples of a run alike.  So a figure is the
-- lowest run with which another good one agrees within 2 %; if a layout was planned to
-- run once, it is that run.
CREATE TABLE agreed AS
    WITH good AS (SELECT rowid AS id, * FROM timed WHERE quality = 'good')
    SELECT a.job, min(a.cycles) AS cycles
    FROM good a LEFT JOIN good b ON a.job = b.job AND a.id <> b.id
        AND b.cycles BETWEEN a.cycles AND 1.02 * a.cycles
    WHERE b.id IS NOT NULL OR (SELECT count(*) FROM timed WHERE timed.job = a.job) = 1
    GROUP BY a.job;

CREATE TABLE figure AS
    SELECT job.*, counted.n AS instructions, agreed.cycles,
        agreed.cycles / counted.n AS cpi
    FROM job JOIN agreed USING (job)
        JOIN counted ON counted.job = job.job AND event = 'instructions'
    WHERE program NOT IN (SELECT program FROM astray);

CREATE TABLE point AS
    SELECT program, event, figure.job, which, seed, 1000.0 * n / instructions AS x,
        cpi AS y
    FROM figure JOIN counted USING (job) WHERE event <> 'instructions';

-- Percentiles are interpolated between two layouts.
CREATE TABLE range AS
    WITH sorted AS (SELECT program, cycles, count(*) OVER (PARTITION BY program) AS n,
            row_number() OVER (PARTITION BY program ORDER BY cycles) - 1 AS place
        FROM figure WHERE which IS NULL),
    part AS (SELECT program, n, share, sum(cycles * max(0, 1 - abs(place -
            share * (n - 1)))) AS cycles
        FROM sorted, (SELECT 0.025 AS share UNION ALL SELECT 0.5 UNION ALL SELECT 0.975)
        GROUP BY program, share)
    SELECT program, n, predicted, max(cycles) FILTER (WHERE share = 0.025) AS low,
        max(cycles) FILTER (WHERE share = 0.5) AS median,
        max(cycles) FILTER (WHERE share = 0.975) AS high
    FROM part JOIN job USING (program) JOIN predicted USING (job) GROUP BY program;

-- A difference of less than one event in a repetition comes from the program's start.
CREATE TABLE varied AS
    SELECT program, event, min(1000.0 * n / instructions) AS least,
        max(1000.0 * n / instructions) AS most, max(n) - min(n) >= 1 AS varies
    FROM figure JOIN counted USING (job)
    WHERE event <> 'instructions' AND which IS NULL
    GROUP BY program, event;

-- The direct cost of an event: of two layouts with one seed, the difference in cycles,
-- divided by that in events.
CREATE TABLE direct AS
    SELECT a.program, a.event, a.seed,
        (b.cycles - a.cycles) / (b.n - a.n) AS cost
    FROM (SELECT * FROM figure JOIN counted USING (job)) a
        JOIN (SELECT * FROM figure JOIN counted USING (job)) b
        ON a.program = b.program AND a.seed = b.seed AND a.event = b.event
    WHERE a.which = 'less' AND b.which = 'more' AND a.event <> 'instructions';
