# How does staticdeps compare with other tools, on their measure?
#
# Counts pairs without weights and bounds: those that occur and are missed, and those
# that are predicted and not observed.  The programs are those of suite/field/list, which
# are of the same kind as those of SPECint 2000; runs of the question programs are used.
# research/field.md says what is comparable.
#
#     research/run field [OPTION...]
#
#     --list=FILE       another list than suite/field/list
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2034,SC2154 # run sets and uses the others

suite=$root/research/suite/programs
. "$suite/plan.sh"
shared='--programs --results --jobs --doc'
results=$root/results/programs
page=field.md
made=field.md
needs='parallel jq sqlite3 time'
list=$root/research/suite/field/list

own_option() {
    case $1 in
    --list=?*) readable "$1" && list=$value ;;
    *) return 1 ;;
    esac
}

# join_tables: the programs of the list as a table like the other one, from which come
# the packages, libraries and inputs that the list lacks.
join_tables() {
    awk '
        /^[ \t]*(#|$)/ { next }
        FNR == NR && /^[^ \t]/ { name = $1; rest[name] = $2 "\t" $3 "\t" $4; next }
        FNR == NR { inputs[name] = inputs[name] "\n" $0; next }
        /^[^ \t]/ && NF > 2 { print $1 "\treport\t" $3 "\t" $4; next }
        /^[^ \t]/ && $1 in rest { print $1 "\t" rest[$1] inputs[$1]; next }
        /^[^ \t]/ { print "field: " $1 ": in neither table" >"/dev/stderr"; exit 2 }
        { print }' "$table" "$list"
}

answer() {
    join_tables >state/field
    table=state/field
    measure_programs
    make_report field/report
}
