# Makes tables of what research/run cycles measured and predicted.  It runs in the
# directory of the results, and writes cycles.db and table.md.
# Its words are the variants, which --fixes precedes for research/run fixes.
#
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # the question sets what this does not

db() {
    sqlite3 -bail cycles.db "$@"
}

# halves: the half of each loop, function and kernel.  Rules were fixed on those whose
# names have odd checksums, and are scored on the others, and on those of programs.c and
# of whole/fresh_*.c, which came later.
halves() {
    later=" $(sed -E -n 's/^(LOOP\([a-z]*, |WHOLE\()([a-z0-9_]*)\)$/\2/p' \
        "$suite/loops/programs.c" "$suite"/loops/whole/fresh_*.c | tr '\n' ' ')"
    jq -r .loop measured/cycles.jsonl | sort -u | while read -r loop; do
        source=$(echo "$loop" | sed -E 's/_(broken|fixed|widened)$//')
        sum=$(printf %s "$source" | cksum)
        half=scored
        case $later in
        *" $source "*) ;;
        *) [ $((${sum%% *} % 2)) -eq 0 ] || half=tuning ;;
        esac
        printf '%s\t%s\n' "$loop" $half
    done
}

# The reports of what was predicted.
reports() {
    for file in predictions/*/*.json; do
        [ -e "$file" ] || continue
        program=${file#predictions/}
        kind=${file##*/}
        printf '%s\t%s\t%s\n' "${program%/*}" "${kind%.json}" "$file"
    done
    [ ! -e fixes ] || done_of mend fixes | while IFS=. read -r loop variant; do
        for length in long short; do
            printf '%s\t%s\t%s\n' "loops.$variant" "$length.$loop" \
                "fixes/$loop.$variant/$length.json"
        done
    done
}

gather() {
    halves >state/halves
    reports >state/reports
    for variant; do
        echo "$variant"
    done | awk -v OFS='\t' '{ print $1, NR }' >state/variants
    db <<END
CREATE TABLE report(program TEXT, kind TEXT, path TEXT);
CREATE TABLE half(loop TEXT, half TEXT);
CREATE TABLE variant(variant TEXT, place INTEGER);
CREATE TABLE osaca(code TEXT, cycles REAL);
.mode tabs
.import state/reports report
.import state/halves half
.import state/variants variant
$([ ! -e osaca.tsv ] || echo .import --skip 1 osaca.tsv osaca)
UPDATE osaca SET cycles = nullif(cycles, '');
ATTACH 'measured/cycles.db' AS m;
.read $suite/gather.sql
.read $suite/score.sql
.read $suite/groups.sql
END
    score
}

score() {
    cc -std=gnu11 -O2 -D_GNU_SOURCE -I"$root/common" -o state/score "$suite/score.c" \
        "$root/common/basics.c" "$root/common/text.c" -lm || {
        echo "cycles: $suite/score.c: not compiled" >&2
        exit 2
    }
    db -separator "$tab" 'SELECT grp, source, tool, measured, predicted FROM pair
        ORDER BY grp, tool, source' |
        state/score >state/scores
    db <<'END'
.mode tabs
.import state/scores score
UPDATE score SET mean_low = nullif(mean_low, ''), mean_high = nullif(mean_high, ''),
    tau = nullif(tau, ''), tau_low = nullif(tau_low, ''),
    tau_high = nullif(tau_high, '');
END
}

# commit_of OPTION...: the last commit that git log has with these options.
commit_of() {
    git -C "$root" log -1 --format='%h of %cs' "$@" 2>/dev/null || echo unknown
}

