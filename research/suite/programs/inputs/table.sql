-- Text, windows, a view, JSON, deletions and a trigger.
-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE TABLE reading(place TEXT, day INTEGER, value INTEGER, PRIMARY KEY (place, day))
    WITHOUT ROWID;
CREATE TABLE change(place TEXT, n INTEGER);
CREATE TRIGGER removed AFTER DELETE ON reading
    BEGIN INSERT INTO change VALUES (old.place, old.day); END;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 12000)
    INSERT INTO reading SELECT 'p' || (i * 7919 % 61), i, i * 48271 % 10007 FROM n;
CREATE VIEW monthly AS SELECT place, day / 30 AS month, sum(value) AS total,
    min(value) AS least, group_concat(day % 10, '') AS days
    FROM reading GROUP BY place, day / 30;
SELECT place, count(*), sum(total), max(length(days)) FROM monthly
    GROUP BY place HAVING count(*) > 3 ORDER BY 3 DESC;
SELECT place, day, sum(value) OVER (PARTITION BY place ORDER BY day
    ROWS BETWEEN 3 PRECEDING AND CURRENT ROW) AS recent FROM reading
    ORDER BY recent DESC LIMIT 200;
DELETE FROM reading WHERE value < 300 AND day % 3 = 0;
SELECT place, json_group_array(n) FROM change GROUP BY place ORDER BY sum(n);
SELECT count(*) FROM reading AS a, reading AS b
    WHERE a.place = b.place AND a.day + 61 = b.day AND a.value < b.value;
