/*
 * The places of the accesses of a function, as "load PLACE" and "store PLACE".
 *
 * A place is a base and an offset: a register at the entry; =N, a constant
 * address; [PLACE], the value at a place; meet, call and result, a new value
 * where paths meet, after a call, and at an operation, outside the first block
 * with " in N".  "?" marks an access that may not happen.  Each function ends
 * with a ret, which loads rsp+0.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include "functions.h"

static struct sd_places places;

static int print_place(char *text, uint32_t base, int64_t offset)
{
    const struct sd_places *p = &places;
    int n;

    if (base == SD_ABSOLUTE)
        return sprintf(text, "=%llx", (unsigned long long)offset);
    if (base >= p->bases.first_content) {
        struct sd_sum place =
            p->contents.list[base - p->bases.first_content].place;

        n = sprintf(text, "[");
        n += print_place(text + n, place.base, place.offset);
        n += sprintf(text + n, "]");
    } else {
        n = sprintf(text, "%s",
                    base >= p->bases.first_result ? "result"
                    : base >= p->bases.first_call ? "call"
                    : base >= SD_FIRST_MERGE
                        ? "meet"
                        : register_name(base - SD_FIRST_ENTRY));
    }
    return n + sprintf(text + n, "%+lld", (long long)offset);
}

static const char *events(void)
{
    static char text[4000];
    int n = 0;

    text[0] = '\0';
    for (size_t i = 0; i < places.graph.n_events; i++) {
        const struct sd_event *e = &places.graph.events[i];
        uint32_t base = (uint32_t)places.bases.used.list[e->place.base];

        n += sprintf(text + n, "%s%s%s ", i > 0 ? ", " : "",
                     e->is_store ? "store" : "load", e->is_certain ? "" : "?");
        n += print_place(text + n, base, e->place.offset);
        if (base >= places.bases.first_result &&
            base < places.bases.first_content &&
            places.graph.births[e->place.base].block > 0)
            n += sprintf(text + n, " in %u",
                         places.graph.births[e->place.base].block);
    }
    return text;
}

/* The places of function 0. */
static const char *places_of(const char *hex, unsigned second, bool has_callees)
{
    struct sd_impact_table callees;
    const char *text;

    analyse(hex, second);
    sd_places_init(&places, &program, &chunks);
    sd_impacts_init(&callees, &program, &chunks, false);
    places.find_impacts = has_callees ? sd_impacts_of : NULL;
    places.callees = &callees;
    assert_true(sd_places_of(&places, 0));
    text = events();
    sd_impacts_fini(&callees);
    sd_places_fini(&places);
    return text;
}

#define PLACES(hex, expected) \
    assert_string_equal(places_of(hex, 0, false), expected)

TEST(a_constant_is_added_to_a_base)
{
    /* movl (%rdi),%eax; addq $8,%rdi; movl %eax,4(%rdi); ret */
    PLACES("8b07 4883c708 894704 c3", "load rdi+0, store rdi+12, load rsp+0");
    /* leaq 16(%rdi),%rax; subq $4,%rax; movl (%rax),%ecx; ret */
    PLACES("488d4710 4883e804 8b08 c3", "load rdi+12, load rsp+0");
    /* addq (%rsi),%rdi; movl (%rdi),%ecx; ret */
    PLACES("48033e 8b0f c3", "load rsi+0, load result+0, load rsp+0");
    /* testl %eax,%eax; je 1f; addq (%rsi),%rdi; movl (%rdi),%ecx; 1: ret */
    PLACES("85c0 7405 48033e 8b0f c3",
           "load rsi+0, load result+0 in 1, load rsp+0");
}

TEST(a_constant_is_an_address)
{
    /* movl $0x2000,%eax; movl (%rax),%ecx; ret */
    PLACES("b800200000 8b08 c3", "load =2000, load rsp+0");
}

TEST(where_paths_meet_a_differing_value_is_a_new_base)
{
    /* testl %eax,%eax; je 1f; addq $8,%rdi; 1: movl (%rdi),%eax; ret */
    PLACES("85c0 7404 4883c708 8b07 c3", "load meet+0, load rsp+0");
    /* the same with addq $8,%rsi */
    PLACES("85c0 7404 4883c608 8b07 c3", "load rdi+0, load rsp+0");
    /* testl %eax,%eax; je 1f; addq $8,%rdi; jmp 2f; 1: leaq 8(%rdi),%rdi;
       2: movl (%rdi),%eax; ret */
    PLACES("85c0 7406 4883c708 eb04 488d7f08 8b07 c3",
           "load rdi+8, load rsp+0");
    /* 1: movl (%rdi),%eax; addq $4,%rdi; testl %eax,%eax; jne 1b; ret */
    PLACES("8b07 4883c704 85c0 75f6 c3", "load meet+0, load rsp+0");
}

