# The longest sequence of Collatz.  SPDX-License-Identifier: GPL-2.0-or-later
most=0 best=0 i=1
while [ $i -lt 3000 ]; do
    n=$i steps=0
    while [ $n -ne 1 ]; do
        if [ $((n % 2)) -eq 0 ]; then n=$((n / 2)); else n=$((3 * n + 1)); fi
        steps=$((steps + 1))
    done
    if [ $steps -gt $most ]; then most=$steps best=$i; fi
    i=$((i + 1))
done
echo "$best $most"
