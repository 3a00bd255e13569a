# The plots of research/run cycles, from the files in plots/: each as SVG and PNG.
# SPDX-License-Identifier: GPL-2.0-or-later

set grid
set key above noenhanced
set datafile missing "?"
set datafile separator "\t"
set style line 1 pt 2 ps 0.5 lw 2 lc rgb "#808080"
set style line 2 pt 6 ps 0.5 lw 2 lc rgb "#d1495b"
set style line 3 pt 7 ps 0.5 lw 2 lc rgb "#1b6ca8"
set style line 4 lw 2 dt 2 lc rgb "#808080"
set style line 5 lw 2 dt 2 lc rgb "#1b6ca8"

do for [kind in "svg png"] {
    if (kind eq "svg") {
        set terminal svg size 800,450 dynamic background rgb "white"
    } else {
        set terminal pngcairo size 1200,675 fontscale 1.2
    }

    set logscale xy
    set autoscale
    set xlabel "cycles, measured"
    set ylabel "cycles, predicted"
    do for [what in "loops kernels"] {
        set output "cycles-" . what . "." . kind
        plot "plots/" . what using 1:2 with points ls 1 \
                title (what eq "loops" ? "llvm-mca" : ""), \
            "" using 1:3 with points ls 2 title "no edges through memory", \
            "" using 1:4 with points ls 3 title "predicted edges", \
            x with lines lc rgb "#000000" notitle
    }

    set output "cycles-errors." . kind
    unset logscale x
    set xlabel "share of the scored loops of one block, %"
    set ylabel "error at most, %"
    set xrange [0:100]
    set yrange [0.01:*]
    plot "plots/errors.llvm-mca" with steps ls 1 title "llvm-mca", \
        "plots/errors.OSACA" with steps ls 4 title "OSACA", \
        "plots/errors.no" with steps ls 2 title "no edges", \
        "plots/errors.predicted" with steps ls 3 title "predicted edges", \
        "plots/errors.observed" with steps ls 5 title "observed edges"
}
