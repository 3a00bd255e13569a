# What do llvm-mca, OSACA and depbound say of six loops?
#
# The loops are those of suite/cycles/loops as gcc -O1 compiles them; the question
# measure measures them on this processor.  If all six were measured well, their machine
# code and cycles replace suite/cycles/pitch.tsv; if not, or with --recorded, the file
# stays.  Predictions are made of its machine code, for the processor on which that was
# measured.
#
#     research/run pitch [OPTION...]
#
#     --recorded        measure nothing, and take what suite/cycles/pitch.tsv has
#     --osaca=COMMAND   OSACA, by default osaca if it is installed; without it, what it
#                       said earlier of the same code counts
#     --osaca-arch=NAME its name of this processor; default zen4
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2034,SC2154 # run sets and uses the others

suite=$root/research/suite/cycles
. "$suite/plan.sh"
shared='--results --doc'
page=README.md
needs=jq
record=$suite/pitch.tsv
measures=yes osaca=osaca arch=zen4

own_option() {
    case $1 in
    --recorded) measures=no ;;
    --osaca=?*) osaca=${1#*=} ;;
    --osaca-arch=?*) arch=${1#*=} ;;
    *) return 1 ;;
    esac
}

check() {
    mca=$(newest llvm-mca)
    assembler=$(newest llvm-mc)
    [ -n "$mca" ] && [ -n "$assembler" ] ||
        fail llvm-mca "version 19 or newer is not installed, with llvm-mc"
}

# loops: the name of each loop and what it does, in the order of the table.
loops() {
    cat <<'END'
prefix_sum_double	prefix sum, `a[i] += a[i - 1]`
seidel_row	Gauss-Seidel, `a[i] = (up[i] + a[i - 1] + ...) * 0.25`
iir_first_order	filter, `y[i] = 0.3 * x[i] + 0.7 * y[i - 1]`
edit_distance	edit distance, the least of three neighbours
dot_double	dot product, `sum += a[i] * b[i]`
triad	triad, `c[i] = a[i] + 3 * b[i]`
END
}

# depbound ARGUMENT...
depbound() {
    "$root/scripts/run-in-tree" depbound "$@"
}

# ask_osaca: new.tsv with OSACA's cycles of each code as its third column.
ask_osaca() {
    mkdir -p osaca/measured
    jq -R -c 'split("\t") | {object: "pitch", single: true, code: .[2]}' \
        new.tsv >osaca/measured/cycles.jsonl
    (cd osaca && "$suite/osaca" pitch - "$arch $assembler $osaca" >&2)
    awk -F '\t' 'NR == FNR { cycles[$1] = $2; next }
        { print $1 FS $2 FS cycles[$3] FS $3 }' osaca/osaca/pitch/rows new.tsv
}

# recall_osaca: new.tsv with what OSACA said earlier of each code.
recall_osaca() {
    echo "pitch: ${osaca%% *}: not installed; what it said before counts" >&2
    awk -F '\t' 'NR == FNR { cycles[$4] = $3; next }
        { print $1 FS $2 FS cycles[$3] FS $3 }' "$record" new.tsv
}

# measure: measures the loops, and makes a new record if all were measured well.
measure() {
    # shellcheck disable=SC2046 # names
    "$root/research/run" measure --results=measured --variants=gcc-O1 \
        $(cut -f 1 loops) 9>&- || return
    while IFS=$tab read -r loop _; do
        jq -r --arg loop "$loop" 'select(.loop == $loop and .quality == "good" and
            .single) | [.loop, .cycles, .code] | @tsv' measured/cycles.jsonl
    done <loops >new.tsv
    [ "$(wc -l <new.tsv)" -eq "$(wc -l <loops)" ] || return
    machine=$(depbound --hex=90 --format=json | jq -r '.machine // empty')
    [ -n "$machine" ] || return
    if command -v "${osaca%% *}" >/dev/null; then
        # shellcheck disable=SC2086 # a command
        said_by=$($osaca --version | sed '1s/.* /OSACA /; q')", $arch"
        ask_osaca >rows
    else
        said_by=$(sed -n '1s/.*; //p' "$record")
        recall_osaca >rows
    fi
    {
        echo "# $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo |
            head -n 1); $machine; $said_by"
        cat rows
    } >record
    cat record >"$record"
}

# memory: how much of the time memory limits a loop, as llvm-mca says.
memory() {
    awk '
        /^No resource or data dependency bottlenecks/ { said = "no bottleneck" }
        /^ *- Memory Dependencies/ { said = sprintf("%.0f %%", $(NF - 1)) }
        END { print said != "" ? said : "-" }'
}

# row LOOP WORDS: of the table.
row() {
    code=$(awk -F '\t' -v loop="$1" '$1 == loop { print $4 }' "$record")
    depbound --cpu="$machine" --llvm-mca="$mca" --format=json --hex="$code" \
        >cost.json
    depbound --cpu="$machine" --llvm-mca="$mca" --region-markers=auto \
        --hex="$code" >loop.s
    "$mca" --mtriple=x86_64 --mcpu="$(jq -r '.llvm_mca | sub(".*, "; "")' \
        cost.json)" --bottleneck-analysis loop.s >said
    awk -F '\t' -v words="$2" -v loop="$1" -v why="$(memory <said)" \
        -v mca="$(awk '/^Iterations:/ { n = $2 }
            /^Total Cycles:/ { print $3 / n }' said)" \
        -v predicted="$(jq '.loops[0].predicted' cost.json)" \
        -v limit="$(jq -r '.loops[0].limited_by' cost.json)" '
        $1 == loop {
            printf "| %s | %.1f | %s | ", words, mca, why
            if ($3 != "")
                printf "%.1f", $3
            else
                printf "-"
            printf " | %.1f | %s | %.1f |\n", predicted, limit, $2
        }' "$record"
}

# table: of the loops in the record.
table() {
    cat <<'END'
| loop | llvm-mca | memory, by llvm-mca | OSACA | depbound | limited by | measured |
|---|--:|---|--:|--:|---|--:|
END
    while IFS=$tab read -r loop words; do
        row "$loop" "$words"
    done <loops
    echo
    echo "Cycles of an iteration, on $processor, as gcc -O1 compiles the loops;"
    echo "$(jq -r .llvm_mca cost.json); $said_by; machine file $machine."
}

answer() {
    loops >loops
    [ $measures = no ] || measure ||
        echo "pitch: not measured well here; what was measured before counts" >&2
    head=$(sed -n '1s/^# //p' "$record")
    processor=${head%%; *}
    machine=${head#*; }
    said_by=${machine#*; }
    machine=${machine%%; *}
    table >table.md
}
