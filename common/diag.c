/*
 * diag: the text of one error, carried from where it happened to main.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "diag.h"

#include <stdarg.h>
#include <stdio.h>

int diag_set(struct diag *d, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(d->text, sizeof d->text, format, args);
    va_end(args);
    for (char *c = d->text; *c != '\0'; c++)
        if (*c == '\n' || *c == '\r')
            *c = ' ';
    return -1;
}
