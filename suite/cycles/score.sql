-- How good are predictions?  From the table
--
--     pair(grp, tool, measured, predicted)
--
-- in which a group has a row for each thing that was measured and each tool that
-- predicted it, the view
--
--     score(grp, tool, n, mean, q1, median, q3, tau)
--
-- Errors are absolute, in percent of what was measured.  Quartiles are of the nearest
-- rank; tau is Kendall's tau-b, which corrects for ties (M. Kendall, The treatment of
-- ties in ranking problems, Biometrika 33, 1945), and NULL if one side is all the same.
--
-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE TABLE pair(grp TEXT, tool TEXT, measured REAL, predicted REAL);
CREATE INDEX pair_of ON pair(grp, tool, measured, predicted);

CREATE VIEW error AS
    SELECT grp, tool, percent,
        row_number() OVER (PARTITION BY grp, tool ORDER BY percent) AS rank,
        count(*) OVER (PARTITION BY grp, tool) AS n
    FROM (SELECT *, 100 * abs(predicted - measured) / measured AS percent
        FROM pair WHERE predicted IS NOT NULL);

-- What differs by less than a part in a million is a tie: the sums of two predictors
-- can differ by a rounding error.
CREATE VIEW concordance AS
    SELECT grp, tool, sum(x * y) / sqrt(sum(x * x) * sum(y * y)) AS tau
    FROM (SELECT a.grp, a.tool,
        sign(round((a.measured - b.measured) / b.measured, 6)) AS x,
        sign(round((a.predicted - b.predicted) / b.measured, 6)) AS y
        FROM pair a JOIN pair b ON a.grp = b.grp AND a.tool = b.tool
            AND a.rowid < b.rowid
        WHERE a.predicted IS NOT NULL AND b.predicted IS NOT NULL)
    GROUP BY grp, tool;

CREATE VIEW score AS
    SELECT grp, tool, n, avg(percent) AS mean,
        max(percent) FILTER (WHERE rank = (n + 3) / 4) AS q1,
        avg(percent) FILTER (WHERE rank IN ((n + 1) / 2, n / 2 + 1)) AS median,
        max(percent) FILTER (WHERE rank = (3 * n + 3) / 4) AS q3,
        max(tau) AS tau
    FROM error LEFT JOIN concordance USING (grp, tool)
    GROUP BY grp, tool;
