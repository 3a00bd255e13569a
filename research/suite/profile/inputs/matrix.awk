# A product of matrices, in arrays by strings.
# SPDX-License-Identifier: GPL-2.0-or-later
BEGIN {
    n = 110
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            a[i, j] = (i * 7 + j * 3) % 11 - 5
            b[i, j] = (i * 5 + j * 2) % 13 - 6
        }
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            sum = 0
            for (k = 0; k < n; k++)
                sum += a[i, k] * b[k, j]
            total += sum * sum
        }
    print total
}
