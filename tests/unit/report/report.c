/* Reports: values and foreign texts in each format. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "occurrence.h"
#include "report/report.h"

/* --- Foreign texts --- */

struct safe_case {
    const char *text, *safe;
};

static void check_safe(void (*write)(FILE *out, const char *text),
                       const struct safe_case *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char *safe;
        struct memory_stream stream = memory_stream_open(&stream);

        write(stream.out, cases[i].text);
        safe = memory_stream_close(&stream);
        assert_string_equal(safe, cases[i].safe);
        free(safe);
    }
}

#define CHECK_SAFE(write, ...)                                    \
    do {                                                          \
        static const struct safe_case cases[] = {__VA_ARGS__};    \
                                                                  \
        check_safe(write, cases, sizeof cases / sizeof cases[0]); \
    } while (0)

TEST(html_has_no_markup_and_no_control_characters)
{
    CHECK_SAFE(report_safe_html, {"a<b>&\"'", "a&lt;b&gt;&amp;&quot;&#39;"},
               {"\x1b[m\xc2\x9b\x9b", "\xef\xbf\xbd[m\xef\xbf\xbd\xef\xbf\xbd"},
               {"\xc3\xa9", "\xc3\xa9"});
}

TEST(xml_has_line_ends_but_no_noncharacters)
{
    CHECK_SAFE(report_safe_xml, {"a\nb\x01", "a\nb\xef\xbf\xbd"},
               {"\xef\xbf\xbe\xef\xbf\xbf", "\xef\xbf\xbd\xef\xbf\xbd"});
}

TEST(a_code_span_of_markdown_ends_where_it_is_meant_to)
{
    CHECK_SAFE(report_safe_code, {"a", "`a`"}, {"a`b", "`` a`b ``"},
               {"``", "``` `` ```"}, {"a|b", "`a\\|b`"}, {"\x1b", "`?`"});
}

TEST(a_text_of_markdown_has_no_markup)
{
    CHECK_SAFE(report_safe_markdown,
               {"a|b<c>`d`*[e](f)\\", "a\\|b\\<c>\\`d\\`\\*\\[e](f)\\\\"});
}

/* --- A table of all kinds of values, in each format --- */

static void fill(struct report_row *row, const void *from, size_t i)
{
    static const uint64_t counts[] = {1, 2};

    (void)from;
    report_text(row, R_BOTH("name", "name", .flags = R_LEFT),
                i == 0 ? "first" : "x");
    report_count(row, R_BOTH("count", "count", .unit = "all"), 1000 * i + 7);
    report_ratio(row, R_BOTH("share", "share", .unit = "all"), i, 1000);
    report_bound(row, R_BOTH("bound", "at.bound"), i == 0 ? 512 : LIFETIME_INF);
    report_address(row, R_KEY("at.address"), 0x1f);
    report_real(row, R_KEY("real"), i == 0 ? 2 : 0.1);
    report_counts(row, R_KEY("counts"), counts, i + 1);
    report_none(row, R_KEY("none"));
    if (i > 0)
        report_bool(row, R_KEY("absent"), true);
    report_text(row, R_SEEN("note", .flags = R_LEFT | R_RAGGED),
                i == 0 ? NULL : "a\tnote");
}

static char *written(enum report_format format, struct report_table table)
{
    struct report r = {.format = format};
    struct memory_stream stream = memory_stream_open(&stream);

    r.out = stream.out;
    report_begin(&r);
    report_table(&r, &table);
    report_end(&r);
    return memory_stream_close(&stream);
}

static void check(enum report_format format, const char *expected)
{
    char *text = written(
        format, REPORT_TABLE(2, fill, NULL, .key = "list", .is_plain = true));

    assert_string_equal(text, expected);
    free(text);
}

TEST(text_has_columns_as_wide_as_their_values)
{
    check(REPORT_TEXT, "\n"
                       "       --- all ----\n"
                       "name   count  share  bound  note\n"
                       "first      7   0.0%    512\n"
                       "x       1007   0.1%    inf  a?note\n");
}

TEST(markdown_says_the_unit_in_the_heading)
{
    check(REPORT_MARKDOWN, "| name | all count | all share | bound | note |\n"
                           "|---|---:|---:|---:|---|\n"
                           "| first | 7 | 0.0% | 512 |  |\n"
                           "| x | 1007 | 0.1% | inf | a?note |\n");
}

TEST(json_has_objects_within_objects_and_null)
{
    check(REPORT_JSON,
          "{\n  \"list\": [\n"
          "    {\"name\": \"first\", \"count\": 7, \"share\": 0, \"at\": "
          "{\"bound\": 512, \"address\": \"0x1f\"}, \"real\": 2, \"counts\": "
          "[1], \"none\": null},\n"
          "    {\"name\": \"x\", \"count\": 1007, \"share\": 0.1, \"at\": "
          "{\"bound\": \"inf\", \"address\": \"0x1f\"}, \"real\": 0.1, "
          "\"counts\": [1, 2], \"none\": null, \"absent\": true}\n"
          "  ]\n}\n");
}

TEST(html_has_what_a_column_is_sorted_by)
{
    char *text = written(REPORT_HTML, REPORT_TABLE(1, fill, NULL));

    assert_non_null(strstr(text, "<td class='n' data-v=7>7</td>"
                                 "<td class='n' data-v=0>0.0%</td>"
                                 "<td class='n' data-v=512>512</td>"));
    free(text);
}

static void fill_grouped(struct report_row *row, const void *from, size_t i)
{
    (void)from;
    report_printf(row, R_KEY("name"), "%zu", i / 2);
    report_count(row, R_KEY("count", .flags = R_INNER), i);
}

TEST(json_puts_rows_that_belong_together_into_a_list)
{
    char *text =
        written(REPORT_JSON, REPORT_TABLE(4, fill_grouped, NULL, .key = "all",
                                          .inner = "parts", .n_inner = 2));

    assert_string_equal(text, "{\n  \"all\": [\n"
                              "    {\"name\": \"0\", \"parts\": [\n"
                              "      {\"count\": 0},\n"
                              "      {\"count\": 1}\n    ]},\n"
                              "    {\"name\": \"1\", \"parts\": [\n"
                              "      {\"count\": 2},\n"
                              "      {\"count\": 3}\n    ]}\n"
                              "  ]\n}\n");
    free(text);
}

TEST(a_ratio_reads_as_all_or_nothing_only_if_it_is)
{
    assert_string_equal(report_ratio_text(99999, 100000).text, "99.9%");
    assert_string_equal(report_ratio_text(1, 100000).text, "0.1%");
    assert_string_equal(report_ratio_text(0, 0).text, "no data");
}

TEST(bytes_that_are_no_utf8_are_replaced_one_by_one)
{
    char *safe = report_safe_utf8("a\xff\xfe\xc3\xa9\xc3");

    assert_string_equal(safe, "a\xef\xbf\xbd\xef\xbf\xbd\xc3\xa9\xef\xbf\xbd");
    free(safe);
}
