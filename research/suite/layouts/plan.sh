# The plans of research/run layouts.  Sourced by it and by suite/layouts/report after
# suite/lib/plan.sh.
#
# A job is called PROGRAM.SEED; .less or .more follows if the program is to have as few
# or as many of its events as it can, and .RUN if it is to be timed.  The setting of a build is the range of the heap's offsets, and the command.
#
# state/programs has a line for each program: its name, that range, whether it can be
# built for less and more, and the command, whose words that end with .c are the sources.
#
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154 # the driver sets $root, $n_layouts and others

# sources_of PROGRAM: its files, with blanks between.  PROGRAM is one of
# suite/layouts/programs, a kernel, or files with commas between.
sources_of() {
    case $1 in
    *.c)
        # shellcheck disable=SC2046 # files
        realpath -e $(echo "$1" | tr , ' ') 2>/dev/null
        ;;
    *) ls "$root/research/suite/layouts/programs/$1.c" 2>/dev/null ||
        ls "$root/tests/kernels/c/$1.c" 2>/dev/null ;;
    esac
}

# size_of PROGRAM: the option that gives a kernel its size for the first cache.
size_of() {
    awk -v name="$1" '$1 == name { print "-DN=" $3 }' \
        "$root/tests/kernels/c/sizes"
}

# plan_programs COMMAND PROGRAM...
plan_programs() {
    command=$1
    shift
    for program; do
        sources=$(sources_of "$program" | paste -s -d ' ')
        name=$(basename -s .c "${program%%,*}" | tr . _)
        # shellcheck disable=SC2086 # a list
        told=$(cat $sources | sed -n 's/^ \* layouts: //p')
        heap=$(echo "$told" | sed -n 's/.*heap=\([0-9]*\).*/\1/p')
        direct=no
        case " $told " in *' direct '*) direct=yes ;; esac
        echo "$name" "${heap:-4096}" $direct "$command" \
            "$(size_of "$program")" "$sources"
    done
}

# building COMMAND: prints the programs and sources that build, as one text.
building() {
    "${1%% *}" --version
    ld --version
    for file in layouts/build layouts/place.c layouts/draw.h layouts/heap.c \
        layouts/stack.c cycles/kernel.c cycles/measure.c cycles/step.c lib/job.sh; do
        cat "$root/research/suite/$file"
    done
    cat "$root/depbound/calibrate/cy_clock.c"
}

# compiled COMMAND: prints the text that is compiled.
compiled() {
    # shellcheck disable=SC2086 # a command
    $1 -I"$root/tests/kernels/c" -E -P
}

# plan_builds: of all layouts, and of those for less and more.
plan_builds() {
    while read -r name heap direct command; do
        inputs=$(compiled "$command" | hash)-$(building "$command" | hash)
        for seed in $(seq "$n_layouts"); do
            printf '%s.%s\t%s\t%s %s\n' "$name" "$seed" "$inputs" "$heap" "$command"
        done
        [ $direct = yes ] || continue
        for seed in $(seq "$n_direct"); do
            for which in less more; do
                printf '%s.%s.%s\t%s\t%s %s\n' "$name" "$seed" $which "$inputs" \
                    "$heap" "$command"
            done
        done
    done <state/programs
}

# plan_simulations: of what was built.
plan_simulations() {
    made_by=$({
        valgrind --version
        measured_by layouts/simulate
    } | hash)
    for name in $(done_of build binaries); do
        printf '%s\t%s-%s\t-\n' "$name" "$(cat "binaries/$name/sum")" "$made_by"
    done
}

# plan_predictions: of the first layout of each program.
plan_predictions() {
    made_by=$({
        measured_by layouts/predict
        predicted_by
        # shellcheck disable=SC2016
        in_text 'cat "$(command -v depbound)" "$DEPBOUND_MACHINES"/*.json'
        for command in llvm-mca $(seq -f llvm-mca-%g 19 40); do
            "$command" --version 2>/dev/null || :
        done
    } | hash)
    for name in $(done_of build binaries | grep '[.]1$'); do
        printf '%s\t%s-%s\t-\n' "$name" "$(cat "binaries/$name/sum")" "$made_by"
    done
}

# plan_times: the runs of all that was built, in a random order.
plan_times() {
    processor=$(grep -m 4 -e '^vendor_id' -e '^cpu family' -e '^model' \
        /proc/cpuinfo | hash)
    for name in $(done_of build binaries); do
        for run in $(seq "$n_runs"); do
            printf '%s.%s\t%s-%s\t-\n' "$name" "$run" \
                "$(cat "binaries/$name/sum")" "$processor"
        done
    done | shuf
}
