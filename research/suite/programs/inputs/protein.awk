# The C-alpha atoms of a made-up protein in PDB's format: helices, and strands
# between them.  bend changes its shape.
#
#     awk -v residues=N -v bend=X -f protein.awk
#
# SPDX-License-Identifier: GPL-2.0-or-later
BEGIN {
    split("ALA GLY LEU SER VAL LYS GLU THR", name, " ")
    for (i = 1; i <= residues; i++) {
        part = int(i / 18)
        turn = part % 2 ? 3.1 + bend / 9 : 1.745
        rise = part % 2 ? 3.2 : 1.5
        height += part % 4 < 2 ? rise : -rise
        x = 2.3 * cos(i * turn) + 9 * part * cos(part * bend)
        y = 2.3 * sin(i * turn) + 9 * part * sin(part * bend)
        printf "ATOM  %5d  CA  %s A%4d    %8.3f%8.3f%8.3f  1.00  0.00           C\n",
            i, name[i * 5 % 8 + 1], i, x, y, height
    }
    print "TER"
}
