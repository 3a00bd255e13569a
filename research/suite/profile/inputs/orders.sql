-- Customers and their orders: an index, a join, groups, and windows over them.
-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE TABLE customer(id INTEGER PRIMARY KEY, name TEXT, town TEXT);
CREATE TABLE sale(id INTEGER PRIMARY KEY, customer INTEGER, day INTEGER, price INTEGER);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000)
    INSERT INTO customer SELECT i, printf('customer %d', i * 7919 % 3001),
        'town ' || (i * 31 % 97) FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 300000)
    INSERT INTO sale SELECT i, i * 16807 % 3000 + 1, i * 48271 % 365,
        i * 69621 % 10007 FROM n;
CREATE INDEX by_customer ON sale(customer, day);
SELECT town, count(*), sum(price), max(name) FROM customer
    JOIN sale ON customer.id = customer GROUP BY town ORDER BY sum(price) DESC;
SELECT count(*), sum(change) FROM (SELECT price - lag(price)
    OVER (PARTITION BY customer ORDER BY day) AS change FROM sale);
SELECT day, count(DISTINCT customer) FROM sale WHERE price > 5000
    GROUP BY day HAVING count(*) > 100 ORDER BY 2 DESC LIMIT 5;
