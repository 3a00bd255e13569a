# What does each part of depbound's model of a core bring?
#
# Leaves out one part after the other, by editing the machine file, and predicts the
# cycles of the loops, functions and kernels that research/run cycles has measured in
# DIR again by windows.  The table has the mean errors without each part.
#
#     research/run ablations [OPTION...] [PART...]
#
# With names of parts, only these, beside nothing; suite/cycles/parts has them, and what is
# edited.  The table is of those that were predicted without each of the parts.
#
#     --variants=LIST   only these of those that were predicted, separated by commas
#     --of=DIR          the results of research/run cycles; default research/results/cycles
#     --windows=N       of a function or kernel; a program of loops has 256 times as
#                       many, which are short, so that each loop has some; default 16
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2034,SC2154 # run sets and uses the others

suite=$root/research/suite/cycles
. "$suite/plan.sh"
page=cycles.md
of=$root/research/results/cycles windows=16 parts='' variants=''

own_option() {
    case $1 in
    --variants=?*) variants=${1#*=} ;;
    --of=?*) of=${1#*=} ;;
    --windows=*) number "$1" 1 9999 && windows=$value ;;
    -*) return 1 ;;
    *) parts="$parts $1" ;;
    esac
}

check() {
    [ -s "$of/cycles.db" ] || fail "$of" "no results of research/run cycles are there"
    of=$(realpath "$of")
    [ -n "$(programs)" ] || fail "$of" "nothing was predicted there by windows"
    all=$(parts_of)
    for part in ${parts:=$all}; do
        echo "$all" | grep -q -x -F -e "$part" || fail "$part" "no such part"
    done
}

# parts_of: their names.
parts_of() {
    awk -F '\t' '!/^#/ && NF { print $1 }' "$suite/parts"
}

# programs: those that cycles predicted by windows, of the variants, which their names
# end with.
programs() {
    sqlite3 "$of/cycles.db" "SELECT DISTINCT program FROM report
        WHERE kind = 'windows' AND ('$variants' = '' OR
            instr(',$variants,', ',' || substr(program, instr(program, '.') + 1) || ','))
        ORDER BY 1"
}

# plan_records: a line for each program whose windows are recorded.
plan_records() {
    made_by=$(measured_by cycles/record | hash)
    programs | while read -r program; do
        n=$windows
        case $program in loops.*) n=$((256 * windows)):1024 ;; esac
        printf '%s\t%s-%s\t%s %s\n' "$program" "$(hash <"$of/measured/bin/$program")" \
            "$made_by" "$n" "$of"
    done
}

# make_machines: machines/PART.json for each part that the machine file has.
make_machines() {
    machine=$(jq -r .machine "$of"/predictions/*/static.json | sort -u)
    rm -rf machines
    mkdir machines
    # shellcheck disable=SC2016
    "$root/scripts/run-in-tree" sh -c 'jq -S . "$DEPBOUND_MACHINES/$0.json"' "$machine" \
        >whole.json || fail "$machine" "no such machine file, or several"
    for part in $parts; do
        filter=$(awk -F '\t' -v part="$part" '$1 == part { print $3 }' "$suite/parts")
        jq -S "$filter" whole.json >"machines/$part.json" ||
            fail "$part" "its filter is wrong"
        [ "$part" = nothing ] || ! cmp -s whole.json "machines/$part.json" ||
            rm "machines/$part.json"
    done
    [ -e machines/nothing.json ] || cp whole.json machines/nothing.json
}

# plan_ablations: a line for each program and part.
plan_ablations() {
    made_by=$(predicting | hash)
    while IFS=$tab read -r program inputs setting; do
        for machine in machines/*.json; do
            printf '%s\t%s\t%s\n' "$(basename "$machine" .json).$program" \
                "$(printf %s "$inputs $setting" | cat - "$machine" | hash)-$made_by" \
                "$of"
        done
    done <state/record
}

answer() {
    plan_records >state/record
    work_off record records run_local
    make_machines
    plan_ablations >state/ablate
    work_off ablate ablations run_local
    "$suite/ablated" "$of"
}
