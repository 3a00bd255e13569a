-- Gathers what was measured, and what was predicted of it, in one database.  It needs
-- the tables
--
--     report(program, kind, path)    reports of depbound; see suite/cycles/predict, and
--                                    suite/cycles/mend for long.LOOP and short.LOOP
--     half(loop, half)               the half that a loop, function or kernel belongs to
--     osaca(code, cycles)            of a block, by its bytes
--     variant(variant, place)        their order
--
-- and the database of research/run measure as `m`.  It makes
--
--     loop     a row for each loop and variant whose code no variant before it has
--     whole    a row for each kernel and function, and variant; cycles are of a
--              repetition, or of a call.  Of these, the view `kernel` has kernels, with
--              their size, and `function` has functions
--     twin     loops and kernels that are flagged memory bound, beside their twins, in
--              which the chain through memory is broken; cycles are of a round of the
--              source, or of a repetition
--     fix      loops beside twins in which a fix of depbound is made, and what is
--              predicted with the fix; cycles are of a round of the source
--
-- SPDX-License-Identifier: GPL-2.0-or-later

-- The loops that depbound found, and the sums over a program.
CREATE TABLE predicted AS
    SELECT program, kind, value ->> 'function' AS function,
        value ->> 'address' AS address,
        value ->> 'instructions' AS instructions, value ->> 'rounds' AS rounds,
        value ->> 'entries' AS entries,
        coalesce(value ->> 'steady', value ->> 'predicted') AS predicted,
        iif(kind = 'static', readfile(replace(report.path, 'static.json',
            'llvm-mca.json'))
            ->> json_each.key, NULL) AS llvm_mca,
        value ->> 'edges' AS edges, value ->> 'memory_bound' AS memory_bound,
        iif(value ->> 'recorded_rounds' > 0, value ->> 'predicted', NULL) AS windows,
        value ->> 'recorded_rounds' AS recorded_rounds
    FROM report, json_each(readfile(report.path), '$.loops');
CREATE INDEX predicted_at ON predicted(program, kind, address);
CREATE TABLE total AS
    SELECT program, kind, text ->> '$.program.cycles' AS cycles,
        text ->> '$.program.mended' AS mended,
        text ->> '$.program.instructions' AS instructions,
        text ->> '$.program.unmodelled' AS unmodelled
    FROM (SELECT program, kind, readfile(path) AS text FROM report);

-- What was measured; `program` is its file in bin/.
CREATE TABLE measured AS
    SELECT m.*, replace(object, rtrim(object, replace(object, '/', '')), '')
        AS program, place
    FROM m.measured AS m JOIN variant USING (variant);

-- The loop of the machine that lies in a measured one: that of its function, since
-- the range of a loop that calls spans others; and the longest of several.
CREATE TABLE matched AS
    SELECT * FROM (SELECT m.rowid AS id, p.*,
        row_number() OVER (PARTITION BY m.rowid, kind
            ORDER BY function IS NOT loop, p.instructions DESC, address) AS n
        FROM measured m JOIN predicted p ON p.program = m.program
            AND p.address >= m.start AND p.address < m."end")
    WHERE n = 1;
CREATE INDEX matched_by ON matched(id, kind);

CREATE TABLE loop AS
    WITH first AS (SELECT rowid AS id, *, row_number() OVER
            (PARTITION BY loop, code ORDER BY quality <> 'good', place) AS nth
        FROM measured WHERE start IS NOT NULL AND "group" <> 'fixed')
    SELECT f.id, f.loop, f.variant, f."group", half, f.single = 'true' AS single,
        f.quality, f.cycles, f.rounds, s.llvm_mca, osaca.cycles AS osaca,
        none.predicted AS none, s.predicted AS static, o.predicted AS observed,
        a.predicted AS alone, w.windows, s.edges > 0 AS has_edge,
        s.memory_bound AS memory_bound, o.memory_bound AS truly_memory_bound
    FROM first f JOIN half USING (loop)
        LEFT JOIN osaca ON f.single = 'true' AND osaca.code = f.code
        LEFT JOIN matched none ON none.id = f.id AND none.kind = 'none'
        LEFT JOIN matched s ON s.id = f.id AND s.kind = 'static'
        LEFT JOIN matched o ON o.id = f.id AND o.kind = 'observed'
        LEFT JOIN matched a ON a.id = f.id AND a.kind = 'alone'
        LEFT JOIN matched w ON w.id = f.id AND w.kind = 'windows'
    WHERE f.nth = 1;

-- Figures of one repetition of a kernel, or one call of a function: half the difference
-- of three and one.
CREATE TABLE repetition AS
    SELECT a.program, a.kind, (a.cycles - b.cycles) / 2 AS cycles,
        (a.mended - b.mended) / 2 AS mended,
        1.0 * (a.unmodelled - b.unmodelled) / (a.instructions - b.instructions)
            AS unmodelled, (a.instructions - b.instructions) / 2.0 AS instructions
    FROM total a JOIN total b ON a.program = b.program
        AND b.kind = 'less.' || a.kind;

-- Cycles of an instruction by windows, in the functions of the program that execute
-- more instructions in more repetitions: the others begin and end it.
CREATE TABLE executed AS
    SELECT program, kind, value ->> 'function' AS function,
        value ->> 'instructions' AS instructions
    FROM report, json_each(readfile(report.path), '$.program.functions')
    WHERE kind IN ('static', 'less.static');
