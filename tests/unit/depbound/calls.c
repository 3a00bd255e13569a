/* The time that calls take, as frames open and close. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "core/cy_outcome.h"

/* How many instructions; each is a call of 5 bytes, at 10 times its number. */
#define INSNS 8

/* The instruction that returns. */
#define FROM 7

static struct cy_calls calls;
static double called[INSNS], cut[INSNS];
static bool recurses[INSNS];
static struct cy_outcome outcome = {.weight = 1,
                                    .called = called,
                                    .recurses = recurses,
                                    .cut = cut,
                                    .n_insns = INSNS};

static uint64_t after(uint32_t insn)
{
    return 10 * (uint64_t)insn + 5;
}

static void call_to(uint32_t insn, uint32_t entry, double now)
{
    cy_calls_call(&calls, insn, entry, after(insn), 10 * insn, now);
}

/* Returns to the instruction after `insn`. */
static void return_after(uint32_t insn, double now)
{
    cy_calls_return(&calls, &outcome, FROM, insn + 1, after(insn), now);
}

/* What a window of calls gives.  Times come after "@": "1@10" is a call by
   instruction 1, "1>2@10" one of function 2, "<1@17" a return to the place
   after instruction 1, "|@15" the beginning of the part that counts, and the
   end is at 40. */
static void run(const char *events)
{
    unsigned insn, entry;
    double now;
    int n;

    memset(called, 0, sizeof called);
    memset(cut, 0, sizeof cut);
    memset(recurses, 0, sizeof recurses);
    cy_calls_restart(&calls);
    cy_calls_count(&calls, 0);
    outcome.n_calls = 0;
    keys_clear(&outcome.call_keys);
    for (; *events != '\0'; events += n + (events[n] == ' '))
        if (sscanf(events, "|@%lf%n", &now, &n) == 1)
            cy_calls_count(&calls, now);
        else if (sscanf(events, "<%u@%lf%n", &insn, &now, &n) == 2)
            return_after(insn, now);
        else if (sscanf(events, "%u>%u@%lf%n", &insn, &entry, &now, &n) == 3)
            call_to(insn, entry, now);
        else if (sscanf(events, "%u@%lf%n", &insn, &now, &n) == 2)
            call_to(insn, insn + INSNS, now);
        else
            fail_msg("%s", events);
    cy_calls_end(&calls, &outcome, 40);
    cy_calls_fini(&calls);
}

/* Instructions that call, as "1:7", with "/2" if 2 of the cycles are of calls
   that are cut, and "*" if it recurses; then who calls which function for how
   long, as "1>9=7". */
static const char *found(void)
{
    static char text[200];
    int n = 0;

    text[0] = '\0';
    for (unsigned i = 0; i < INSNS; i++)
        if (called[i] != 0 || cut[i] != 0 || recurses[i]) {
            n += sprintf(text + n, "%s%u:%g", n > 0 ? " " : "", i, called[i]);
            if (cut[i] != 0)
                n += sprintf(text + n, "/%g", cut[i]);
            n += sprintf(text + n, "%s", recurses[i] ? "*" : "");
        }
    for (size_t i = 0; i < outcome.n_calls; i++)
        n += sprintf(text + n, " %u>%u=%g", outcome.calls[i].caller,
                     outcome.calls[i].callee, outcome.calls[i].cycles);
    return text;
}

static const struct {
    const char *title, *events, *expected;
} cases[] = {
    {"a call has the time until it returns, of what it jumps to, too",
     "1@10 <1@17", "1:7 1>9=7 1>7=7"},
    {"it has the time of calls in it", "1@10 3@12 <3@15 <1@20",
     "1:10 3:3 3>11=3 3>7=3 1>9=10 1>7=10"},
    {"a return over several calls ends all of them", "1@10 3@12 <1@20",
     "1:10 3:8 3>11=8 1>9=10 1>7=10"},
    {"a call that the window ends in is cut", "1@10", "1:30/30 1>9=30"},
    {"a call before the counted part has only what is counted",
     "1@10 |@15 <1@17", "1:2/2 1>9=2 1>7=2"},
    {"a window that begins in a call gives its time to where that returns",
     "|@4 3@6 <3@9 <1@12", "2:8/8 3:3 3>11=3 3>7=3 2>7=8"},
    {"a return to a place that nothing called leaves open calls",
     "1@10 <5@14 <1@20", "1:10 1>9=10 1>7=10"},
    {"a call of a function that is open recurses",
     "1>2@10 3>2@12 <3@15 5@16 <5@17 <1@20",
     "1:10 3:3* 4:0* 5:1 5>13=1 5>7=1 1>2=10 1>7=10"},
    {"calls of one function by one instruction are summed",
     "1@10 <1@12 2@20 <2@23 1@30 <1@34", "1:6 2:3 1>9=6 1>7=6 2>10=3 2>7=3"},
    {"a call before the window is known by where it returns from", "|@4 <1@12",
     "2:8/8 2>7=8"},
    {"a function that calls itself has the time once",
     "1>20@10 3>20@12 <3@15 <1@20", "1:10 3:3* 4:0* 1>20=10 1>7=10"},
};

TEST(calls_have_the_time_until_they_return)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        run(cases[i].events);
        if (strcmp(found(), cases[i].expected) != 0)
            fail_msg("%s: %s", cases[i].title, found());
    }
}

TEST(a_return_before_the_counted_part_adds_nothing)
{
    run("");
    call_to(1, 1 + INSNS, 10);
    cy_calls_return(&calls, NULL, FROM, 2, after(1), 12);
    cy_calls_count(&calls, 15);
    cy_calls_end(&calls, &outcome, 40);
    assert_string_equal(found(), "");
}

TEST(a_call_of_a_stub_is_one_of_what_the_stub_jumps_to)
{
    run("");
    call_to(1, 1 + INSNS, 10);
    cy_calls_jump(&calls, 6, 10 * 1 + 2);
    cy_calls_jump(&calls, 5, 10 * 1 + 9);
    return_after(1, 17);
    cy_calls_end(&calls, &outcome, 40);
    assert_string_equal(found(), "1:7 1>6=7 1>7=7");
}
