/*
 * The loads of a function that find what its caller stored, and its stores that
 * are still in memory when it returns, as "load PLACE after N" and "store PLACE
 * before N", where N counts the instructions from the entry or to the return.
 *
 * A place is a register at the entry, or = for a constant address; then an
 * offset; then -> and the offset to the pointer that lies there.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include "functions.h"

static int print(char *text, const struct sd_impact *e)
{
    int n = sprintf(
        text, "%s %s", e->is_store ? "store" : "load",
        e->root == SD_ABSOLUTE ? "=" : register_name(e->root - SD_FIRST_ENTRY));

    for (uint32_t i = 0; i < e->n_steps; i++)
        n += sprintf(text + n, "%s%+lld", i > 0 ? "->" : "",
                     (long long)e->offsets[i]);
    return n + sprintf(text + n, " %s %u", e->is_store ? "before" : "after",
                       e->n_insns);
}

/* The impacts of function 0, with those of its callees down to `depth`. */
static const char *impacts_for(const char *hex, unsigned second, unsigned depth,
                               bool is_narrow)
{
    static char text[4000];
    struct sd_impact_table tables[3];
    const struct sd_impacts *impacts;
    int n = 0;

    assert_true(depth < 3);
    analyse(hex, second);
    for (unsigned i = 0; i <= depth; i++) {
        sd_impacts_init(&tables[i], &program, &chunks, is_narrow);
        tables[i].places.find_impacts = i > 0 ? sd_impacts_of : NULL;
        tables[i].places.callees = i > 0 ? &tables[i - 1] : NULL;
    }
    impacts = sd_impacts_of(&tables[depth], 0);
    assert_true(impacts->is_known && !impacts->is_cut);
    text[0] = '\0';
    for (uint32_t i = 0; i < impacts->n; i++) {
        n += sprintf(text + n, "%s", i > 0 ? ", " : "");
        n += print(text + n, &impacts->list[i]);
    }
    sprintf(text + n, "; %u", impacts->n_insns);
    for (unsigned i = 0; i <= depth; i++)
        sd_impacts_fini(&tables[i]);
    return text;
}

static const char *impacts_of(const char *hex, unsigned second, unsigned depth)
{
    return impacts_for(hex, second, depth, false);
}

#define IMPACTS(hex, expected) \
    assert_string_equal(impacts_of(hex, 0, 0), expected)

TEST(a_load_of_the_functions_own_store_is_no_impact)
{
    /* movl %eax,(%rdi); movl (%rdi),%ecx; movl 4(%rdi),%ecx; ret */
    IMPACTS("8907 8b0f 8b4f04 c3",
            "load rdi+4 after 3, store rdi+0 before 3; 4");
}

TEST(a_store_that_is_overwritten_on_all_paths_is_no_impact)
{
    /* movl %eax,(%rdi); movl %ecx,(%rdi); ret */
    IMPACTS("8907 890f c3", "store rdi+0 before 1; 3");
    /* movl %eax,(%rdi); testl %ecx,%ecx; je 1f; movl %ecx,(%rdi); 1: ret */
    IMPACTS("8907 85c9 7402 890f c3",
            "store rdi+0 before 1, store rdi+0 before 3; 4");
}

TEST(within_functions_only_places_both_stored_and_loaded_matter)
{
    /* movl (%rdi),%eax; movl 8(%rdi),%ecx; movl %eax,16(%rdi);
       movl %eax,8(%rdi); ret */
    assert_string_equal(impacts_for("8b07 8b4f08 894710 894708 c3", 0, 0, true),
                        "load rdi+8 after 2, store rdi+8 before 1; 5");
}

TEST(the_own_frame_is_no_place_of_the_caller)
{
    /* pushq %rbx; popq %rbx; ret */
    IMPACTS("53 5b c3", "; 3");
}

TEST(constant_addresses_and_loaded_pointers_are_places)
{
    /* movl $0x2000,%eax; movl %ecx,(%rax); ret */
    IMPACTS("b800200000 8908 c3", "store =+8192 before 1; 3");
    /* movq (%rdi),%rax; movl 8(%rax),%ecx; ret */
    IMPACTS("488b07 8b4808 c3",
            "load rdi+0 after 1, load rdi+0->+8 after 2; 3");
}

TEST(distances_are_those_of_the_shortest_path)
{
    /* testl %ecx,%ecx; je 1f; nop; nop; nop; 1: movl (%rdi),%eax; nop; ret */
    IMPACTS("85c9 7403 90 90 90 8b07 90 c3", "load rdi+0 after 3; 5");
}

TEST(callees_are_seen_to_a_depth)
{
    /* call g; ret; g: movl (%rsi),%eax; ret */
    static const char *const code = "e801000000 c3 8b06 c3";
    /* f: testl %ecx,%ecx; je 1f; call f; 1: movl (%rbx),%eax; ret */
    static const char *const recursive = "85c9 7405 e8f7ffffff 8b03 c3";

    assert_string_equal(impacts_of(code, 6, 0), "; 2");
    assert_string_equal(impacts_of(code, 6, 1), "load rsi+0 after 2; 4");
    assert_string_equal(impacts_of(recursive, 0, 2), "load rbx+0 after 3; 4");
}

TEST(of_many_impacts_the_nearest_are_kept)
{
    char hex[3 * 6 + 60 * 6 + 3] = "";
    const char *text, *last;

    /* movl 0(%rdi),%eax; movl 1(%rdi),%eax; and so on to 59; ret */
    for (unsigned i = 0; i < 60; i++)
        sprintf(hex + strlen(hex), "8b47%02x", i);
    strcat(hex, "c3");
    text = impacts_of(hex, 0, 0);
    last = strrchr(text, ',');
    assert_string_equal(last, ", load rdi+47 after 48; 61");
}
