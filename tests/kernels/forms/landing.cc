/* An exception leads from where it is thrown to the landing pad of a caller, with
   the caller's registers and stack pointer, and carries what was thrown. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* form: pie no-pie static stripped */
/* expect: store -> load  yes  land=no */
/* expect: local -> local_load  yes */
/* expect: thrown -> read  yes  land=no */
/* expect: cleanup -> cleaned  yes  land=no */
#include "form.h"

struct error {
    long value;
    error(long v) { STORE("thrown", &value, v); }
};

struct guard {
    long *p;
    APART ~guard() { STORE("cleanup", p, 7); }
};

extern "C" {

APART void risky(long *p, long n)
{
    STORE("store", p, n);
    if (n > 2)
        throw error(n);
}

APART void middle(long *p, long *q, long n)
{
    guard g = {q};

    risky(p, n);
}

APART long careful(long *p, long *q, long n)
{
    long local[2];

    STORE("local", &local[1], n);
    try {
        middle(p, q, n);
    } catch (const error &e) {
        return LOAD("load", p) + LOAD("read", &e.value) +
               LOAD("local_load", &local[1]) + LOAD("cleaned", q);
    }
    return 0;
}
}

int main()
{
    long v, w;

    return careful(&v, &w, 3) != 16;
}
