/* Marks in a user's code, and machine code that a user types. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "binary/input.h"
#include "process.h"

static void is_hex(const char *text, const char *expected)
{
    char got[64] = "";
    struct diag d;
    size_t n;
    uint8_t *bytes = hexcode_parse(text, &n, &d);

    for (size_t i = 0; bytes != NULL && i < n; i++)
        snprintf(got + 2 * i, sizeof got - 2 * i, "%02x", bytes[i]);
    assert_string_equal(bytes != NULL ? got : d.text, expected);
    free(bytes);
}

TEST(hexadecimal_is_pairs_of_digits)
{
    is_hex("480107", "480107");
    is_hex(" 48 01\t0F\n", "48010f");
    is_hex("0x48,0x01, 0X07", "480107");
    is_hex("\\x48\\x01", "4801");
}

TEST(text_that_is_not_hexadecimal_is_refused)
{
    is_hex("", "no code");
    is_hex(" ,", "no code");
    is_hex("4", "half a byte at \"4\"");
    is_hex("48 1", "half a byte at \"1\"");
    is_hex("48 1g", "half a byte at \"1g\"");
    is_hex("48 zz 48", "not hexadecimal at \"zz 48\"");
    is_hex("0x", "not hexadecimal at \"0x\"");
    is_hex("48 0x", "not hexadecimal at \"0x\"");
    is_hex("48 0x1,48", "half a byte at \"0x1,48\"");
    is_hex("\x10\x10", "not hexadecimal at \"??\"");
}

/* Checks marks, as "B1 name;" or "E1 name;" with their line, and the copy. */
static void has_marks(const char *text, const char *expected, const char *copy)
{
    struct marks marks;
    char got[256] = "";
    size_t n;
    char *copied = marks_find(&marks, text, strlen(text), &n);

    for (size_t i = 0; i < marks.n; i++) {
        const struct mark *m = &marks.marks[i];
        size_t used = strlen(got);

        snprintf(got + used, sizeof got - used, "%c%zu %s;",
                 m->begins ? 'B' : 'E', m->line, m->name);
    }
    assert_string_equal(got, expected);
    assert_string_equal(copied, copy);
    assert_int_equal(strlen(copied), n);
    free(copied);
    marks_fini(&marks);
}

#define L(n) "; " MARK_LABEL #n ": "

TEST(marks_are_comments)
{
    has_marks(
        "nop\n# LLVM-MCA-BEGIN a b \nnop\n#LLVM-MCA-END a b\n",
        "B2 a b;E4 a b;",
        "nop\n" L(0) "# LLVM-MCA-BEGIN a b \nnop\n" L(1) "#LLVM-MCA-END a b\n");
    has_marks("nop # OSACA-BEGIN\nnop // OSACA-END", "B1 ;E2 ;",
              "nop " L(0) "# OSACA-BEGIN\nnop " L(1) "// OSACA-END");
    has_marks("/* LLVM-MCA-BEGIN x */ nop", "B1 x;",
              L(0) "/* LLVM-MCA-BEGIN x */ nop");
    has_marks("/* LLVM-MCA-BEGIN*/\r\n", "B1 ;",
              L(0) "/* LLVM-MCA-BEGIN*/\r\n");
    has_marks("/*\n\n*/ # OSACA-END", "E3 ;", "/*\n\n*/ " L(0) "# OSACA-END");
}

