# Reports of covcheck -> rows of tables: what each report.jq uses.
# SPDX-License-Identifier: GPL-2.0-or-later

# A percentage with one digit after the point, or nothing if there is no data.
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

# Where the two ends of what occurred lie, in percent.
def scopes:
    .scopes as $s | bounds[] | . as $b | $s | at($b) | .occurrences as $all
    | [if $b == "inf" then "none" else $b end,
       (.block, .function, .across_functions,
        (.unknown_function + .outside) | share($all) | percent), $all] | row;
