/*
 * Dependencies of an earlier build are paired with those of this build.
 *
 * A list of dependencies is a text, "0 a.c:3 5 found nop|8 - 0 missed -": both
 * ends of the first are in line 3 and column 5, of the instruction nop, the
 * store at the start of its function f and the load 4 bytes after it; the
 * second lies 8 bytes further on, and its line and instruction are unknown.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include "compare/cc_compare.h"

static struct lists {
    struct cc_identity before[5], now[5];
    size_t n_before, n_now;
    char texts[2][256];
} l;

static const char *known(const char *word)
{
    return strcmp(word, "-") != 0 ? word : NULL;
}

/* Reads a list; returns the number of dependencies, which refer to the text. */
static size_t read_list(char *text, struct cc_identity list[5])
{
    size_t n = 0;

    for (char *item; (item = strsep(&text, "|")) != NULL; n++) {
        uint64_t at = 0x100 + strtoul(strsep(&item, " "), NULL, 0);
        const char *line = known(strsep(&item, " "));
        int column = atoi(strsep(&item, " "));
        const char *verdict = strsep(&item, " "), *insn = known(item);

        list[n] = (struct cc_identity){
            .code = {.build_id = "aa",
                     .function = "f",
                     .function_start = 0x100},
            .verdict = *verdict == 'f'   ? CC_FOUND
                       : *verdict == 'm' ? CC_MISSED
                                         : CC_UNSCORED,
            .src = {at, line, column, insn},
            .dst = {at + 4, line, column, insn},
        };
    }
    return n;
}

static void read_lists(const char *before, const char *now)
{
    strcpy(l.texts[0], before);
    strcpy(l.texts[1], now);
    l.n_before = read_list(l.texts[0], l.before);
    l.n_now = read_list(l.texts[1], l.now);
}

/* Checks which dependency now each one before is: its number, - if gone. */
static void assert_pairs(const char *title, const char *expected)
{
    uint32_t successors[5];
    char text[6] = "";

    cc_pairs_find(l.before, l.n_before, l.now, l.n_now, successors);
    for (size_t i = 0; i < l.n_before; i++)
        text[i] =
            successors[i] == CC_NONE ? '-' : (char)('0' + (int)successors[i]);
    if (strcmp(text, expected) != 0)
        fail_msg("%s: %s", title, text);
}

static const struct {
    const char *title, *before, *now, *expected;
} cases[] = {
    {"of two in a line, the operand tells which is gone",
     "0 a.c:3 0 found addl $1, (%rdi)|"
     "8 a.c:3 0 missed addl $1, 8(%rsi,%rax,4)",
     "4 a.c:3 0 missed addl %ecx, 8(%rsi,%rax,4)", "-0"},
    {"of two in a line, the column tells which is gone",
     "0 a.c:3 5 found addl $1, (%rdi)|"
     "8 a.c:3 15 missed addl $1, (%rdi)",
     "4 a.c:3 15 missed addl $1, (%rsi)|"
     "8 a.c:3 25 missed addl $1, (%rdi)",
     "-0"},
    {"columns that one side lacks tell nothing",
     "0 a.c:3 0 found addl $1, (%rdi)", "4 a.c:3 15 missed addl $1, (%rdi)",
     "0"},
    {"another register is the same place", "0 a.c:3 5 found addl $1, (%rdi)",
     "4 a.c:3 5 missed addl $1, (%rbx)", "0"},
    {"as many alike are paired in order",
     "0 a.c:3 5 found nop|8 a.c:3 5 missed nop",
     "0 a.c:3 5 missed nop|8 a.c:3 5 found nop", "01"},
    {"of fewer alike, as few as possible change",
     "0 a.c:3 5 found nop|"
     "8 a.c:3 5 missed nop|"
     "16 a.c:3 5 found nop",
     "0 a.c:3 5 missed nop|8 a.c:3 5 found nop", "10-"},
    {"what is not scored comes last",
     "0 a.c:3 5 found nop|8 a.c:3 5 missed nop",
     "0 a.c:3 5 unscored nop|8 a.c:3 5 missed nop", "01"},
    {"without lines it is the offset, or else the operand",
     "0 - 0 found movl 4(%rdi), %eax|"
     "8 - 0 found movl 8(%rdi), %eax|"
     "16 - 0 found movl 0x99(%rip), %eax|"
     "32 - 0 found pushq %rax",
     "0 - 0 missed movl 4(%rdi), %eax|"
     "8 - 0 missed movl 0x77(%rip), %eax|"
     "24 - 0 missed movl 8(%rdi), %edx|"
     "32 - 0 missed pushq %rbx",
     "0213"},
    {"lines that one side lacks tell nothing, but the offset does",
     "0 a.c:3 5 found nop", "0 - 0 missed -", "0"},
    {"brackets are an operand, too",
     "0 a.c:3 0 missed ldr x0, [x1, #8]|"
     "8 a.c:3 0 found ldr x0, [x1, #16]",
     "0 a.c:3 0 found ldr x5, [x1, #16]", "-0"},
};