TEST(a_value_at_a_place_is_a_base_until_a_store_to_the_place)
{
    /* movq (%rdi),%rax; movl 8(%rax),%ecx; ret */
    PLACES("488b07 8b4808 c3", "load rdi+0, load [rdi+0]+8, load rsp+0");
    /* movq (%rdi),%rax; movq %rsi,(%rdi); movl (%rax),%ecx;
       movq (%rdi),%rdx; movl (%rdx),%ecx; ret */
    PLACES("488b07 488937 8b08 488b17 8b0a c3",
           "load rdi+0, store rdi+0, load result+0, load rdi+0, "
           "load [rdi+0]+0, load rsp+0");
}

TEST(a_word_of_the_frame_has_the_value_stored_there)
{
    /* movq %rdi,-8(%rsp); movq -8(%rsp),%rax; movl (%rax),%ecx; ret */
    PLACES("48897c24f8 488b4424f8 8b08 c3",
           "store rsp-8, load rsp-8, load rdi+0, load rsp+0");
    /* pushq %rdi; movl $0,%edi; popq %rdi; movl (%rdi),%ecx; ret */
    PLACES("57 bf00000000 5f 8b0f c3",
           "store rsp-8, load rsp-8, load rdi+0, load rsp+0");
    /* movq %rdi,-8(%rsp); movb $0,-4(%rsp); movq -8(%rsp),%rax;
       movl (%rax),%ecx; ret */
    PLACES("48897c24f8 c64424fc00 488b4424f8 8b08 c3",
           "store rsp-8, store rsp-4, load rsp-8, load result+0, load rsp+0");
}

TEST(a_call_preserves_what_its_function_must_keep)
{
    /* call g; movl (%rbx),%ecx; movl (%rsi),%ecx; ret; g: ret */
    assert_string_equal(places_of("e805000000 8b0b 8b0e c3 c3", 10, false),
                        "load rbx+0, load call+0, load rsp+0");
}

TEST(a_word_of_the_frame_that_an_argument_points_to_is_lost_at_a_call)
{
    /* subq $24,%rsp; movq %rdi,8(%rsp); leaq 8(%rsp),%rdi; call g;
       movq 8(%rsp),%rax; movl (%rax),%ecx; ret; g: ret */
    assert_string_equal(places_of("4883ec18 48897c2408 488d7c2408 e808000000 "
                                  "488b442408 8b08 c3 c3",
                                  27, false),
                        "store rsp-16, load rsp-16, load call+0, load rsp-24");
    /* the same with leaq 16(%rsp),%rdi */
    assert_string_equal(places_of("4883ec18 48897c2408 488d7c2410 e808000000 "
                                  "488b442408 8b08 c3 c3",
                                  27, false),
                        "store rsp-16, load rsp-16, load rdi+0, load rsp-24");
}

TEST(registers_that_a_rep_prefix_moves_have_new_bases)
{
    /* rep movsb; movl (%rdi),%eax; movl (%rbx),%eax; ret */
    PLACES("f3a4 8b07 8b03 c3", "load result+0, load rbx+0, load rsp+0");
    /* movl $0x2000,%edi; rep stosq; movl (%rdi),%eax; ret */
    PLACES("bf00200000 f348ab 8b07 c3", "load result+0, load rsp+0");
}

TEST(accesses_of_callees_have_places_of_the_caller)
{
    /* addq $16,%rdi; call g; ret; g: movl (%rdi),%eax; movl %eax,8(%rdi);
       ret */
    static const char *const code = "4883c710 e801000000 c3 8b07 894708 c3";
    /* subq $24,%rsp; movq %rsi,8(%rsp); leaq 8(%rsp),%rdi; call g; ret;
       g: movq (%rdi),%rax; movl %ecx,4(%rax); ret */
    static const char *const frame =
        "4883ec18 4889742408 488d7c2408 e801000000 c3 488b07 894804 c3";

    assert_string_equal(places_of(code, 10, false), "load rsp+0");
    assert_string_equal(places_of(code, 10, true),
                        "load? rdi+16, store? rdi+24, load rsp+0");
    assert_string_equal(
        places_of(frame, 20, true),
        "store rsp-16, load? rsp-16, store? rsi+4, load rsp-24");
}
