-- Makes tables of what suite/layouts/fit said, in lines of JSON in state/fits and
-- state/means.  It needs those of gather.sql.
--
-- SPDX-License-Identifier: GPL-2.0-or-later

-- Slopes are in cycles of an event.
CREATE TABLE fit AS
    SELECT value ->> 'program' AS program, value ->> 'event' AS event,
        value ->> 'n' AS n, 1000 * (value ->> 'slope') AS slope,
        1000 * (value ->> 'slope_low') AS low, 1000 * (value ->> 'slope_high') AS high,
        1000 * (value ->> 'slope_resampled_low') AS resampled_low,
        1000 * (value ->> 'slope_resampled_high') AS resampled_high,
        value ->> 'intercept' AS intercept, value ->> 'intercept_low' AS intercept_low,
        value ->> 'intercept_high' AS intercept_high, value ->> 'slope_t' AS t,
        value ->> 'slope_p' AS p, value ->> 'r2' AS r2
    FROM json_each('[' || replace(rtrim(readfile('state/fits'), char(10)), char(10),
        ',') || ']');

-- The mean of a program's cycles per instruction or, with an event, of its direct cost.
CREATE TABLE mean AS
    SELECT value ->> 'program' AS program, value ->> 'event' AS event,
        value ->> 'n' AS n, value ->> 'mean' AS mean, value ->> 'low' AS low,
        value ->> 'high' AS high
    FROM json_each('[' || replace(rtrim(readfile('state/means'), char(10)), char(10),
        ',') || ']');

-- Slopes are judged together, as there are several of a program: a slope is significant
-- at 5 % if `holm` is at most 0.05 (S. Holm, A simple sequentially rejective multiple
-- test procedure, Scandinavian Journal of Statistics 6, 1979).
CREATE TABLE judged AS
    SELECT program, event, min(1, max(scaled) OVER
        (PARTITION BY program ORDER BY p, event)) AS holm
    FROM (SELECT *, p * (count(*) OVER (PARTITION BY program) -
            row_number() OVER (PARTITION BY program ORDER BY p, event) + 1) AS scaled
        FROM fit WHERE p IS NOT NULL);

-- The event that construction changes most in a program.
CREATE TABLE changed AS
    SELECT program, event FROM (SELECT program, event, rank() OVER
            (PARTITION BY program ORDER BY avg(x) FILTER (WHERE which = 'more') -
                avg(x) FILTER (WHERE which = 'less') DESC) AS rank
        FROM point
        WHERE which IS NOT NULL AND event IN ('aliases', 'mispredictions')
        GROUP BY program, event)
    WHERE rank = 1;
