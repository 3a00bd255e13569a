-- Loops and kernels -> the pairs that score.sql scores: groups of loops begin with
-- `loops`, of kernels with `kernels`, and all groups begin with their half.
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

-- A loop and its twin are of one source.
INSERT INTO pair
    SELECT grp, replace(loop, '_broken', ''), tool, cycles, predicted FROM (
        SELECT grp, loop, 'llvm-mca' AS tool, cycles, llvm_mca AS predicted
            FROM loop_group
        UNION ALL SELECT grp, loop, 'OSACA', cycles, osaca FROM loop_group
        UNION ALL SELECT grp, loop, 'no edges', cycles, none FROM loop_group
        UNION ALL SELECT grp, loop, 'predicted edges', cycles, static FROM loop_group
        UNION ALL SELECT grp, loop, 'observed edges', cycles, observed
            FROM loop_group
        UNION ALL SELECT grp, loop, 'nothing run', cycles, alone FROM loop_group
        UNION ALL SELECT grp, loop, 'llvm-mca', cycles, llvm_mca FROM kernel_group
        UNION ALL SELECT grp, loop, 'no edges', cycles, none FROM kernel_group
        UNION ALL SELECT grp, loop, 'predicted edges', cycles, static
            FROM kernel_group
        UNION ALL SELECT grp, loop, 'predicted edges, high', cycles, static_high
            FROM kernel_group
        UNION ALL SELECT grp, loop, 'observed edges', cycles, observed
            FROM kernel_group
        UNION ALL SELECT grp, loop, 'observed edges, high', cycles, observed_high
            FROM kernel_group)
    WHERE predicted IS NOT NULL;
