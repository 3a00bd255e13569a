# The plans for programs of the system.  Sourced by research/run programs
# and research/run field, behind suite/lib/plan.sh.
#
# A run is called PROGRAM.N, the N-th input of a program.  Its setting is the status
# and the command; that of a prediction is the files, the program first.
#
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # the driver sets $table, lib/plan.sh $tab

# A line for each program of the table, with tabs between: its name, its half, its
# package, its libraries.
programs() {
    awk -v OFS='\t' '/^[^# \t]/ { print $1, $2, $3, $4 }' "$table"
}

# A line for each of their inputs: PROGRAM.N, the status, the command.
commands() {
    awk -v OFS='\t' '
        /^[ \t]*(#|$)/ { next }
        /^[^ \t]/ { name = $1; n = 0; next }
        {
            status = $1
            sub(/^[ \t]*[0-9]+[ \t]+/, "")
            print name "." ++n, status, $0
        }' "$table"
}

# The path of the program that a command runs; nothing if it is not installed.
program_of() {
    eval "set -- $1"
    PATH=/usr/bin:/bin command -v "$1" || :
}

# The bytes of a program and of the libraries that it is linked with.
bytes() {
    cat "$1"
    ldd "$1" 2>/dev/null | awk '
        $3 ~ /^\// { print $3 }
        $1 ~ /^\// { print $1 }' | xargs cat
}

# The files of inputs/ that a command names.
read_by() {
    for file in inputs/*; do
        case $1 in
        *"${file#inputs/}"*) cat "$file" ;;
        esac
    done
}

# A line for each input.  A program that is not installed has no bytes; its job fails.
plan_runs() {
    made_by=$(measured_by programs/run-program | hash)
    commands | while IFS=$tab read -r name status command; do
        program=$(program_of "$command")
        printf '%s\t%s-%s\t%s %s\n' "$name" "$({
            bytes "${program:-/dev/null}"
            read_by "$command"
        } | hash)" "$made_by" "$status" "$command"
    done
}

# A line for each program all of whose runs are done: it, and those of its libraries
# that ran.
plan_predictions() {
    made_by=$(predicted_by programs/predict-program | hash)
    done_of run-program runs >state/ran
    programs | while IFS=$tab read -r name _ _ libraries; do
        all_ran "$name" || continue
        files=$(files_of "$name" "$libraries")
        # shellcheck disable=SC2086
        printf '%s\t%s-%s\t%s\n' "$name" "$(cat $files | hash)" "$made_by" "$files"
    done
}

# all_ran PROGRAM
all_ran() {
    commands | cut -f 1 | grep "^$1\.[0-9]*$" | while read -r run; do
        grep -qxF "$run" state/ran || exit 1
    done
}

# files_of PROGRAM LIBRARIES: separated by blanks.
files_of() {
    {
        cat "runs/$1.1/program"
        echo "$2" | tr , '\n' | while read -r library; do
            sort -u "runs/$1".*/objects | grep "/$library[^/]*$" || :
        done
    } | paste -s -d ' '
}

# Installs the programs of the table, and measures and predicts what is not done, in the
# directory of the results.  Another table than the suite's is said to need nothing.
measure_programs() {
    case $table in
    "$suite/list") "$root/scripts/install-deps" --programs ;;
    state/*) "$root/scripts/install-deps" --programs="$table" ;;
    esac || echo "$question: going on without what is not installed" >&2
    rm -rf inputs
    "$suite/make-inputs" inputs
    plan_runs >state/run-program
    work_off run-program runs run_local
    plan_predictions >state/predict-program
    work_off predict-program predictions run_local
}
