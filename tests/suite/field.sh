#!/bin/sh
# research/run field on small programs: which runs it uses, and what its tables say.
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")/..}
. "$srcdir/lib.sh"
. "$srcdir/suite/lib.sh"
question=field

make_pairs || skip_all "no static executable can be linked"
cat >programs <<END
pairs   tune    none  -
    0  $tmp/pairs
    0  $tmp/pairs x
gzip    report  gzip  -
    0  gzip -c words.py
END
cat >list <<END
# Its inputs are in the other table.
pairs  1.pairs
expr   2.expr  coreutils  -
    0  expr 2 - 1
    0  expr length two
END

# row TEXT: has the table a row that begins with this text?
row() {
    grep -F -e "| $1 |" results/field.md || { cat results/field.md; return 1; }
}
# counts NAME RUNS: covcheck's counts of observed, missed, judged and occurred pairs.
counts() {
    "$root/scripts/run-in-tree" covcheck --format=json --min-share=0 --lifetime=inf \
        --scope=object $(printf -- '--deps=%s/deps.db\n' results/runs/$1.$2) \
        --static="results/predictions/$1/static.walks" |
        jq -r '(.lifetimes[0] | .found + .missed, .missed), .predictions.judged,
            .predictions.occurred' | tr '\n' ' '
}
# in_row NAME: the counts of a program's row.
in_row() {
    awk -F ' *[|] *' -v name="$1" '
        $2 == name && NF == 16 { print $6, $7, $9, $9 - $10 " " }' results/field.md
}

# rest COLUMN NAME: the figures of a program in the table with this second column.
rest() {
    awk -F ' *[|] *' -v column="$1" -v name="$2" '
        $2 == "program" { here = $3 == column }
        here && $2 == name { $1 = $2 = ""; print }' results/field.md
}

cases <<'END'
the field study runs the programs of two tables :: ends 0 --programs=programs --list=list
the field study runs each program with each input :: says "run-program: 4 of 4 to do"
the table marks a program that walks were tuned on :: row "pairs | 1.pairs (t) | none"
END
ok "the table has the package and version of a program" \
    row "expr | 2.expr | coreutils $(
    dpkg-query -W -f '${Version}' coreutils 2>/dev/null)"
for name in pairs expr; do
    ok "the counts of $name are covcheck's" equal "$(in_row $name)" \
        "$(counts $name '*')"
done
only_second() {
    [ "$(counts pairs 1)" != "$(counts pairs '*')" ] &&
        rest occurred pairs | awk '{ print $2, $3 }' >got && [ "$(cat got)" = '1 0' ]
}
ok "a pair that only the second input shows is told from a false one" only_second
never_ran() {
    awk -F ' *[|] *' '$2 == "pairs" && NF == 16 { print $13 }' results/field.md >got
    [ "$(cat got)" -ge 1 ]
}
ok "predictions of code that never ran are counted" never_ran
by_bound() {
    equal "$(rest 1024 expr | awk '{ print $1 <= $3, $3 }')" "1 $(
        in_row expr | awk '{ printf "%.1f", 100 * $2 / $1 }')"
}
ok "the table has the share that is missed at each bound" by_bound
ok "the table has the reasons of misses" grep -E '^\| expr \| [0-9]+ \|' results/field.md
ok "the table has what others published, with its source" grep \
    '^| BDA.* | 181.mcf | 2050 | 2 | 0.1 | 2189 | 141 | 6.4 | README.md of ' \
    results/field.md

mkdir doc
printf '%s\n' text '<!-- research/run field -->' replaced '<!-- end of research/run field -->' \
    >doc/field.md
question=programs
ok "runs of the programs' table are made" ends 0 --programs=programs
question=field
ok "the field study uses runs of the programs' table" \
    ends 0 --programs=programs --list=list --doc=doc
ok "the field study does not repeat runs of the programs' table" \
    says "run-program: 0 of 4 to do"
in_doc() {
    grep '^| pairs | ' doc/field.md && ! grep replaced doc/field.md
}
ok "--doc of the field study writes the tables into the page" in_doc

end_of_cases
