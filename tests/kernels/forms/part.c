/* Code that the compiler moves away from a function belongs to it, with or
   without a symbol, and whether or not it jumps back. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* form: pie static stripped */
/* expect: store -> load  yes  function */
/* expect: rare -> behind  yes  function */
#include "form.h"
#include <stdlib.h>

APART __attribute__((cold)) void complain(void)
{
}

APART long whole(long *p, long n)
{
    STORE("store", p, n);
    if (n > 5) {
        complain();
        n = LOAD("load", p);
        STORE("rare", p, n + 1);
    }
    return LOAD("behind", p);
}

int main(void)
{
    long v;

    return whole(&v, 6) != 7;
}
