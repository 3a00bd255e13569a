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

# breaks RULE FOUND [FILE LINE]: appends the line to the file of the copy.  The case of
# tree.sh named RULE must then say FOUND, some lines, or nothing if that is empty.
breaks() {
    printf '%s\n' "$2" | sed -n "/./s/^/$1|/p" >>expected
    [ $# -eq 2 ] || echo "$4" >>"copy/$3"
}

# Files, what each includes, and the program that forbids it, or the libraries' doors.
while read -r rule file header; do
    case $rule in
    doors) rule="each outside library has its doors" ;;
    *) rule="$rule includes nothing from a higher layer or another program" ;;
    esac
    breaks "$rule" "$file $header" "$file" "#include $header"
done <<'END'
depsim depsim/base/ds_new.h "run/ds_run.h"
staticdeps staticdeps/walk/sd_new.h "attic/sd_op.h"
staticdeps staticdeps/elf/sd_lookup.c "block/sd_reroll.h"
lift lift/sd_op.c "decode/sd_decode.h"
coverage coverage/model/cc_data.c "program/sd_cfg.h"
depbound depbound/mca/cy_dialogue.c "chain/cy_predict.h"
common common/memory.c "model/cc_data.h"
coverage coverage/html/cc_arcs.c "cc_options.h"
doors staticdeps/block/sd_analyse.c <capstone/capstone.h>
doors coverage/report/cc_formats.c <jansson.h>
END
around="nothing in coverage includes itself through others"
breaks "$around" "tsort: -: input contains a loop:
tsort: judge/cc_new
tsort: judge/cc_score" coverage/judge/cc_new.h '#include "judge/cc_score.h"'
breaks "$around" "" coverage/judge/cc_score.h '#include "judge/cc_new.h"'
breaks "the tool has no C library" "depsim/base/ds_memory.c:#include <stdlib.h>" \
    depsim/base/ds_memory.c '#include <stdlib.h>'
breaks "no struct tag with a prefix stands for two types" "sd_resolver" \
    staticdeps/walk/sd_walk_callee.c 'struct sd_resolver {'
breaks "every source has its licence" "coverage/judge/cc_new.h
depsim/base/ds_new.h
staticdeps/walk/sd_new.h"
breaks "no link of a page is dead" "./doc/ci.md: not-there.md" \
    doc/ci.md 'See [this](not-there.md#part).'
named="the files and modules that HACKING.md names exist"
breaks "$named" "depsim/base/ds_gone.h" HACKING.md '`depsim/base/ds_gone.h`'
breaks "$named" "sd_new_one" HACKING.md '`sd_new_one`'
breaks "$named" "" HACKING.md '`tests/fuzz/TARGET/`'
lines=$(($(wc -l <copy/tests/kernels.sh) + 1))
breaks "dash parses every shell script" \
    "tests/kernels.sh: $lines: Syntax error: \"(\" unexpected
tests/kernels.sh" tests/kernels.sh 'names=(a b)'
breaks "no regular expression of an awk program has an interval like {2,3}" \
    "bench/median.awk:$(($(wc -l <copy/bench/median.awk) + 1)):/^a{3}\$/" \
    bench/median.awk '/^a{3}$/'

# Lines "RULE|WHAT IS FOUND" of the cases that failed.
PATH=$tmp/quick:$PATH srcdir=$tmp/copy/tests builddir=$builddir sh copy/tests/tree.sh >out
awk '/^(not )?ok / { rule = $1 == "not" ? $0 : ""; sub(/^not ok [0-9]* - /, "", rule) }
    /^# / && rule != "" { print rule "|" substr($0, 3) }' out | sort >found
sort expected >wanted
ok "tree.sh finds each rule that is broken, and nothing else" same wanted found

end_of_cases
