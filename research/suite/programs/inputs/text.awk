# Lines of a number and eight words of a made-up language, in which short words and
# a few others are frequent.  The numbers are pseudo-random and the same with every
# awk: the products stay below 2^53.
#
#     awk -v lines=N -f text.awk
#
# SPDX-License-Identifier: GPL-2.0-or-later

# From 0 to n - 1.
function random(n) {
    seed = seed * 16807 % 2147483647
    return int(seed / 2147483647 * n)
}

function syllable() {
    return substr("bcdfglmnprst", random(12) + 1, 1) \
        substr("aeiou", random(5) + 1, 1)
}

BEGIN {
    seed = 1
    for (i = 0; i < 1500; i++) {
        word[i] = syllable()
        for (n = random(4); n > 0; n--)
            word[i] = word[i] syllable()
    }
    for (l = 0; l < lines; l++) {
        line = random(100000)
        for (i = 0; i < 8; i++)
            line = line " " word[random(random(random(1500) + 1) + 1)]
        print line
    }
}
