/* Texts and numbers, quoted for a shell and for JSON. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "output.h"

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

/* --- The shell --- */

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
