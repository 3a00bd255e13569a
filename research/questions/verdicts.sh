# Are depbound's verdicts on programs right?
#
# Each program, of the tutorial, the gallery or suite/verdicts, runs before and after its
# fix, nine times in turn, and the quickest runs count.  depbound says of the first, by a
# run of its own, what to mend and what that gains: of the loop, or of the program if the
# verdict is about no loop.
#
#     research/run verdicts [OPTION...]
#
#     --list=FILE       instead of these, programs of FILE: a line for each has the path of
#                       its source, how often it runs to be measured and to be recorded,
#                       the optimisation, and the macro of its fix; it prints "N ns"
#     --waits           instead of these, the programs of suite/verdicts/caches.c, which
#                       wait for caches, memory or pages; the table is for profile.md
#
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2034,SC2154 # run sets and uses the others

shared='--results --doc'
page=gallery.md
needs=jq

list='' waits=no

own_option() {
    case $1 in
    --list=?*) list=$(realpath "${1#*=}") ;;
    --waits) waits=yes page=profile.md marks="$marks --waits" ;;
    *) return 1 ;;
    esac
}

check() {
    [ -z "$list" ] || [ -r "$list" ] || fail "$list" "cannot be read"
}

# programs: a name, how often it runs to be measured, and to be recorded, how it is
# compiled, and what its fix is called in the source.  That of seidel does no more than
# keep a value in a register.
programs() {
    printf '%s 200 40 -O1 FAST\n' prefix prices unpack
    echo seidel 200 40 -O1 REGISTER
    printf '%s 100 10 -O1 FAST\n' digits samples histogram average parse sales
    echo utf8 20 4 -O1 FAST
    echo align 20 2 -O2 FAST
}

# advised: the same of programs that wait for no memory; the fix is what the advice says.
advised() {
    echo dot 500 50 -O2 FAST
    echo roots 100 20 -O2 FAST
    echo align 20 2 -O1 FAST
    echo scale 300 30 -O2 FAST
    echo decay 300 30 -O2 FAST
}

# waiting: programs that wait for caches, memory or pages, and how FAST ends that.
waiting() {
    echo far 20 2 -O2 FAST smaller data
    echo near 100 10 -O2 FAST smaller data
    echo scattered 20 2 -O2 FAST another layout
    echo keyed 5 1 -O2 FAST a prefetch
    echo paged 50 5 -O2 FAST huge pages
}

# listed: those of --list.
listed() {
    sed 's|^[^ ]*/\([^/ ]*\)\.[a-z]* |\1 |' "$list"
}

# least PROGRAM N: the least nanoseconds of an iteration so far.
least() {
    ns=$("./$1" "$2" | sed -n 's/^\(.*[: ]\)*\([0-9.]*\) ns.*/\2/p')
    echo "$ns" >>"$1.ns"
    sort -g "$1.ns" | head -n 1
}

# compile PROGRAM OPTION...
compile() {
    source=$root/doc/tutorial/$1.c
    [ -e "$source" ] || source=$root/research/suite/verdicts/$1.c
    [ -z "$list" ] || source=$(awk '{ print $1 }' "$list" | grep "/$1\.[a-z]*$")
    if [ $waits = yes ]; then
        source=$root/research/suite/verdicts/caches.c
        set -- "$@" "-D$1"
    fi
    shift
    gcc -g -I"$root/doc/tutorial" "$@" "$source" -lm -lpthread -lstdc++
}

# judge FILTER PROGRAM N RECORDED LEVEL FIX MADE: prints what jq's FILTER makes of the
# report, of the nanoseconds $slow and $fast, and of what the fix is.
judge() {
    compile "$2" "$5" -o "$2" && compile "$2" "$5" "-D$6" -o "$2-fast" || return
    rm -f "$2.ns" "$2-fast.ns"
    for _ in 1 2 3 4 5 6 7 8 9; do
        slow=$(least "$2" "$3")
        fast=$(least "$2-fast" "$3")
    done
    "$root/scripts/run-in-tree" depbound --format=json --record "./$2" "$4" 2>/dev/null |
        jq -r --arg name "$2" --arg made "$7" --argjson slow "$slow" \
            --argjson fast "$fast" "
            def gain: 100 * (1 - \$fast / \$slow) | round;
            def measured: \"\(gain) | \(\$slow) | \(\$fast) |\";
            $1"
}

verdict='(.verdict | split("\n")) as [$what, $gain] |
    # A verdict that nothing is worth mending has no gain.
    (if $what | test("^No (known )?dependency") then "0" else $gain |
        (if test("at best") then "at best " elif test("only the wait") then "wait alone " else "" end) +
        (capture("\\(-(?<percent>[0-9]+) %\\)") // capture("-(?<percent>[0-9]+) %") |
            .percent) end) as $said |
    (if $said == "0" then $name + ": " else "" end) as $of |
    "| \($of)\($what | sub(": .*"; "") | gsub("\\|"; "/")) | \($said) | \(measured)"'
advice='.loops[0] | "- `\($name)`, limited by \(.limited_by): \(.advice)",
    "  That gains \(gain) %: \($fast) ns an iteration instead of \($slow)."'

waited='(if $made == "a prefetch" then .windows.misses[0].gain_prefetched
        else .windows.cached_gain end | round) as $said |
    (.verdict | split("\n")[0] | sub(".*: "; "")) as $first |
    "| \($name) | \($first) | \($made) | \($said) | \(measured)"'

# rows LIST FILTER MARK: a line that begins with MARK says what could not be judged.
rows() {
    "$1" | while read -r name n recorded level fix made; do
        judge "$2" "$name" "$n" "$recorded" "$level" "$fix" "$made" ||
            echo "$3 $name: not judged"
    done
}

answer() {
    if [ $waits = yes ]; then
        {
            echo "| program | named first, of its cycles | experiment | gain, it says, % |" \
                "measured, % | ns a round | with it |"
            echo "|---|---|---|--:|--:|--:|--:|"
            rows waiting "$waited" "|"
            echo
            echo "On $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)."
        } >table.md
        return
    fi
    {
        echo "| verdict | gain, it says, % | measured, % | ns an iteration | with the fix |"
        echo "|---|--:|--:|--:|--:|"
        if [ -n "$list" ]; then
            rows listed "$verdict" "|"
            return
        fi
        rows programs "$verdict" "|"
        echo
        rows advised "$advice" "-"
        echo
        echo "On $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)."
    } >table.md
}
