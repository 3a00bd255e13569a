/*
 * Strict numbers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include "text.h"

static uint64_t parsed(const char *text)
{
    uint64_t value = 0xdead;

    assert_true(num_parse(text, &value));
    return value;
}

TEST(a_number_is_decimal_or_hexadecimal)
{
    assert_int_equal(parsed("0"), 0);
    assert_int_equal(parsed("007"), 7);
    assert_int_equal(parsed("0x401000"), 0x401000);
    assert_int_equal(parsed("0XfF"), 255);
    assert_true(parsed("18446744073709551615") == UINT64_MAX);
}

TEST(anything_else_is_refused_and_leaves_the_value)
{
    static const char *const bad[] = {"",
                                      " 1",
                                      "1 ",
                                      "-1",
                                      "+1",
                                      "1.0",
                                      "0x",
                                      "0xg",
                                      "1k",
                                      "x",
                                      "18446744073709551616"};
    uint64_t value = 42;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(num_parse(bad[i], &value));
    assert_int_equal(value, 42);
}

TEST(a_percentage_lies_between_0_and_100)
{
    double value = -1;

    assert_true(num_parse_percent("0", &value));
    assert_true(value == 0);
    assert_true(num_parse_percent("99.5%", &value));
    assert_true(value == 99.5);
    assert_true(num_parse_percent("57.6", &value));
    assert_true(value == 57.6);
    assert_true(num_parse_percent("100.000", &value));
    assert_true(value == 100);
    assert_false(num_parse_percent("100.1", &value));
    assert_false(num_parse_percent("101", &value));
    assert_false(num_parse_percent("-1", &value));
    assert_false(num_parse_percent("1.", &value));
    assert_false(num_parse_percent(".5", &value));
    assert_false(num_parse_percent("1.0x1", &value));
    assert_false(num_parse_percent("nan", &value));
    assert_false(num_parse_percent("%", &value));
    assert_true(value == 100);
}
