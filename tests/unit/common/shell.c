/*
 * shell: a shell reads a quoted word as the original text.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "quote.h"

/* The word of a text; the caller frees. */
static char *word_of(const char *text)
{
    char *word = NULL;
    size_t size;
    FILE *out = open_memstream(&word, &size);

    assert_non_null(out);
    shell_word(out, text);
    assert_int_equal(fclose(out), 0);
    return word;
}

TEST(a_plain_text_has_no_quotes)
{
    char *word = word_of("/usr/lib/libc.so.6");

    assert_string_equal(word, "/usr/lib/libc.so.6");
    free(word);
}

TEST(an_option_with_a_value_has_no_quotes_but_an_assignment_does)
{
    char *option = word_of("--format=html"), *assignment = word_of("A=b");

    assert_string_equal(option, "--format=html");
    assert_string_equal(assignment, "'A=b'");
    free(option);
    free(assignment);
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
        char *word = word_of(texts[i]), *command, read[64] = "";
        FILE *in;

        assert_true(asprintf(&command, "printf %%s %s", word) > 0);
        in = popen(command, "r");
        assert_non_null(in);
        fread(read, 1, sizeof read - 1, in);
        assert_int_equal(pclose(in), 0);
        assert_string_equal(read, texts[i]);
        free(command);
        free(word);
    }
}
