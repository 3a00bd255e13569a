# The rows of numbers.awk as objects: groups, a heap, a knapsack, and generators.
# SPDX-License-Identifier: GPL-2.0-or-later
import sys


class Row:
    def __init__(self, line):
        key, value, word, date, n = line.strip().split(",")
        self.key, self.value, self.word = int(key), float(value), int(word, 16)
        self.date, self.n = tuple(int(part) for part in date.split("-")), int(n)

    def __lt__(self, other):
        return (self.date, self.word) < (other.date, other.word)


def read(path):
    with open(path) as table:
        yield from (Row(line) for line in table)


rows = sorted(row for row in read(sys.argv[1]) if row.date[1] < 8)
groups = {}
for row in rows:
    groups.setdefault(row.key % 31, []).append(row)
for key, group in sorted(groups.items()):
    print(key, len(group), f"{sum(row.value for row in group):.3f}", max(group).date)
best = [0] * 2001
for row in rows[:25]:
    weight = row.word % 97 + 3
    for room in range(2000, weight - 1, -1):
        best[room] = max(best[room], best[room - weight] + row.key)
print(best[2000], bytes(row.word & 255 for row in rows[:500]).hex())
