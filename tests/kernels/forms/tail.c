/* A tail call is a call and a return: the callee comes back to the caller's
   caller, unless it ends the program. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* form: pie static stripped */
/* expect: store -> load  yes  enter=no */
/* expect: last -> load  no  returns=yes */
#include "form.h"
#include <stdlib.h>

APART long callee(long *p, long n)
{
    STORE("store", p, n);
    return n + 1;
}

APART long passes_on(long *p, long n)
{
    return callee(p, n + 1);
}

APART void give_up(long *p, long n)
{
    STORE("last", p, n);
    exit((int)n);
}

APART long caller(long *p, long n)
{
    long r = passes_on(p, n);

    if (n > 5)
        give_up(p, n);
    return r + LOAD("load", p);
}

int main(void)
{
    long v;

    return caller(&v, 3) != 9;
}
