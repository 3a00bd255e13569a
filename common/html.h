/*
 * html: any text within a page for a browser.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COMMON_HTML_H
#define COMMON_HTML_H

#include <stdio.h>

/* Writes any bytes as text that no browser takes for markup, in an attribute's
   double quotes too.  What is not valid UTF-8, or is a control character,
   becomes U+FFFD. */
void html_text(FILE *out, const char *text);

#endif
