/* Strict numbers, UTF-8, what a terminal may not see, and texts and numbers
   quoted for a shell and for JSON. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "output.h"

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

TEST(text_that_is_no_number_is_refused_and_leaves_the_value)
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
    static const struct {
        const char *text;
        double value;
    } good[] = {{"0", 0}, {"99.5%", 99.5}, {"57.6", 57.6}, {"100.000", 100}};
    static const char *const none[] = {"100.1", "101",   "-1",  "1.",
                                       ".5",    "1.0x1", "nan", "%"};
    double value = -1;

    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(num_parse_percent(good[i].text, &value));
        assert_true(value == good[i].value);
    }
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        assert_false(num_parse_percent(none[i], &value));
    assert_true(value == 100);
}

TEST(the_length_of_a_utf8_sequence_is_that_of_unicodes_table_3_7)
{
    static const struct {
        const char *text;
        size_t length;
    } cases[] = {
        {"", 1},
        {"\x7f", 1},
        {"\x80", 0},
        {"\xc1\xbf", 0},
        {"\xc2\x80", 2},
        {"\xdf\xbf", 2},
        {"\xdf\xc0", 0},
        {"\xe0\x9f\xbf", 0},
        {"\xe0\xa0\x80", 3},
        {"\xec\xbf\xbf", 3},
        {"\xec\xbf\xc0", 0},
        {"\xed\x9f\xbf", 3},
        {"\xee\x80\x80", 3},
        {"\xef\xbf\xbf", 3},
        {"\xf0\x8f\xbf\xbf", 0},
        {"\xf0\x90\x80\x80", 4},
        {"\xf3\xbf\xbf\xbf", 4},
        {"\xf4\x8f\xbf\xbf", 4},
        {"\xf4\x90\x80\x80", 0},
        {"\xf4\x8f\xbf", 0},
        {"\xf5\x80\x80\x80", 0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(utf8_length(cases[i].text), cases[i].length);
}

static const struct {
    const char *text, *safe;
} cases[] = {
    {"", ""},
    {"a file.c", "a file.c"},
    {"\033[31mred\r\n\t", "?[31mred???"},
    {"\x01\x1f ~\x7f", "?? ~?"},
    {"\u00e9\u20ac\U0001f600", "\u00e9\u20ac\U0001f600"},
    {"a\xc2\x9bz", "a?z"},      /* U+009B begins a command */
    {"a\xc2\x80z", "a?z"},      /* U+0080 is the first such character */
    {"a\xc2\x9fz", "a?z"},      /* U+009F is the last such character */
    {"\xc2\xa0z", "\xc2\xa0z"}, /* U+00A0 is a space */
    {"a\x80 \x9f", "a? ?"},
    {"\xe2\x86\x92", "\xe2\x86\x92"}, /* an arrow has the byte 0x86 */
    {"\xe2\x86", "\xe2?"},            /* half an arrow: 0x86 without the rest */
    {"\xe0\x82\x9b", "\xe0??"},       /* U+009B in too many bytes */
    {"\xc2", "\xc2"},
    {"caf\xe9", "caf\xe9"}, /* Latin-1 */
};

TEST(control_characters_are_replaced)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text = strdup(cases[i].text);

        text_make_safe(text);
        assert_string_equal(text, cases[i].safe);
        free(text);
    }
}

TEST(control_characters_are_not_written)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *written;
        size_t size;
        FILE *out = open_memstream(&written, &size);

        terminal_write(out, cases[i].text);
        assert_int_equal(fclose(out), 0);
        assert_string_equal(written, cases[i].safe);
        free(written);
    }
}

TEST(a_message_has_no_control_characters)
{
    struct diag d;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(diag_set(&d, "%s", cases[i].text), -1);
        assert_string_equal(d.text, cases[i].safe);
    }
}

TEST(a_pattern_matches_the_whole_text)
{
    static const char *const match[][2] = {
        {"", ""},       {"", "*"},         {"", "**"},
        {"a", "a"},     {"a", "?"},        {"a", "*"},
        {"a", "*a*"},   {"abc", "a*c"},    {"abc", "*c"},
        {"abc", "a*"},  {"abcbc", "a*bc"}, {"ababac", "*abac"},
        {"abc", "?*?"}, {"a*", "a*"},      {"mississippi", "m*i*s?p*i"},
        {"[a]", "[a]"}, {"\\", "\\"},      {"aXbXc", "*X*X*"},
    };
    static const char *const differ[][2] = {
        {"", "?"},     {"", "a"},         {"a", ""},        {"a", "aa"},
        {"a", "b"},    {"ab", "a"},       {"ab", "b"},      {"ab", "?"},
        {"abc", "c*"}, {"abc", "*b"},     {"a", "?*?"},     {"a", "[a]"},
        {"*", "\\*"},  {"abac", "*abab"}, {"aXb", "*X*X*"}, {"A", "a"},
    };

    for (size_t i = 0; i < sizeof match / sizeof match[0]; i++)
        assert_true(text_matches(match[i][0], match[i][1]));
    for (size_t i = 0; i < sizeof differ / sizeof differ[0]; i++)
        assert_false(text_matches(differ[i][0], differ[i][1]));
}