CREATE TABLE windowed AS
    WITH seen AS (SELECT program, value ->> 'function' AS function,
            value ->> 'cycles' AS cycles, value ->> 'instructions' AS instructions
        FROM report, json_each(readfile(report.path), '$.program.functions')
        WHERE kind = 'windows' AND value ->> 'object' LIKE '%/' || program)
    SELECT s.program, total(cycles) / total(s.instructions) AS cycles
    FROM seen s JOIN executed a ON a.program = s.program AND a.kind = 'static'
            AND a.function = s.function
        LEFT JOIN executed b ON b.program = a.program AND b.kind = 'less.static'
            AND b.function = a.function
    WHERE a.instructions > ifnull(b.instructions, 0)
    GROUP BY s.program;

-- The mean number of rounds of the innermost loops, weighted by the instructions that
-- they execute.
CREATE TABLE run_length AS
    SELECT program, sum(sign * rounds * instructions) /
        sum(sign * entries * instructions) AS rounds
    FROM predicted JOIN (SELECT 'static' AS kind, 1.0 AS sign
        UNION ALL SELECT 'less.static', -1) USING (kind)
    GROUP BY program;

CREATE TABLE whole AS
    WITH first AS (SELECT *, row_number() OVER (PARTITION BY loop, n, build_id
            ORDER BY quality <> 'good', place) AS nth
        FROM measured WHERE start IS NULL AND loop NOT LIKE '%\_broken' ESCAPE '\')
    SELECT f.loop, f."group", f.variant, f.n, half, f.quality, f.cycles, r.rounds,
        none.cycles AS none, s.cycles AS static, o.cycles AS observed, s.unmodelled,
        windowed.cycles * s.instructions AS windows,
        s.cycles >= 1.4 * s.mended AS memory_bound
    FROM first f JOIN half USING (loop)
        LEFT JOIN run_length r USING (program)
        LEFT JOIN windowed USING (program)
        LEFT JOIN repetition none ON none.program = f.program
            AND none.kind = 'none'
        LEFT JOIN repetition s ON s.program = f.program AND s.kind = 'static'
        LEFT JOIN repetition o ON o.program = f.program AND o.kind = 'observed'
    WHERE f.nth = 1;
CREATE VIEW kernel AS SELECT * FROM whole WHERE "group" = 'kernel';
CREATE VIEW function AS SELECT * FROM whole WHERE "group" <> 'kernel';

-- A flag is confirmed if the loop or kernel takes at least 20 % longer than its twin.
CREATE TABLE twin AS
    SELECT *, cycles >= 1.2 * broken AS confirmed FROM (
        SELECT 'loops' AS what, a.loop, NULL AS n, a.variant, a.half,
            a.cycles * a.rounds AS cycles, b.cycles * b.rounds AS broken,
            a.static * a.rounds AS predicted
        FROM loop a JOIN measured b ON b.loop = a.loop || '_broken'
            AND b.variant = a.variant
        WHERE a.memory_bound AND a.quality = 'good' AND b.quality = 'good'
        UNION ALL SELECT 'kernels', a.loop, a.n, a.variant, a.half, a.cycles, b.cycles,
            a.static
        FROM kernel a JOIN measured b ON b.loop = a.loop || '_broken'
            AND b.n = a.n AND b.variant = a.variant
        WHERE a.memory_bound AND a.quality = 'good' AND b.quality = 'good');

-- What fixes gain in a run of one loop, in cycles, and its rounds: a register for the
-- values of the pair that gains most, and stores that are wide enough.
CREATE TABLE gain AS
    WITH said AS (SELECT program, kind, readfile(path) AS text FROM report
        WHERE kind GLOB 'long.*' OR kind GLOB 'short.*')
    SELECT m.id, m.windows, m.recorded_rounds AS rounds, m.memory_bound,
        m.kind GLOB 'long.*' AS is_long,
        (text ->> '$.windows.cycles') * max(value ->> 'gain') / 100 AS register,
        (text ->> '$.windows.cycles') * (text ->> '$.windows.wide_gain') / 100 AS wide
    FROM said JOIN matched m USING (program, kind) JOIN measured ON measured.rowid = m.id,
        json_each(text, '$.windows.pairs')
    WHERE kind IN ('long.' || loop, 'short.' || loop)
        AND value ->> 'load' >= start AND value ->> 'load' < "end"
    GROUP BY m.id, is_long;
CREATE TABLE fix AS
    WITH first AS (SELECT rowid AS id, *, row_number() OVER
            (PARTITION BY loop, code ORDER BY place) AS nth
        FROM measured WHERE start IS NOT NULL AND quality = 'good'),
    slope AS (SELECT a.id, a.windows, a.memory_bound,
            (a.register - b.register) / (a.rounds - b.rounds) AS register,
            (a.wide - b.wide) / (a.rounds - b.rounds) AS wide
        FROM gain a JOIN gain b USING (id)
        WHERE a.is_long AND NOT b.is_long AND a.rounds > b.rounds)
    SELECT *, abs(percent) <= 15 AS close FROM (
        SELECT *, 100 * (predicted - fixed) / fixed AS percent FROM (
            SELECT l.loop, l.variant, half, column1 AS fix, memory_bound,
                l.instructions, t.instructions AS those, l.cycles * l.rounds AS cycles,
                t.cycles * t.rounds AS fixed, windows * l.rounds AS windows,
                (windows - iif(column1 = 'register', register, wide)) * l.rounds
                    AS predicted
            FROM first l JOIN (VALUES ('register', '_fixed'), ('wide store', '_widened'))
                JOIN half USING (loop)
                JOIN measured t ON t.loop = l.loop || column2
                    AND t.variant = l.variant AND t.quality = 'good'
                JOIN slope USING (id)
            WHERE nth = 1))
    WHERE predicted IS NOT NULL;
