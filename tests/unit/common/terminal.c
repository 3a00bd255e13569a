/* What a terminal shows of text: columns, shortened names, folded lines. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include <fcntl.h>
#include <unistd.h>

#include "output.h"

static char text[100];

static void cut(const char *name, size_t columns, const char *want)
{
    FILE *out = fmemopen(text, sizeof text, "w");

    text[0] = '\0'; /* stays if nothing is written */
    terminal_cut(out, name, columns);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(text, want);
}

static void fold(const char *line, size_t indent, unsigned width,
                 const char *want)
{
    FILE *out = fmemopen(text, sizeof text, "w");

    terminal_fold(out, line, indent, width);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(text, want);
}

TEST(a_character_takes_a_column)
{
    assert_int_equal(terminal_columns(""), 0);
    assert_int_equal(terminal_columns("abc"), 3);
    assert_int_equal(terminal_columns("a\xc3\xa9z"), 3);
    assert_int_equal(terminal_columns("\xe2\x86\x92"), 1);
}

TEST(colours_take_no_column)
{
    assert_int_equal(terminal_columns("\033[1mab\033[m"), 2);
    assert_int_equal(terminal_columns("a\033[31;1m"), 1);
    assert_int_equal(terminal_columns("\033["), 0);
}

TEST(text_that_fits_is_not_cut)
{
    cut("abcdef", 6, "abcdef");
    cut("abcdef", 0, "abcdef");
    cut("", 4, "");
}

TEST(text_that_is_cut_ends_in_dots)
{
    cut("abcdefg", 6, "abc...");
    cut("abcdefg", 4, "a...");
    cut("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 4, "\xc3\xa9...");
}

TEST(lines_break_at_blanks)
{
    fold("  one two three\n", 4, 10, "  one two\n    three\n");
    fold("  one two three\n", 4, 9, "  one two\n    three\n");
    fold("  one two three\n", 4, 15, "  one two three\n");
    fold("a  b", 2, 3, "a\n  b");
    fold("one two\nthree four\n", 2, 8, "one two\nthree\n  four\n");
}

TEST(a_word_that_is_too_long_stays_whole)
{
    fold("unbreakable\n", 2, 5, "unbreakable\n");
    fold("a unbreakable b\n", 2, 5, "a\n  unbreakable\n  b\n");
}

TEST(without_a_terminal_nothing_breaks)
{
    fold("  one  two three \n", 4, 0, "  one  two three \n");
}

TEST(the_room_of_a_column_is_what_the_others_leave)
{
    assert_int_equal(terminal_room(80, 60, 12), 20);
    assert_int_equal(terminal_room(80, 70, 12), 12);
    assert_int_equal(terminal_room(80, 90, 12), 12);
    assert_int_equal(terminal_room(0, 60, 12), 0);
}

TEST(a_file_has_no_width)
{
    int fd = open("/dev/null", O_WRONLY);

    assert_int_not_equal(fd, -1);
    assert_int_equal(setenv("COLUMNS", "30", 1), 0);
    assert_int_equal(setenv("TERM", "xterm", 1), 0);
    assert_int_equal(terminal_width(fd), 0);
    assert_false(terminal_has_colour(fd));
    assert_int_equal(close(fd), 0);
}

TEST(a_terminal_has_a_width)
{
    int fd = posix_openpt(O_RDWR | O_NOCTTY);

    if (fd < 0 || !isatty(fd))
        skip();
    assert_int_equal(setenv("COLUMNS", "30", 1), 0);
    assert_int_equal(terminal_width(fd), 30);
    assert_int_equal(setenv("COLUMNS", "0", 1), 0);
    assert_int_equal(terminal_width(fd), 80);
    assert_int_equal(setenv("COLUMNS", "wide", 1), 0);
    assert_int_equal(terminal_width(fd), 80);
    assert_int_equal(unsetenv("COLUMNS"), 0);
    assert_int_equal(terminal_width(fd), 80);
    assert_int_equal(setenv("TERM", "xterm", 1), 0);
    assert_int_equal(unsetenv("NO_COLOR"), 0);
    assert_true(terminal_has_colour(fd));
    assert_int_equal(setenv("NO_COLOR", "1", 1), 0);
    assert_false(terminal_has_colour(fd));
    assert_int_equal(close(fd), 0);
}
