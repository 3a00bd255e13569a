# A network of layers, in the format of DIMACS for flows of least cost.  text.awk says how
# the numbers are made.
#
#     awk -v layers=N -v width=N -f network.awk
#
# SPDX-License-Identifier: GPL-2.0-or-later

function random(n) {
    seed = seed * 48271 % 2147483647
    return int(seed / 2147483647 * n)
}

function node(layer, i) { return 2 + layer * width + i }

BEGIN {
    seed = 13
    nodes = 2 + layers * width
    arcs = 2 * width + (layers - 1) * width * 3
    print "p min", nodes, arcs
    print "n 1", 2 * width
    print "n", nodes, -2 * width
    for (i = 0; i < width; i++)
        print "a 1", node(0, i), 0, 4, 1 + random(9)
    for (layer = 0; layer < layers - 1; layer++)
        for (i = 0; i < width; i++) {
            print "a", node(layer, i), node(layer + 1, i), 0, 4, 1 + random(99)
            for (k = 0; k < 2; k++)
                print "a", node(layer, i), node(layer + 1, random(width)), 0,
                    1 + random(3), 1 + random(99)
        }
    for (i = 0; i < width; i++)
        print "a", node(layers - 1, i), nodes, 0, 4, 1 + random(9)
}
