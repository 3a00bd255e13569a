/* Option tables. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "options.h"

enum colour { RED = 1, BLUE };

struct settings {
    uint64_t size;
    bool is_quiet, is_last;
    const char *missed, *bar, *file;
    double most, share;
    unsigned n;
    enum colour colour;
};

static const char *const colours[] = {"", "red", "blue", NULL};
static const char *const ends[] = {"first", "last", NULL};

static int set_missed(void *to, const char *value, struct diag *d)
{
    (void)d;
    *(const char **)to = value != NULL ? value : "all";
    return 0;
}

static int set_both(void *options, const char *value, struct diag *d)
{
    struct settings *s = options;

    s->bar = s->file = value;
    return value[0] != '-' ? 0 : diag_set(d, "is no name");
}

#define AT(member) OPTION_AT(struct settings, member)

static const struct option_def table[] = {
    {"size", 's', "N", "the size", OPTION_NUMBER, AT(size), .max = INT64_MAX},
    {"quiet", 'q', NULL, "say nothing", OPTION_FLAG, AT(is_quiet)},
    {"missed", 0, "[=N]", "list what was missed", AT(missed),
     .set = set_missed},
    {"bar", 0, "[L:]P", "fail below it", OPTION_TEXT, AT(bar)},
    {"file", 0, "FILE", "read it", OPTION_FILE, AT(file)},
    {"most", 0, "P", "at most that", OPTION_PERCENT, AT(most)},
    {"share", 0, "P", "at least that", OPTION_SHARE, AT(share)},
    {"number", 0, "N", "so many", OPTION_NUMBER, AT(n), .min = 1, .max = 9},
    {"colour", 0, "C", "its colour", OPTION_WORD, AT(colour), .words = colours},
    {"end", 0, "END", "which one", OPTION_WORD, AT(is_last), .words = ends},
    {"both", 0, "NAME", "bar and file", .set = set_both},
    {0},
};
static const struct program program = {.name = "prog",
                                       .usage = "FILE",
                                       .summary = "Does it.",
                                       .licence = "its own",
                                       .options = table};

/* The settings and the message that parsing left. */
static struct settings s;
static struct diag d;
static int first;

static enum options_result parse(char *a, char *b, char *c)
{
    char *argv[] = {"prog", a, b, c, NULL};
    int argc = 1;

    while (argv[argc] != NULL)
        argc++;
    s = (struct settings){0};
    return options_parse(&program, &s, argc, argv, &first, &d);
}

TEST(options_after_the_first_operand_are_left_if_only_those_before_it_count)
{
    char *argv[] = {"prog", "-s", "7", "file", "-q", NULL};
    struct program before = program;

    before.ends_at_operand = true;
    s = (struct settings){0};
    assert_int_equal(options_parse(&before, &s, 5, argv, &first, &d),
                     OPTIONS_RUN);
    assert_int_equal(s.size, 7);
    assert_false(s.is_quiet);
    assert_int_equal(first, 3);
    assert_string_equal(argv[4], "-q");
}

TEST(long_and_short_options_set_values_wherever_they_stand)
{
    assert_int_equal(parse("--size=12", "-q", "file"), OPTIONS_RUN);
    assert_int_equal(s.size, 12);
    assert_true(s.is_quiet);
    assert_int_equal(first, 3);
    assert_int_equal(parse("file", "-s", "7"), OPTIONS_RUN);
    assert_int_equal(s.size, 7);
    assert_int_equal(first, 3);
}

TEST(an_optional_argument_may_be_left_out)
{
    assert_int_equal(parse("--missed", "5", NULL), OPTIONS_RUN);
    assert_string_equal(s.missed, "all");
    assert_int_equal(first, 2);
    assert_int_equal(parse("--missed=5", NULL, NULL), OPTIONS_RUN);
    assert_string_equal(s.missed, "5");
}

TEST(an_argument_with_an_optional_part_may_not_be_left_out)
{
    assert_int_equal(parse("--bar", "5", NULL), OPTIONS_RUN);
    assert_string_equal(s.bar, "5");
    assert_int_equal(parse("--bar", NULL, NULL), OPTIONS_BAD);
    assert_string_equal(d.text, "--bar: needs an argument");
}

static void refused(char *a, const char *message)
{
    assert_int_equal(parse(a, NULL, NULL), OPTIONS_BAD);
    assert_string_equal(d.text, message);
}

TEST(a_bad_option_is_named)
{
    refused("--sice=3",
            "--sice: unknown or ambiguous option; did you mean --size?");
    refused("--nothing-like-it",
            "--nothing-like-it: unknown or ambiguous option");
    refused("-x", "-x: unknown or ambiguous option");
    refused("--size", "--size: needs an argument");
    refused("-s", "-s: needs an argument");
    refused("--quiet=1", "--quiet: takes no argument");
    refused("--size=big", "--size=big: must be a number");
}

TEST(a_value_is_stored_as_its_kind_says)
{
    parse("--file=x", "--most=12.5%", "--share=25");
    assert_string_equal(s.file, "x");
    assert_true(s.most == 12.5 && s.share == 0.25);
    parse("--number=9", "--colour=blue", "--end=last");
    assert_int_equal(s.n, 9);
    assert_int_equal(s.colour, BLUE);
    assert_true(s.is_last);
    assert_false(s.is_quiet);
    assert_int_equal(parse("--both=a", "--bar=", "--end=first"), OPTIONS_RUN);
    assert_string_equal(s.file, "a");
    assert_string_equal(s.bar, "");
    assert_false(s.is_last);
}

TEST(a_value_that_its_kind_does_not_allow_is_refused)
{
    refused("--file=", "--file=: a file name is missing");
    refused("--most=101", "--most=101: must be a percentage from 0 to 100");
    refused("--share=x", "--share=x: must be a percentage from 0 to 100");
    refused("--number=0", "--number=0: must be from 1 to 9");
    refused("--number=10", "--number=10: must be from 1 to 9");
    refused("--number=-1", "--number=-1: must be a number");
    refused("--colour=", "--colour=: must be red or blue");
    refused("--colour=green", "--colour=green: must be red or blue");
    refused("--end=la", "--end=la: must be first or last");
    refused("--both=-", "--both=-: is no name");
}
