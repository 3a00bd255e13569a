/* longjmp returns after setjmp, with the stack pointer of that time. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* form: pie static */
/* expect: store -> load  yes  land=no */
/* expect: local -> local_load  yes */
/* expect: never -> load  no */
#include "form.h"
#include <setjmp.h>

static jmp_buf place;

APART void fail(long *p, int n)
{
    STORE("store", p, n);
    if (n > 2)
        longjmp(place, n);
}

APART long try(long *p, int n)
{
    long local[2];

    STORE("local", &local[1], n);
    if (setjmp(place) == 0) {
        fail(p, n);
        STORE("never", p, 0);
        return 0;
    }
    return LOAD("load", p) + LOAD("local_load", &local[1]);
}

int main(void)
{
    long v;

    return try(&v, 3) != 6;
}
