/* A switch by a table of jumps. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* form: pie no-pie static stripped object */
/* expect: zero -> load  yes */
/* expect: one -> load  yes */
/* expect: two -> load  yes */
/* expect: three -> load  yes */
/* expect: four -> load  yes */
/* expect: five -> load  yes */
/* expect: else -> load  yes */
#include "form.h"

APART long choose(long *p, unsigned long n)
{
    switch (n) {
    case 0:
        STORE("zero", p, 7);
        break;
    case 1:
        STORE("one", p, 5);
        break;
    case 2:
        STORE("two", p, 9);
        break;
    case 3:
        STORE("three", p, 2);
        break;
    case 4:
        STORE("four", p, 8);
        break;
    case 5:
        STORE("five", p, 4);
        break;
    default:
        STORE("else", p, 1);
    }
    return LOAD("load", p);
}

int main(void)
{
    long v, sum = 0;

    for (unsigned long n = 0; n < 7; n++)
        sum += choose(&v, n);
    return sum != 36;
}
