# The words by how often they occur, and those with the same letters.
# SPDX-License-Identifier: GPL-2.0-or-later
import sys

counts = {}
alike = {}
with open(sys.argv[1]) as text:
    for line in text:
        number, *words = line.split()
        for i, word in enumerate(words):
            counts[word] = counts.get(word, 0) + int(number) % (i + 2)
for word in counts:
    alike.setdefault("".join(sorted(word)), []).append(word)
for word in sorted(counts, key=lambda word: (-counts[word], word)):
    others = alike["".join(sorted(word))]
    print(f"{word:12} {counts[word]} {','.join(others)}")
