# How good are machine files of processors that were not at hand?
#
# Makes the machine files of the cores in suite/processors/cores.tsv, of what InstLatx64
# measured of instructions, what others published, and figures of forwarding that were
# fitted on half of the blocks that BHive measured.  Predicts the blocks of the other
# half, without a run and by windows of the blocks as they run here, and says how far off
# depbound and llvm-mca are.
#
#     research/run processors --data=DIR [OPTION...]
#
#     --data=DIR        a directory with bhive-hsw.csv, bhive-ivb.csv, bhive-skl.csv and
#                       instlat/, the files of InstLatx64
#     --fit             fit again, and put the figures into suite/processors/fitted.tsv
#     --make            put the machine files into depbound/machines
#     --blocks=N        at most N blocks of each half; default all
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2034,SC2154 # run sets and uses the others

suite=$root/research/suite/processors
shared='--results --doc'
page=processors.md
needs='python3 gcc objdump valgrind'
data='' fits=no makes=no blocks=1000000

own_option() {
    case $1 in
    --data=?*) readable "$1" && data=$value ;;
    --fit) fits=yes ;;
    --make) makes=yes ;;
    --blocks=*) number "$1" 1 1000000 && blocks=$value ;;
    *) return 1 ;;
    esac
}

check() {
    [ -r "$data/bhive-skl.csv" ] && [ -d "$data/instlat" ] ||
        fail "${data:---data}" "must name a directory with bhive-*.csv and instlat/"
}

# fit: fits the cores side by side, and keeps the comment of the old figures.
fit() {
    for core in haswell ivybridge skylake; do
        "$suite/blocks" fit --instlat="$data/instlat" --data="$data" \
            --n="$blocks" $core >"fitted.$core" &
    done
    wait
    {
        sed -n '/^#/p' "$suite/fitted.tsv"
        cat fitted.haswell fitted.ivybridge fitted.skylake
    } >fitted.tsv
    cp fitted.tsv "$suite/fitted.tsv"
}

# make_files: a file of each core, and one of typical figures.
make_files() {
    mkdir -p machines
    for core in $("$suite/machines" --list) typical; do
        "$suite/machines" --instlat="$data/instlat" "$core" >"machines/$core.json"
    done
    for core in $(sed '/^#/d; s/\t.*//' "$suite/aarch64-cores.tsv"); do
        "$suite/machines" "$core" >"machines/$core.json"
    done
    [ $makes = no ] || cp machines/*.json "$root/depbound/machines"
}

answer() {
    [ $fits = no ] || fit
    make_files
    "$suite/blocks" score --instlat="$data/instlat" --data="$data" --n="$blocks" \
        haswell ivybridge skylake >scores
    {
        "$suite/machines" --table --instlat="$data/instlat"
        echo
        echo "| processor | dependencies through memory | blocks | windows | depbound | without memory | llvm-mca |"
        echo "|---|---|--:|--:|--:|--:|--:|"
        awk -F '\t' 'NF > 2 {
            printf "| %s | %s | %d |", $1, $2, $3
            for (i = 4; i <= NF; i += 3)
                printf " %s, %s, %s |", $i, $(i + 1), $(i + 2)
            print "" }' scores
        awk -F '\t' 'NF == 2 && $2 > 0 {
            said = said ", " $2 " " ($1 == "done" ? "ran" : $1) }
            END { print "\nBlocks for windows: " substr(said, 3) "." }' scores
    } >table.md
}
