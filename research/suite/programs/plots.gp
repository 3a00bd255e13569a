# The plots of research/run effort, from the files in plots/.
# SPDX-License-Identifier: GPL-2.0-or-later

set terminal svg size 800,400 dynamic background rgb "white"
set grid ytics
set key outside right noenhanced
set yrange [*:100]
set datafile separator "\t"
set datafile missing "-"
set style line 1 lw 2 lc rgb "#1b6ca8"
set style line 2 lw 2 lc rgb "#d1495b"
set style line 3 lw 2 lc rgb "#66a182"
set style line 4 lw 1 dt 2 lc rgb "#1b6ca8"
set style line 5 lw 1 dt 2 lc rgb "#d1495b"
set style line 6 lw 1 dt 2 lc rgb "#66a182"
set style data linespoints
set pointsize 0.5
set ylabel "mean over the programs, %"

do for [what in "effort support"] {
    set output what . ".svg"
    set xlabel what eq "effort" ? "--effort" : "--support, %"
    plot "plots/" . what . ".function" using 1:2 ls 1 pt 7 title "cov_u, function", \
        "" using 1:3 ls 2 pt 7 title "cov_w, function", \
        "" using 1:4 ls 3 pt 7 title "precision, function", \
        "plots/" . what . ".object" using 1:2 ls 4 pt 7 title "cov_u, object", \
        "" using 1:3 ls 5 pt 7 title "cov_w, object", \
        "" using 1:4 ls 6 pt 7 title "precision, object"
}
