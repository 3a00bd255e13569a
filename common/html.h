/*
 * html: any text within a page for a browser.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COMMON_HTML_H
#define COMMON_HTML_H

#include <stdio.h>

/* Writes any bytes as text without markup, which may also stand in double
   quotes in an attribute.  Invalid UTF-8 and control characters become
   U+FFFD. */
void html_text(FILE *out, const char *text);

#endif
