# Reports of covcheck -> rows of tables.  Used by suite/programs/report, whose files
# are slurped: each is {name, half, package, libraries, cost, runs, both, first, block,
# loop}, where the last four are reports of covcheck: of both inputs as truth, of the
# first one, and of the predictions of other analyses.
# SPDX-License-Identifier: GPL-2.0-or-later

def scopes: ["block", "function", "object", "program"];

# The figures of one scope at 1024, null if the report has none.
def figures($report; $scope):
    $report as $r
    | ($r.scored | at(1024)) as $all
    | first($r.by_scope[] | select(.scope == $scope)) // null
    | if . == null then null else
        (.lifetimes | at(1024)) as $l
        | {cov_u: $l.cov_u, cov_w: $l.cov_w, precision: .precision,
           found: $l.found, missed: $l.missed,
           share: (($l.found_occurrences + $l.missed_occurrences)
               | share($all.occurrences))} end;

# Only what spans files is another scope than object.
def has($scope): $scope != "program" or .libraries != "-";
def of($scope): if has($scope) then figures(.both; $scope) else null end;

def mean: map(values) | if length == 0 then null else add / length end;
def means($scope): map(of($scope))
    | {cov_u: (map(.cov_u?) | mean), cov_w: (map(.cov_w?) | mean),
       precision: (map(.precision?) | mean), share: (map(.share?) | mean)};
def three: [.cov_u?, .cov_w?, .precision? | percent];

# A row for each program, and the means.
def by_program:
    (.[] | [.name, .package, (scopes[] as $s | of($s) | three[])] | row),
    (["mean", "", (scopes[] as $s | means($s) | three[])] | row);

def against_first($scope):
    (if has($scope) then figures(.first; $scope) else null end).precision? // null;

# What the figures above are about: runs, code, cost, and shares of what happened.
def about:
    .[] | [.name, .runs[], (.code / 1000 | round), (.seconds * 10 | round / 10),
        (.kib / 1024 | round), (.both.blocks.kept),
        (scopes[0:3][] as $s | of($s).share? // null | percent),
        (scopes[1:3][] as $s | against_first($s), of($s).precision? | percent)]
    | row;

# The means of the two halves by scope.
def halves:
    . as $all | ["tune", "report"][] as $half
    | ($all | map(select(.half == $half))) as $some
    | if $some == [] then empty else scopes[] as $s
        | ($some | means($s)) as $m
        | [$half, $s, ($some | map(select(has($s))) | length), ($m | three[]),
           ($some | map(against_first($s)) | mean | percent), ($m.share | percent)]
        | row end;

# The goals for the half that was not tuned on.
def goals:
    map(select(.half == "report"))
    | if . == [] then empty else
        means("function") as $f | means("object") as $o
        | ([["function", "cov_u", 92], ["function", "cov_w", 96],
            ["function", "precision", 92], ["object", "cov_u", 83],
            ["object", "cov_w", 93], ["object", "precision", 86]][]
        | (if .[0] == "function" then $f else $o end)[.[1]] as $is
        | [.[0], .[1], .[2], ($is | percent),
           (if $is == null then "no data" elif $is >= .[2] then "yes"
            else "**no**" end)] | row) end;

# Pairs within one block, by what predicted them.
def within_blocks:
    . as $all | ["tune", "report"][] as $half
    | ($all | map(select(.half == $half))) as $some
    | if $some == [] then empty else
        ["block", "loop", "both"][] as $what
        | ($some | map(figures(.[$what]; "block"))) as $f
        | [$half, (if $what == "both" then "walks" else $what end),
           ([$f[].cov_u] | mean | percent), ([$f[].cov_w] | mean | percent),
           ([$f[].precision] | mean | percent), ([$f[].found] | add),
           ([$f[].missed] | add)] | row end;

# Why pairs of a scope were missed at 1024: the reasons that occur, most first.
def reasons_of($report): $report.missed_reasons | at(1024) | del(.lifetime);
def reasons($scope):
    def report: if $scope == "function" then .function else .both end;
    (map(reasons_of(report) | to_entries[]) | group_by(.key)
     | map({key: .[0].key, n: (map(.value.dependencies) | add),
            occurrences: (map(.value.occurrences) | add)})
     | map(select(.n > 0)) | sort_by(-.n) | map(.key)) as $reasons
    | (["program", "dependencies", $reasons[], "occurrences", $reasons[]] | row),
      ("|---|" + ("--:|" * (2 + 2 * ($reasons | length)))),
      ((.[] | [.name, reasons_of(report)]),
       ["all", (map(reasons_of(report) | to_entries[]) | group_by(.key)
            | map({key: .[0].key, value: {
                dependencies: (map(.value.dependencies) | add),
                occurrences: (map(.value.occurrences) | add)}}) | from_entries)]
       | . as [$name, $r]
       | [$name, (("dependencies", "occurrences") as $unit
            | ([$r[][$unit]] | add) as $n
            | $n, ($reasons[] as $why | $r[$why][$unit] | share($n) | percent))]
       | row);

# What was missed with the most occurrences: up to $n of each program that are at
# least $least percent of all that occurred in it.
def largest($n; $least):
    [.[] | .name as $name | (.both.scored | at(1024)).occurrences as $all
     | [.both.missed_dependencies[]
        | {name: $name, share: (.occurrences | share($all)), scope: .scope,
           reason: .reason, src: .src.instruction, dst: .dst.instruction,
           distance: .min_distance} | select(.share >= $least)]
     | sort_by(-.share)[:$n][]]
    | sort_by(-.share)[]
    | [.name, (.share | percent), .scope, .reason, (.src, .dst | "`\(.)`"), .distance]
    | row;
