# How good are depbound's cycles of whole programs, by windows?
#
# Runs the commands of suite/profile/list, which others wrote, 20 times each on
# this processor, while nothing else uses the core, with a sampler of where the time
# goes, and asks depbound about windows of a run.  research/profile.md says what is measured.
#
#     research/run profile [OPTION...]
#
#     --no-measuring    only predict and report what DIR has measured
#     --runs=N          measure N times instead, at least once
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2034,SC2154 # run sets and uses the others

suite=$root/research/suite/profile
for part in programs profile; do
    . "$root/research/suite/$part/plan.sh"
done
shared='--results --jobs --doc'
page=profile.md
table=$suite/list
measures=yes runs=20

own_option() {
    case $1 in
    --no-measuring) measures=no ;;
    --runs=*) number "$1" 1 1000 && runs=$value ;;
    *) return 1 ;;
    esac
}

check() {
    [ $measures != no ] || [ -s "$results/state/measure" ] ||
        fail "$results" "nothing was measured there"
    "$root/scripts/install-deps" --llvm-mca ||
        fail llvm-mca "version 19 or newer could not be installed"
}

# make_inputs: those of suite/programs, those of suite/profile, and a long text.
make_inputs() {
    rm -rf inputs
    "$root/research/suite/programs/make-inputs" inputs
    cp "$suite"/inputs/* inputs
    cat inputs/long inputs/long inputs/long >inputs/large
    { printf 'P5\n2400 2300\n255\n' && head -c 5520000 inputs/long; } >inputs/picture.pgm
    awk -v functions=60 -v kind=0 -f inputs/source.awk >inputs/many.c
}

# run_alone PROGRAM: a runner for jobs that must not disturb each other.
run_alone() (
    jobs=1
    run_local "$1"
)

answer() {
    make_inputs
    if [ $measures = yes ]; then
        "$root/scripts/install-deps" --programs="$table" ||
            echo "profile: going on without what is not installed" >&2
        calibrate=$root/depbound/calibrate
        cc -std=gnu11 -O2 -D_GNU_SOURCE -I"$root/depbound" -I"$root/common" -o quietly \
            "$suite/quietly.c" "$suite/sampler.c" "$calibrate/cy_clock.c" \
            "$calibrate/cy_pace.c" -lm || fail "$suite/quietly.c" "not compiled"
        echo "$runs" >state/runs
        plan_measurements >state/measure
        work_off measure measured run_alone
    fi
    plan_predictions >state/predict
    work_off predict predictions run_local
    make_report profile/report
}
