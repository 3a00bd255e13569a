#!/bin/sh
# depbound --format=html: what the page says, and what a browser makes of it.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/depbound/lib.sh"
. "$srcdir/browser.sh"

SOURCE_DATE_EPOCH=90061
export SOURCE_DATE_EPOCH

# The optimiser mixes the instructions of both lines of the second loop.
mkdir "a <b>" && cat >"a <b>/page.c" <<'EOF'
#include <stdint.h>
double data[3000];
struct pair { uint32_t low, high; } state[2];
__attribute__((noinline)) void a_function_whose_name_is_far_too_long_for_any_telephone(volatile double *a, long n)
{
    for (long i = 1; i < n; i++)
        a[i] = a[i - 1] + 1; /* a remark that makes this line of source as long as lines of source should never be */
}
__attribute__((noinline)) void joined(volatile struct pair *p, long n)
{
    for (long i = 0; i < n; i++) {
        uint64_t both = *(volatile uint64_t *)p;
        p->low = (uint32_t)both;
        p->high = (uint32_t)i;
    }
}
int main(int argc, char **argv)
{
    (void)argv;
    a_function_whose_name_is_far_too_long_for_any_telephone(data, 3000);
    for (int i = 0; i < 6 * argc; i++)
        joined(state, 1000);
}
EOF
page() {
    ends 0 "$cpu" --llvm-mca=none --format=html "$@" && cp out page.html && [ ! -s err ]
}
prepare() {
    "$compiler" -g -O1 -o "a <b>/program" "a <b>/page.c" &&
        records deps.db --windows=20:1000 "./a <b>/program" &&
        page "a <b>/program" deps.db
}
ok "the page of a program with windows is written" prepare
ok "the page says of which program it is" has '<p class=made>a &lt;b&gt;/program<br>'
ok "the title of the page has the program's name" has '<title>depbound: program</title>'
ok "the page has the command that made it, as a shell reads it" has \
    "<code>depbound --cpu=.* --llvm-mca=none --format=html &#39;a &lt;b&gt;/program&#39; deps.db</code>"
ok "the page has the date of SOURCE_DATE_EPOCH" has '<time>1970-01-02 01:01 UTC</time>'
again() {
    cp page.html first.html && page "a <b>/program" deps.db && cmp first.html page.html
}
ok "the page is the same, byte for byte, at the same date" again
now() {
    before=$(date -u '+%F %H:%M') && (unset SOURCE_DATE_EPOCH && page "a <b>/program") &&
        made=$(sed -n 's/.*<time>\(.*\) UTC<.*/\1/p' page.html) && echo "$made" &&
        after=$(date -u '+%F %H:%M') && [ -n "$made" ] &&
        [ "$(printf '%s\n' "$before" "$made" "$after" | sort)" = \
            "$(printf '%s\n' "$before" "$made" "$after")" ]
}
ok "the page has the time at which it was made" now
no_date() {
    (SOURCE_DATE_EPOCH=yesterday && page "a <b>/program" deps.db) && ! has '<time>' &&
        (SOURCE_DATE_EPOCH=9223372036854775807 && page "a <b>/program" deps.db) &&
        ! has '<time>'
}
ok "the page has no date if SOURCE_DATE_EPOCH is not a valid one" no_date
recorded() {
    page --record "./a <b>/program" && has '<p class=made>./a &lt;b&gt;/program<br>' &&
        has "<code>depbound .* --record &#39;./a &lt;b&gt;/program&#39;</code>"
}
ok "the page of a program that was recorded has the whole command" recorded

page "a <b>/program" deps.db >/dev/null
first() {
    sed -n '/<h1>/{n;N;p;}' page.html >verdict && cat verdict &&
        grep -q "^<p class=limit><a href=#l[0-9]*>.* waits for .*: [0-9.~>=]* cycles an $(
            )iteration, [0-9]* % of the program&#39;s cycles</a>" verdict &&
        grep -q '^<p class=advice> .*: [0-9.]* (-[0-9]* %), -[0-9]* % of the program.* if only the wait goes' verdict
}
ok "after its title the page says what to fix, what it costs and what it gains" first
first_without_run() {
    page "a <b>/program" &&
        line=$(grep '<b class=memory>memory</b> limits' page.html) && echo "$line" &&
        n=$(grep -c '^<p>.* limited by <b class=memory>' page.html) &&
        [ "$n" -gt 0 ] && echo "$line" |
        grep -q "<b class=memory>memory</b> limits $n.* of $(
            grep -c '^<h2 id=l' page.html) loops"
}
ok "without a run the page says how many loops each limit has" first_without_run
none() {
    page --source=no-such-file.c "a <b>/program" && has '<p class=limit>No loop is listed'
}
ok "the page says that no loop is listed" none

page "a <b>/program" deps.db >/dev/null
once() {
    [ "$(grep -c '<td colspan=3>.*a remark that makes' page.html)" -eq 1 ] &&
        [ "$(grep -c '<td colspan=3>page.c:[0-9]*  ' page.html)" -gt 3 ] &&
        ! grep -o '<td colspan=3>page.c:[0-9]*  .*' page.html | sort | uniq -d | grep .
}
ok "the page shows the text of a source line once in a loop" once
linked() {
    page --min-share=0 "a <b>/program" deps.db >/dev/null &&
        joined=$(sed -n 's/^<h2 id=\(l[0-9]*\)>joined page.c:.*/\1/p' page.html) &&
        main=$(sed -n 's/^<h2 id=\(l[0-9]*\)>main page.c:.*/\1/p' page.html) &&
        has "^<p>Calls <a href=#$joined>joined page.c:[0-9]*</a></p>" &&
        has "^<p>Called by <a href=#$main>main page.c:[0-9]*</a></p>"
}
ok "a loop has links to the loops of functions that it calls, and to its callers" linked
page "a <b>/program" deps.db >/dev/null
folded() {
    [ "$(grep -c '^<table class=lines>' page.html)" -gt 0 ] &&
        [ "$(grep -c '^<details><summary>Instructions' page.html)" -eq \
            "$(grep -c '^<table class=lines>' page.html)" ]
}
ok "the source of a chain comes first, and its instructions are folded" folded
legend() {
    has '<dt>units' '<dt>registers' '<dt>memory' '<dt>&gt;=' '<dt>~' \
        '<details class=note><summary>Legend</summary>'
}
ok "the page has a legend, which is folded" legend
page "a <b>/program" deps.db >/dev/null
alone() {
    ! grep -n -i -E 'https?:|//[a-z]|<(img|iframe|object|embed|script )|@import|url\(|src=' \
        page.html
}
ok "depbound's page refers to no other file" alone

# --- In a browser ---

# probe WIDTH: the answers of page-probe.js.  The page forbids scripts, which is left out
# here.
probe() {
    sed '/Content-Security-Policy/d' page.html |
        question "$1" 'window.onload = () => {' depbound/page-probe.js '};'
}
if command -v chromium >/dev/null; then
    for width in 1280 800 420 360; do
        probe $width
        ok "the browser's window has $width pixels" answers width $width
        for name in not-clipped headings limit-first rows-fit rows-full \
            source-wide arcs-meet lines-add-up one-drawing sorts; do
            ok "depbound's page passes $name at $width pixels" answers $name
        done
    done
    # A table that cannot shrink is found.
    sed -i 's/<table class=sortable/<table style="min-width:1300px" class=sortable/' page.html
    probe 1280
    clipped() {
        ! answers not-clipped
    }
    ok "a page with a table that is too wide is found" clipped
else
    skip "depbound's page in a browser" "chromium is not installed"
fi

end_of_cases
