# The plots of research/run layouts: a panel for each name PROGRAM.EVENT in plots/WHAT, with
# the points of plots/NAME and the lines of plots/NAME.band.  `what` is set.
# SPDX-License-Identifier: GPL-2.0-or-later

names = system("cat plots/" . what)
n = words(names)
columns = n < 2 ? 1 : n < 5 ? 2 : 3
rows = (n + columns - 1) / columns

set grid
set datafile separator "\t"
set style line 1 pt 7 ps 0.4 lc rgb "#1b6ca8"
set style line 2 lw 2 lc rgb "#d1495b"
set style line 3 lw 1 lc rgb "#d1495b"
set style line 4 lw 1 dt 2 lc rgb "#808080"
unset key
set ylabel "cycles per instruction"

do for [kind in "svg png"] {
    if (kind eq "svg") {
        set terminal svg size 400 * columns,300 * rows dynamic background rgb "white"
    } else {
        set terminal pngcairo size 600 * columns,450 * rows
    }
    set output "layouts-" . what . "." . kind
    set multiplot layout rows,columns
    do for [name in names] {
        dot = strstrt(name, ".")
        set title name[1:dot - 1] noenhanced
        set xlabel name[dot + 1:*] . " per 1000 instructions" noenhanced
        plot "plots/" . name . ".band" using 1:2 with lines ls 2, \
            "" using 1:3 with lines ls 3, "" using 1:4 with lines ls 3, \
            "" using 1:5 with lines ls 4, "" using 1:6 with lines ls 4, \
            "plots/" . name using 1:2 with points ls 1
    }
    unset multiplot
    set output
}
