# How many cycles do loops, functions and kernels take here?
#
# Measures the loops of suite/cycles/loops and the functions of
# suite/cycles/loops/whole, or C kernels, as several compilers build them, for
# comparison with predictions.  DIR/cycles.jsonl has a line for each loop and variant,
# and DIR/cycles.csv and the table `measured` of DIR/cycles.db have these, too;
# suite/README.md describes the columns.
#
# A figure counts as good if two measurements some time apart agree within 2 %: a
# disturbance of some seconds slows all passes of one measurement alike.  The lower one
# stays.  Good figures are not measured again unless the program or the processor has
# changed.  Figures that stay noisy are named at the end.
#
# Measurements on a machine run one after the other: those that share a core disturb
# each other.  Several runs at once take a core each, and wait if there is none.
# Machines of --sshlogin must have the same processor.
#
#     research/run measure [OPTION...] [LOOP...]
#
#     --variants=LIST   only these of suite/kernels/variants, separated by commas, and
#                       exact, the loops that are written in assembly
#     --kernels[=LIST]  whole kernels of tests/kernels/c instead of loops; the names
#                       separated by commas.  KERNEL_broken, which must be named, is
#                       its twin: its chain through memory is broken, and compilers do
#                       not make vectors of it
#     --size=l1|test|timing  the size of kernels, as tests/kernels/c/sizes has it: whole
#                       rows in the first cache, a few rounds of each loop, or rows of
#                       hundreds in the second cache; default l1
#     --again=N         measure up to N times again what is noisy, or was measured well
#                       only once; default 4
#     --list            print the names of the loops and functions, or kernels, only
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2034,SC2154 # run sets and uses the others

suite=$root/research/suite/cycles
shared='--results --jobs --sshlogin'
made=cycles.jsonl
needs='cc parallel jq sqlite3 readelf'
variants='' kernels='' whole=no again=4 list=no size=l1 loops='' functions=''
with_loops=no

own_option() {
    case $1 in
    --variants=?*) variants=$(echo "${1#*=}" | tr , ' ') ;;
    --kernels) whole=yes ;;
    --kernels=?*) whole=yes kernels=$(echo "${1#*=}" | tr , ' ') ;;
    --again=*) number "$1" 0 1000 && again=$value ;;
    --size=l1 | --size=test | --size=timing) size=${1#*=} ;;
    --list) list=yes ;;
    -*) return 1 ;;
    *) loops="$loops $1" ;;
    esac
}

