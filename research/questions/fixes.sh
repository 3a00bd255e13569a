# Does a fix gain what depbound says?
#
# Measures the loops of suite/cycles/loops that have a twin in which a fix of depbound is
# made (loops/fixed.c), and the twins, by the question measure.  Then it compares the
# cycles of each twin with those that windows of the loop predict with the fix.
#
#     research/run fixes [OPTION...] [LOOP...]
#
# With names of loops, only these and their twins.
#
#     --variants=LIST   of suite/kernels/variants; default gcc-O1, gcc-O2, clang-O1 and
#                       clang-O2-rolled, where compilers do not unroll these loops
#     --cpu=NAME        a machine file of depbound; default that of this processor
#     --no-measuring    only predict and report what DIR has measured
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2034,SC2154 # run sets and uses the others

suite=$root/research/suite/cycles
. "$suite/plan.sh"
page=cycles.md
variants=gcc-O1,gcc-O2,clang-O1,clang-O2-rolled
loops='' cpu=- measures=yes

own_option() {
    case $1 in
    --variants=?*) variants=${1#*=} ;;
    --cpu=?*) cpu=${1#*=} ;;
    --no-measuring) measures=no ;;
    -*) return 1 ;;
    *) loops="$loops $1" ;;
    esac
}

check() {
    twins=$("$root/research/run" measure --list | grep -E '_(fixed|widened)$')
    : "${loops:=$(echo "$twins" | sed 's/_[a-z]*$//' | paste -s -d ' ')}"
    names=''
    for loop in $loops; do
        twin=$(echo "$twins" | grep -x -E -e "${loop}_(fixed|widened)") ||
            fail "$loop" "it has no twin with a fix"
        names="$names $loop $twin"
    done
}

# plan_fixes: a line for each loop and variant that was measured with its twin.
plan_fixes() {
    made_by=$(predicting | cat - "$suite/mend" | hash)
    jq -r --arg names "$names " --arg variants ",$variants," '
        select(.group == "fixed") | . as $row |
        select(($names | contains(" \($row.loop) ")) and
            ($variants | contains(",\($row.variant),"))) |
        .variant + " " + .loop' measured/cycles.jsonl |
        while read -r variant twin; do
            printf '%s\t%s-%s\t%s\n' "${twin%_*}.$variant" \
                "$(hash <"measured/bin/loops.$variant")" "$made_by" "$cpu"
        done
}

# make_statics: statics/PROGRAM.db for each program of the plan.
make_statics() {
    mkdir -p statics
    cut -f 1 state/mend | sed 's/^[^.]*/loops/' | sort -u | while read -r program; do
        [ "statics/$program.db" -nt "measured/bin/$program" ] ||
            "$root/scripts/run-in-tree" staticdeps --scope=function \
                -o "statics/$program.db" "measured/bin/$program" >&2 ||
            fail "$program" "staticdeps ended with status $?"
    done
}

answer() {
    # shellcheck disable=SC2086 # names
    [ $measures = no ] ||
        "$root/research/run" measure --results=measured --variants="$variants" \
            $names 9>&- >/dev/null || [ -s measured/cycles.jsonl ] ||
        fail measure "nothing was measured"
    plan_fixes >state/mend
    make_statics
    work_off mend fixes run_local
    # shellcheck disable=SC2046 # names
    make_report cycles/report --fixes $(echo "$variants" | tr , ' ')
}
