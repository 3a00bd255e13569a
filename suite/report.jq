# Reports of covcheck -> rows of tables.  Used by suite/report.
# SPDX-License-Identifier: GPL-2.0-or-later

# A percentage with one digit behind the point; what has no data is empty.
def percent:
    if . == null then ""
    else (. * 10 | round) as $n | "\($n / 10 | floor).\($n % 10)" end;

def row: "| " + (map(tostring) | join(" | ")) + " |";

def share($of): if $of == 0 then null else 100 * . / $of end;

def at($bound): .[] | select(.lifetime == $bound);

def bounds: ["inf", 1024, 512];

# cov_u and cov_w at each bound.
def coverage:
    [.lifetimes as $l | bounds[] as $b | $l | at($b) | .cov_u, .cov_w | percent];

# The rows that compare with the paper; $paper is [cov_u, cov_w] by bound.
def against($paper):
    .lifetimes as $l | bounds[] | . as $b | $l | at($b)
    | [if $b == "inf" then "none" else $b end, .found, .missed,
       (.cov_u | percent), (.cov_w | percent),
       ($paper[$b | tostring] | map(percent))] | flatten | row;

# One row of a group of binaries.
def group($name; $n):
    [$name, $n, (.lifetimes | at(1024) | .found, .missed), coverage[],
     (.precision | percent), (.delta_k_agreement | percent)] | row;

def reasons: ["not-analysed", "unknown-address", "beyond-window",
    "different-bases"];

# What was missed at 1024 in a group, by reasons: dependencies, occurrences.
def missed($name):
    (.missed_reasons | at(1024)) as $r
    | def part($unit): [reasons[] as $why | $r[$why][$unit]]
        | add as $all | [$all, (.[] | share($all) | percent)];
    [$name] + part("dependencies") + part("occurrences") | row;

# Where the two ends of what occurred lie, in percent.
def scopes:
    .scopes as $s | bounds[] | . as $b | $s | at($b) | .occurrences as $all
    | [if $b == "inf" then "none" else $b end,
       (.block, .function, .across_functions,
        (.unknown_function + .outside) | share($all) | percent), $all] | row;

# The mean of a figure over the binaries that have it, at each bound.
def means($figure):
    [.objects as $o | bounds[] as $b
     | [$o[].lifetimes | at($b) | .[$figure] | values]
     | if length == 0 then null else add / length end | percent];

# For the plots.
def curve:
    .lifetimes[] | [if .lifetime == "inf" then 4194304 else .lifetime end,
        .cov_u, .cov_w] | map(. // "?") | @tsv;

def binaries:
    .objects[] | [(.path | split("/")[-2])] +
        [.lifetimes as $l | bounds[] as $b | $l | at($b) | .cov_u, .cov_w]
    | map(. // "?") | @tsv;
