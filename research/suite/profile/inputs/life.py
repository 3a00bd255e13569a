# Conway's game of life on a set of cells, by tuples in dictionaries.
# SPDX-License-Identifier: GPL-2.0-or-later
cells = {(x, y) for x in range(60) for y in range(60) if (x * x + 3 * y * x + 7 * y) % 5 < 2}
for _ in range(100):
    neighbours = {}
    for x, y in cells:
        for i in (-1, 0, 1):
            for j in (-1, 0, 1):
                if i or j:
                    cell = (x + i, y + j)
                    neighbours[cell] = neighbours.get(cell, 0) + 1
    cells = {cell for cell, n in neighbours.items() if n == 3 or n == 2 and cell in cells}
print(len(cells), sum(x * 31 + y for x, y in cells))
