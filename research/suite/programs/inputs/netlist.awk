# A netlist of look-up tables and flip-flops for an iCE40 FPGA, as arachne-pnr reads it:
# the inputs of a cell come from the `near` cells before it.  text.awk says how the
# numbers are made.
#
#     awk -v cells=N -v near=N -f netlist.awk
#
# SPDX-License-Identifier: GPL-2.0-or-later

function random(n) {
    seed = seed * 48271 % 2147483647
    return int(seed / 2147483647 * n)
}

# One of the signals that are there before cell i.
function signal(i) {
    back = 1 + random(near)
    return back > i ? "in" random(8) : "q" (i - back)
}

BEGIN {
    seed = 11
    printf ".model top\n.inputs clk"
    for (i = 0; i < 8; i++)
        printf " in%d", i
    printf "\n.outputs"
    for (i = 0; i < 8; i++)
        printf " q%d", cells - 1 - i
    printf "\n.names $false\n.names $true\n1\n"
    for (i = 0; i < cells; i++) {
        has_register = random(3) == 0
        printf ".gate SB_LUT4 I0=%s I1=%s I2=%s I3=$false O=%s%d\n.param LUT_INIT ",
            signal(i), signal(i), signal(i), has_register ? "d" : "q", i
        for (k = 0; k < 16; k++)
            printf "%d", random(2)
        printf "\n"
        if (has_register)
            printf ".gate SB_DFF C=clk D=d%d Q=q%d\n", i, i
    }
    print ".end"
}
