/*
 * Which dependency of an earlier build is which of this one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include "compare/cc_pairs.h"

#define GONE CC_NONE

/* A dependency of f, which began somewhere else before.  Both ends are in one
   line and column, and of one operand. */
#define AT(offset, where, at, text, what)                    \
    {                                                        \
        .code.build_id = "aa", .code.function = "f",         \
        .code.function_start = 0x100, .verdict = CC_##what,  \
        .src = {0x100 + (offset), where, at, text}, .dst = { \
            0x104 + (offset),                                \
            where,                                           \
            at,                                              \
            text                                             \
        }                                                    \
    }

struct lists {
    struct cc_identity before[5], now[5];
    size_t n_before, n_now;
    bool is_old; /* before has only what was found */
    uint32_t expected[5];
};

static void assert_pairs(const struct lists *l)
{
    uint32_t successors[5];

    cc_pairs_find(l->before, l->n_before, !l->is_old, l->now, l->n_now,
                  successors);
    for (size_t i = 0; i < l->n_before; i++)
        assert_int_equal(successors[i], l->expected[i]);
}

TEST(of_two_in_a_line_the_operand_tells_which_is_gone)
{
    assert_pairs(&(struct lists){
        .before = {AT(0, "a.c:3", 0, "addl $1, (%rdi)", FOUND),
                   AT(8, "a.c:3", 0, "addl $1, 8(%rsi,%rax,4)", MISSED)},
        .n_before = 2,
        .now = {AT(4, "a.c:3", 0, "addl %ecx, 8(%rsi,%rax,4)", MISSED)},
        .n_now = 1,
        .expected = {GONE, 0},
    });
}

TEST(of_two_in_a_line_the_column_tells_which_is_gone)
{
    assert_pairs(&(struct lists){
        .before = {AT(0, "a.c:3", 5, "addl $1, (%rdi)", FOUND),
                   AT(8, "a.c:3", 15, "addl $1, (%rdi)", MISSED)},
        .n_before = 2,
        .now = {AT(4, "a.c:3", 15, "addl $1, (%rsi)", MISSED),
                AT(8, "a.c:3", 25, "addl $1, (%rdi)", MISSED)},
        .n_now = 2,
        .expected = {GONE, 0},
    });
}

TEST(columns_that_one_side_lacks_tell_nothing)
{
    assert_pairs(&(struct lists){
        .before = {AT(0, "a.c:3", 0, "addl $1, (%rdi)", FOUND)},
        .n_before = 1,
        .now = {AT(4, "a.c:3", 15, "addl $1, (%rdi)", MISSED)},
        .n_now = 1,
        .expected = {0},
    });
}

TEST(another_register_is_the_same_place)
{
    assert_pairs(&(struct lists){
        .before = {AT(0, "a.c:3", 5, "addl $1, (%rdi)", FOUND)},
        .n_before = 1,
        .now = {AT(4, "a.c:3", 5, "addl $1, (%rbx)", MISSED)},
        .n_now = 1,
        .expected = {0},
    });
}

TEST(as_many_alike_are_paired_in_order)
{
    assert_pairs(&(struct lists){
        .before = {AT(0, "a.c:3", 5, "nop", FOUND),
                   AT(8, "a.c:3", 5, "nop", MISSED)},
        .n_before = 2,
        .now = {AT(0, "a.c:3", 5, "nop", MISSED),
                AT(8, "a.c:3", 5, "nop", FOUND)},
        .n_now = 2,
        .expected = {0, 1},
    });
}

TEST(of_fewer_alike_as_few_as_possible_change)
{
    assert_pairs(&(struct lists){
        .before = {AT(0, "a.c:3", 5, "nop", FOUND),
                   AT(8, "a.c:3", 5, "nop", MISSED),
                   AT(16, "a.c:3", 5, "nop", FOUND)},
        .n_before = 3,
        .now = {AT(0, "a.c:3", 5, "nop", MISSED),
                AT(8, "a.c:3", 5, "nop", FOUND)},
        .n_now = 2,
        .expected = {1, 0, GONE},
    });
}

TEST(an_old_baseline_has_lost_as_many_as_fewer_are_found)
{
    assert_pairs(&(struct lists){
        .before = {AT(0, "a.c:3", 0, NULL, FOUND),
                   AT(8, "a.c:3", 0, NULL, FOUND)},
        .n_before = 2,
        .is_old = true,
        .now = {AT(0, "a.c:3", 5, "nop", MISSED),
                AT(8, "a.c:3", 5, "nop", FOUND)},
        .n_now = 2,
        .expected = {1, 0},
    });
}

TEST(what_is_not_scored_comes_last)
{
    assert_pairs(&(struct lists){
        .before = {AT(0, "a.c:3", 5, "nop", FOUND),
                   AT(8, "a.c:3", 5, "nop", MISSED)},
        .n_before = 2,
        .now = {AT(0, "a.c:3", 5, "nop", UNSCORED),
                AT(8, "a.c:3", 5, "nop", MISSED)},
        .n_now = 2,
        .expected = {0, 1},
    });
}

TEST(a_line_counts_from_that_of_its_function)
{
    struct lists l = {
        .before = {AT(0, "a.c:3", 5, "nop", FOUND),
                   AT(8, "b.h:3", 5, "nop", FOUND)},
        .n_before = 2,
        .now = {AT(0, "a.c:13", 5, "nop", MISSED),
                AT(8, "b.h:3", 5, "nop", MISSED)},
        .n_now = 2,
        .expected = {0, 1},
    };

    for (int i = 0; i < 2; i++) {
        l.before[i].code.function_line = "a.c:1";
        l.now[i].code.function_line = "a.c:11";
    }
    assert_pairs(&l);
}

