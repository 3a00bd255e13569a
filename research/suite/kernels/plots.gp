# The plots of research/run coverage, from the files in plots/: each as SVG and PNG.
# SPDX-License-Identifier: GPL-2.0-or-later

set yrange [0:100]
set ylabel "coverage, %"
set grid ytics
set key above noenhanced
set datafile missing "?"
set datafile separator "\t"
set style line 1 lw 2 lc rgb "#1b6ca8"
set style line 2 lw 2 lc rgb "#d1495b"
set style line 3 lw 1 dt 2 lc rgb "#1b6ca8"
set style line 4 lw 1 dt 2 lc rgb "#d1495b"
set style line 5 lw 1 dt 3 lc rgb "#1b6ca8"
set style line 6 lw 1 dt 3 lc rgb "#d1495b"

# What is plotted of kernels without data, if there are any.
set macros
empty = system("awk '$4 != \"?\"' plots/kernels") eq "" ? "" : \
    ', "" using 0:4 with points pt 2 lw 1.5 lc rgb "#808080" title "no data"'

do for [kind in "svg png"] {
    if (kind eq "svg") {
        set terminal svg size 800,450 dynamic background rgb "white"
    } else {
        set terminal pngcairo size 1200,675 fontscale 1.2
    }

    set output "coverage." . kind
    set xlabel "lifetime bound, instructions"
    set logscale x 2
    set xrange [1:6000000]
    set xtics ("1" 1, "8" 8, "64" 64, "512" 512, "1024" 1024, "8192" 8192, \
        "65536" 65536, "1048576" 1048576, "none" 4194304)
    plot "plots/curve" using 1:2 with linespoints ls 1 pt 7 ps 0.5 \
            title "cov_u", \
        "" using 1:3 with linespoints ls 2 pt 7 ps 0.5 title "cov_w", \
        "plots/paper" using 1:2 with points ls 1 pt 4 title "paper's cov_u", \
        "" using 1:3 with points ls 2 pt 6 title "paper's cov_w"

    set output "kernels." . kind
    unset logscale x
    unset xlabel
    set xrange [-1:int(system("wc -l <plots/kernels"))]
    set xtics autofreq rotate by 60 right noenhanced
    set style data histograms
    set style histogram clustered gap 1
    set style fill solid
    plot "plots/kernels" using 2:xtic(1) ls 1 title "cov_u at 1024", \
        "" using 3 ls 2 title "cov_w at 1024" @empty

    set output "distribution." . kind
    set datafile separator whitespace
    set style data lines
    set xtics autofreq norotate center
    set xlabel "share of the binaries with at most this coverage, %"
    set xrange [0:100]
    plot "plots/sorted.4" with steps ls 1 title "cov_u at 1024", \
        "plots/sorted.5" with steps ls 2 title "cov_w at 1024", \
        "plots/sorted.6" with steps ls 3 title "cov_u at 512", \
        "plots/sorted.7" with steps ls 4 title "cov_w at 512", \
        "plots/sorted.2" with steps ls 5 title "cov_u, no bound", \
        "plots/sorted.3" with steps ls 6 title "cov_w, no bound"
    set datafile separator "\t"
}
