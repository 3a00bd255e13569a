-- Tables of what was measured and predicted, for suite/cycles/score.c.  In
--
--     pair(grp, source, variant, n, tool, measured, predicted)
--
-- a group has a row for each loop or kernel that was measured and each tool that
-- predicted it; rows with one source are alike, and n is the size of a kernel.  The view
--
--     error(grp, tool, percent, rank, n)
--
-- has the absolute errors, in percent of what was measured, and
--
--     score(grp, tool, n, mean, ..., tau, ...)
--
-- is for what score.c says of the pairs.
--
-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE TABLE pair(grp TEXT, source TEXT, variant TEXT, n INTEGER, tool TEXT,
    measured REAL, predicted REAL);
CREATE INDEX pair_of ON pair(grp, tool, measured, predicted);

CREATE VIEW error AS
    SELECT grp, tool, percent,
        row_number() OVER (PARTITION BY grp, tool ORDER BY percent) AS rank,
        count(*) OVER (PARTITION BY grp, tool) AS n
    FROM (SELECT *, 100 * abs(predicted - measured) / measured AS percent FROM pair);

CREATE TABLE score(grp TEXT, tool TEXT, n INTEGER, mean REAL, mean_low REAL,
    mean_high REAL, q1 REAL, median REAL, q3 REAL, tau REAL, tau_low REAL,
    tau_high REAL);
