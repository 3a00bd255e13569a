#!/bin/sh
# doc/tutorial.md and doc/gallery.md: each of their commands runs and prints what the page
# says of the loops, and their code is that of the programs.  No time is compared.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")}
. "$srcdir/lib.sh"

# update NAME: page.md is what the commands of this page print now.
update() {
    page=$root/doc/$1.md
    "$root/scripts/update-tutorial" --to="$tmp/page.md" "$page" || {
        cp "$page" page.md
        return 1
    }
}

# agree N COMMAND...: does the command print the same lines, at least N, of the page and of
# page.md?
agree() {
    least=$1
    shift
    "$@" "$page" >want
    "$@" page.md >got
    [ "$(wc -l <want)" -ge "$least" ] && diff want got
}

# waits FILE: which load waits for which store.
waits() {
    grep -o 'The load at [^ ]* waits for the store at [^ ]*' "$1"
}
# limits FILE: what limits each loop and its fix, such as "totals limited by memory".
# Without llvm-mca registers limit the loops that units limit with it.
limits() {
    sed -n 's/^\([a-z_]*\)  .* cycles an iteration.*, \(limited by [a-z]*\).*/\1 \2/p' \
        "$1" | sed 's/ units$/ registers/'
}
# pairs SHARE FILE: which load waits for which store in windows, for at least SHARE
# percent of the cycles.
pairs() {
    awk -v least="$1" 'NF >= 5 && $3 ~ /^([0-9.]+%|-)$/ && $1 + 0 >= least { print $4, $5 }' \
        "$2" | sort -u
}

# shown LINES: is each line of the page's code, of which there are more than LINES, in a
# program?
shown() {
    awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside && NF' \
        "$page" >code
    [ "$(wc -l <code)" -gt "$1" ] &&
        ! cat "$root"/doc/tutorial/*.c | grep -v -x -F -f - code
}

# text FILE: what is between its fenced blocks.
text() {
    awk '/^```/ { inside = !inside; print; next } !inside' "$1"
}

ok "every command of the tutorial runs" update tutorial
ok "the tutorial's loads wait for the stores that it names" agree 4 waits
memory() {
    agree 2 limits && [ "$(grep -c 'limited by memory' want)" -ge 2 ]
}
ok "memory limits each loop of the tutorial, and not its fix" memory
falls() {
    for loop in totals sweep; do
        # The last line is of the fix, which was not run; those before it are of the loop,
        # the largest in long runs of it.
        sed -n -e "s/^$loop  .* (\([0-9.]*\) in long runs of the loop).*/\1/p; t" \
            -e "s/^$loop  .*: [>=~]*\([0-9.]*\) cycles an iteration,.*/\1/p" page.md |
            awk '{ last = $1; most = $1 > most ? $1 : most } END { print most, last
                exit !(last > 0 && most >= 1.5 * last) }' || return
    done
}
ok "the fixes of totals and sweep take at least a third of the cycles away" falls
ok "in windows the hash waits for each store of the tutorial whose forward fails" \
    agree 3 pairs 5
# The first line is of the hash, the second of its fix.
gains() {
    sed -E -n "s/ cycles, (if all|with caches).*//p" page.md | tail -n 2 |
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
ok "update-tutorial replaces only what commands print" agree 20 text

ok "every command of the gallery runs" update gallery
# What costs much on the processor of the page costs something on others.
same_pairs() {
    pairs 25 "$page" >want
    pairs 2 page.md >got
    cat got
    [ "$(wc -l <want)" -ge 6 ] && [ -z "$(comm -23 want got)" ]
}
ok "the loads of the gallery wait for the stores that it names" same_pairs
ok "the chains of the gallery are those that it names" agree 2 waits
aliases() {
    [ "$(grep -c '^aliases: ' page.md)" -eq 2 ] &&
        sed -n 's/^aliases: *\([0-9,]*\) loads.*/\1/p' page.md | tr -d , |
        awk '{ n[NR] = $1 } END { exit !(n[1] > 1000 && n[2] < n[1] / 10) }'
}
ok "loads alias in the gallery's rows, and not in its fix" aliases
ok "the gallery's code is that of its programs" shown 12
end_of_cases
