/* The destination of an assignment, by its source line and the column of its
   "=". */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "code/cy_code.h"

/* Checks the destination; "@" marks the column; NULL: there is none. */
static void is(const char *marked, const char *expected)
{
    char line[128], text[16];
    size_t at = strcspn(marked, "@");
    bool told;

    memcpy(line, marked, at);
    strcpy(line + at, marked + at + (marked[at] == '@'));
    told = cy_assigned(line, (int)at + 1, text, sizeof text);
    assert_int_equal(told, expected != NULL);
    if (told)
        assert_string_equal(text, expected);
}

TEST(the_assigned_place_is_before_the_operator)
{
    is("    a[i] @= 1;", "a[i]");
    is("a[i][j - 1]@= 1;", "a[i][j - 1]");
    is("a[b[i]] @+= 1;", "a[b[i]]");
    is("for (;;) p->sum @-= x;", "p->sum");
    is("{ s.x[2].y @*= x;", "s.x[2].y");
    is("*p @/= 2;", "*p");
    is("x @<<= 2;", "x");
    is("x @>>= 2;", "x");
    is("y = 1, x @|= 2;", "x");
    is("\tx @%= y;", "x");
}

TEST(other_lines_assign_no_place)
{
    is("a[i] @== 1;", NULL);
    is("a[i] =@= 1;", NULL);
    is("a[i] !@= 1;", NULL);
    is("a[i] @<= 1;", NULL);
    is("a[i] <@= 1;", NULL);
    is("a[i] @>= 1;", NULL);
    is("a[i] @+ 1;", NULL);
    is("a[i] @++;", NULL);
    is("a[i] +@= 1;", NULL);
    is("f(x) @= 1;", NULL);
    is("] @= 1;", NULL);
    is("x] @= 1;", NULL);
    is("p->2 @= 1;", NULL);
    is("->x @= 1;", NULL);
    is("b + a[i] @= 1;", "a[i]");
    is("b+a[i] @= 1;", NULL);
    is("@= 1;", NULL);
    is("", NULL);
    is("a_very_long_name_of_it @= 1;", NULL);
}

TEST(a_column_outside_the_line_assigns_no_place)
{
    char text[16];

    assert_false(cy_assigned("x = 1;", 0, text, sizeof text));
    assert_false(cy_assigned("x = 1;", -1, text, sizeof text));
    assert_false(cy_assigned("x = 1;", 7, text, sizeof text));
    assert_true(cy_assigned("x = 1;", 3, text, sizeof text));
}
