/* hex: code that a test case writes in hexadecimal digits. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "basics.h"
#include "unit.h"

/* Reads pairs of digits, with blanks between pairs; returns the number of
   bytes, up to `room`. */
static inline size_t from_hex(const char *hex, uint8_t *bytes, size_t room)
{
    size_t n = 0;

    for (; hex[0] != '\0'; hex += hex[0] == ' ' ? 1 : 2) {
        unsigned byte;

        if (hex[0] == ' ')
            continue;
        assert_true(n < room);
        assert_int_equal(sscanf(hex, "%2x", &byte), 1);
        bytes[n++] = (uint8_t)byte;
    }
    return n;
}
