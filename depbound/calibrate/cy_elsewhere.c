/*
 * cy_elsewhere: --calibrate on processors other than x86-64: it fails.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <math.h>

#include "calibrate/cy_calibrate.h"
#include "calibrate/cy_clock.h"

struct cy_ghz cy_clock_rate(void)
{
    return (struct cy_ghz){.ghz = NAN};
}

int cy_calibrate(FILE *out, const char *name, double wait, bool is_forced,
                 char **uncertain, struct diag *d)
{
    (void)out, (void)name, (void)wait, (void)is_forced;
    *uncertain = NULL;
    return diag_set(d, "--calibrate: only x86-64 processors are measured");
}