TEST(other_text_is_no_mark)
{
    static const char *const texts[] = {
        "",
        "LLVM-MCA-BEGIN",
        "# see LLVM-MCA-BEGIN",
        "# LLVM-MCA-BEGINNING",
        ".ascii \"# LLVM-MCA-BEGIN\"",
        ".ascii \"\\\"# LLVM-MCA-BEGIN\\\\\"",
        "/* a\n# LLVM-MCA-BEGIN\n*/",
        "#",
        "/",
        "\"",
        "/*",
        "# OSACA-BEGI",
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        has_marks(texts[i], "", texts[i]);
}

/* Checks the regions, as "name start-end;", or why there are none. */
static void regions_are(int rc, struct regions *regions, const struct diag *d,
                        const char *expected)
{
    char got[sizeof d->text] = "";

    for (size_t i = 0; i < regions->n; i++) {
        const struct region *r = &regions->regions[i];
        size_t used = strlen(got);

        snprintf(got + used, sizeof got - used, "%s %#x-%#x;", r->name,
                 (unsigned)r->start, (unsigned)r->end);
    }
    assert_string_equal(rc == 0 ? got : d->text, expected);
    regions_fini(regions);
}

static void pairs_at(const uint64_t *addresses, const char *text,
                     const char *expected)
{
    struct marks marks;
    struct regions regions = {0};
    struct diag d;
    size_t n;

    free(marks_find(&marks, text, strlen(text), &n));
    regions_are(marks_pair(&marks, addresses, "x.s", &regions, &d), &regions,
                &d, expected);
    marks_fini(&marks);
}

/* Checks pairs of marks; each mark is 16 bytes after the one before it. */
static void pairs_are(const char *text, const char *expected)
{
    static const uint64_t addresses[] = {0, 16, 32, 48, 64, 80, 96, 96};

    pairs_at(addresses, text, expected);
}

TEST(marks_come_in_pairs)
{
    pairs_are("", "");
    pairs_are("#OSACA-BEGIN\n#OSACA-END\n#LLVM-MCA-BEGIN a\n#LLVM-MCA-END",
              "region 1 0-0x10;a 0x20-0x30;");
    pairs_are("#LLVM-MCA-BEGIN a\n#OSACA-BEGIN\n#OSACA-END\n#LLVM-MCA-END",
              "region 1 0x10-0x20;a 0-0x30;");
    pairs_are("#OSACA-BEGIN\n#LLVM-MCA-END",
              "x.s:2: a region ends that did not begin");
    pairs_are("#OSACA-END", "x.s:1: a region ends that did not begin");
    pairs_are("\n#OSACA-BEGIN", "x.s:2: a region begins that does not end");
    pairs_are("#LLVM-MCA-BEGIN a\n#LLVM-MCA-BEGIN b",
              "x.s:2: a region begins within another");
    pairs_are("#LLVM-MCA-BEGIN a\n#LLVM-MCA-END b",
              "x.s:2: another region ends than has begun");
    pairs_are("#OSACA-BEGIN\n#OSACA-END\n#OSACA-BEGIN\n#OSACA-END\n"
              "#OSACA-BEGIN\n#OSACA-END\n#OSACA-BEGIN\n#OSACA-END",
              "x.s:8: a region without code");
}

/* The marks of both tools are at the same two addresses. */
TEST(what_two_tools_mark_is_one_region)
{
    pairs_at((const uint64_t[]){16, 16, 32, 32},
             "#LLVM-MCA-BEGIN a\n#OSACA-BEGIN\n#OSACA-END\n#LLVM-MCA-END\n",
             "a 0x10-0x20;");
}

TEST(line_markers_say_where_a_mark_is)
{
    pairs_are("# 7 \"y.h\" 1\n#OSACA-END",
              "y.h:7: a region ends that did not begin");
    pairs_are("# 7 \"y.h\" 1\n# 3 \"x.S\" 2\nnop\n#OSACA-END",
              "x.S:4: a region ends that did not begin");
    pairs_are("# 7\n# 7 \"y\n# 0 \"z\"\n # 7 \"y\"\nnop # 7 \"y\"\n#OSACA-END",
              "x.s:6: a region ends that did not begin");
}

#define START "\xbb\x6f\0\0\0\x64\x67\x90"
#define END   "\xbb\xde\0\0\0\x64\x67\x90"

static void iaca_is(const char *code, size_t n, const char *expected)
{
    struct regions regions = {0};
    struct diag d;

    regions_are(marks_iaca((const uint8_t *)code, n, 0x100, "x", &regions, &d),
                &regions, &d, expected);
}
#define IACA(code, expected) iaca_is(code, sizeof(code) - 1, expected)

TEST(iacas_marks_are_bytes)
{
    IACA("\x90\x90", "");
    IACA("", "");
    IACA("\x90" START "\x90" END START "\x90\x90" END,
         "region 1 0x109-0x10a;region 2 0x11a-0x11c;");
    IACA(END "\x90" START "\x90" END, "region 1 0x111-0x112;");
    IACA(START "\x90", "x: no end for IACA's mark at 0x100");
    IACA(START END, "x: no code after IACA's mark at 0x100");
}

static void ends_in(char *const argv[], const char *expected)
{
    const struct subprocess_limits limits = {.seconds = 1};
    struct subprocess_output out;
    struct diag d;

    assert_int_equal(subprocess_run(argv, "", 0, &limits, &out, &d), 0);
    assert_int_equal(out.status, -1);
    assert_memory_equal(out.end, expected, strlen(expected));
    subprocess_fini(&out);
}

TEST(a_program_that_does_not_end_is_stopped)
{
    ends_in((char *[]){"sleep", "1000", NULL}, "stopped after 2 seconds");
    ends_in((char *[]){"sh", "-c", "while :; do :; done", NULL},
            "stopped after ");
    ends_in((char *[]){"sh", "-c", "kill -9 $$", NULL}, "ended by signal 9");
}
