# Lines of five fields with commas between: a key, a float, a word of hexadecimal
# digits, a date and a small number.  text.awk says how the numbers are made.
#
#     awk -v lines=N -f numbers.awk
#
# SPDX-License-Identifier: GPL-2.0-or-later

function random(n) {
    seed = seed * 48271 % 2147483647
    return int(seed / 2147483647 * n)
}

BEGIN {
    seed = 7
    for (l = 0; l < lines; l++)
        printf "%d,%.3f,%06x,20%02d-%02d-%02d,%d\n", random(5000),
            random(1000000) / (random(900) + 1), random(16777216), random(30),
            random(12) + 1, random(28) + 1, random(random(9) + 1)
}
