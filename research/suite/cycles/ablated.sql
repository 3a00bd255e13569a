-- Gathers what depbound says without parts of its model.  It needs the tables
--
--     part(place, part, words)     the parts, `nothing` among them
--     said(part, program, path)    what depbound said without one
--
-- and the database of research/run cycles as `c`.  It makes
--
--     whole        what was predicted without each of the parts: a loop, function or
--                  kernel that was measured well, with its kind, half and cycles
--     ablated      what is predicted of it without a part
--     shown        the rows of the table: mean errors in percent by kind, and of all
--                  kinds, each of which weighs the same.  `worse` and `better` count what
--                  has an error that differs by 2 % or more from that of `nothing`
--
-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE TABLE ablated AS
    WITH insns AS (
        SELECT part, said.program, total(f.value ->> 'cycles') /
            total(f.value ->> 'instructions') AS cycles
        FROM said, json_each(readfile(said.path), '$.functions') f
            JOIN c.executed a ON a.program = said.program AND a.kind = 'static'
                AND a.function = f.value ->> 'function'
            LEFT JOIN c.executed b ON b.program = said.program
                AND b.kind = 'less.static' AND b.function = a.function
        WHERE f.value ->> 'object' LIKE '%/' || said.program
            AND a.instructions > ifnull(b.instructions, 0)
        GROUP BY 1, 2),
    parts AS (
        SELECT part, program, cycles FROM insns
        UNION ALL SELECT 'mispredictions', program,
            cycles * (1 - (readfile(said.path) ->> '$.predicted_gain') / 100)
        FROM insns JOIN said USING (part, program) WHERE part = 'nothing')
    SELECT part, program, NULL AS address, parts.cycles * r.instructions AS cycles
    FROM parts JOIN c.repetition r USING (program) WHERE r.kind = 'static'
    UNION ALL SELECT part, program, value ->> 'address', value ->> 'predicted'
    FROM said, json_each(readfile(said.path), '$.loops')
    WHERE program GLOB 'loops.*';
CREATE INDEX ablated_of ON ablated(program, address, part);
INSERT INTO part SELECT place + 0.5, 'mispredictions', 'mispredictions'
    FROM part WHERE part = 'loops';

CREATE TABLE whole AS
    SELECT 'loops' AS what, loop, half, l.cycles, m.program, address
    FROM c.loop l JOIN c.matched m ON m.id = l.id AND m.kind = 'static'
    WHERE quality = 'good'
    UNION ALL SELECT iif(w."group" = 'kernel', 'kernels', w."group"), loop, half,
        w.cycles, m.program, NULL
    FROM c.whole w JOIN c.measured m USING (loop, variant)
    WHERE w.quality = 'good' AND w.n IS m.n AND m.start IS NULL;
DELETE FROM whole WHERE (SELECT count(*) FROM ablated a
    WHERE a.program = whole.program AND a.address IS whole.address
        AND part IN (SELECT part FROM said) AND a.cycles > 0)
    < (SELECT count(DISTINCT part) FROM said);

CREATE TABLE error AS
    SELECT a.part, what, half, 100 * abs(a.cycles - w.cycles) / w.cycles AS percent,
        100 * abs(n.cycles - w.cycles) / w.cycles AS usual
    FROM whole w JOIN ablated a ON a.program = w.program AND a.address IS w.address
        JOIN ablated n ON n.program = w.program AND n.address IS w.address
            AND n.part = 'nothing';
CREATE VIEW mean AS
    SELECT part, what, half, avg(percent) AS percent, sum(percent >= usual + 2) AS worse,
        sum(percent <= usual - 2) AS better
    FROM error GROUP BY 1, 2, 3;
CREATE VIEW both AS
    SELECT part, what,
        ifnull(round(max(percent) FILTER (WHERE half = 'scored'), 1), '-') || ', ' ||
            ifnull(round(max(percent) FILTER (WHERE half = 'tuning'), 1), '-') AS cell
    FROM mean GROUP BY 1, 2;
CREATE VIEW shown AS
    SELECT place, words,
        ifnull(max(cell) FILTER (WHERE both.what = 'loops'), '-') AS loops,
        ifnull(max(cell) FILTER (WHERE both.what = 'nests'), '-') AS nests,
        ifnull(max(cell) FILTER (WHERE both.what = 'calls'), '-') AS calls,
        ifnull(max(cell) FILTER (WHERE both.what = 'ways'), '-') AS ways,
        ifnull(max(cell) FILTER (WHERE both.what = 'distances'), '-') AS distances,
        ifnull(max(cell) FILTER (WHERE both.what = 'kernels'), '-') AS kernels,
        (SELECT ifnull(round(avg(percent), 1), '-') FROM mean m
            WHERE m.part = both.part AND half = 'scored') AS scored,
        (SELECT ifnull(round(avg(percent), 1), '-') FROM mean m
            WHERE m.part = both.part AND half = 'tuning') AS tuning,
        (SELECT sum(worse) FROM mean m WHERE m.part = both.part) AS worse,
        (SELECT sum(better) FROM mean m WHERE m.part = both.part) AS better
    FROM both JOIN part USING (part) GROUP BY part;
