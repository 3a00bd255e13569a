# How do loads get their bytes from the stores before them?
#
# Runs depsim on the commands of suite/programs/list and suite/census/list, which others
# wrote, and on the kernels of tests/kernels/c by several compilers, and counts pairs of
# a store and a load that reads it: by how the bytes of both lie, by distance, and by
# whether the load crosses a line.  research/census.md says what is counted.
#
#     research/run census [OPTION...]
#
#     --variants=LIST   other variants of suite/kernels/variants
#     --kernels=LIST    only these kernels, separated by commas
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2034,SC2154 # run sets and uses the others

. "$root/research/suite/lib/report.sh"
shared='--programs --results --jobs --doc'
page=census.md
made=census.md
needs='jq parallel sqlite3 time'
variants=gcc-O1,gcc-O2,gcc-O3,clang-O1,clang-O2,clang-O3 kernels=''

own_option() {
    case $1 in
    --variants=?*) variants=${1#*=} ;;
    --kernels=?*) kernels=${1#*=} ;;
    *) return 1 ;;
    esac
}

# Both have functions of the same names.
run_programs() (
    suite=$root/research/suite/programs
    . "$suite/plan.sh"
    case $table in
    "$suite/list")
        cat "$table" "$root/research/suite/census/list" >state/table
        table=state/table
        "$root/scripts/install-deps" --programs=$table ||
            echo "$question: going on without what is not installed" >&2
        ;;
    esac
    rm -rf inputs
    "$suite/make-inputs" inputs
    plan_runs >state/run-program
    work_off run-program runs run_local
    made_by=$(costs_by census/between | hash)
    for name in $(done_of run-program runs); do
        printf '%s\t%s-%s\t-\n' "$name" "$(hash <"runs/$name/deps.db")" "$made_by"
    done >state/between
    suite=$root/research/suite/census
    work_off between between run_local
)

run_kernels() (
    suite=$root/research/suite/kernels
    . "$suite/plan.sh"
    plan_builds "$kernels" "$variants" >state/build
    work_off build binaries run_local
    made_by=$(measured_by census/count | hash)
    for name in $(done_of build binaries); do
        printf '%s\t%s-%s\t%s\n' "$name" \
            "$(cut -d ' ' -f 2 "binaries/$name/sums")" "$made_by" \
            "$(kernels "${name%%.*}" | awk '{ print $4 }')"
    done >state/count
    suite=$root/research/suite/census
    work_off count counts run_local
)

# rows KIND NAME VARIANT DEPS.DB: what was counted in it.
rows() {
    sqlite3 -batch -separator "$tab" "$4" \
        ".read $root/research/suite/census/counts.sql" |
        sed "s/^/$1$tab$2$tab$3$tab/"
}

all_rows() {
    for run in $(done_of run-program runs); do
        rows program "${run%.*}" '' "runs/$run/deps.db"
    done
    for run in $(done_of count counts); do
        rows kernel "${run%%.*}" "${run#*.}" "counts/$run/deps.db"
    done
}

answer() {
    run_programs
    run_kernels
    all_rows >state/rows
    for run in $(done_of between between); do
        sed "s/^/${run%.*}$tab/" "between/$run/between"
    done >state/stores
    [ -s state/rows ] || fail "$results" "nothing was counted"
    rm -f census.db
    {
        describe_tools
        sqlite3 -batch census.db "CREATE TABLE row(kind TEXT, name TEXT, variant TEXT,
                lifetime INT, pairs INT, same INT, contained INT, partial INT,
                several INT, crossing INT);
            CREATE TABLE met(name TEXT, stores TEXT, loads REAL)" \
            ".mode tabs" ".import state/rows row" ".import state/stores met" \
            ".read $root/research/suite/census/tables.sql"
    } >census.md
}
