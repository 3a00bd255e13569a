#!/bin/sh
# covcheck on a million observed and a million predicted dependencies.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"

command -v time >/dev/null || skip_all "there is no time(1)"
# No time is judged here; bench/covcheck does that on a quiet machine.
"$root/bench/covcheck" --keep=. >figures || :
sed 's/^/# /' figures
ok "a million dependencies take at most 1 GiB of memory" awk '
    $1 == 1000000 { for (i = 2; i <= NF; i++) if ($i == "MiB") {
        n++; if ($(i - 1) > 1024) exit 1 } }
    END { exit n == 0 }' figures

# The expected figures follow from how bench/covcheck makes the databases:
# dependency n begins in block n / 10, and a third is predicted, unless the pair
# spans blocks (every seventh) or the end lies in the next block.
run covcheck --format=json --lifetime=inf --min-weight=0 deps.db static.db >json
ok "covcheck counts a million dependencies right" \
    test "$(sqlite3 deps.db "ATTACH 'static.db' AS s;
    SELECT (SELECT count(*) FROM dep CROSS JOIN s.dep AS p
            ON p.block_id = (dep.src - 4096) / 160 + 1 AND p.src = dep.src
                AND p.dst = dep.dst),
        (SELECT count(*) FROM dep
            WHERE (src - 4096) / 160 = (dst - 4096) / 160)")" = \
    "$(sqlite3 :memory: "SELECT found, found + missed FROM (SELECT
        json ->> '$.lifetimes[0].found' AS found,
        json ->> '$.lifetimes[0].missed' AS missed
        FROM (SELECT CAST(readfile('json') AS TEXT) AS json))")"

end_of_cases
