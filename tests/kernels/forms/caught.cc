/* A function that catches what it throws comes back, though every way through it
   has a call that does not. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* form: pie static */
/* expect: store -> load  yes */
#include "form.h"

extern "C" {

APART void quiet(long n)
{
    try {
        throw n;
    } catch (long) {
    }
}

APART long caller(long *p, long n)
{
    STORE("store", p, n);
    quiet(n);
    return LOAD("load", p);
}
}

int main()
{
    long v;

    return caller(&v, 3) != 3;
}