# of_predictions FIELD: what the reports of depbound have there.
of_predictions() {
    jq -r "$1" predictions/*/static.json | sort -u | paste -s -d ' '
}

describe() {
    describe_processor
    describe_tools
    echo "- machine file: $(of_predictions .machine)"
    echo "- llvm-mca: $(of_predictions .llvm_mca)"
    echo "- OSACA, with its figures in \`osaca.tsv\`: $(head -n 1 state/osaca.version)"
    echo "- rules and machine files: fixed in commit $(commit_of -- \
        depbound/chain depbound/machine depbound/machines)"
    echo "- loops of \`programs.c\`: added in commit $(commit_of --diff-filter=A \
        --follow -- research/suite/cycles/loops/programs.c)"
    echo "- functions of \`whole/fresh_*.c\`: added in commit $(commit_of \
        --diff-filter=A -- research/suite/cycles/loops/whole/fresh_*.c)"
    echo "- variants: $(cut -f 1 state/variants | paste -s -d ' ')"
    db "SELECT '- ' || what || ': ' || count(*) || ' of different code, ' ||
            sum(quality = 'good') || ' of them measured well, ' ||
            sum(quality = 'good' AND static IS NULL) || ' of those not predicted'
        FROM (SELECT 'loops' AS what, quality, static FROM loop
            UNION ALL SELECT 'functions', quality, static FROM function
            UNION ALL SELECT 'kernels', quality, static FROM kernel)
        GROUP BY what ORDER BY what = 'kernels', what DESC"
    results_only left_out
}

# left_out: what has no figures.
left_out() {
    db "SELECT '- noisy, and left out: ' || ifnull(group_concat(name, ', '), 'none')
        FROM (SELECT loop || ' (' || variant || ')' AS name FROM loop
            WHERE quality <> 'good'
            UNION ALL SELECT loop || ifnull(' ' || n, '') || ' (' || variant || ')'
            FROM whole WHERE quality <> 'good' ORDER BY 1)"
    db "SELECT '- loops that depbound did not find: ' ||
            ifnull(group_concat(loop || ' (' || variant || ')', ', '), 'none')
        FROM loop WHERE quality = 'good' AND static IS NULL"
}

# The order of tools in a table.
tool_order="CASE tool WHEN 'OSACA' THEN 1 WHEN 'llvm-mca' THEN 0
    WHEN 'no edges' THEN 2 WHEN 'nothing run' THEN 3 WHEN 'predicted edges' THEN 4
    WHEN 'observed edges' THEN 5 ELSE 6 END"

# scores_of HALF WHAT: rows of a table.
scores_of() {
    db "SELECT printf('| %s | %s | %d | %.1f | %s | %.1f | %.1f | %.1f | %s | %s |',
            substr(grp, instr(grp, ':') + 2), tool, n, mean,
            iif(mean_low IS NULL, '', printf('%.1f to %.1f', mean_low, mean_high)),
            median, q1, q3, iif(tau IS NULL, '', printf('%.2f', tau)),
            iif(tau_low IS NULL, '', printf('%.2f to %.2f', tau_low, tau_high)))
        FROM score WHERE grp GLOB '$1: $2*'
        ORDER BY grp, $tool_order"
}

table_of() {
    cat <<END

| what | predicted by | number | mean error | 95 % interval | median | quartile 1 | quartile 3 | tau | 95 % interval |
|---|---|--:|--:|--:|--:|--:|--:|--:|--:|
END
    scores_of "$@"
}

# by_group HALF: mean errors, a row for each kind of code.
by_group() {
    columns lr "mean error of | number | llvm-mca | OSACA | no edges | predicted edges | observed edges | windows"
    cells=''
    for tool in llvm-mca OSACA 'no edges' 'predicted edges' 'observed edges' windows; do
        cells="$cells || ifnull(round(max(mean) FILTER (WHERE tool = '$tool'), 1), '-') ||
            ' | '"
    done
    db "SELECT rtrim('| ' || column2 || ' | ' ||
            max(n) FILTER (WHERE tool = 'predicted edges') || ' | ' $cells)
        FROM (VALUES (1, 'loops'), (2, 'functions: nests'), (3, 'functions: calls'),
            (4, 'functions: ways'), (5, 'functions: distances'),
            (6, 'functions: fresh'), (7, 'kernels'))
        JOIN score ON grp = '$1: ' || column2
        GROUP BY column1 ORDER BY column1"
}

goal() {
    echo "| $1 | $2 | $(db "SELECT ifnull(printf('%.${4:-1}f', x), 'no data')
        FROM (SELECT $3 AS x) WHERE x IS NOT NULL
        UNION ALL SELECT 'no data' LIMIT 1") |"
}

# of GROUP TOOL COLUMN: a subquery for this score.
of() {
    echo "(SELECT $3 FROM score WHERE grp = 'scored: $1' AND tool = '$2')"
}

goals() {
    columns lr 'what, of the scored half | goal | is'
    with='loops with a predicted dependency'
    goal "$with, no edges: mean error" '' "$(of "$with" 'no edges' mean)"
    goal "$with: mean error" '<= 8' "$(of "$with" 'predicted edges' mean)"
    goal "$with: tau" '>= 0.90' "$(of "$with" 'predicted edges' tau)" 2
    goal 'loops of one block: mean error' '<= 12' \
        "$(of 'loops of one block' 'predicted edges' mean)"
    goal 'loops of one block: tau' '>= 0.87' \
        "$(of 'loops of one block' 'predicted edges' tau)" 2
    goal 'loops without: change of the mean error by edges' '<= 1' \
        "$(of 'loops without' 'predicted edges' mean) -
            $(of 'loops without' 'no edges' mean)"
    goal 'kernels with long inner loops: mean error' '<= 20' \
        "$(of 'kernels with long inner loops' 'predicted edges' mean)"
    goal 'kernels with short inner loops: mean error' '<= 25' \
        "$(of 'kernels with short inner loops' 'predicted edges' mean)"
    goal 'kernels: tau' '>= 0.87' "$(of kernels 'predicted edges' tau)" 2
    for what in 'loops: 5' 'functions: nests: 10' 'functions: calls: 10' \
        'functions: ways: 15' 'functions: distances: 15' 'functions: fresh: 10' \
        'kernels: 8'; do
        goal "${what%: *}, by windows: mean error" "<= ${what##*: }" \
            "$(of "${what%: *}" windows mean)"
    done
    for what in loops kernels; do
        goal "$what that memory bounds, with a twin whose chain is broken: confirmed, %" \
            '>= 90' "(SELECT 100.0 * sum(confirmed) / count(*) FROM twin
                WHERE what = '$what')"
    done
}

memory_bound() {
    db <<'END'
SELECT printf('Of %d %s measured, %d (%.0f %%) are flagged memory bound: memory raises' ||
        ' the prediction by 40 %% or more.', count(*), what, sum(flagged),
        100.0 * sum(flagged) / count(*))
FROM (SELECT 'loops' AS what, memory_bound AS flagged FROM loop
        WHERE quality = 'good' AND static IS NOT NULL AND "group" <> 'broken'
    UNION ALL SELECT 'kernels', memory_bound FROM kernel
        WHERE quality = 'good' AND static IS NOT NULL)
GROUP BY what ORDER BY what DESC;
SELECT printf('Of %d flagged %s with a twin whose chain is broken, %d (%.0f %%) take' ||
        ' at least 20 %% longer than the twin.', count(*), what, sum(confirmed),
        100.0 * sum(confirmed) / count(*)) FROM twin GROUP BY what ORDER BY what DESC;
END
}

confirmed_by_twins() {
    say 'Flagged kernels by variant:'
    columns lrrrrl 'variant | kernels | flagged | with a twin | confirmed | flagged, without a twin or with a noisy one'
    db <<'END'
SELECT printf('| %s | %d | %d | %d | %d | %s |', variant, count(k.loop),
    total(memory_bound), count(confirmed), total(confirmed),
    ifnull(group_concat(k.loop || ' ' || k.n, ', ')
        FILTER (WHERE memory_bound AND confirmed IS NULL), ''))
FROM variant JOIN (SELECT DISTINCT variant FROM kernel) USING (variant)
    LEFT JOIN (SELECT * FROM kernel WHERE quality = 'good' AND static IS NOT NULL
        ORDER BY loop, n) k USING (variant)
    LEFT JOIN twin t USING (variant, loop, n)
GROUP BY variant ORDER BY place;
END
    columns lrlr 'whose twin is not 20 % faster | N | variant | cycles | broken | predicted'
    db "SELECT printf('| %s | %s | %s | %.2f | %.2f | %.2f |', loop, ifnull(n, ''),
            variant, cycles, broken, predicted)
        FROM twin WHERE NOT confirmed ORDER BY what DESC, loop, n, variant"
}

# fixes: what depbound says that fixes leave, beside twins in which they are made.
fixes() {
    results_only left_out_fixes
    db <<'END'
SELECT '';
SELECT printf('Of %d flagged loops with a twin in which a fix is made, windows predict' ||
    ' %d (%.0f %%) within 15 %% of the twin%s, from what the gain of the fix leaves.',
    count(*), sum(close), 100.0 * sum(close) / count(*), char(39) || 's time')
FROM fix WHERE memory_bound HAVING count(*) > 0;
SELECT printf('The half that is only scored: %d of %d.', total(close), count(*))
FROM fix WHERE memory_bound AND half = 'scored' HAVING count(*) > 0;
END
    results_only each_fix
}

left_out_fixes() {
    db <<'END'
SELECT '- noisy, and left out: ' || ifnull(group_concat(name, ', '), 'none')
FROM (SELECT loop || ' (' || variant || ')' AS name FROM measured
    WHERE quality <> 'good' ORDER BY 1);
SELECT '- not asked for, not flagged, or with code of an earlier variant: ' ||
    ifnull(group_concat(name, ', '), 'none')
FROM (SELECT loop || ' (' || variant || ')' AS name FROM measured t
    WHERE "group" = 'fixed' AND quality = 'good' AND NOT EXISTS (SELECT * FROM fix f
        WHERE t.variant = f.variant AND memory_bound
            AND t.loop IN (f.loop || '_fixed', f.loop || '_widened'))
    ORDER BY 1);
END
}

each_fix() {
    columns lllr 'loop | fix | variant | instructions | those of the twin | measured | the twin | windows | with the fix | error %'
    db "SELECT printf('| %s | %s | %s | %d | %d | %.2f | %.2f | %.2f | %.2f | %.1f |', loop,
            fix, variant, instructions, those, cycles, fixed, windows, predicted, percent)
        FROM fix WHERE memory_bound ORDER BY abs(percent) DESC, loop, variant"
}

worst() {
    columns llr 'the worst of the scored half | variant | measured | llvm-mca | no edges | predicted | observed'
    db "SELECT printf('| %s | %s | %.2f | %.2f | %.2f | %.2f | %.2f |', loop, variant,
            cycles, llvm_mca, none, static, observed)
        FROM loop WHERE quality = 'good' AND half = 'scored' AND static IS NOT NULL
        ORDER BY abs(static - cycles) / cycles DESC, 1 LIMIT 15"
    columns lrlr 'the worst kernels | N | variant | rounds of a run | measured | no edges | predicted | observed'
    db "SELECT printf('| %s | %d | %s | %.0f | %.0f | %.0f | %.0f | %.0f |',
            loop, n, variant, rounds, cycles, none, static, observed)
        FROM kernel WHERE quality = 'good' AND half = 'scored' AND static IS NOT NULL
        ORDER BY abs(static - cycles) / cycles DESC, 1 LIMIT 15"
    worst_functions 'observed edges' observed
    worst_functions windows windows
}

# worst_functions TOOL COLUMN: those that this tool predicts worst.
worst_functions() {
    columns lllr "the worst functions by $1 | group | variant | measured | no edges | predicted | observed | windows"
    db "SELECT printf('| %s | %s | %s | %.0f | %.0f | %.0f | %.0f | %s |',
            loop, \"group\", variant, cycles, none, static, observed,
            iif(windows IS NULL, '-', printf('%.0f', windows)))
        FROM function WHERE quality = 'good' AND half = 'scored' AND $2 IS NOT NULL
        ORDER BY abs($2 - cycles) / cycles DESC, 1 LIMIT 15"
}

# The example of OSACA's paper: a row of a Gauss-Seidel sweep.
example() {
    say "A row of a Gauss-Seidel sweep, the example of OSACA's paper (J. Laukemann et al.,
Automatic throughput and critical path analysis of x86 and ARM assembly kernels, PMBS
2019). Cycles of a round of the source; the chain is the one that depbound names:"
    columns lrrrrrl 'variant | measured | llvm-mca | OSACA | no edges | predicted | the chain, from wait to wait'
    jq -r '.loops[] | select(.function == "seidel_row") | [input_filename, .address,
        (.chain | map(.wait + " " + (.cycles * 100 | round / 100 | tostring)) |
            join(", "))] | @tsv' predictions/loops.*/static.json \
        >state/chains 2>/dev/null || :
    db <<'END'
CREATE TABLE chain(path TEXT, address INTEGER, text TEXT);
.mode tabs
.import state/chains chain
.mode list
SELECT printf('| %s | %.2f | %.2f | %s | %.2f | %.2f | %s |', l.variant,
    l.cycles * l.rounds, llvm_mca * l.rounds,
    iif(osaca IS NULL, '', printf('%.2f', osaca * l.rounds)), none * l.rounds,
    static * l.rounds, text)
FROM loop l JOIN measured m ON m.rowid = l.id LEFT JOIN chain
    ON path = 'predictions/' || program || '/static.json'
        AND address >= start AND address < "end"
WHERE l.loop = 'seidel_row' AND l.quality = 'good' ORDER BY l.id;
END
}

tables() {
    say 'The goals of this project, and what came out:'
    goals
    say 'By the kind of code, of the scored half:'
    by_group scored
    results_only by_tool
    echo
    memory_bound
    results_only confirmed_by_twins
    results_only worst
    results_only example
}

# by_tool: each prediction of each kind, in the scored half and in the other.
by_tool() {
    say 'Loops of the half that is only scored:'
    table_of scored loops
    say 'Functions of that half, as wholes:'
    table_of scored functions
    say 'Whole kernels of that half:'
    table_of scored kernels
    say 'The half that rules were fixed on:'
    by_group tuning
    table_of tuning loops
    table_of tuning functions
    table_of tuning kernels
}

rm -f cycles.db
if [ "$1" = --fixes ]; then
    shift
    gather "$@"
    {
        describe_processor
        describe_tools
        echo "- machine file: $(jq -r .machine fixes/*/long.json | sort -u)"
        echo "- variants: $*"
        fixes
    } >table.md
    exit
fi
gather "$@"
{
    describe
    tables
} >table.md
