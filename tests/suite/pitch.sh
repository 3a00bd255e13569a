#!/bin/sh
# research/run pitch: the README's table is what it makes of recorded measurements.
# Nothing is measured here.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"

command -v jq >/dev/null || skip_all "jq is not installed"
# pitch OPTION...: makes the table of recorded measurements.
pitch() {
    "$root/research/run" pitch --recorded --results=results "$@"
}

# table FILE: the rows of the table, with llvm-mca's column if its version is that of the
# README.
table() {
    sed -n '/^<!-- research.run pitch -->$/,/^<!-- end of/p' "$1" >part
    if [ "$same_version" = yes ]; then
        cat part
    else
        grep '^|' part | cut -d '|' -f 2,5-8
    fi
}
renew() {
    cp "$root/README.md" . && pitch --doc=.
}
for mca in $(seq -f llvm-mca-%g 40 -1 19) llvm-mca none; do
    ! command -v "$mca" >/dev/null || break
done
if [ "$mca" = none ]; then
    skip "pitch makes the README's table again" "there is no llvm-mca"
else
    ok "pitch makes the README's table again" renew
    version=$("$mca" --version | sed -n 's/.*LLVM version \([0-9.]*\).*/\1/p')
    same_version=no
    ! grep -q "^llvm-mca $version, " "$root/README.md" || same_version=yes
    as_before() {
        table "$root/README.md" >want
        table README.md >got
        [ "$(grep -c '^|' want)" -eq 8 ] && diff want got
    }
    ok "the README's table is what pitch makes of the measurements" as_before
fi
# holds: depbound is within 10 % of the measurement for each loop; for loops that
# memory limits llvm-mca says half of it or less.
holds() {
    sed -n '/^<!-- research.run pitch -->$/,/^<!-- end of/p' "$root/README.md" |
        awk -F ' *[|] *' '$3 + 0 > 0 {
            n++
            error = $6 / $8 - 1
            bad += error < -0.1 || error > 0.1
            if ($7 == "memory") {
                of_memory++
                bad += $3 > $8 / 2
            }
        }
        END {
            print n, of_memory, bad
            exit !(n == 6 && of_memory >= 3 && bad == 0)
        }'
}
ok "of loops that memory limits, depbound is right and llvm-mca far off" holds
first_commands() {
    sed -n '/^<!-- scripts.update-readme -->$/,/^<!-- end of/p' \
        "$root/README.md" >want
    sed -n 's/^\$ //p' want | tail -n +2 |
        sed "s|/usr/share/doc/depsim|$root/doc|" >typed
    run sh -e typed >got && cat got &&
        grep -o 'The load at [^ ]* waits for the store at [^ ]*' want >says &&
        [ -s says ] && grep -F -f says got && [ "$(wc -l <typed)" -eq 2 ]
}
ok "the README's first commands print what it shows" first_commands
end_of_cases
