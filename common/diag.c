/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "diag.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "text.h"

int diag_set(struct diag *d, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(d->text, sizeof d->text, format, args);
    va_end(args);
    text_make_safe(d->text);
    assert(strchr(d->text, '\n') == NULL);
    return -1;
}
