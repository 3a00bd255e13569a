#!/bin/sh
# doc/gallery.md: each of its commands runs and names the pairs that the page does, and
# its code is that of the programs.  No time is compared.
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2317 # the functions are run by ok
srcdir=${srcdir:-$(dirname "$0")}
. "$srcdir/lib.sh"
. "$srcdir/pages.sh"

page=$root/doc/gallery.md
ok "every command of the gallery runs" update_page
# What costs much on the processor of the page costs something on others.
same_pairs() {
    pairs "$page" 25 >want
    pairs page.md 2 >got
    cat got
    [ "$(wc -l <want)" -ge 6 ] && [ -z "$(comm -23 want got)" ]
}
ok "the loads of the gallery wait for the stores that it names" same_pairs
sentences() {
    grep -o '^The load at [^ ]* waits for the store at [^ ]*' "$1"
}
same_sentences() {
    sentences "$page" >want
    sentences page.md >got
    [ "$(wc -l <want)" -ge 2 ] && diff want got
}
ok "the chains of the gallery are those that it names" same_sentences
aliases() {
    [ "$(grep -c '^aliases: ' page.md)" -eq 2 ] &&
        sed -n 's/^aliases: *\([0-9,]*\) loads.*/\1/p' page.md | tr -d , |
        awk '{ n[NR] = $1 } END { exit !(n[1] > 1000 && n[2] < n[1] / 10) }'
}
ok "loads alias in the gallery's rows, and not in its fix" aliases
ok "the gallery's code is that of its programs" shown 12
ok "update-tutorial keeps the gallery's text" keeps_text
end_of_cases
