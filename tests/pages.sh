# For tests of pages whose commands scripts/update-tutorial runs: $page is the page, and
# page.md what it made of it.
# shellcheck shell=sh disable=SC2317 # the functions are run by ok

# update_page: page.md from $page.
update_page() {
    "$root/scripts/update-tutorial" --to="$tmp/page.md" "$page" || {
        cp "$page" page.md
        return 1
    }
}

# pairs FILE SHARE: which load waits for which store in windows, for at least SHARE
# percent of the cycles.
pairs() {
    awk -v least="$2" 'NF >= 5 && $3 ~ /^([0-9.]+%|-)$/ && $1 + 0 >= least { print $4, $5 }' \
        "$1" | sort -u
}

# shown LINES: is each line of the page's code, of which there are more than LINES, in a
# program?
shown() {
    awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside && NF' \
        "$page" >code
    [ "$(wc -l <code)" -gt "$1" ] &&
        ! cat "$root"/doc/tutorial/*.c | grep -v -x -F -f - code
}

# text_of PAGE: the text between its fenced blocks.
text_of() {
    awk '/^```/ { inside = !inside; print; next } !inside' "$1"
}
keeps_text() {
    text_of "$page" >want
    text_of page.md >got
    diff want got
}