/* A matcher that recurses at each `*` would not end in time. */
TEST(a_pattern_of_many_stars_takes_little_time)
{
    char text[10001], pattern[2002] = "";

    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    for (size_t i = 0; i < 1000; i++)
        strcpy(pattern + 2 * i, "*a");
    assert_true(text_matches(text, pattern));
    strcpy(pattern + 2000, "b");
    assert_false(text_matches(text, pattern));
}

TEST(texts_begin_and_end_with_others_and_with_all_of_themselves)
{
    static const char *const list[] = {"vadd", "add", NULL};

    assert_true(text_begins("kernel", "ker") && text_begins("ker", "ker"));
    assert_true(text_begins("", "") && !text_begins("ke", "ker"));
    assert_true(text_ends("a.json", ".json") && text_ends(".json", ".json"));
    assert_true(!text_ends("json", ".json") && !text_ends("a.jsonl", ".json"));
    assert_true(text_is_any("add", list) && !text_is_any("addq", list));
    assert_false(text_is_any("ad", list));
    assert_int_equal(text_begins_any("addq", list), 3);
    assert_int_equal(text_begins_any("vaddps", list), 4);
    assert_int_equal(text_begins_any("padd", list), 0);
}

TEST(the_distance_counts_changes_of_a_name)
{
    assert_int_equal(text_distance("kernel", "Kernel"), 0);
    assert_int_equal(text_distance("kernel", "kern"), 2);
    assert_int_equal(text_distance("", "kern"), 4);
    assert_int_equal(text_distance("sitting", "kitten"), 3);
}

/* --- The shell --- */

/* The output of a writer for a text. */
static const char *written_by(void (*write)(FILE *out, const char *text),
                              const char *text)
{
    static char written[256];
    FILE *out = fmemopen(written, sizeof written, "w");

    assert_non_null(out);
    write(out, text);
    assert_int_equal(fclose(out), 0);
    return written;
}

TEST(only_words_that_a_shell_would_change_have_quotes)
{
    static const char *const cases[][2] = {
        {"/usr/lib/libc.so.6", "/usr/lib/libc.so.6"},
        {"--format=html", "--format=html"},
        {"A=b", "'A=b'"}, /* an assignment */
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(written_by(shell_word, cases[i][0]), cases[i][1]);
}

TEST(a_command_has_the_name_of_its_program_and_quoted_words)
{
    char *const argv[] = {"/opt/my bin/depbound", "--top=1", "a b", NULL};
    char *command = shell_command(3, argv);

    assert_string_equal(command, "depbound --top=1 'a b'");
    free(command);
}

TEST(the_shell_reads_the_text_again)
{
    static const char *const texts[] = {
        "",  "a b", "it's", "$HOME", "`ls`",         "\\",   "a\nb", "*",
        "~", "'",   "\"",   "a;b",   "\xc3\xa9\xff", "-a=b", "a=b",  "=ls",
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char *command, read[64] = "";
        FILE *in;

        assert_true(asprintf(&command, "printf %%s %s",
                             written_by(shell_word, texts[i])) > 0);
        in = popen(command, "r");
        assert_non_null(in);
        fread(read, 1, sizeof read - 1, in);
        assert_int_equal(pclose(in), 0);
        assert_string_equal(read, texts[i]);
        free(command);
    }
}

/* --- JSON --- */

TEST(a_text_of_json_is_quoted_and_utf8)
{
    static const struct {
        const char *text, *json;
    } cases[] = {
        {"plain", "\"plain\""},
        {"", "\"\""},
        {NULL, "null"},
        {"a\"b\\c", "\"a\\\"b\\\\c\""},
        {"\n\x1f ~\x7f", "\"\\u000a\\u001f ~\\u007f\""},
        {"\u00e9\u20ac\U0001f600", "\"\u00e9\u20ac\U0001f600\""},
        /* Each byte that is not UTF-8 is replaced. */
        {"a\xff\xfe z", "\"a\\ufffd\\ufffd z\""},
        {"\xe2\x82", "\"\\ufffd\\ufffd\""},
        {"\xc0\x80", "\"\\ufffd\\ufffd\""},
        {"\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""},
        {"\x80", "\"\\ufffd\""},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(written_by(json_text, cases[i].text),
                            cases[i].json);
}

TEST(a_number_of_json_has_the_fewest_digits_that_give_it_back)
{
    static const struct {
        double number;
        const char *json;
    } cases[] = {
        {0, "0"},          {50, "50"},
        {0.1, "0.1"},      {100.0 / 3, "33.333333333333336"},
        {1e300, "1e+300"}, {5e-324, "4.94065645841247e-324"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char written[64];
        FILE *out = fmemopen(written, sizeof written, "w");

        json_number(out, cases[i].number);
        fclose(out);
        assert_string_equal(written, cases[i].json);
        assert_true(strtod(written, NULL) == cases[i].number);
    }
}
