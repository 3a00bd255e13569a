/* The table of libraries. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include <unistd.h>

#include "link/sd_link.h"

static struct sd_library library;

BEFORE_EACH()
{
    sd_library_init(&library);
}

AFTER_EACH()
{
    sd_library_fini(&library);
}

/* Reads a file with that text into the table. */
static int read_text(const char *text, struct diag *d)
{
    char path[] = "libraryXXXXXX";
    int fd = mkstemp(path), rc;

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    rc = sd_library_read(&library, path, d);
    unlink(path);
    return rc;
}

static const struct sd_model *model(const char *name)
{
    const struct sd_model *m = sd_library_find(&library, name);

    assert_non_null(m);
    return m;
}

TEST(the_built_in_table_is_complete)
{
    const struct sd_model *m;

    assert_true(library.n > 300);
    m = model("memcpy");
    assert_int_equal(m->n_effects, 1);
    assert_int_equal(m->effects[0].kind, SD_COPIES);
    assert_int_equal(m->effects[0].to.a, 1);
    assert_int_equal(m->effects[0].from.a, 2);
    assert_int_equal(m->effects[0].size.a, 3);
    assert_int_equal(m->result.kind, SD_TERM_ARGUMENT);
    m = model("fread");
    assert_int_equal(m->effects[0].size.kind, SD_TERM_PRODUCT);
    assert_true(m->effects[0].size.a == 2 && m->effects[0].size.b == 3);
    m = model("qsort");
    assert_int_equal(m->n_calls, 3);
    assert_int_equal(m->calls[2].kind, SD_TERM_SUM);
    assert_true(model("exit")->never && !model("free")->never);
}

TEST(a_name_ends_before_its_version)
{
    char longest[300];

    assert_ptr_equal(model("malloc@GLIBC_2.2.5"), model("malloc"));
    assert_ptr_equal(model("malloc@plt"), model("malloc"));
    assert_null(sd_library_find(&library, "mallo"));
    assert_null(sd_library_find(&library, "malloc1"));
    assert_null(sd_library_find(&library, "@plt"));
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    assert_null(sd_library_find(&library, longest));
}

TEST(a_file_adds_and_replaces_lines)
{
    size_t n = library.n;
    struct diag d;

    assert_int_equal(read_text("# nothing\n\n  my never  # comes back\n"
                               "memset unknown\nstrlen returns( #7 )#seven",
                               &d),
                     0);
    assert_int_equal(library.n, n + 1);
    assert_true(model("my")->never);
    assert_null(sd_library_find(&library, "memset"));
    assert_int_equal(model("strlen")->result.number, 7);
    assert_int_equal(read_text("memset fills(1,2,3)\nmemset never\n", &d), 0);
    assert_true(model("memset")->never && model("memset")->n_effects == 0);
}

TEST(terms_are_read)
{
    const struct sd_model *m;
    struct diag d;

    assert_int_equal(read_text("f calls(1,same,same 2,in 3,fresh,?)", &d), 0);
    m = model("f");
    assert_int_equal(m->n_calls, 6);
    assert_int_equal(m->calls[1].kind, SD_TERM_SAME);
    assert_int_equal(m->calls[1].a, 0);
    assert_int_equal(m->calls[2].a, 2);
    assert_int_equal(m->calls[3].kind, SD_TERM_INSIDE);
    assert_int_equal(m->calls[4].kind, SD_TERM_FRESH);
    assert_int_equal(m->calls[5].kind, SD_TERM_UNKNOWN);
}

TEST(an_error_is_reported_with_its_line)
{
    static const char *const bad[] = {"f x(1)",
                                      "f writes",
                                      "f writes(",
                                      "f writes()",
                                      "f writes(1",
                                      "f writes(1,)",
                                      "f writes(1,2,3)",
                                      "f writes(-1)",
                                      "f calls(1+)",
                                      "f fills(1,2)",
                                      "f returns(#)",
                                      "f never(1)",
                                      "f calls(1,1,1,1,1,1,1)"};
    struct diag d;
    char text[80];

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        snprintf(text, sizeof text, "# a line\n%s\n", bad[i]);
        assert_int_equal(read_text(text, &d), -1);
        assert_non_null(strstr(d.text, ":2: "));
        assert_null(sd_library_find(&library, "f"));
    }
}
