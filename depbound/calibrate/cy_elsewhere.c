/* cy_elsewhere: processors other than x86-64, on which nothing is measured:
   --calibrate fails, and --wait waits for nothing. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "calibrate/cy_calibrate.h"
#include "calibrate/cy_pace.h"

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

void cy_clock_init(struct cy_clock *clock, double wait)
{
    (void)wait;
    *clock = (struct cy_clock){0};
}

struct cy_paced cy_pace(struct cy_clock *clock, pid_t child)
{
    (void)clock, (void)child;
    return (struct cy_paced){0};
}
