#!/bin/sh
# doc/tutorial.md: every command on it runs, what it says of the loops comes out, and
# the code that it shows is that of the programs.  No time is looked at.
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2317 # the functions are run by ok
srcdir=${srcdir:-$(dirname "$0")}
. "$srcdir/lib.sh"

page=$root/doc/tutorial.md
ok "every command on the page runs" \
    "$root/scripts/update-tutorial" --to="$tmp/page.md"
[ -f page.md ] || cp "$page" page.md

# waits FILE: which load waits for which store.
waits() {
    grep -o 'The load at [^ ]* waits for the store at [^ ]*' "$1"
}
same_waits() {
    waits "$page" >want
    waits page.md >got
    [ "$(wc -l <want)" -ge 5 ] && diff want got
}
ok "the same loads wait for the same stores" same_waits
# Each loop and its fix, without figures: "totals limited by memory".  Without
# llvm-mca, registers limit what units do with it.
limits() {
    sed -n 's/^\([a-z_]*\)  .* cycles a round, \(limited by [a-z]*\).*/\1 \2/p' \
        "$1" | sed 's/ units$/ registers/'
}
same_limits() {
    limits "$page" >want
    limits page.md >got
    [ "$(grep -c 'limited by memory' want)" -ge 3 ] && diff want got
}
ok "memory limits each loop, and not its fix" same_limits
falls() {
    for loop in totals sweep next_row; do
        # The first is the loop, the next one its fix.
        sed -n "s/^$loop  .*: \([0-9.]*\) cycles a round,.*/\1/p" page.md |
            head -n 2 | awk '{ n[NR] = $1 } END { print n[1], n[2]
                exit !(n[2] > 0 && n[1] >= 1.5 * n[2]) }' || return
    done
}
ok "each fix takes a third of the cycles away, or more" falls
found() {
    grep -A5 '^found at lifetime 512: 1 of ' page.md | grep 'occurrences at dist' &&
        grep 'predicted with delta-k 1, as the smallest distance' page.md
}
ok "covcheck lists the dependency that was found" found

# The blocks of code; each of their lines is in a program.
shown() {
    awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside && NF' \
        "$page" >code
    [ "$(wc -l <code)" -gt 10 ] &&
        ! cat "$root"/doc/tutorial/*.c | grep -v -x -F -f - code
}
ok "the code on the page is that of the programs" shown
# The texts between the blocks stay.
text_of() {
    awk '/^```/ { inside = !inside; print; next } !inside' "$1"
}
keeps_text() {
    text_of "$page" >want
    text_of page.md >got
    diff want got
}
ok "nothing but what the commands print is replaced" keeps_text
end_of_cases
