# The plans of research/run profile.  Sourced by it after suite/lib/plan.sh and
# suite/programs/plan.sh, which reads the list.
#
# Both jobs of a command have the program's name and the number of the input as name, and
# the status and the command as setting.
#
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # the driver sets $root

# hashes COMMAND: of the program, its libraries and its inputs.
hashes() {
    program=$(program_of "$1")
    {
        bytes "${program:-/dev/null}"
        read_by "$1"
    } | hash
}

# A line for each input.  A program that is not installed has no bytes; its job fails.
plan_measurements() {
    made_by=$({
        cat state/runs "$root/research/suite/lib/job.sh" "$root/depbound/calibrate/cy_clock.c" \
            "$root/depbound/calibrate/cy_pace.c"
        for part in measure command.sh sampler.c sampler.h quietly.c; do
            cat "$root/research/suite/profile/$part"
        done
        grep -m 4 -e '^vendor_id' -e '^cpu family' -e '^model' /proc/cpuinfo
    } | hash)
    commands | while IFS=$tab read -r name status command; do
        printf '%s\t%s-%s\t%s %s\n' "$name" "$(hashes "$command")" "$made_by" \
            "$status" "$command"
    done
}

# A line for each input that was measured.
plan_predictions() {
    made_by=$({
        measured_by profile/predict profile/command.sh
        predicted_by
        # shellcheck disable=SC2016
        in_text 'cat "$(command -v depbound)" "$DEPBOUND_MACHINES"/*.json'
        for command in llvm-mca $(seq -f llvm-mca-%g 19 40); do
            "$command" --version 2>/dev/null || :
        done
    } | hash)
    done_of measure measured >state/measured
    commands | while IFS=$tab read -r name status command; do
        ! grep -qxF "$name" state/measured ||
            printf '%s\t%s-%s\t%s %s\n' "$name" "$(hashes "$command")" \
                "$made_by" "$status" "$command"
    done
}
