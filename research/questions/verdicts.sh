# Are depbound's verdicts on programs right?
#
# Each program, of the tutorial, the gallery or suite/verdicts, runs before and after its
# fix, five times in turn, and the quickest runs count.  depbound says of the first, by a run of its own, what to mend
# and what that gains: of the loop, or of the program if the verdict is about no loop.
#
#     research/run verdicts [OPTION...]
#
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2034,SC2154 # run sets and uses the others

shared='--results --doc'
page=gallery.md
needs=jq

own_option() {
    return 1
}

check() {
    :
}

# programs: a name, how often it runs to be measured, and to be recorded.
programs() {
    printf '%s 200 40\n' prefix seidel prices unpack
    printf '%s 100 10\n' digits samples histogram average parse sales
    echo utf8 20 4
    echo align 20 2
}

# least PROGRAM N: the least nanoseconds of an iteration so far.
least() {
    ns=$("./$1" "$2" | sed -n 's/.*: \([0-9.]*\) ns.*/\1/p')
    echo "$ns" >>"$1.ns"
    sort -g "$1.ns" | head -n 1
}

# compile PROGRAM OPTION...
compile() {
    source=$root/doc/tutorial/$1.c
    [ -e "$source" ] || source=$root/research/suite/verdicts/$1.c
    shift
    gcc -O1 -g -I"$root/doc/tutorial" "$@" "$source"
}

# row PROGRAM N RECORDED
row() {
    compile "$1" -o "$1" && compile "$1" -DFAST -o "$1-fast" || return
    rm -f "$1.ns" "$1-fast.ns"
    for _ in 1 2 3 4 5; do
        slow=$(least "$1" "$2")
        fast=$(least "$1-fast" "$2")
    done
    "$root/scripts/run-in-tree" depbound --format=json --record "./$1" "$3" 2>/dev/null |
        jq -r --arg name "$1" --argjson slow "$slow" --argjson fast "$fast" '
            (.verdict | split("\n")) as [$what, $gain] | (100 * (1 - $fast / $slow)) as $measured |
            # A verdict that nothing is worth mending has no gain.
            (if $what | startswith("No dependency") then 0 else $gain |
                capture("\\(-(?<percent>[0-9]+) %\\)") // capture("-(?<percent>[0-9]+) %") |
                .percent | tonumber end) as $said |
            (if $said == 0 then $name + ": " else "" end) as $of |
            "| \($of)\($what | sub(": .*"; "") | gsub("\\|"; "/")) | \($said) | " +
            "\($measured | round) | \($slow) | \($fast) |"'
}

answer() {
    {
        echo "| verdict | gain, it says, % | measured, % | ns an iteration | with the fix |"
        echo "|---|--:|--:|--:|--:|"
        programs | while read -r name n recorded; do
            row "$name" "$n" "$recorded" || echo "| $name: not judged | | | | |"
        done
        echo
        echo "On $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), gcc -O1."
    } >table.md
}
