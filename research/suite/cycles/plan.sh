# The plan of research/run cycles.  Sourced by it after suite/lib/plan.sh.
#
# A job has the name of the program that it predicts; its setting is the processor.
#
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # the driver sets $cpu, lib/plan.sh $tab

# newest PROGRAM: its name, with the version of LLVM at its end if need be; nothing if
# there is none.
newest() {
    for command in $(seq -f "$1-%g" 40 -1 19) "$1"; do
        ! command -v "$command" >/dev/null || break
    done
    ! command -v "$command" >/dev/null || echo "$command"
}

# predicting: prints the programs that predict, and their versions, as one text.
predicting() {
    measured_by cycles/predict
    predicted_by
    # shellcheck disable=SC2016
    in_text 'cat "$(command -v depbound)" "$DEPBOUND_MACHINES"/*.json'
    for command in llvm-mca $(seq -f llvm-mca-%g 19 40); do
        "$command" --version 2>/dev/null || :
    done
}

# plan_predictions: a line for each program that was measured, but for the twins of
# kernels, which are not predicted.
plan_predictions() {
    made_by=$(predicting | hash)
    jq -r '.object | sub(".*/"; "")' measured/cycles.jsonl | sort -u |
        grep -v '_broken-[0-9]*[.]' | while read -r program; do
            printf '%s\t%s-%s\t%s\n' "$program" \
                "$(hash <"measured/bin/$program")" "$made_by" "$cpu"
        done
}
