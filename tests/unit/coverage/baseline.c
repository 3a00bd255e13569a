/* A report of an earlier run is read again. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include <unistd.h>

#include "compare/cc_compare.h"

static struct cc_baseline b;
static struct diag d;

/* Reads a report with these members; the message follows the file's name. */
static int read_report(const char *members)
{
    char path[] = "/tmp/baseline.XXXXXX";
    FILE *f = fdopen(mkstemp(path), "w");
    int rc;

    assert_non_null(f);
    fprintf(f, "{\"scope\": \"block\", \"syntax\": \"att\", %s%s}", members,
            strstr(members, "all_missed") == NULL
                ? ", \"all_missed_dependencies\": []"
                : "");
    fclose(f);
    d.text[0] = '\0';
    rc = cc_baseline_read(&b, path, &d);
    unlink(path);
    if (rc != 0)
        memmove(d.text, d.text + strlen(path),
                strlen(d.text + strlen(path)) + 1);
    return rc;
}

#define LIFETIME(bound, u, w) \
    "{\"lifetime\": " bound ", \"cov_u\": " u ", \"cov_w\": " w "}"
#define REPORT(lifetimes, precision, found)                            \
    "\"lifetimes\": [" lifetimes "], \"precision\": " precision ", \"" \
    "found_dependencies\": [" found "]"
#define FOUND(object, src, line)                                           \
    "{\"object\": " object ", \"function\": null, \"function_line\": "     \
    "\"f.c:1\", \"src_line\": " line ", \"dst_line\": null, \"src\": " src \
    ", \"dst\": \"0x20\", \"function_start\": \"0x0\"}"

TEST(a_report_is_read_again)
{
    assert_int_equal(
        read_report(REPORT(
            LIFETIME("\"inf\"", "50", "null") ", " LIFETIME("1", "0", "100"),
            "12.5", FOUND("\"aa\"", "\"0x10\"", "\"f.c:2\""))),
        0);
    assert_int_equal(b.n_bounds, 2);
    assert_true(b.bounds[0].bound == LIFETIME_INF);
    assert_true(b.bounds[0].cov_u == 50);
    assert_true(isnan(b.bounds[0].cov_w));
    assert_int_equal(b.bounds[1].bound, 1);
    assert_true(b.bounds[1].cov_u == 0);
    assert_true(b.bounds[1].cov_w == 100);
    assert_true(b.precision == 12.5);
    assert_int_equal(b.n_dependencies, 1);
    assert_string_equal(b.dependencies[0].code.build_id, "aa");
    assert_null(b.dependencies[0].code.function);
    assert_int_equal(b.dependencies[0].verdict, CC_FOUND);
    assert_int_equal(b.dependencies[0].occurrences, 0);
    assert_string_equal(b.dependencies[0].src.line, "f.c:2");
    assert_null(b.dependencies[0].dst.line);
    assert_null(b.dependencies[0].src.insn);
    assert_int_equal(b.dependencies[0].src.column, 0);
    assert_int_equal(b.dependencies[0].src.address, 0x10);
    assert_int_equal(b.dependencies[0].dst.address, 0x20);
    cc_baseline_fini(&b);
    assert_int_equal(b.n_dependencies, 0);
}

TEST(missed_dependencies_are_read_once_in_order_of_addresses)
{
    char members[2048];

    snprintf(members, sizeof members, "%s, \"all_missed_dependencies\": [%s]",
             REPORT("", "1",
                    FOUND("\"aa\"", "\"0x30\"", "null") ", " FOUND(
                        "\"aa\"", "\"0x10\"",
                        "null") ", " FOUND("\"aa\"", "\"0x30\"", "null")),
             "{\"src_column\": 7, \"dst_column\": null, \"src_instruction\": "
             "\"nop\", \"dst_instruction\": null, \"occurrences\": 5, "
             "\"object\": \"aa\", \"function\": \"f\", \"function_line\": "
             "null, \"src_line\": null, \"dst_line\": null, \"src\": "
             "\"0x20\", \"dst\": \"0x20\", \"function_start\": \"0x0\"}");
    assert_int_equal(read_report(members), 0);
    assert_int_equal(b.n_dependencies, 3);
    assert_int_equal(b.dependencies[0].src.address, 0x10);
    assert_int_equal(b.dependencies[1].src.address, 0x20);
    assert_int_equal(b.dependencies[1].verdict, CC_MISSED);
    assert_int_equal(b.dependencies[1].occurrences, 5);
    assert_int_equal(b.dependencies[1].src.column, 7);
    assert_int_equal(b.dependencies[1].dst.column, 0);
    assert_string_equal(b.dependencies[1].src.insn, "nop");
    assert_null(b.dependencies[1].dst.insn);
    assert_int_equal(b.dependencies[2].src.address, 0x30);
    assert_int_equal(b.dependencies[2].verdict, CC_FOUND);
    cc_baseline_fini(&b);
}

