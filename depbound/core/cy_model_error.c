/*
 * cy_model_error: how far a program's cycles may be from the predicted ones.
 *
 * The machine file says how far they were for programs that were measured
 * (struct cy_model_error); this program is taken for one more of their kind.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <assert.h>
#include <math.h>

#include "core/cy_figure.h"

#define Z 1.959964 /* a normal variable exceeds it once in 40 times */

/* Student's t of one in 40 times, within 1 % from 4 degrees of freedom on
   (Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5). */
static double student(double freedom)
{
    const double z3 = pow(Z, 3), z5 = pow(Z, 5), z7 = pow(Z, 7);

    return Z + (z3 + Z) / (4 * freedom) +
           (5 * z5 + 16 * z3 + 3 * Z) / (96 * pow(freedom, 2)) +
           (3 * z7 + 19 * z5 + 17 * z3 - 15 * Z) / (384 * pow(freedom, 3));
}

bool cy_model_range(const struct cy_facts *machine, const struct cy_program *p,
                    double *least, double *most)
{
    const struct cy_model_error none = {0}, *error = machine != NULL
                                                         ? &machine->model_error
                                                         : &none;
    double n = error->programs, cycles = p->total.cycles;

    if (!(p->low > 0) || (n == 0 && p->with_most == p->with_least))
        return false;
    assert(p->low <= p->high && p->with_most <= cycles * (1 + 1e-9) &&
           cycles <= p->with_least * (1 + 1e-9));
    *least = p->low;
    *most = p->high;
    if (n > 0) {
        double center = log(cycles * error->factor),
               half = hypot(log(p->high / p->low) / 2,
                            student(n - 1) * error->spread * sqrt(1 + 1 / n));

        assert(n >= CY_LEAST_PROGRAMS);
        *least = exp(center - half);
        *most = exp(center + half);
    }
    *least *= p->with_most / cycles;
    *most *= p->with_least / cycles;
    return true;
}
