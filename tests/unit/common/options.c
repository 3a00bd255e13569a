/*
 * Option tables.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include "num.h"
#include "options.h"

struct settings {
    uint64_t size;
    bool is_quiet;
    const char *missed;
    const char *bar;
};

static int set_size(void *options, const char *value, struct diag *d)
{
    struct settings *s = options;

    return num_parse(value, &s->size) ? 0 : diag_set(d, "not a number");
}

static int set_quiet(void *options, const char *value, struct diag *d)
{
    (void)value, (void)d;
    ((struct settings *)options)->is_quiet = true;
    return 0;
}

static int set_missed(void *options, const char *value, struct diag *d)
{
    (void)d;
    ((struct settings *)options)->missed = value != NULL ? value : "all";
    return 0;
}

static int set_bar(void *options, const char *value, struct diag *d)
{
    (void)d;
    ((struct settings *)options)->bar = value;
    return 0;
}

static const struct option_def table[] = {
    {"size", 's', "N", "the size", set_size},
    {"quiet", 'q', NULL, "say nothing", set_quiet},
    {"missed", 0, "[=N]", "list what was missed", set_missed},
    {"bar", 0, "[L:]P", "fail below it", set_bar},
    {NULL, 0, NULL, NULL, NULL},
};
static const struct program program = {.name = "prog",
                                       .usage = "FILE",
                                       .summary = "Does it.",
                                       .licence = "its own",
                                       .options = table};

static enum options_result parse(struct settings *s, int *first, struct diag *d,
                                 char *a, char *b, char *c)
{
    char *argv[] = {"prog", a, b, c, NULL};
    int argc = 1;

    while (argv[argc] != NULL)
        argc++;
    *s = (struct settings){0};
    return options_parse(&program, s, argc, argv, first, d);
}

TEST(options_after_the_first_operand_are_left_if_only_those_before_it_count)
{
    char *argv[] = {"prog", "-s", "7", "file", "-q", NULL};
    struct settings s = {0};
    struct diag d;
    int first;

    assert_int_equal(options_parse_before(&program, &s, 5, argv, &first, &d),
                     OPTIONS_RUN);
    assert_int_equal(s.size, 7);
    assert_false(s.is_quiet);
    assert_int_equal(first, 3);
    assert_string_equal(argv[4], "-q");
}

TEST(long_and_short_options_set_values_wherever_they_stand)
{
    struct settings s;
    struct diag d;
    int first;

    assert_int_equal(parse(&s, &first, &d, "--size=12", "-q", "file"),
                     OPTIONS_RUN);
    assert_int_equal(s.size, 12);
    assert_true(s.is_quiet);
    assert_int_equal(first, 3);
    assert_int_equal(parse(&s, &first, &d, "file", "-s", "7"), OPTIONS_RUN);
    assert_int_equal(s.size, 7);
    assert_int_equal(first, 3);
}

TEST(an_optional_argument_may_be_left_out)
{
    struct settings s;
    struct diag d;
    int first;

    assert_int_equal(parse(&s, &first, &d, "--missed", "5", NULL), OPTIONS_RUN);
    assert_string_equal(s.missed, "all");
    assert_int_equal(first, 2);
    assert_int_equal(parse(&s, &first, &d, "--missed=5", NULL, NULL),
                     OPTIONS_RUN);
    assert_string_equal(s.missed, "5");
}

TEST(an_argument_with_an_optional_part_may_not_be_left_out)
{
    struct settings s;
    struct diag d;
    int first;

    assert_int_equal(parse(&s, &first, &d, "--bar", "5", NULL), OPTIONS_RUN);
    assert_string_equal(s.bar, "5");
    assert_int_equal(parse(&s, &first, &d, "--bar", NULL, NULL), OPTIONS_BAD);
    assert_string_equal(d.text, "--bar: needs an argument");
}

static void refused(char *a, const char *message)
{
    struct settings s;
    struct diag d;
    int first;

    assert_int_equal(parse(&s, &first, &d, a, NULL, NULL), OPTIONS_BAD);
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
    refused("--size=big", "--size=big: not a number");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            options_after_the_first_operand_are_left_if_only_those_before_it_count),
        cmocka_unit_test(long_and_short_options_set_values_wherever_they_stand),
        cmocka_unit_test(an_optional_argument_may_be_left_out),
        cmocka_unit_test(an_argument_with_an_optional_part_may_not_be_left_out),
        cmocka_unit_test(a_bad_option_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
