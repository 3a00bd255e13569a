# Sequences in FASTA's format that have one ancestor, of proteins or, with letters=ACGT,
# of DNA.  text.awk says how the numbers are made.
#
#     awk -v sequences=N -v length_of_each=N [-v letters=LETTERS] -f sequences.awk
#
# SPDX-License-Identifier: GPL-2.0-or-later

function random(n) {
    seed = seed * 16807 % 2147483647
    return int(seed / 2147483647 * n)
}

function letter() {
    return substr(letters, random(length(letters)) + 1, 1)
}

BEGIN {
    seed = 3
    if (!letters)
        letters = "ACDEFGHIKLMNPQRSTVWY"
    for (i = 1; i <= length_of_each; i++)
        ancestor[i] = letter()
    for (s = 1; s <= sequences; s++) {
        # Every fourth one is another branch.
        for (i = 1; s % 4 == 1 && i <= length_of_each / 6; i++)
            ancestor[random(length_of_each) + 1] = letter()
        text = ""
        for (i = 1; i <= length_of_each; i++)
            text = text (random(12) ? ancestor[i] : letter())
        print ">s" s "\n" text
    }
}
