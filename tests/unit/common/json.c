/*
 * The tokens of JSON.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "quote.h"

/* The text that a writer has written. */
static char written[256];

static void expect_text(const char *text, const char *expected)
{
    FILE *out = fmemopen(written, sizeof written, "w");

    json_text(out, text);
    fclose(out);
    assert_string_equal(written, expected);
}

static void expect_number(double number, const char *expected)
{
    FILE *out = fmemopen(written, sizeof written, "w");

    json_number(out, number);
    fclose(out);
    assert_string_equal(written, expected);
    assert_true(strtod(written, NULL) == number);
}

TEST(a_text_is_quoted_and_no_text_is_null)
{
    expect_text("plain", "\"plain\"");
    expect_text("", "\"\"");
    expect_text(NULL, "null");
}

TEST(quotes_backslashes_and_controls_are_escaped)
{
    expect_text("a\"b\\c", "\"a\\\"b\\\\c\"");
    expect_text("\n\x1f ~\x7f", "\"\\u000a\\u001f ~\\u007f\"");
}

TEST(utf8_stays_as_it_is)
{
    expect_text("\u00e9\u20ac\U0001f600", "\"\u00e9\u20ac\U0001f600\"");
}

TEST(each_byte_that_is_not_utf8_is_replaced)
{
    expect_text("a\xff\xfe z", "\"a\\ufffd\\ufffd z\"");
    expect_text("\xe2\x82", "\"\\ufffd\\ufffd\"");
    expect_text("\xc0\x80", "\"\\ufffd\\ufffd\"");
    expect_text("\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"");
    expect_text("\x80", "\"\\ufffd\"");
}

TEST(a_number_has_the_fewest_digits_that_give_it_back)
{
    expect_number(0, "0");
    expect_number(50, "50");
    expect_number(0.1, "0.1");
    expect_number(100.0 / 3, "33.333333333333336");
    expect_number(1e300, "1e+300");
    expect_number(5e-324, "4.94065645841247e-324");
}
