# What suite/field/report knows of each program -> rows of tables.  A file is {name,
# half, kind, package, predicted, neither, seconds, kib, code, both, first, walked}; the
# last three are parts of covcheck's reports: with both inputs as the truth, with the
# first one, and with both, but without the pairs of reaching definitions.
# SPDX-License-Identifier: GPL-2.0-or-later

# The counts of a report within one scope: pairs that occurred within a bound, those of
# them that are missed, pairs that were predicted and judged, and those of them that did
# not occur.
def counts($scope; $bound):
    first(.by_scope[] | select(.scope == $scope))
    | (.lifetimes | at($bound)) as $at
    | {observed: ($at.found + $at.missed), missed: $at.missed,
       judged: .predictions.judged,
       false: (.predictions.judged - .predictions.occurred)};
def counts($scope): counts($scope; "inf");
def shares: {missed: (.missed as $n | .observed as $of | $n | share($of)),
             false: (.false as $n | .judged as $of | $n | share($of))};

def mean: map(values) | if length == 0 then null else add / length end;

# A row for each program, and the means of the shares.
def by_program:
    (.[] | (.both | counts("object")) as $c
     | [.name, .kind + (if .half == "tune" then " (t)" else "" end), .package,
        (.code / 1000 | round), $c.observed, $c.missed, ($c | shares.missed | percent),
        $c.judged, $c.false, ($c | shares.false | percent),
        (.first | counts("object") | shares.false | percent),
        .predicted - $c.judged, (.seconds * 10 | round / 10), (.kib / 1024 | round)]
     | row),
    (map(.both | counts("object") | shares) as $s
     | ["mean", "", "", "", "", "", ($s | map(.missed) | mean | percent), "", "",
        ($s | map(.false) | mean | percent),
        (map(.first | counts("object") | shares.false) | mean | percent), "", "", ""]
     | row);

# What became of the pairs that the first run could judge.
def by_input:
    .[] | .neither as $neither | (.first | counts("object")) as $c
    | [.name, $c.judged - $c.false, $c.false - $neither, $neither] | row;

# What is missed within a bound.
def by_bound:
    def missed: . as $program | (1024, 65536, "inf") as $bound
        | $program.both | counts("object"; $bound) | shares.missed;
    (.[] | [.name, (missed | percent)] | row),
    ([.[] | [missed]] | ["mean", (transpose[] | mean | percent)] | row);

# Why pairs are missed: the reasons that occur, the most frequent first.
def reasons:
    def why: .both.missed_reasons | at("inf") | del(.lifetime)
        | map_values(.dependencies);
    ([.[] | why | to_entries[]] | group_by(.key)
     | map({key: .[0].key, n: (map(.value) | add)}) | map(select(.n > 0))
     | sort_by(-.n) | map(.key)) as $reasons
    | (["program", "missed", $reasons[]] | row),
      ("|---|" + ("--:|" * (1 + ($reasons | length)))),
      (.[] | why as $why | ([$why[]] | add) as $n
       | [.name, $n, ($reasons[] as $r | $why[$r] | share($n) | percent)] | row);

# With and without reaching definitions.
def by_scope:
    ("block", "function", "object") as $scope
    | [$scope, (("missed", "false") as $what
        | (map(.both | counts($scope) | shares[$what]) | mean | percent),
          (map(.walked | counts($scope) | shares[$what]) | mean | percent))] | row;
