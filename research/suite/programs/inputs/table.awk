# The sums of the columns of numbers.awk by month, and the longest runs.
# SPDX-License-Identifier: GPL-2.0-or-later
BEGIN { FS = "," }
{
    split($4, date, "-")
    month = date[1] "-" date[2]
    sum[month] += $2 * ($5 + 1)
    if ($1 > last) run++
    else { runs[run]++; run = 0 }
    last = $1
    if ($3 ~ /^[0-9]+$/) digits[length($3 + 0)]++
    gsub(/[a-f]/, "-", $3)
    shapes[$3]++
}
END {
    for (month in sum) printf "%s %.2f\n", month, sum[month]
    for (n in runs) print "run", n, runs[n]
    for (n in digits) print "digits", n, digits[n]
    for (s in shapes) if (shapes[s] > 2) print s, shapes[s]
}
