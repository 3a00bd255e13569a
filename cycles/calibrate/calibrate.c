/*
 * calibrate: a machine file for this processor, on standard output.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "calibrate/cy_calibrate.h"

int main(int argc, char **argv)
{
    struct diag d;
    int uncertain = cy_calibrate(stdout, argc > 1 ? argv[1] : NULL, &d);

    if (uncertain < 0) {
        fprintf(stderr, "calibrate: %s\n", d.text);
        return 2;
    }
    if (uncertain > 0)
        fprintf(stderr, "calibrate: %d figures did not repeat\n", uncertain);
    return 0;
}
