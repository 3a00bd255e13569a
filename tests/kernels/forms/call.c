/* A function that calls another, in files of all kinds. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* form: pie no-pie static stripped object */
/* expect: store -> load  yes  enter=no */
/* expect: after -> load  no */
#include "form.h"

APART long callee(long *p)
{
    return LOAD("load", p);
}

APART long caller(long *p)
{
    long r;

    STORE("store", p, 1);
    r = callee(p);
    STORE("after", p, 2);
    return r;
}

int main(void)
{
    long v;

    return caller(&v) != 1;
}
