/*
 * escape: foreign texts, made safe for one format.
 *
 * A text of an object's file or a database holds any bytes.  What a format
 * cannot have becomes U+FFFD, or "?" where people read it in a terminal.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "report/report.h"
#include "text.h"

#define REPLACEMENT "\xef\xbf\xbd"

/* Writes a text with references for what has a meaning in markup. */
static void write_markup(FILE *out, const char *text,
                         bool (*is_bad)(const char *text, size_t n))
{
    static const char special[] = "&<>\"'";
    static const char *const references[] = {"&amp;", "&lt;", "&gt;", "&quot;",
                                             "&#39;"};
    const char *c;

    while (*text != '\0') {
        size_t n = utf8_length(text);

        if (n == 1 && (c = strchr(special, *text)) != NULL)
            fputs(references[c - special], out);
        else if (n == 0 || is_bad(text, n))
            fputs(REPLACEMENT, out);
        else
            fwrite(text, 1, n, out);
        text += n > 0 ? n : 1;
    }
}

static bool is_control(const char *text, size_t n)
{
    (void)n;
    return text_control_length(text) > 0;
}

void report_safe_html(FILE *out, const char *text)
{
    write_markup(out, text, is_control);
}

/* XML 1.0 has no control characters but three, and not two noncharacters. */
static bool is_not_xml(const char *text, size_t n)
{
    return (is_control(text, n) && *text != '\n') ||
           (n == 3 && (strncmp(text, "\xef\xbf\xbe", 3) == 0 ||
                       strncmp(text, "\xef\xbf\xbf", 3) == 0));
}

void report_safe_xml(FILE *out, const char *text)
{
    write_markup(out, text, is_not_xml);
}

/* In a table or a paragraph nothing of it is markup. */
void report_safe_markdown(FILE *out, const char *text)
{
    char *safe = memory_text(text);

    text_make_safe(safe);
    for (const char *c = safe; *c != '\0'; c++) {
        if (strchr("|<`*[\\", *c) != NULL)
            fputc('\\', out);
        fputc(*c, out);
    }
    free(safe);
}

/* The most backticks in a row. */
static size_t longest_fence(const char *text)
{
    size_t longest = 0, n;

    for (; *text != '\0'; text += n > 0 ? n : 1) {
        n = strspn(text, "`");
        longest = n > longest ? n : longest;
    }
    return longest;
}

/* GitHub and GitLab cut tables at "|", which is escaped even in code. */
void report_safe_code(FILE *out, const char *text)
{
    size_t fence = longest_fence(text) + 1;
    const char *blank = fence > 1 ? " " : "";

    for (size_t i = 0; i < fence; i++)
        fputc('`', out);
    fputs(blank, out);
    while (*text != '\0') {
        size_t n = strcspn(text, "|");
        char *part = memory_text(text);

        part[n] = '\0';
        text_make_safe(part);
        fputs(part, out);
        free(part);
        text += n;
        if (*text == '|') {
            fputs("\\|", out);
            text++;
        }
    }
    fputs(blank, out);
    for (size_t i = 0; i < fence; i++)
        fputc('`', out);
}

char *report_safe_utf8(const char *text)
{
    struct memory_stream safe;

    memory_stream_open(&safe);
    while (*text != '\0') {
        size_t n = utf8_length(text);

        if (n == 0)
            fputs(REPLACEMENT, safe.out);
        else
            fwrite(text, 1, n, safe.out);
        text += n > 0 ? n : 1;
    }
    return memory_stream_close(&safe);
}
