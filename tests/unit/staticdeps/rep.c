/* A rep instruction shows the same pairs if its elements are executed at once,
   with less work. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "staticdeps/analyse.h"

/* Leaves all pairs of a block in the analyser; returns the work of its rep
   instructions in operations and granules. */
static uint64_t analyse(const char *hex, bool never_joins)
{
    uint64_t before = analyser.exec.n_steps;

    analyser.settings.threshold = 0;
    analyser.settings.n_seeds = 1;
    analyser.exec.never_joins = never_joins;
    assert_int_equal(analyse_hex(hex, 0), SD_OK);
    return analyser.exec.n_steps - before;
}

static char *found(void)
{
    const struct sd_reroll *r = &analyser.reroll;
    char *text = test_calloc(r->n_deps + 1, 50);
    int n = 0;

    for (size_t i = 0; i < r->n_deps; i++)
        n += sprintf(text + n, "%u>%u@%u:%f ", r->deps[i].src, r->deps[i].dst,
                     r->deps[i].delta_k, r->deps[i].support);
    return text;
}

/* Checks that both ways show the same pairs; returns how many times less work
   it is to execute all elements at once. */
static uint64_t same(const char *hex)
{
    uint64_t all = analyse(hex, true), joined;
    char *text = found(), *other;

    joined = analyse(hex, false);
    other = found();
    assert_string_equal(text, other);
    test_free(text);
    test_free(other);
    return all / joined;
}

/* Checks movl $COUNT,%ecx and an instruction with a rep prefix, between a store
   and a load of 8 bytes near the addresses of its own. */
static uint64_t near(unsigned count, const char *before, const char *rep,
                     unsigned store, unsigned load)
{
    char hex[200];

    snprintf(hex, sizeof hex, "b9%02x%02x0000 %s 4889%02x%02x %s 488b%02x%02x",
             count & 255, count >> 8, before, store & 256 ? 0x46 : 0x47,
             store & 255, rep, load & 256 ? 0x46 : 0x47, load & 255);
    return same(hex);
}

static const char *const reps[] = {"f3a4", "66f3a5", "f3a5",  "f348a5",
                                   "f3aa", "f3ab",   "f348ab"};

TEST(elements_executed_at_once_show_the_same_pairs)
{
    for (size_t i = 0; i < sizeof reps / sizeof reps[0]; i++)
        for (unsigned count = 0; count < 40; count += 1 + count / 8)
            for (unsigned at = 0; at < 512; at += 37)
                near(count, "", reps[i], at, (at * 7 + count) % 512);
}

TEST(overlapping_elements_executed_at_once_show_the_same_pairs)
{
    char before[20];

    for (size_t i = 0; i < 4; i++)
        for (unsigned by = 0; by < 256; by += by < 240 && by > 20 ? 7 : 1) {
            /* leaq BY(%rsi),%rdi; and the same with std */
            snprintf(before, sizeof before, "488d7e%02x", by);
            near(30, before, reps[i], by, by + 256);
            snprintf(before, sizeof before, "fd488d7e%02x", by);
            near(30, before, reps[i], by, by + 256);
        }
}

TEST(work_is_counted_by_bytes_and_not_by_elements)
{
    /* rep movsb, rep stosb; with std; with each element after the last one */
    assert_true(near(1023, "", "f3a4", 0, 0) > 50);
    assert_true(near(1023, "", "f3aa", 0, 0) > 50);
    assert_true(near(1023, "fd", "f3a4", 0, 0) > 50);
    assert_true(near(1023, "488d7e01", "f3a4", 0, 0) > 50);
    /* rep movsq */
    assert_true(near(1023, "", "f348a5", 0, 0) > 5);
    /* What is loaded is an address: movl $1023,%ecx; rep movsb;
       movq (%rdi),%rax; movq (%rax),%rbx */
    assert_int_equal(same("b9ff030000 f3a4 488b07 488b18"), 1);
}
