#!/bin/sh
# Does tree.sh see what it looks for, and only that?
# SPDX-License-Identifier: GPL-2.0-or-later
srcdir=${srcdir:-$(dirname "$0")}
. "$srcdir/lib.sh"

# One copy of the sources in which every rule is broken, and beside that what only looks
# as if it broke one; clang-format is replaced, since it takes most of the time.
mkdir copy quick && ln -s /bin/true quick/clang-format
(cd "$root" && cp -r .ci .clang-format ./*.md Makefile.am configure.ac bench binary common \
    coverage debian depbound depsim doc fuzz graph lift report research scripts staticdeps \
    tests "$tmp/copy")

# breaks WHAT RULE FOUND [FILE LINE]...: appends each line to its file of the copy.  The
# case of tree.sh named RULE must then say FOUND, some lines, or nothing if that is empty.
breaks() {
    printf '%s|%s|%s\n' "$1" "$2" "$(echo "$3" | tr '\n' '|')" >>cases
    shift 3
    while [ $# -gt 0 ]; do
        echo "$2" >>"copy/$1"
        shift 2
    done
}

above="includes nothing from a higher layer or another program"
around="includes itself through others"
doors="each outside library has its doors"
lines=$(($(wc -l <copy/tests/kernels.sh) + 1))
named="the files and modules that HACKING.md names exist"

breaks "a new file in the wrong layer" "depsim $above" \
    "depsim/base/ds_new.h includes run/ds_run.h" \
    depsim/base/ds_new.h '#include "run/ds_run.h"'
breaks "a folder that is no layer" "staticdeps $above" \
    "staticdeps/walk/sd_new.h includes attic/sd_op.h" \
    staticdeps/walk/sd_new.h '#include "attic/sd_op.h"'
breaks "an include from a higher layer" "staticdeps $above" \
    "staticdeps/elf/sd_lookup.c includes block/sd_reroll.h" \
    staticdeps/elf/sd_lookup.c '#include "block/sd_reroll.h"'
breaks "a program's header in a shared folder" "lift $above" \
    "lift/sd_op.c includes decode/sd_decode.h" \
    lift/sd_op.c '#include "decode/sd_decode.h"'
breaks "a header of another program" "coverage $above" \
    "coverage/model/cc_data.c includes program/sd_cfg.h" \
    coverage/model/cc_data.c '#include "program/sd_cfg.h"'
breaks "an include from a higher layer of depbound" "depbound $above" \
    "depbound/mca/cy_dialogue.c includes chain/cy_predict.h" \
    depbound/mca/cy_dialogue.c '#include "chain/cy_predict.h"'
breaks "a program's header in common" "common $above" \
    "common/memory.c includes model/cc_data.h" \
    common/memory.c '#include "model/cc_data.h"'
breaks "a file in a folder that includes one beside the folders" "coverage $above" \
    "coverage/html/cc_arcs.c includes cc_options.h" \
    coverage/html/cc_arcs.c '#include "cc_options.h"'
breaks "two headers that include each other" "nothing in coverage $around" \
    "tsort: -: input contains a loop:
tsort: judge/cc_new
tsort: judge/cc_score" \
    coverage/judge/cc_new.h '#include "judge/cc_score.h"' \
    coverage/judge/cc_score.h '#include "judge/cc_new.h"'
breaks "capstone's header outside its doors" "$doors" \
    "staticdeps/block/sd_analyse.c includes <capstone/capstone.h>" \
    staticdeps/block/sd_analyse.c '#include <capstone/capstone.h>'
breaks "jansson's header outside its doors" "$doors" \
    "coverage/report/cc_formats.c includes <jansson.h>" \
    coverage/report/cc_formats.c '#include <jansson.h>'
breaks "a C library in the tool" "the tool has no C library" \
    "depsim/base/ds_memory.c:#include <stdlib.h>" \
    depsim/base/ds_memory.c '#include <stdlib.h>'
breaks "a struct tag that a second file defines again" \
    "no struct tag with a prefix stands for two types" "sd_resolver" \
    staticdeps/walk/sd_walk_callee.c 'struct sd_resolver {'
breaks "sources without a licence" "every source has its licence" \
    "coverage/judge/cc_new.h
depsim/base/ds_new.h
staticdeps/walk/sd_new.h"
breaks "a dead link" "no link of a page is dead" "./doc/ci.md: not-there.md" \
    doc/ci.md 'See [this](not-there.md#part).'
breaks "a file of HACKING.md that is not there" "$named" "depsim/base/ds_gone.h" \
    HACKING.md '`depsim/base/ds_gone.h`'
breaks "a module of HACKING.md that is not there" "$named" "sd_new_one" \
    HACKING.md '`sd_new_one`'
breaks "an array, which only bash has, in a shell script" "dash parses every shell script" \
    "tests/kernels.sh: $lines: Syntax error: \"(\" unexpected
tests/kernels.sh" \
    tests/kernels.sh 'names=(a b)'
breaks "an interval, which mawk takes literally" \
    "no regular expression of an awk program has an interval like {2,3}" \
    "bench/median.awk:$(($(wc -l <copy/bench/median.awk) + 1)):/^a{3}\$/" \
    bench/median.awk '/^a{3}$/'
breaks "no fault in a placeholder for files" "$named" "" \
    HACKING.md '`tests/fuzz/TARGET/`'

# Lines "RULE|WHAT IS FOUND" of the cases that failed.
PATH=$tmp/quick:$PATH srcdir=$tmp/copy/tests builddir=$builddir sh copy/tests/tree.sh >out
awk '/^(not )?ok / { rule = $1 == "not" ? $0 : ""; sub(/^not ok [0-9]* - /, "", rule) }
    /^# / && rule != "" { print rule "|" substr($0, 3) }' out | sort >found
awk -F '|' '{ for (i = 3; i <= NF; i++) if ($i != "") print $2 "|" $i }' cases | sort >expected
shown() {
    printf '%s\n' "$1" | tr '|' '\n' | while read -r line; do
        [ -z "$line" ] || grep -x -F -e "$2|$line" found || exit
    done
}
while IFS='|' read -r what rule lines; do
    [ -z "$lines" ] || ok "tree.sh finds $what" shown "$lines" "$rule"
done <cases
ok "tree.sh finds nothing but what breaks a rule" same expected found

end_of_cases
