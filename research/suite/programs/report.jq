# Reports of covcheck -> rows of tables.  Used by suite/programs/report, whose files
# are slurped: each is {name, half, package, libraries, cost, runs, both, first, every,
# walked, block, loop, alone}, where the last seven are reports of covcheck: of both
# inputs as truth, of the first one, of both without weights and bounds, of both without
# the pairs of reaching definitions, and of the predictions of --scope=block, loop and
# function.
# SPDX-License-Identifier: GPL-2.0-or-later

def scopes: ["block", "function", "object", "program"];

# The figures of one scope at a bound, null if the report has none.
def figures($report; $scope; $bound):
    $report as $r
    | ($r.scored | at($bound)) as $all
    | first($r.by_scope[] | select(.scope == $scope)) // null
    | if . == null then null else
        (.lifetimes | at($bound)) as $l
        | {cov_u: $l.cov_u, cov_w: $l.cov_w, precision: .precision,
           found: $l.found, missed: $l.missed,
           occurrences: $l.found_occurrences, predictions: .predictions,
           share: (($l.found_occurrences + $l.missed_occurrences)
               | share($all.occurrences))} end;
def figures($report; $scope): figures($report; $scope; 1024);

# Only what spans files is another scope than object.
def has($scope): $scope != "program" or .libraries != "-";
def of($scope): if has($scope) then figures(.both; $scope) else null end;

def mean: map(values) | if length == 0 then null else add / length end;
def means_of(f): map(f)
    | {cov_u: (map(.cov_u?) | mean), cov_w: (map(.cov_w?) | mean),
       precision: (map(.precision?) | mean), share: (map(.share?) | mean)};
def means($scope): means_of(of($scope));
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
    | if $some == [] then empty else
        (scopes[] as $s | ($some | means($s)) as $m
         | [$half, $s, ($some | map(select(has($s))) | length), ($m | three[]),
            ($some | map(against_first($s)) | mean | percent), ($m.share | percent)]),
        (($some | means_of(figures(.alone; "function"))) as $m
         | [$half, "--scope=function", ($some | length), ($m | three[]), "",
            ($m.share | percent)])
        | row end;

# The goals for the half that was not tuned on.
def goals:
    map(select(.half == "report"))
    | if . == [] then empty else
        {"function": means("function"), "object": means("object"),
         "object, without bounds and weights":
             means_of(figures(.every; "object"; "inf"))} as $means
        | ([["function", "cov_u", 95], ["function", "cov_w", 98],
            ["function", "precision", 95], ["object", "cov_u", 90],
            ["object", "cov_w", 96], ["object", "precision", 90],
            ["object, without bounds and weights", "cov_u", 92],
            ["object, without bounds and weights", "precision", 85]][]
        | $means[.[0]][.[1]] as $is
        | [.[0], .[1], .[2], ($is | percent),
           (if $is == null then "no data" elif $is >= .[2] then "yes"
            else "**no**" end)] | row) end;

# The means with and without reaching definitions.
def without_flow:
    . as $all | ["tune", "report"][] as $half
    | ($all | map(select(.half == $half))) as $some
    | if $some == [] then empty else scopes[] as $s
        | ($some | means($s)) as $with
        | ($some | means_of(if has($s) then figures(.walked; $s) else null end))
            as $without
        | [$half, $s, (("cov_u", "cov_w", "precision")
            | ($with[.], $without[.]) | percent)] | row end;

# What each kind of evidence brings, added up over the programs.  A pair has one kind,
# so the pairs that are gone without a kind are those of that kind.
def sums($report; $scope):
    map(select(has($scope)) | figures(.[$report]; $scope) | values)
    | {found: map(.found), occurrences: map(.occurrences),
       judged: map(.predictions.judged), occurred: map(.predictions.occurred)}
    | map_values(add // 0);
def by_evidence:
    . as $all | ["tune", "report"][] as $half
    | ($all | map(select(.half == $half))) as $some
    | if $some == [] then empty else scopes[] as $s
        | ($some | sums("both"; $s)) as $both
        | ($some | sums("walked"; $s)) as $walk
        | ["walk", $walk],
          ["flow", ($both | with_entries(.value -= $walk[.key]))]
        | [$half, $s, .[0], .[1].found,
           (.[1].occurrences | share($both.occurrences) | percent), .[1].judged,
           (.[1] | .judged as $of | .occurred | share($of) | percent)]
        | row end;

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

# Why pairs of a scope were missed at 1024: the reasons that occur, the most frequent
# first.
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
