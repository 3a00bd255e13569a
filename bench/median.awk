# Functions of awk that the benchmarks share: medians of values, by key.
# SPDX-License-Identifier: GPL-2.0-or-later
function keep(key, value) {
    sample[key, ++n_samples[key]] = value
}

function median(key,    n, i, j, x, a) {
    n = n_samples[key]
    for (i = 1; i <= n; i++) {
        x = sample[key, i]
        for (j = i; j > 1 && a[j - 1] > x; j--)
            a[j] = a[j - 1]
        a[j] = x
    }
    return n % 2 ? a[(n + 1) / 2] : (a[n / 2] + a[n / 2 + 1]) / 2
}
