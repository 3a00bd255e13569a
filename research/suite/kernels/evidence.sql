-- Computes how many of the dependencies that covcheck scored the block alone can show:
-- rows of tables, in three parts between lines of `--`.
--
-- A loop of one block jumps to its own start.  Between two executions of any other
-- block, other blocks run.  As long as such a loop is not left, the distance of a
-- dependency is a whole number of iterations plus the instructions between its two
-- ends.  A smallest distance that is not of this form shows that the loop was left
-- and entered again.  One of this form may be so by chance.
--
-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE TABLE instruction(object TEXT, address TEXT, past TEXT, target TEXT,
    ordinal INTEGER);
CREATE TABLE block(object TEXT, kernel TEXT, first TEXT, past TEXT,
    found INTEGER, missed INTEGER, found_occurrences INTEGER,
    missed_occurrences INTEGER, occurred INTEGER, judged INTEGER,
    agreed INTEGER, judged_delta_k INTEGER);
CREATE TABLE missed(object TEXT, src TEXT, dst TEXT, occurrences INTEGER,
    distance INTEGER);
.mode tabs
.import ../instruction instruction
.import block block
.import missed missed
CREATE INDEX instruction_at ON instruction(object, address);
CREATE INDEX instruction_past ON instruction(object, past);

CREATE TABLE place AS
SELECT block.*, f.ordinal AS first_ordinal, l.ordinal AS last_ordinal,
    l.target = block.first AS loops
FROM block
CROSS JOIN instruction AS f ON f.object = block.object AND f.address = block.first
CROSS JOIN instruction AS l ON l.object = block.object AND l.past = block.past;

-- CROSS JOIN, because the order of the tables is the one that is fast.
CREATE TABLE miss AS
SELECT p.kernel, m.occurrences,
    CASE WHEN NOT p.loops THEN 'other'
         WHEN (m.distance - (d.ordinal - s.ordinal)) %
              (p.last_ordinal - p.first_ordinal + 1) = 0 THEN 'iterations'
         ELSE 'left' END AS how
FROM missed AS m
CROSS JOIN instruction AS s ON s.object = m.object AND s.address = m.src
CROSS JOIN instruction AS d ON d.object = m.object AND d.address = m.dst
CROSS JOIN place AS p ON p.object = m.object
    AND s.ordinal BETWEEN p.first_ordinal AND p.last_ordinal;

.mode list
SELECT printf('| %s | %d | %d | %d | %s | %d | %d | %s | %s | %s |', title,
    count(*), sum(judged), sum(occurred),
    coalesce(printf('%.1f', 100.0 * sum(occurred) / nullif(sum(judged), 0)), ''),
    sum(found), sum(missed),
    coalesce(printf('%.1f', 100.0 * sum(found) /
        nullif(sum(found + missed), 0)), ''),
    coalesce(printf('%.1f', 100.0 * sum(found_occurrences) /
        nullif(sum(found_occurrences + missed_occurrences), 0)), ''),
    coalesce(printf('%.1f', 100.0 * sum(agreed) /
        nullif(sum(judged_delta_k), 0)), ''))
FROM place
JOIN (SELECT 1 AS row, 'loops of one block' AS title
      UNION SELECT 2, 'other blocks'
      UNION SELECT 3, 'all')
    ON row = 3 OR row = 2 - loops
GROUP BY row
ORDER BY row;

.print --
SELECT printf('| %d | %s | %s |', sum(miss.how = t.how),
    coalesce(printf('%.1f', 100.0 * sum(miss.how = t.how) /
        nullif(count(*), 0)), ''),
    coalesce(printf('%.1f', 100.0 * sum((miss.how = t.how) * occurrences) /
        nullif(sum(occurrences), 0)), ''))
FROM (SELECT 1 AS row, 'iterations' AS how
      UNION SELECT 2, 'left'
      UNION SELECT 3, 'other') AS t
LEFT JOIN miss
GROUP BY row
ORDER BY row;

.print --
SELECT printf('| %s | %d | %d | %d | %d | %.1f | %.1f | %.1f |', kernel, count(*),
    sum(how = 'iterations'), sum(how = 'left'), sum(how = 'other'),
    100.0 * sum((how = 'iterations') * occurrences) / sum(occurrences),
    100.0 * sum((how = 'left') * occurrences) / sum(occurrences),
    100.0 * sum((how = 'other') * occurrences) / sum(occurrences))
FROM (SELECT * FROM miss UNION ALL SELECT 'all', occurrences, how FROM miss)
GROUP BY kernel
ORDER BY kernel <> 'all', kernel;