TEST(dependencies_that_are_alike_are_the_same_after_a_build)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        read_lists(cases[i].before, cases[i].now);
        assert_pairs(cases[i].title, cases[i].expected);
    }
}

TEST(a_line_counts_from_the_start_of_its_function)
{
    read_lists("0 a.c:3 5 found nop|8 b.h:3 5 found nop",
               "0 a.c:13 5 missed nop|8 b.h:3 5 missed nop");
    for (int i = 0; i < 2; i++) {
        l.before[i].code.function_line = "a.c:1";
        l.now[i].code.function_line = "a.c:11";
    }
    assert_pairs("ten lines further down", "01");
}

TEST(a_dependency_without_function_and_line_has_no_partner)
{
    read_lists("0 - 0 found nop", "0 - 0 missed nop");
    l.before[0].code.function = l.now[0].code.function = NULL;
    assert_pairs("no function", "-");
    assert_false(cc_identity_outlives_build(&l.now[0]));
    l.now[0].code.function = "f";
    assert_pairs("one that was unknown", "-");
    l.before[0].code.function = "g";
    assert_pairs("another one", "-");
}

TEST(objects_are_paired_by_path_or_file_name)
{
    static const char *const before[] = {"/1/a", "/1/b", "/1/c"};
    static const char *const now[] = {"/1/d", "/1/b", "/2/a"};
    static const char *const ids[] = {"aa", "bb", "cc"};
    static const char list[] =
        "0 a.c:3 5 found nop|0 a.c:3 5 found nop|0 a.c:3 5 found nop";

    read_lists(list, list);
    for (int i = 0; i < 3; i++) {
        l.before[i].code.path = before[i];
        l.now[i].code.path = now[i];
        l.before[i].code.build_id = l.now[i].code.build_id = ids[i];
    }
    assert_pairs("three", "21-");
    l.n_before = l.n_now = 1;
    assert_pairs("the only one has got another name", "0");
}

TEST(the_object_of_a_load_is_paired_by_file_name)
{
    static const char *const before[] = {"/1/b", "/1/c"};
    static const char *const now[] = {"/2/c", "/2/b"};
    static const char *const old_ids[] = {"bb", "cc"};
    static const char *const new_ids[] = {"dd", "ee"};

    read_lists("0 a.c:3 5 found nop|0 a.c:3 5 found nop",
               "0 a.c:3 5 missed nop|0 a.c:3 5 missed nop");
    for (int i = 0; i < 2; i++) {
        l.before[i].dst_code =
            (struct cc_code){before[i], old_ids[i], "g", 0x100, NULL};
        l.now[i].dst_code =
            (struct cc_code){now[i], new_ids[i], "g", 0x104, NULL};
    }
    assert_pairs("of one function", "10");
    l.now[0].dst_code.function = "h"; /* only the second is of g now */
    assert_pairs("of another function", "1-");
}

/* Each end counts lines from the start of its own function. */
TEST(the_line_of_a_load_counts_from_the_start_of_its_function)
{
    read_lists("0 a.c:23 5 found nop", "0 a.c:23 5 missed nop");
    l.before[0].code.function_line = l.now[0].code.function_line = "a.c:1";
    l.before[0].dst_code = l.now[0].dst_code =
        (struct cc_code){"/a", "aa", "g", 0x100, "a.c:21"};
    l.now[0].dst.line = "a.c:33"; /* ten new lines come before g */
    l.now[0].dst_code.function_line = "a.c:31";
    assert_pairs("g moved with its line", "0");
    l.now[0].dst_code.function_line = "a.c:32";
    assert_pairs("g moved further", "-");
}
