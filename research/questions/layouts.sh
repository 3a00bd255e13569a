# How much do cycles depend on the places of code and data?
#
# Builds programs in many layouts, which differ in nothing but the places of code and
# data, counts events of each by simulation, measures its cycles on this processor, and
# fits lines through cycles over events.  depbound predicts the first layout of each, if
# llvm-mca can be installed.  Times are taken here, one after the other; those that stay
# noisy are named and left out.  research/layouts.md says what is measured.
#
#     research/run layouts [OPTION...] [PROGRAM...]
#
# A PROGRAM is one of suite/layouts/programs or of tests/kernels/c, or C sources with
# commas between, whose main takes a number of repetitions.  By default it is the
# demonstration, which is all of suite/layouts/programs, and eight kernels.
#
#     --layouts=N       of each program, at most 1000; default 30
#     --direct=N        layouts in which the cost of an event is measured directly, of
#                       programs that can be built with few and with many; default 10
#     --runs=N          runs of each layout that are timed, in a random order; default 3
#     --again=N         time up to N times again what was noisy, or what no two runs
#                       agree on; default 2
#     --cycles-only     simulate and predict nothing, and make no tables: DIR/cycles.tsv
#                       has a line for each layout on which two runs agree, with tabs
#                       between: program, layout, cycles of a repetition
#     --compiler=COMMAND  with its options; default gcc -O2
#     --list            print the default programs only
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2034,SC2154 # run sets and uses the others

suite=$root/research/suite/layouts
. "$suite/plan.sh"
shared='--results --jobs --slurm --doc'
page=layouts.md
n_layouts=30 n_direct=10 n_runs=3 again=2
compiler='gcc -O2' list=no given='' cycles_only=''

own_option() {
    case $1 in
    --layouts=*) number "$1" 1 1000 && n_layouts=$value ;;
    --direct=*) number "$1" 0 1000 && n_direct=$value ;;
    --runs=*) number "$1" 1 1000 && n_runs=$value ;;
    --again=*) number "$1" 0 1000 && again=$value ;;
    --cycles-only) cycles_only=$1 made=cycles.tsv ;;
    --compiler=?*) compiler=${1#*=} ;;
    --list) list=yes ;;
    -*) return 1 ;;
    *) given="$given $1" ;;
    esac
}

check() {
    [ -n "$given" ] || given="$(basename -s .c "$suite"/programs/*.c)
        durbin floyd-warshall gemm hash-insert histogram nussinov quicksort seidel-2d"
    if [ $list = yes ]; then
        # shellcheck disable=SC2086 # a list
        printf '%s\n' $given
        exit
    fi
    [ -z "$doc" ] || [ -z "$cycles_only" ] || fail --doc "not with $cycles_only"
    programs=''
    for program in $given; do
        sources=$(sources_of "$program") || fail "$program" "no such program"
        case $program in *.c) program=$(echo "$sources" | paste -s -d ,) ;; esac
        programs="$programs $program"
    done
    needs="${compiler%% *} gnuplot jq objdump parallel setarch sqlite3"
    setarch -R true 2>/dev/null ||
        fail setarch "this machine does not let addresses be the same each time"
}

# make_harness: builds what is linked with each program, preloaded, or started.
make_harness() {
    rm -rf harness
    mkdir harness
    loops=$root/research/suite/cycles
    for source in "$loops/kernel.c" "$loops/measure.c" "$loops/step.c" \
        "$root/depbound/calibrate/cy_clock.c" "$suite/stack.c"; do
        cc -std=gnu11 -O2 -D_GNU_SOURCE -DKERNEL='"program"' \
            -I"$root/depbound" -I"$root/common" \
            -I"$loops" -c "$source" \
            -o "harness/$(basename "$source" .c).o" ||
            fail "$source" "not compiled"
    done
    cc -std=gnu11 -O2 -shared -fPIC -o harness/heap.so "$suite/heap.c" ||
        fail "$suite/heap.c" "not compiled"
    cc -std=gnu11 -O2 -D_GNU_SOURCE -o harness/place "$suite/place.c" ||
        fail "$suite/place.c" "not compiled"
    [ -n "$cycles_only" ] ||
        cc -std=gnu11 -O2 -o harness/fit "$suite/fit.c" -lgsl -lgslcblas -lm ||
        fail "$suite/fit.c" "not compiled; scripts/install-deps installs GSL"
}

# forget_noisy: removes runs that were noisy; if no two runs of a layout agree, all but
# the lowest one.
forget_noisy() {
    find times -name row.json -exec jq -r '[(input_filename |
            rtrimstr("/row.json")), .quality, .cycles] | @tsv' {} + |
        awk -F '\t' -v runs="$n_runs" '
            $2 != "good" { print $1; next }
            {
                job = $1
                sub(/\.[0-9]*$/, "", job)
                n[job]++
                place[job, n[job]] = $1
                cycles[job, n[job]] = $3
            }
            END {
                for (job in n) {
                    lowest = 1
                    agree = runs == 1
                    for (i = 1; i <= n[job]; i++) {
                        if (cycles[job, i] < cycles[job, lowest])
                            lowest = i
                        for (k = 1; k <= n[job]; k++)
                            if (i != k && cycles[job, k] >= cycles[job, i] &&
                                cycles[job, k] <= 1.02 * cycles[job, i])
                                agree = 1
                    }
                    for (i = 1; i <= n[job] && !agree; i++)
                        if (i != lowest)
                            print place[job, i]
                }
            }' | xargs -r rm -r
}

answer() {
    mkdir -p events times
    make_harness
    # shellcheck disable=SC2086 # a list
    plan_programs "$compiler" $programs >state/programs
    echo "$compiler" >state/compiler
    twice=$(cut -d ' ' -f 1 state/programs | sort | uniq -d)
    [ -z "$twice" ] || fail "$twice" "two programs have this name"
    plan_builds >state/build
    work_off build binaries run_local
    if [ -z "$cycles_only" ]; then
        plan_simulations >state/simulate
        work_off simulate events run_there - -
        if "$root/scripts/install-deps" --llvm-mca >&2; then
            plan_predictions >state/predict
            work_off predict predictions run_local
        else
            echo "layouts: llvm-mca: not installed; nothing is predicted" >&2
        fi
    fi
    jobs=1
    for _ in $(seq 0 "$again"); do
        forget_noisy
        plan_times >state/time
        work_off time times run_local
    done
    # shellcheck disable=SC2086 # nothing, if it is empty
    "$suite/report" $cycles_only
}
