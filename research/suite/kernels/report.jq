# Reports of covcheck -> rows of tables.  Used by suite/kernels/report.
# SPDX-License-Identifier: GPL-2.0-or-later
# The rows that compare with the paper; $paper is [cov_u, cov_w] by bound.
def against($paper):
    .lifetimes as $l | bounds[] | . as $b | $l | at($b)
    | [if $b == "inf" then "none" else $b end, .found, .missed,
       (.cov_u | percent), (.cov_w | percent),
       ($paper[$b | tostring] | map(percent))] | flatten | row;

# Delta-k agreement, from the scores by object at one bound, of the binaries whose name
# matches.
def agreement($pattern):
    [.[] | select(.path | split("/")[-2] | test($pattern))
     | .delta_k | [.judged, .agreed]]
    | transpose | map(add) as [$judged, $agreed]
    | $agreed // 0 | share($judged // 0);

# One row of a group of binaries.
def group($name; $n; $agreement):
    [$name, $n, (.lifetimes | at(1024) | .found, .missed), coverage[],
     (.precision | percent), ($agreement | percent)] | row;

def polybench: ["2mm", "3mm", "adi", "atax", "bicg", "cholesky", "correlation",
    "covariance", "deriche", "doitgen", "durbin", "fdtd-2d", "floyd-warshall",
    "gemm", "gemver", "gesummv", "gramschmidt", "heat-3d", "jacobi-1d",
    "jacobi-2d", "lu", "ludcmp", "mvt", "nussinov", "seidel-2d", "symm", "syr2k",
    "syrk", "trisolv", "trmm"];

# One row of the binaries that a condition selects by their names, at one bound.
def part($title; wanted):
    [.objects[] | select(.path | split("/")[-2] | split(".") | wanted)]
    | length as $n | map(.lifetimes[0]) as $l | map(.predictions) as $p
    | ($l | map(.found) | add) as $found
    | ($l | map(.missed) | add) as $missed
    | ($l | map(.found_occurrences) | add) as $o
    | ($l | map(.found_occurrences + .missed_occurrences) | add) as $all
    | ($p | map(.occurred) | add) as $occurred
    | ($p | map(.judged) | add) as $judged
    | if $n == 0 then empty else
        [$title, $n, $found, $missed,
         ($found | share($found + $missed) | percent), ($o | share($all) | percent),
         $judged, $occurred, ($occurred | share($judged) | percent)] | row end;

def is_listed: [.[0]] | inside(polybench);
def is_unrolled: .[1] | endswith("-unroll");

def parts:
    part("all"; true),
    part("the kernels of PolyBench\u0027s list"; is_listed),
    part("other kernels"; is_listed | not),
    part("variants that ask for unrolling"; is_unrolled),
    part("other variants"; is_unrolled | not),
    part("PolyBench\u0027s list, other variants";
        is_listed and (is_unrolled | not));

def reasons: ["not-analysed", "unknown-address", "data-dependent",
    "different-bases", "beyond-window", "same-base"];

# What was missed at 1024 in a group, by reasons: dependencies, occurrences.
def missed($name):
    (.missed_reasons | at(1024)) as $r
    | def part($unit): [reasons[] as $why | $r[$why][$unit]]
        | add as $all | [$all, (.[] | share($all) | percent)];
    [$name] + part("dependencies") + part("occurrences") | row;

# What was missed in the binary of that name, a row each.
def example($name):
    (.objects[] | select(.path | split("/")[-2] == $name).build_id) as $object
    | .missed_dependencies[] | select(.object == $object)
    | [$name, (.src, .dst | "`\(.instruction)`"),
       (.dst.lines | last | .line), .occurrences, .min_distance, .max_distance]
    | row;

# The mean of a figure over the binaries that have it, at each bound.
def means($figure):
    [.objects as $o | bounds[] as $b
     | [$o[].lifetimes | at($b) | .[$figure] | values]
     | if length == 0 then null else add / length end | percent];

# Walks: what all binaries have together at one scope, and their means.
def mean_of($figure):
    [.objects[] | if $figure == "precision" then .precision
        else .lifetimes[0][$figure] end | values]
    | if length == 0 then null else add / length end;
def walks($scope):
    .scored[0].occurrences as $all | .lifetimes[0] as $l
    | [$scope, $l.found, $l.missed, ([$l.cov_u, $l.cov_w, .precision][] | percent),
       (mean_of("cov_u", "cov_w", "precision") | percent),
       ($l.found_occurrences + $l.missed_occurrences | share($all) | percent)] | row;
def goals:
    . as $r | [["cov_u", 97], ["cov_w", 99], ["precision", 95]][]
    | . as [$figure, $goal] | ($r | mean_of($figure)) as $is
    | [$figure, $goal, ($is | percent),
       if $is == null then "no data" elif $is >= $goal then "yes" else "**no**" end]
    | row;

# What walks missed, by kernel, and the reasons that occur, the most frequent first.
def missed_by_walks:
    (.objects | map({(.build_id): (.path | split("/")[-2] | split(".")[0])}) | add)
        as $kernel
    | [.missed_dependencies[] | {kernel: $kernel[.object], reason, occurrences}]
    | (group_by(.reason) | sort_by(-length) | map(.[0].reason)) as $reasons
    | def kind($name): length as $n | (map(.occurrences) | add) as $o
        | [$name, $n, ($reasons[] as $why | map(select(.reason == $why)) | length
            | share($n) | percent), $o,
           ($reasons[] as $why | map(select(.reason == $why) | .occurrences) | add // 0
            | share($o) | percent)] | row;
    if . == [] then "Nothing." else
        (["kernel", "dependencies", $reasons[], "occurrences", $reasons[]] | row),
        ("|---|" + ("--:|" * (2 + 2 * ($reasons | length)))),
        kind("all"),
        (group_by(.kernel)[] | kind(.[0].kernel)) end;

# Sums over the binaries whose names match; $object is the report at object scope.
def sums($pattern):
    [.objects[] | select(.path | split("/")[-2] | test($pattern))]
    | def sum(f): map(f) | add // 0;
      sum(.lifetimes[0].found) as $found | sum(.lifetimes[0].missed) as $missed
    | sum(.lifetimes[0].found_occurrences) as $f
    | sum(.lifetimes[0].missed_occurrences) as $m
    | [length, $found, $missed, (($found | share($found + $missed)),
       ($f | share($f + $m)), (sum(.predictions.judged) as $judged
           | sum(.predictions.occurred) | share($judged)) | percent)];
def walks_of($name; $pattern; $object):
    [$name] + sums($pattern) + ($object | sums($pattern))[1:] | row;
