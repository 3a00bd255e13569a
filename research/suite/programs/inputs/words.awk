# How often each word occurs in what lines, and the sum of their numbers.
# SPDX-License-Identifier: GPL-2.0-or-later
{
    for (i = 2; i <= NF; i++) {
        n[$i]++
        sum[$i] += $1 / (NF - 1)
        if (!index(seen[$i], substr($1, 1, 1)))
            seen[$i] = seen[$i] substr($1, 1, 1)
    }
}
END {
    for (word in n)
        print word, n[word], sum[word], seen[word], toupper(word)
}