/* Two dependencies that differ only in the object of the load are both kept. */
TEST(the_object_of_the_load_is_read)
{
    char members[2048];

    snprintf(members, sizeof members,
             "%s, \"objects\": [{\"build_id\": "
             "\"bb\", \"path\": \"/lib/b\"}]",
             REPORT("", "1",
                    FOUND("\"aa\"", "\"0x10\"", "null") ", " FOUND(
                        "\"aa\", \"dst_object\": \"bb\", \"dst_function\": "
                        "\"g\", \"dst_function_start\": \"0x7\", "
                        "\"dst_function_line\": null",
                        "\"0x10\"", "null")));
    assert_int_equal(read_report(members), 0);
    assert_int_equal(b.n_dependencies, 2);
    assert_null(b.dependencies[0].dst_code.build_id);
    assert_ptr_equal(cc_identity_dst_code(&b.dependencies[0]),
                     &b.dependencies[0].code);
    assert_string_equal(b.dependencies[1].dst_code.build_id, "bb");
    assert_string_equal(b.dependencies[1].dst_code.path, "/lib/b");
    assert_string_equal(b.dependencies[1].dst_code.function, "g");
    assert_int_equal(b.dependencies[1].dst_code.function_start, 7);
    cc_baseline_fini(&b);
}

static void refuses(const char *members, const char *why)
{
    assert_int_equal(read_report(members), -1);
    assert_string_equal(d.text, why);
    cc_baseline_fini(&b);
}

static const char bad_lifetime[] =
    ": not a covcheck JSON report: wrong lifetime";

TEST(a_bound_is_inf_or_a_whole_number_from_1)
{
    refuses(REPORT(LIFETIME("0", "1", "1"), "1", ""), bad_lifetime);
    refuses(REPORT(LIFETIME("1.5", "1", "1"), "1", ""), bad_lifetime);
    refuses(REPORT(LIFETIME("\"1\"", "1", "1"), "1", ""), bad_lifetime);
    refuses(REPORT(LIFETIME("9223372036854775808", "1", "1"), "1", ""),
            bad_lifetime);
    refuses(REPORT(LIFETIME("null", "1", "1"), "1", ""), bad_lifetime);
}

TEST(a_figure_is_null_or_a_percentage)
{
    refuses(REPORT(LIFETIME("1", "-0.1", "1"), "1", ""), bad_lifetime);
    refuses(REPORT(LIFETIME("1", "1", "100.1"), "1", ""), bad_lifetime);
    refuses(REPORT(LIFETIME("1", "\"1\"", "1"), "1", ""), bad_lifetime);
    refuses(REPORT("", "101", ""),
            ": not a covcheck JSON report: wrong precision");
    refuses("\"lifetimes\": [], \"found_dependencies\": []",
            ": not a covcheck JSON report: wrong precision");
}

TEST(a_dependency_has_an_object_addresses_and_texts)
{
    static const char why[] =
        ": not a covcheck JSON report: wrong found dependency";

    refuses(REPORT("", "1", FOUND("null", "\"0x10\"", "null")), why);
    refuses(REPORT("", "1", FOUND("\"aa\"", "16", "null")), why);
    refuses(REPORT("", "1", FOUND("\"aa\"", "\"x\"", "null")), why);
    refuses(REPORT("", "1", FOUND("\"aa\"", "\"0x10\"", "7")), why);
    refuses(REPORT("", "1", "7"), why);
    refuses(REPORT("", "1", "") ", \"all_missed_dependencies\": [7]",
            ": not a covcheck JSON report: wrong missed dependency");
    refuses(REPORT("", "1", "") ", \"all_missed_dependencies\": 7",
            ": not a covcheck JSON report: no all_missed_dependencies");
}

TEST(a_file_that_is_no_report_is_refused)
{
    refuses("\"precision\": 1, \"found_dependencies\": []",
            ": not a covcheck JSON report: no lifetimes");
    refuses("\"precision\": 1, \"lifetimes\": []",
            ": not a covcheck JSON report: no found_dependencies");
    refuses("\"precision\": 1, \"precision\": 1",
            ": not JSON: line 1: duplicate object key near '\"precision\"'");
    assert_int_equal(cc_baseline_read(&b, "/missing", &d), -1);
    assert_string_equal(d.text, "/missing: No such file or directory");
    assert_int_equal(cc_baseline_read(&b, "/", &d), -1);
    assert_string_equal(d.text, "/: Is a directory");
    cc_baseline_fini(&b);
}

TEST(a_report_may_be_long)
{
    static char members[400000] = "";
    size_t n = 0;

    n += (size_t)snprintf(members, sizeof members,
                          "\"lifetimes\": [], \"precision\": null, "
                          "\"found_dependencies\": [");
    for (int i = 0; i < 1500; i++)
        n += (size_t)snprintf(members + n, sizeof members - n, "%s%s",
                              i > 0 ? "," : "",
                              i > 0 ? FOUND("\"aa\"", "\"0x10\"", "null")
                                    : FOUND("\"bb\"", "\"0x10\"", "null"));
    snprintf(members + n, sizeof members - n, "]");
    assert_true(strlen(members) > 200000);
    assert_int_equal(read_report(members), 0);
    assert_int_equal(b.n_dependencies, 2);
    assert_string_equal(b.dependencies[1].code.build_id, "bb");
    cc_baseline_fini(&b);
}
