#!/bin/sh
# doc/tutorial.md: each of its commands runs and prints what the page says of the loops,
# and its code is that of the programs.  No time is compared.
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2317 # the functions are run by ok
srcdir=${srcdir:-$(dirname "$0")}
. "$srcdir/lib.sh"

. "$srcdir/pages.sh"

page=$root/doc/tutorial.md
ok "every command of the tutorial runs" update_page

# waits FILE: which load waits for which store on the page.
waits() {
    grep -o 'The load at [^ ]* waits for the store at [^ ]*' "$1"
}
same_waits() {
    waits "$page" >want
    waits page.md >got
    [ "$(wc -l <want)" -ge 4 ] && diff want got
}
ok "the tutorial's loads wait for the stores that it names" same_waits
# limits FILE: what limits each loop and its fix, such as "totals limited by memory".
# Without llvm-mca registers limit the loops that units limit with it.
limits() {
    sed -n 's/^\([a-z_]*\)  .* cycles an iteration.*, \(limited by [a-z]*\).*/\1 \2/p' \
        "$1" | sed 's/ units$/ registers/'
}
same_limits() {
    limits "$page" >want
    limits page.md >got
    [ "$(grep -c 'limited by memory' want)" -ge 2 ] && diff want got
}
ok "memory limits each loop of the tutorial, and not its fix" same_limits
falls() {
    for loop in totals sweep; do
        # The first line is of the loop, the second of its fix.
        sed -n "s/^$loop  .*: [>=~]*\([0-9.]*\) cycles an iteration,.*/\1/p" page.md |
            head -n 2 | awk '{ n[NR] = $1 } END { print n[1], n[2]
                exit !(n[2] > 0 && n[1] >= 1.5 * n[2]) }' || return
    done
}
ok "the fixes of totals and sweep take at least a third of the cycles away" falls
same_pairs() {
    pairs "$page" 5 >want
    pairs page.md 5 >got
    [ "$(wc -l <want)" -eq 3 ] && diff want got
}
ok "in windows the hash waits for each store of the tutorial whose forward fails" same_pairs
# The first line is of the hash, the second of its fix.
gains() {
    sed -n 's/ cycles, if all data are in the first cache.*//p' page.md | tail -n 2 |
        awk '{ n[NR] = $1 } END { print n[1], n[2]
            exit !(NR == 2 && n[2] > 0 && n[1] >= 2 * n[2]) }' &&
        [ "$(sed -n 's/^without failed forwards: \([0-9]*\).*/\1/p' page.md)" -ge 50 ]
}
ok "by windows the tutorial's fix of the hash gains half of its cycles, as foretold" gains
found() {
    grep -A5 '^found at lifetime 512: 1 of ' page.md | grep 'occurrences at dist' &&
        grep 'predicted with delta-k 1, as the smallest distance' page.md
}
ok "covcheck lists the dependency that the tutorial found" found

ok "the tutorial's code is that of its programs" shown 10
ok "update-tutorial replaces only what commands print" keeps_text
end_of_cases
