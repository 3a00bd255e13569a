#!/bin/sh
# covcheck: how the bytes of each load lie within the stores that wrote them.
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # the functions set them
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/covcheck/lib.sh"

no_line_about_forwards() {
    ends 0 --missed=20 deps.db static.db && ! grep -i forward out
}
new_pair
json_cases <<'END'
a deps.db without counts has no forwards|0|$.forwards[2].occurrences
without counts of forwards each dependency has none in JSON||$.missed_dependencies[0].forwards|--missed=20
END
ok "without counts of forwards the text has no line about them" no_line_about_forwards

# Dependencies 1 and 2 are found, 3, 4 and 6 are missed, 5 is found; 10 and 12 are
# in other objects.
sqlite3 deps.db "
    UPDATE dep_lifetime SET same = occurrences, contained = 0, partial = 0,
        several = 0, crossing = 0;
    UPDATE dep_lifetime SET same = 0, contained = 60, partial = 40
        WHERE dep_id = 5;
    UPDATE dep_lifetime SET same = 100, several = 400, crossing = 250
        WHERE dep_id = 6"
all="sum(l.same), sum(l.contained), sum(l.partial), sum(l.several), sum(l.crossing)"
# sums BOUND: the sums in the database, over dependencies with an end in bench,
# which is two objects there.
sums() {
    sqlite3 -separator ' ' deps.db "SELECT sum(l.occurrences), $all
        FROM dep_lifetime AS l JOIN dep USING(dep_id)
        WHERE (src_object IN (1, 3) OR dst_object IN (1, 3))
            AND lifetime <= $1"
}
adds_up() {
    report_in_json || return
    ask "SELECT value ->> 'occurrences', value ->> 'same', value ->> 'contained',
            value ->> 'partial', value ->> 'several', value ->> 'crossing'
        FROM r, json_each(r, '\$.forwards')" | tr '|' ' ' >got
    { sums 512 && sums 1024 && sums 9223372036854775807; } >want
    same want got && grep -q ' 250$' got
}
ok "JSON has the sums of forwards at each bound" adds_up
ok "JSON has the forwards of each dependency" json \
    '{"same":100,"contained":0,"partial":0,"several":400,"crossing":250}' \
    '$.missed_dependencies[0].forwards' --missed=20
told_in_text() {
    ends 0 --missed=20 deps.db static.db &&
        grep -q '^loads read  *[0-9.]*% just what a store wrote, .* cross a line$' \
            out && [ "$(grep -c ', forward fails$' out)" -eq 1 ] &&
        grep -q '^  500 occurrences .*, forward fails$' out
}
ok "the text report marks dependencies whose forwards fail" told_in_text
told_in_markdown() {
    ends 0 --format=markdown --missed=20 deps.db static.db &&
        grep -q '^| loads read |  | [0-9.]*% just what a store wrote' out &&
        [ "$(grep -c '; forward fails |' out)" -eq 1 ]
}
ok "Markdown has the sums of forwards" told_in_markdown
told_on_page() {
    ends 0 --html=page.html --missed=20 deps.db static.db >/dev/null &&
        sed -n '/id=forwards/,/<\/section>/s/^<tr>//p' page.html |
        sed 's|</td>| |g; s|<[^>]*>||g' | sed 's/ $//' >got &&
        ask "SELECT value ->> 'lifetime',
                printf('%.1f%%', 100.0 * (value ->> 'same') / n),
                printf('%.1f%%', 100.0 * (value ->> 'contained') / n),
                printf('%.1f%%', 100.0 * (value ->> 'partial') / n),
                printf('%.1f%%', 100.0 * (value ->> 'several') / n),
                printf('%.1f%%', 100.0 * (value ->> 'crossing') / n), n
            FROM (SELECT value, value ->> 'occurrences' AS n
                FROM r, json_each(r, '\$.forwards'))" report | tr '|' ' ' >want && sed 's/\xe2\x80\xaf//g' got | diff want - &&
        sed -n '/id=listed-missed>/,/<\/table>/p' page.html |
        grep -c '; forward fails' | grep -x 1
}
run covcheck --format=json deps.db static.db >report
ok "the page has a table of forwards, and marks those that fail" told_on_page
ok_if 'is_described; [ $? -ne 77 ]' "no python3-jsonschema" \
    "a JSON report with forwards matches the schema" is_described --missed=20

# --- Unknown forwards beside others; damage ---

sqlite3 deps.db "UPDATE dep_lifetime SET same = 0, contained = 0, partial = 0,
    several = 0, crossing = 0 WHERE dep_id <> 5"
ok "unknown forwards do not count in their sums" json \
    '{"lifetime":512,"occurrences":100,"same":0,"contained":60,"partial":40,'\
'"several":0,"crossing":0}' '$.forwards[0]'
while IFS='|' read -r sql text; do
    cp deps.db whole.db
    sqlite3 deps.db "UPDATE dep_lifetime SET $sql WHERE dep_id = 5"
    ok "covcheck refuses forwards with $sql" says 2 \
        "covcheck: deps.db: damaged database: $text" deps.db static.db
    mv whole.db deps.db
done <<'END'
several = 1|more forwards than occurrences
several = 9223372036854775807|more forwards than occurrences
contained = 59|forwards that do not match the occurrences
crossing = 101|forwards that do not match the occurrences
END
end_of_cases