# variant_names, kernel_names, twin_names, loop_names, function_names: all that there are.
variant_names() {
    grep -v '^#' "$root/research/suite/kernels/variants" | awk 'NF { print $1 }'
}
kernel_names() {
    basename -s .c "$root"/tests/kernels/c/*.c
}
twin_names() {
    grep -l 'LAST(' "$root"/tests/kernels/c/*.c | xargs basename -s .c |
        sed 's/$/_broken/'
}
loop_names() {
    sed -n 's/^KEPT(\([a-z0-9_]*\),.*/\1_broken/p' "$suite/loops/memory.c"
    sed -n 's/^LOOP([a-z]*, \([a-z0-9_]*\))$/\1/p
        s/^[A-KM-Z][A-Z_]*(\([a-z0-9_]*\),.*/\1/p' "$suite"/loops/*.c
    sed -n 's/^ *loop *[a-z]*, *\([a-z_]*\),.*/\1/p' "$suite/loops/exact.S"
}
function_names() {
    sed -n 's/^WHOLE(\([a-z0-9_]*\))$/\1/p' "$suite"/loops/whole/*.c
}

# group_of FUNCTION: the name of its file; nothing if there is no such function.
group_of() {
    file=$(grep -l -x -F -e "WHOLE($1)" "$suite"/loops/whole/*.c) || return 0
    basename "$file" .c
}

# known WHAT NAME...: fails unless WHAT_names prints each.
known() {
    what=$1
    shift
    all=$(
        "${what}_names"
        case $what in
        variant) echo exact ;;
        kernel) twin_names ;;
        loop) function_names ;;
        esac
    )
    for name; do
        echo "$all" | grep -q -x -F -e "$name" || fail "$name" "no such $what"
    done
}

check() {
    # shellcheck disable=SC2086 # lists
    known variant $variants
    # shellcheck disable=SC2086
    known kernel $kernels
    # shellcheck disable=SC2086
    [ $whole = yes ] || known loop $loops
    if [ $list = yes ]; then
        case $whole in
        yes) kernel_names ;;
        no) { loop_names && function_names; } | sort ;;
        esac
        exit
    fi
    if [ -z "$variants" ]; then
        variants=$(variant_names)
        [ $whole = yes ] || variants="exact $variants"
    fi
    [ $whole = no ] || [ -n "$kernels" ] || kernels=$(kernel_names)
    [ $whole = yes ] || choose
}

# choose: divides the names into those of loops and of functions; without any, all.
choose() {
    [ -n "$loops" ] || {
        functions=$(function_names) with_loops=yes
        return
    }
    names=$loops loops=''
    for name in $names; do
        if [ -n "$(group_of "$name")" ]; then
            functions="$functions $name"
        else
            loops="$loops $name" with_loops=yes
        fi
    done
}

# flags_of VARIANT: the compiler and its flags.
flags_of() {
    awk -v name="$1" '$1 == name { $1 = ""; print }' \
        "$root/research/suite/kernels/variants"
}

# build_loops VARIANT: prints the command that builds bin/loops.VARIANT.  Loops are
# aligned, since their place in a line of the cache changes the cycles of short ones.
build_loops() {
    variant=$1
    if [ "$variant" = exact ]; then
        echo "cc -c $suite/loops/exact.S -o $tmp/exact.o &&" \
            "cc $tmp/*.o -o bin/loops.exact -lm"
        return
    fi
    flags=$(flags_of "$variant")
    command='set -e'
    for source in "$suite"/loops/*.c; do
        command="$command; $flags -falign-loops=64 -I$suite -c $source"
        command="$command -o $tmp/$variant.$(basename "$source" .c).o"
    done
    echo "$command; cc $tmp/measure.o $tmp/step.o $tmp/cy_clock.o" \
        "$tmp/$variant.*.o -o bin/loops.$variant -lm"
}

# size_of KERNEL: its N.
size_of() {
    awk -v name="${1%_broken}" -v size="$size" '
        $1 == name { print size == "test" ? $2 : size == "l1" ? $3 : $5 }' \
        "$root/tests/kernels/c/sizes"
}

# build_kernel VARIANT KERNEL N: prints the command that builds bin/KERNEL-N.VARIANT.
build_kernel() {
    variant=$1 kernel=$2 n=$3
    flags=$(flags_of "$variant")
    place=$tmp/$variant.$kernel
    case $kernel in *_broken)
        flags="$flags -DBROKEN -fno-tree-vectorize -fno-tree-slp-vectorize" ;;
    esac
    echo "set -e; $flags -Dmain=kernel_main -DSIZE=$n" \
        "-c $root/tests/kernels/c/${kernel%_broken}.c -o $place.kernel.o;" \
        "cc -DKERNEL=\\\"$kernel\\\" -I$suite -c $suite/kernel.c -o $place.main.o;" \
        "cc $tmp/measure.o $tmp/step.o $tmp/cy_clock.o $place.kernel.o" \
        "$place.main.o -o bin/$kernel-$n.$variant -lm"
}

# build_functions VARIANT GROUP: prints the command that builds bin/FUNCTION.VARIANT of
# each function of the group.  Functions are aligned, so that their place does not
# depend on what else is linked.
build_functions() {
    variant=$1 group=$2 object=$tmp/$1.$2.whole
    echo "set -e;$(flags_of "$variant") -ffunction-sections -fdata-sections" \
        "-falign-functions=64 -c $suite/loops/whole/$group.c -o $object"
    for function in $functions; do
        [ "$(group_of "$function")" != "$group" ] ||
            echo "cc -Wl,--gc-sections $tmp/measure.o $tmp/step.o $tmp/cy_clock.o" \
                "$object $tmp/$function.whole -o bin/$function.$variant -lm"
    done
}

# plan_functions: builds what calls each function, adds the programs of all variants to
# the list, and adds the commands that build them.
plan_functions() {
    groups=$(for function in $functions; do
        group_of "$function"
        cc -O2 -DNAME="$function" -I"$suite" -c "$suite/whole.c" \
            -o "$tmp/$function.whole" || fail "$suite/whole.c" "not compiled"
    done | sort -u)
    for variant in $variants; do
        [ "$variant" != exact ] || continue
        for group in $groups; do
            build_functions "$variant" "$group" | paste -s -d ';' >>"$tmp/commands"
        done
        for function in $functions; do
            printf '%s\t%s\n' "$function.$variant" "$function" >>"$tmp/programs"
        done
    done
}

# without_copies: drops, from a list of programs, functions that a compiler built alike
# for an earlier variant.
without_copies() {
    while read -r program names; do
        id=$(readelf -n "bin/$program" | sed -n 's/^ *Build ID: //p')
        printf '%s\t%s\t%s\n' "$program" "$names" "$id"
    done | awk -F '\t' -v OFS='\t' '
        $1 ~ /^loops[.]/ || $1 ~ /-[0-9]+[.]/ || !seen[$3]++ { print $1, $2 }'
}

# Builds what measures, which is the same for all, and the programs.
build() {
    for source in "$suite/measure.c" "$suite/step.c" \
        "$root/depbound/calibrate/cy_clock.c"; do
        cc -std=gnu11 -O2 -D_GNU_SOURCE -I"$root/depbound" -I"$root/common" \
            -I"$suite" -c "$source" \
            -o "$tmp/$(basename "$source" .c).o" || fail "$source" "not compiled"
    done
    : >"$tmp/commands"
    : >"$tmp/programs"
    for variant in $variants; do
        if [ $whole = yes ]; then
            for kernel in $kernels; do
                n=$(size_of "$kernel")
                build_kernel "$variant" "$kernel" "$n" >>"$tmp/commands"
                printf '%s\t%s\n' "$kernel-$n.$variant" "$kernel" >>"$tmp/programs"
            done
        elif [ $with_loops = yes ]; then
            build_loops "$variant" >>"$tmp/commands"
            printf '%s\t%s\n' "loops.$variant" "$loops" >>"$tmp/programs"
        fi
    done
    plan_functions
    [ -s "$tmp/programs" ] || fail exact "functions have no such variant"
    parallel --will-cite ${jobs:+--jobs="$jobs"} sh -c '{} 2>&1' <"$tmp/commands" \
        >"$tmp/said" || fail "a build" "$(head -n 1 "$tmp/said")"
    without_copies <"$tmp/programs" >"$tmp/distinct"
}

# The processors that measure, one a line.
processors() {
    if [ -z "$hosts" ]; then
        "$suite/run" --cpu
    else
        parallel --will-cite --nonall --sshlogin="$hosts" "$suite/run" --cpu | sort -u
    fi
}
# rows PROGRAM FILTER: its earlier measurements that still count, through a filter of jq.
rows() {
    [ -s "rows/$1" ] || return 0
    id=$(readelf -n "bin/$1" | sed -n 's/^ *Build ID: //p')
    jq -c --arg id "$id" --arg cpu "$cpu" \
        "select(.build_id == \$id and .cpu == \$cpu) | $2" "rows/$1"
}

# plan PROGRAM [LOOP...]: adds a line to state/todo, if there is something to do.
plan() {
    program=$1
    shift
    rows "$program" 'select(.confirmed).loop' | jq -r . >"$tmp/done"
    if [ $# -eq 0 ]; then
        # shellcheck disable=SC2046 # names
        set -- $("bin/$program" --list)
    fi
    for loop; do
        shift
        grep -q -x -F -e "$loop" "$tmp/done" || set -- "$@" "$loop"
    done
    [ $# -gt 0 ] || return 0
    echo "measure: $program: $# to do" >&2
    printf '%s\t%s\t%s\n' "$program" "$*" "${program#*.}" >>state/todo
}

# Does the jobs of state/todo.  Results from another machine must not mix with older ones
# of this one.
measure() {
    rm -rf new
    run_there 'bin/{1}' 'new/{1}' "$suite/run"
    cat state/said >>state/failed
}

# join PROGRAM: joins the new measurements of its loops with the earlier ones.  The lower
# one of two good ones stays, or the less noisy one if no one is good.
join() {
    program=$1
    if [ ! -s "new/$program" ]; then
        echo "$program: it could not be measured" >>state/failed
        return
    fi
    id=$(readelf -n "bin/$program" | sed -n 's/^ *Build ID: //p')
    rows "$program" . >"$tmp/before"
    jq -c -s --arg id "$id" --arg object "$PWD/bin/$program" \
        --arg group "$(group_of "${program%%.*}")" '
        .[0].cpu as $cpu | .[1:][] |
        . + {object: $object, build_id: $id, cpu: $cpu} + if $group != ""
        then {group: $group} elif .group == "kernel"
        then {n: ($object | capture("-(?<n>[0-9]+)[.]").n | tonumber)}
        else {} end' "new/$program" >"$tmp/rows"
    jq -r --arg cpu "$cpu" --arg program "$program" 'select(.cpu != $cpu) |
        "\($program): it ran on another processor, \(.cpu)"' "$tmp/rows" |
        sort -u >>state/failed
    jq -c -s --arg cpu "$cpu" '
        map(select(.cpu == $cpu)) | group_by(.loop)[] |
        (map(select(.quality == "good")) | sort_by(.cycles)) as $good |
        if any(.confirmed) then map(select(.confirmed)) | first
        elif $good == [] then sort_by(.spread == null, .spread) | first
        else $good[0] + {confirmed: ($good | length > 1 and
            .[1].cycles <= 1.02 * .[0].cycles)}
        end' "$tmp/before" "$tmp/rows" >"rows/$program.new"
    mv "rows/$program.new" "rows/$program"
}

# Writes cycles.jsonl, cycles.csv and cycles.db, and says what was not measured well.
report() {
    columns='["loop", "group", "variant", "n", "cycles", "spread", "quality", "passes",
        "samples", "tried", "rounds", "instructions", "single", "start", "end",
        "object", "build_id", "cpu", "code"]'
    sort rows/* | jq -c 'if .quality == "good" and (.confirmed | not)
        then .quality = "unsure" else . end | del(.confirmed)' >cycles.jsonl
    jq -r -n "$columns as \$c | (\$c | @csv),
        (inputs | . as \$row | [\$c[] | \$row[.]] | @csv)" cycles.jsonl >cycles.csv
    rm -f cycles.db
    sqlite3 cycles.db <<END
CREATE TABLE measured(loop TEXT, "group" TEXT, variant TEXT, n INTEGER, cycles REAL,
    spread REAL, quality TEXT, passes INTEGER, samples INTEGER, tried INTEGER,
    rounds REAL, instructions INTEGER, single TEXT, start INTEGER,
    "end" INTEGER, object TEXT, build_id TEXT, cpu TEXT, code TEXT);
.mode csv
.import --skip 1 cycles.csv measured
UPDATE measured SET n = nullif(n, ''), cycles = nullif(cycles, ''), spread = nullif(spread, ''),
    start = nullif(start, ''), "end" = nullif("end", ''), code = nullif(code, ''),
    rounds = nullif(rounds, ''), single = nullif(single, ''),
    instructions = nullif(instructions, '');
END
    jq -r 'select(.quality != "good") | "measure: \(.variant) \(.loop): " +
        if .quality == "unsure" then "measured well, but no second time alike: " +
            "\(.cycles) cycles"
        elif .cycles then "noisy: \(.cycles) cycles, plus or minus " +
            "\(.spread * 1000 | round / 10) %"
        else "too few samples were undisturbed" end' cycles.jsonl >&2
    jq -s -r '"measure: \(length) measured, " +
        "\(map(select(.quality == "good")) | length) of them well"' cycles.jsonl >&2
}

answer() {
    tmp=$(mktemp -d)
    trap 'rm -rf "$tmp"' EXIT
    trap 'exit 1' HUP INT TERM
    mkdir -p bin rows
    build
    cpu=$(processors)
    [ -n "$cpu" ] || fail "$hosts" "no answer"
    [ "$(echo "$cpu" | wc -l)" -eq 1 ] ||
        fail "$hosts" "different processors: $(echo "$cpu" | paste -s -d ,)"
    jobs=1 # on each machine one after the other
    round=0
    while [ $round -le "$again" ]; do
        : >state/todo
        while read -r program names; do
            # shellcheck disable=SC2086
            plan "$program" $names
        done <"$tmp/distinct"
        [ -s state/todo ] || break
        measure
        cut -f 1 state/todo >"$tmp/measured"
        while read -r program; do
            join "$program"
        done <"$tmp/measured"
        round=$((round + 1))
    done
    report
}
