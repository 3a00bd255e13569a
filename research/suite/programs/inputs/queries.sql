-- A table, an index, a join, a sort, and text.
-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE TABLE item(id INTEGER PRIMARY KEY, parent, name TEXT, price REAL);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20000)
    INSERT INTO item SELECT i, i * 16807 % 997, printf('item %d', i * 37 % 10007),
        i * 1.25 FROM n;
CREATE INDEX by_parent ON item(parent, price);
SELECT parent, count(*), sum(price), max(name) FROM item GROUP BY parent
    ORDER BY sum(price) DESC;
SELECT count(*), sum(a.price - b.price)
    FROM item AS a JOIN item AS b ON b.id = a.parent
    WHERE a.name LIKE '%7%' OR b.name > 'item 5';
UPDATE item SET name = upper(name) || '!' WHERE parent BETWEEN 100 AND 400;
SELECT name FROM item ORDER BY substr(name, -3), price;
