-- Loops, kernels and functions -> the pairs that score.sql scores: groups of loops begin
-- with `loops`, of kernels with `kernels`, of functions with `functions`, and all groups
-- begin with their half.
--
-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW loop_group AS
    SELECT half || ': ' || column1 AS grp, loop.*
    FROM loop, (VALUES ('loops'), ('loops of one block'),
        ('loops of several blocks'), ('loops with a predicted dependency'),
        ('loops without'), ('loops that memory bounds'),
        ('loops of one block with a predicted dependency'),
        ('loops of one block without'))
    WHERE quality = 'good' AND static IS NOT NULL
        AND (column1 NOT LIKE '% one block%' OR single)
        AND (column1 NOT LIKE '% several%' OR NOT single)
        AND (column1 NOT LIKE '% with a%' OR has_edge)
        AND (column1 NOT LIKE '% without' OR NOT has_edge)
        AND (column1 NOT LIKE '% bounds' OR memory_bound);
CREATE VIEW kernel_group AS
    SELECT half || ': ' || column1 AS grp, kernel.*
    FROM kernel, (VALUES ('kernels'), ('kernels with long inner loops'),
        ('kernels with short inner loops'), ('kernels that memory bounds'))
    WHERE quality = 'good' AND static IS NOT NULL
        AND (column1 NOT LIKE '% long%' OR rounds >= 100)
        AND (column1 NOT LIKE '% short%' OR rounds < 100)
        AND (column1 NOT LIKE '% bounds' OR memory_bound);
CREATE VIEW function_group AS
    SELECT half || ': ' || column1 AS grp, function.*
    FROM function, (VALUES ('functions'), ('functions: fresh')
        UNION SELECT 'functions: ' || "group" FROM function)
    WHERE quality = 'good' AND static IS NOT NULL
        AND 'functions: ' || "group" GLOB column1 || '*';

-- A loop and its twin count as one source.
INSERT INTO pair
    SELECT grp, replace(loop, '_broken', ''), variant, n, column1, cycles,
        CASE column1 WHEN 'llvm-mca' THEN llvm_mca WHEN 'OSACA' THEN osaca
            WHEN 'no edges' THEN none WHEN 'predicted edges' THEN static
            WHEN 'observed edges' THEN observed WHEN 'windows' THEN windows
            ELSE alone END AS predicted
    FROM (SELECT *, NULL AS n FROM loop_group), (VALUES ('llvm-mca'), ('OSACA'),
        ('no edges'), ('predicted edges'), ('observed edges'), ('nothing run'),
        ('windows'))
    WHERE predicted IS NOT NULL
    UNION ALL SELECT grp, loop, variant, n, column1, cycles,
        CASE column1 WHEN 'no edges' THEN none WHEN 'predicted edges' THEN static
            WHEN 'observed edges' THEN observed ELSE windows END AS predicted
    FROM (SELECT * FROM kernel_group UNION ALL SELECT * FROM function_group),
        (VALUES ('no edges'), ('predicted edges'), ('observed edges'), ('windows'))
    WHERE predicted IS NOT NULL;
