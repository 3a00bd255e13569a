# How good are depbound's cycles, and what do memory edges add?
#
# Measures the loops and functions of suite/cycles/loops and the C kernels on this
# processor, by the question measure, and predicts their cycles with llvm-mca
# alone, and with depbound: without edges through memory, with predicted ones, with
# observed ones, and by windows, if it has these.
# research/cycles.md says what is measured.
#
#     research/run cycles [OPTION...] [LOOP...]
#
# With names of loops and functions, only these, and no kernels.
# `research/run measure --list` has them.
#
#     --variants=LIST   only these of suite/kernels/variants, separated by commas, and
#                       exact, the loops that are written in assembly
#     --kernel-variants=LIST  of the kernels; default gcc-O1,gcc-O2,gcc-O3,clang-O2 as
#                       far as --variants has them
#     --kernels=LIST    only these kernels, separated by commas; default all
#     --no-measuring    only predict and report what DIR has measured
#     --cpu=NAME        a machine file of depbound; default that of this processor
#     --osaca=COMMAND   OSACA, by default osaca if it is installed; without it, what it
#                       said earlier of the same code counts (DIR/osaca.tsv)
#     --osaca-arch=NAME its name of this processor; default zen4
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2034,SC2154 # run sets and uses the others

suite=$root/research/suite/cycles
. "$suite/plan.sh"
page=cycles.md
variants='' kernel_variants='' kernels='' cpu=- osaca=osaca arch=zen4 loops=''
measures=yes

own_option() {
    case $1 in
    --variants=?*) variants=${1#*=} ;;
    --kernel-variants=?*) kernel_variants=${1#*=} ;;
    --kernels=?*) kernels=${1#*=} ;;
    --no-measuring) measures=no ;;
    --cpu=?*) cpu=${1#*=} ;;
    --osaca=?*) osaca=${1#*=} ;;
    --osaca-arch=?*) arch=${1#*=} ;;
    -*) return 1 ;;
    *) loops="$loops $1" ;;
    esac
}

check() {
    [ $measures = yes ] || [ -s "$results/measured/cycles.jsonl" ] ||
        fail "$results" "nothing was measured there"
    "$root/scripts/install-deps" --llvm-mca ||
        fail llvm-mca "version 19 or newer could not be installed"
    all="exact $(awk '!/^#/ && NF { print $1 }' \
        "$root/research/suite/kernels/variants" | paste -s -d ' ')"
    variants=$(echo "${variants:-$all}" | tr , ' ')
    [ -n "$kernel_variants$loops" ] ||
        for variant in gcc-O1 gcc-O2 gcc-O3 clang-O2; do
            case " $variants " in
            *" $variant "*)
                kernel_variants=$kernel_variants${kernel_variants:+,}$variant
                ;;
            esac
        done
}

# measure OPTION...: measures what is not done.  The question measure names what could
# not be measured, and the others count.
measure() {
    [ $measures = yes ] || return 0
    status=0
    "$root/research/run" measure --results=measured "$@" 9>&- >/dev/null ||
        status=$?
    [ $status -eq 0 ] || [ -s measured/cycles.jsonl ] ||
        fail measure "it ended with status $status"
}

plan_osaca() {
    made_by=$({
        cat state/osaca.version "$suite/osaca"
        $assembler --version
    } | hash)
    for program in measured/bin/loops.*; do
        [ -e "$program" ] || continue
        printf '%s\t%s-%s\t%s %s %s\n' "${program##*/}" "$(hash <"$program")" \
            "$made_by" "$arch" "$assembler" "$osaca"
    done
}

# ask_osaca: makes osaca.tsv of what OSACA says, or said earlier.
ask_osaca() {
    assembler=$(newest llvm-mc)
    if command -v "${osaca%% *}" >/dev/null && [ -n "$assembler" ]; then
        # shellcheck disable=SC2086 # a command
        $osaca --version >state/osaca.version 2>&1 || :
        sed -i "1s/.* /OSACA /; 1s/\$/, $arch/" state/osaca.version
        plan_osaca >state/osaca
        work_off osaca osaca run_local
        {
            sed '1s/^/# /; q' state/osaca.version
            find osaca -name rows -exec cat {} + | sort -u
        } >osaca.tsv
    else
        echo "cycles: ${osaca%% *}: not installed; what it said before counts" >&2
        [ -e osaca.tsv ] || echo '# not installed' >osaca.tsv
        sed -n '1s/^# //p' osaca.tsv >state/osaca.version
    fi
}

# Measures the twins of the kernels that are flagged memory bound, one size and variant
# after the other.  A size has the number of its column in tests/kernels/c/sizes.
measure_twins() {
    twins=$(grep -l 'LAST(' "$root"/tests/kernels/c/*.c | xargs basename -s .c |
        paste -s -d ' ')
    sqlite3 -separator ' ' cycles.db "SELECT variant, loop, n FROM kernel
        WHERE memory_bound" >state/flagged
    for size in test:2 l1:3 timing:5; do
        for variant in $(cut -d ' ' -f 1 state/flagged | sort -u); do
            names=$(awk -v column="${size#*:}" -v variant="$variant" \
                -v twins=" $twins " '
                NR == FNR { n[$1] = $column; next }
                $1 == variant && $3 == n[$2] && index(twins, " " $2 " ") {
                    print $2 "_broken"
                }' "$root/tests/kernels/c/sizes" state/flagged | paste -s -d ,)
            [ -z "$names" ] ||
                measure --variants="$variant" --kernels="$names" --size="${size%:*}"
        done
    done
}

answer() {
    # shellcheck disable=SC2086 # names
    measure --variants="$(echo "$variants" | tr ' ' ,)" $loops
    for size in l1 test timing; do
        [ -z "$kernel_variants" ] ||
            measure --variants="$kernel_variants" --kernels${kernels:+="$kernels"} \
                --size=$size
    done
    plan_predictions >state/predict
    work_off predict predictions run_local
    ask_osaca
    # shellcheck disable=SC2086 # names
    make_report cycles/report $variants
    measure_twins
    # shellcheck disable=SC2086
    [ ! -s state/flagged ] || make_report cycles/report $variants
}