TEST(without_lines_it_is_the_offset_or_else_the_operand)
{
    struct lists l = {
        .before = {AT(0, NULL, 0, "movl 4(%rdi), %eax", FOUND),
                   AT(8, NULL, 0, "movl 8(%rdi), %eax", FOUND),
                   AT(16, NULL, 0, "movl 0x99(%rip), %eax", FOUND),
                   AT(32, NULL, 0, "pushq %rax", FOUND)},
        .n_before = 4,
        .now = {AT(0, NULL, 0, "movl 4(%rdi), %eax", MISSED),
                AT(8, NULL, 0, "movl 0x77(%rip), %eax", MISSED),
                AT(24, NULL, 0, "movl 8(%rdi), %edx", MISSED),
                AT(32, NULL, 0, "pushq %rbx", MISSED)},
        .n_now = 4,
        .expected = {0, 2, 1, 3},
    };

    for (int i = 0; i < 4; i++)
        l.now[i].code.function_start = 0x100;
    assert_pairs(&l);
}

/* Then what has lines is told by its offset, too. */
TEST(lines_that_one_side_lacks_tell_nothing)
{
    assert_pairs(&(struct lists){
        .before = {AT(0, "a.c:3", 5, "nop", FOUND)},
        .n_before = 1,
        .now = {AT(0, NULL, 0, NULL, MISSED)},
        .n_now = 1,
        .expected = {0},
    });
}

TEST(what_has_no_function_and_no_line_has_no_partner)
{
    struct lists l = {
        .before = {AT(0, NULL, 0, "nop", FOUND)},
        .n_before = 1,
        .now = {AT(0, NULL, 0, "nop", MISSED)},
        .n_now = 1,
        .expected = {GONE},
    };

    l.before[0].code.function = l.now[0].code.function = NULL;
    assert_pairs(&l);
    assert_false(cc_identity_outlives_build(&l.now[0]));
    l.now[0].code.function = "f";
    assert_pairs(&l);
    l.before[0].code.function = "g";
    assert_pairs(&l);
}

TEST(objects_are_those_of_the_same_path_or_file_name)
{
    struct lists l = {
        .before = {AT(0, "a.c:3", 5, "nop", FOUND),
                   AT(0, "a.c:3", 5, "nop", FOUND),
                   AT(0, "a.c:3", 5, "nop", FOUND)},
        .n_before = 3,
        .now = {AT(0, "a.c:3", 5, "nop", FOUND),
                AT(0, "a.c:3", 5, "nop", FOUND),
                AT(0, "a.c:3", 5, "nop", FOUND)},
        .n_now = 3,
        .expected = {2, 1, GONE},
    };
    static const char *const before[] = {"/1/a", "/1/b", "/1/c"};
    static const char *const now[] = {"/1/d", "/1/b", "/2/a"};
    static const char *const ids[] = {"aa", "bb", "cc"};

    for (int i = 0; i < 3; i++) {
        l.before[i].code.path = before[i];
        l.now[i].code.path = now[i];
        l.before[i].code.build_id = l.now[i].code.build_id = ids[i];
    }
    assert_pairs(&l);
    l.n_before = l.n_now = 1;
    l.expected[0] = 0; /* the only one has got another name */
    assert_pairs(&l);
}

TEST(a_load_of_another_object_is_that_of_the_same_file_name)
{
    struct lists l = {
        .before = {AT(0, "a.c:3", 5, "nop", FOUND),
                   AT(0, "a.c:3", 5, "nop", FOUND)},
        .n_before = 2,
        .now = {AT(0, "a.c:3", 5, "nop", MISSED),
                AT(0, "a.c:3", 5, "nop", MISSED)},
        .n_now = 2,
        .expected = {1, 0},
    };
    static const char *const before[] = {"/1/b", "/1/c"};
    static const char *const now[] = {"/2/c", "/2/b"};
    static const char *const old_ids[] = {"bb", "cc"};
    static const char *const new_ids[] = {"dd", "ee"};

    for (int i = 0; i < 2; i++) {
        l.before[i].dst_code =
            (struct cc_code){before[i], old_ids[i], "g", 0x100, NULL};
        l.now[i].dst_code =
            (struct cc_code){now[i], new_ids[i], "g", 0x104, NULL};
    }
    assert_pairs(&l);
    l.now[0].dst_code.function = "h"; /* the second's */
    l.expected[1] = GONE;
    assert_pairs(&l);
}

/* Each end counts from the start of its own function. */
TEST(the_line_of_a_load_counts_from_that_of_its_function)
{
    struct lists l = {
        .before = {AT(0, "a.c:23", 5, "nop", FOUND)},
        .n_before = 1,
        .now = {AT(0, "a.c:23", 5, "nop", MISSED)},
        .n_now = 1,
        .expected = {0},
    };

    l.before[0].code.function_line = l.now[0].code.function_line = "a.c:1";
    l.before[0].dst_code = l.now[0].dst_code =
        (struct cc_code){"/a", "aa", "g", 0x100, "a.c:21"};
    l.now[0].dst.line = "a.c:33"; /* ten new lines before g */
    l.now[0].dst_code.function_line = "a.c:31";
    assert_pairs(&l);
    l.now[0].dst_code.function_line = "a.c:32";
    l.expected[0] = GONE;
    assert_pairs(&l);
}

TEST(brackets_are_an_operand_too)
{
    assert_pairs(&(struct lists){
        .before = {AT(0, "a.c:3", 0, "ldr x0, [x1, #8]", MISSED),
                   AT(8, "a.c:3", 0, "ldr x0, [x1, #16]", FOUND)},
        .n_before = 2,
        .now = {AT(0, "a.c:3", 0, "ldr x5, [x1, #16]", FOUND)},
        .n_now = 1,
        .expected = {GONE, 0},
    });
}
