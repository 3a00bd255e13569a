/* Schedules that were computed by hand, for one rule of the core model each.
   schedule.h explains the programs. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "schedule.h"

/* The tolerance of times: a width of 1000 delays an instruction by less. */
#define NEARLY 0.05

/* The time of an event, by the name of a register or '.' for the end. */
struct row {
    const char *rule;
    const char *keys; /* of the machine file */
    const char *program;
    char what;
    double time;
};

static void assert_rows(const struct row *rows, size_t n,
                        const struct cy_fix *fix)
{
    for (size_t i = 0; i < n; i++) {
        struct schedule *s = schedule_run(rows[i].keys, rows[i].program, fix);
        double time = rows[i].what == '.' ? schedule_end(s)
                                          : schedule_time(s, rows[i].what);

        if (time < rows[i].time - NEARLY || time > rows[i].time + NEARLY)
            fail_msg("%s: %s: %c is %g, not %g", rows[i].rule, rows[i].program,
                     rows[i].what, time, rows[i].time);
        schedule_free(s);
    }
}
#define ASSERT_ROWS(rows) \
    assert_rows(rows, sizeof(rows) / sizeof(rows)[0], NULL)

TEST(values_wait_for_their_sources)
{
    static const struct row rows[] = {
        {"nothing to wait for", "", "a=3:", 'a', 3},
        {"an operand", "", "a=3: b=2:a", 'b', 5},
        {"the later of two operands", "", "a=3: b=7: c=2:ab", 'c', 9},
        {"no operand", "", "a=3: b=2:a c=4:", 'c', 4},
        {"an operand that is written later", "", "a=3: b=1:a a=9:", 'b', 4},
        {"a chain around a loop", "", "[a=3:a /]10", 'a', 30},
        {"two chains side by side", "", "[a=3:a b=2:b /]10", 'b', 20},
        {"a move costs what llvm-mca says", "", "a=3: b~a", 'b', 3},
        {"the address of a load", "", "p=2: a<p@100", 'a', 6},
        {"a load without an address", "", "a<p@100", 'a', 4},
        {"a load that computes, and its register is later", "",
         "b=5: a=1:b<p@100", 'a', 6},
        {"a load that computes, and its register is early", "",
         "b=1: a=2:b<p@100", 'a', 6},
        {"a pointer that is loaded", "", "[p<p@100 /]5", 'p', 20},
        {"a result after one of its kind",
         "'latency': [{'mnemonic': 'op', 'cycles': 3, 'chained': 2}]",
         "a=3: b=3:a c=3:b", 'c', 7},
        {"a result after one of its kind that was moved",
         "'latency': [{'mnemonic': 'op', 'cycles': 3, 'chained': 2}]",
         "a=3: b~a c=3:b", 'c', 5},
        {"a result after a load is of no kind",
         "'latency': [{'mnemonic': 'op', 'cycles': 3, 'chained': 2}]",
         "a<p@100 b=3:a", 'b', 7},
        {"the machine file's latency counts",
         "'latency': [{'mnemonic': 'op', 'cycles': 6}]", "a=1:", 'a', 6},
        {"the machine file's load counts", "'load': [{'cycles': 9}]", "a<p@100",
         'a', 9},
    };

    ASSERT_ROWS(rows);
}

#define ZERO_UPPER "'zero_upper': true"
#define KEPT       "'latency': [{'mnemonic': 'sqrtsd', 'cycles': 9, 'kept': 2}]"

TEST(what_keeps_an_upper_half_waits_for_it_unless_it_is_0)
{
    static const struct row rows[] = {
        {"it waits", "", "x=1: b=20:x ^a=3:", 'a', 24},
        {"even for 0, if the machine file does not tell", "",
         "b=20: ^a=3:", 'a', 23},
        {"not for 0", ZERO_UPPER, "b=20: ^a=3:", 'a', 3},
        {"for another value", ZERO_UPPER, "x=1: b=20:x ^a=3:", 'a', 24},
        {"for a value that was loaded", ZERO_UPPER, "b<p@100 ^a=3:", 'a', 7},
        {"for a copy of one", ZERO_UPPER, "x=1: c=20:x b~c ^a=3:", 'a', 24},
        {"not for a copy of 0", ZERO_UPPER, "c=20: b~c ^a=3:", 'a', 3},
        {"the next one waits for this one", ZERO_UPPER,
         "x=1: b=1:x [^a=3: ?a]10", 'a', 32},
        {"if nothing tells, it is 0", ZERO_UPPER, "[^a=3: ?a]10", 'a', 3},
        {"other operands count", ZERO_UPPER, "c=5: b=20: ^a=3:c", 'a', 8},
        {"it may wait less long", KEPT, "x=1: b=20:x ^a=9:", 'a', 23},
        {"but not for other operands", KEPT, "x=1: c=20:x ^a=9:c", 'a', 30},
    };

    ASSERT_ROWS(rows);
}

TEST(instructions_retire_in_order_when_they_are_complete)
{
    static const struct row rows[] = {
        {"a result is complete when it is there", "", "a=3:", '.', 3},
        {"a load is complete a cycle later", "", "a<p@100", '.', 5},
        {"a store is complete a cycle after its data", "", "a=3: a>p@100", '.',
         4},
        {"what is earlier waits for what is before it", "", "x=10: a=1:", '.',
         10},
        {"a branch waits for what it depends on", "", "a=6: ?a", '.', 6},
    };

    ASSERT_ROWS(rows);
}

#define ONE_WIDE "'dispatch': {'width': 1}"
#define ROUNDS   "'dispatch': {'width': 4, 'rounds': [1, 1, 1, 1, 2]}"

TEST(dispatch_takes_the_width_and_the_rounds_of_loops)
{
    static const struct row rows[] = {
        {"one place a cycle", ONE_WIDE, "3*nop a=1:", 'a', 4},
        {"retirement has the same width", ONE_WIDE, "4*nop", '.', 4},
        {"two places a cycle", "'dispatch': {'width': 2}", "6*nop a=1:", 'a',
         4},
        {"an early operand does not help", ONE_WIDE, "a=1: 3*nop b=1:a", 'b',
         5},
        {"a short round takes a cycle", ROUNDS, "[a=1: /]4", 'a', 4},
        {"a round of five places takes two", ROUNDS, "[a=1: nop nop nop /]4",
         'a', 7},
        {"a longer round takes its places by the width", ROUNDS,
         "[a=1: 6*nop /]4", 'a', 7},
        {"a jump that is not taken ends no run", ROUNDS, "[a=1: ?b nop /]4",
         'a', 4},
        {"a jump fuses with the comparison before it",
         ONE_WIDE ", 'fused': ['op']", "a=1: ?a a=1: ?a b=1:", 'b', 3},
        {"a jump behind another instruction does not fuse",
         ONE_WIDE ", 'fused': ['cmp']", "a=1: ?a a=1: ?a b=1:", 'b', 5},
        {"a chain hides the dispatch", ONE_WIDE, "[a=3:a /]10", 'a', 30},
    };

    ASSERT_ROWS(rows);
}

TEST(work_waits_for_a_free_unit)
{
    static const struct row rows[] = {
        {"one unit, one after another", "", "a=1:#1 b=1:#1 c=1:#1", 'c', 3},
        {"two units", "", "a=1:#3 b=1:#3 c=1:#3", 'c', 2},
        {"another unit is free", "", "a=1:#1 b=1:#2", 'b', 1},
        {"work that is not ready leaves its unit free", "",
         "x=5: a=1:x#1 b=1:#1", 'b', 1},
        {"older work is first", "", "a=1:#1 b=1:#1 c=1:a#1", 'c', 3},
        {"a choice of units leaves the wanted one", "", "a=1:#1 b=1:#3 c=1:#1",
         'c', 2},
        {"a unit starts work each cycle, whatever it takes", "",
         "a=5:#1 b=5:#1", 'b', 6},
        {"work of several cycles on one unit ends later, its result does not",
         "", "a=5:#1x3", 'a', 5},
        {"the next work on a unit begins after such work", "",
         "a=5:#1x3 b=5:#1", 'b', 8},
        {"work of several units waits for the last of them", "",
         "a=1:#1 b=1:#3x2", 'b', 2},
        {"half a cycle is a cycle each second time", "",
         "[a=1:#1x0.5 /]8 b=1:#1", 'b', 5},
        {"a cycle and a half are one and two", "", "[a=1:#1x1.5 /]8 b=1:#1",
         'b', 13},
        {"a move that costs nothing by the machine file needs no unit",
         "'latency': [{'mnemonic': 'op', 'cycles': 0}]", "a=0:#1 b=0:#1 c=0:#1",
         'c', 0},
        {"loads by their rate",
         "'access': {'load_general': 0.5, 'store_general': 1}", "4*a<p@100",
         'a', 5},
        {"accesses by the rate of both kinds",
         "'access': {'load_general': 0.25, 'store_general': 0.25, 'any': 0.5}",
         "a<p@100 x>p@200 c<p@300", 'c', 5},
        {"an access to two lines takes its units twice",
         "'access': {'load_general': 1, 'store_general': 1}", "a<p@3c b<p@100",
         'b', 6},
        {"a divider stays occupied",
         "'occupancy': [{'mnemonic': 'op', 'cycles': 4}]", "a=10: b=10:", 'b',
         14},
        {"for parts of cycles, too",
         "'occupancy': [{'mnemonic': 'op', 'cycles': 4.5}]",
         "a=10: b=10: c=10:", 'c', 19},
        {"loads that waited for a store begin again, one after another",
         "'window': {'address_scheduler': 9}, 'access': {'load_general': 2, "
         "'store_general': 0, 'any': 0}",
         "x=100: x>p@100 a<p@100 b<p@100", 'b', 107},
        {"a measured throughput replaces llvm-mca's units",
         "'throughput': [{'mnemonic': 'op', 'cycles': 0.5}]",
         "a=1:#1 b=1:#1 c=1:#1 d=1:#1", 'd', 2},
        {"kinds of one group share its first units",
         "'throughput': [{'mnemonic': 'op', 'bits': 64, 'cycles': 0.5}]",
         "a=1:#1 b=1:#8 c=1:#10", 'c', 2},
        {"llvm-mca's units stay if they give about the same",
         "'throughput': [{'mnemonic': 'op', 'cycles': 0.95}]", "a=1:#1 b=1:#8",
         'b', 1},
        {"figures of parts of a cycle are kept", "'load': [{'cycles': 4.5}]",
         "a<p@100 b=1:a#1", 'b', 5.5},
    };

    ASSERT_ROWS(rows);
}

#define PAIRS \
    "'access': {'load_general': 1, 'store_general': 3, 'store_pair': 0.5}"

#define LINES \
    "'access': {'load_general': 1, 'store_general': 3, 'store_line': 0.5}"

TEST(dispatch_waits_for_room_in_buffers)
{
    static const struct row rows[] = {
        {"the reorder buffer is full until the oldest retires",
         "'window': {'reorder_buffer': 4}", "x=100: 3*nop a=1:", 'a', 101},
        {"what is old retires as it is dispatched", "'dispatch': {'width': 2}",
         "x=100: 40*nop", '.', 120},
        {"more may retire in a cycle than are dispatched",
         "'dispatch': {'width': 2}, 'window': {'retired': 8}", "x=100: 40*nop",
         '.', 105},
        {"the reorder buffer has room", "'window': {'reorder_buffer': 4}",
         "x=100: 2*nop a=1:", 'a', 1},
        {"an unknown reorder buffer has room", "", "x=100: 40*nop a=1:", 'a',
         1},
        {"the scheduler is full until something begins",
         "'window': {'scheduler': 2}", "x=100: a=1:x#1 b=1:x#1 c=1:#2", 'c',
         101},
        {"three micro-operations take three entries of the scheduler",
         "'window': {'scheduler': 4}, 'throughput': "
         "[{'mnemonic': 'op', 'cycles': 1, 'places': 3}]",
         "x=100: a=1:x#1 b=1:#2", 'b', 101},
        {"what needs no unit needs no scheduler", "'window': {'scheduler': 2}",
         "x=100: a=1:x#1 b=1:x#1 c=1:", 'c', 1},
        {"a vector store waits in a scheduler of its own",
         "'window': {'vector_stores': 1}", "x=100: %x>p@100 %x>p@200 a=1:", 'a',
         101},
        {"that scheduler has room for two", "'window': {'vector_stores': 2}",
         "x=100: %x>p@100 %x>p@200 a=1:", 'a', 1},
        {"other stores do not wait there", "'window': {'vector_stores': 1}",
         "x=100: x>p@100 x>p@200 a=1:", 'a', 1},
        {"vector stores wait in the queue before the schedulers",
         "'window': {'vector_scheduler': 9, 'vector_stores': 1, "
         "'vector_queue': 1}",
         "x=100: %x>p@100 %x>p@200 a=1: %b=1:#1 c=1:", 'a', 1},
        {"what comes after them waits in that queue, too",
         "'window': {'vector_scheduler': 9, 'vector_stores': 1, "
         "'vector_queue': 1}",
         "x=100: %x>p@100 %x>p@200 a=1: %b=1:#1 c=1:", 'c', 101},
        {"a store waits for its data where accesses do",
         "'window': {'address_scheduler': 1}", "x=100: x>p@100 b<p@200", 'b',
         104},
        {"the data of a vector store waits elsewhere",
         "'window': {'address_scheduler': 1}", "x=100: %x>p@100 b<p@200", 'b',
         4},
        {"a load waits there for what is stored",
         "'window': {'address_scheduler': 1}",
         "x=100: %x>p@100 a<p@100 b<p@200", 'b', 104},
        {"a load waits in one of several schedulers in turn",
         "'window': {'load_schedulers': 2, 'load_scheduler': 1}",
         "x=100: x>p@100 a<p@100 b<p@200 c<p@300", 'c', 104},
        {"the next one is free for the load after it",
         "'window': {'load_schedulers': 2, 'load_scheduler': 1}",
         "x=100: x>p@100 a<p@100 b<p@200 c<p@300", 'b', 4},
        {"a store takes no turn of theirs",
         "'window': {'load_schedulers': 2, 'load_scheduler': 1}",
         "x=100: x>p@100 a<p@100 x>p@400 b<p@200", 'b', 4},
        {"without a scheduler for accesses it does not",
         "'window': {'scheduler': 2}", "x=100: %x>p@100 a<p@100 b<p@200", 'b',
         4},
        {"the load buffer is full until a load retires",
         "'window': {'load_buffer': 1}", "x=50: a<p@100 b<p@200", 'b', 54},
        {"a result needs a register until it retires",
         "'window': {'general_results': 1}", "d=50: a=1: b=1:", 'b', 52},
        {"what has no result needs none", "'window': {'general_results': 1}",
         "d=50: a>p@100 ?a b=1:", 'b', 51},
        {"what is no load needs no load buffer", "'window': {'load_buffer': 1}",
         "x=50: a<p@100 b=1:", 'b', 1},
        {"the store buffer is full until a store leaves",
         "'window': {'store_buffer': 1}", "x=50: a>p@100 b>p@200 c=1:", 'c',
         51},
        {"stores leave by their rate",
         "'window': {'store_buffer': 1}, 'access': {'load_general': 1, "
         "'store_general': 3}",
         "x=50: a>p@100 b>p@200 c>p@300 d=1:", 'd', 54},
        {"two stores to one block of 32 bytes leave together",
         "'window': {'store_buffer': 1}, " PAIRS,
         "x=50: a>p@100 b>p@108 c>p@200 d=1:", 'd', 52},
        {"a third one does not", "'window': {'store_buffer': 1}, " PAIRS,
         "x=50: a>p@100 b>p@108 c>p@110 e>p@200 d=1:", 'd', 55},
        {"a store between them parts them",
         "'window': {'store_buffer': 1}, " PAIRS,
         "x=50: a>p@100 b>p@200 c>p@108 e>p@300 d=1:", 'd', 57},
        {"nor one to the line's next block",
         "'window': {'store_buffer': 1}, " PAIRS,
         "x=50: a>p@118 b>p@120 c>p@200 d=1:", 'd', 54},
        {"pairs leave in each round", "'window': {'store_buffer': 8}, " PAIRS,
         "[a>p@100 b>p@108 /]40", '.', 109},
        {"what a load reads before it leaves does not leave with another store",
         "'window': {'store_buffer': 8}, " PAIRS,
         "[a>p@100 b>p@108 e<p@100 e<p@108 /]40", '.', 219},
        {"a line's stores leave together though they are read",
         "'window': {'store_buffer': 8}, " LINES,
         "[a>p@100 b>p@108 e<p@100 e<p@108 /]40", '.', 114},
        {"two stores to one line leave together, where any two do",
         "'window': {'store_buffer': 1}, " LINES,
         "x=50: %a>p@100 %b>p@120 c>p@200 d=1:", 'd', 52},
        {"two stores to two lines do not leave together",
         "'window': {'store_buffer': 1}, " LINES,
         "x=50: a>p@138 b>p@140 c>p@200 d=1:", 'd', 54},
        {"a store to two lines leaves in twice the time",
         "'window': {'store_buffer': 1}, " PAIRS,
         "x=50: a>p@100 b>p@1fc c>p@300 d=1:", 'd', 57},
    };

    ASSERT_ROWS(rows);
}

#define FUSED "'dispatch': {'width': 6, 'micro_fused': true, 'split_places': 3}"

/* Each instruction has two parts, of which six begin in a cycle if no two
   fuse. */
TEST(parts_of_an_instruction_share_a_place_in_the_dispatch)
{
    static const struct row rows[] = {
        {"a load and its computation share a place", FUSED,
         "60*a=1:b<p@100 c=1:", 'c', 11},
        {"the address and the data of a store share a place", FUSED,
         "60*a>p@100 c=1:", 'c', 11},
        {"one with an index falls apart", FUSED, "30*&a=1:b<p@100 c=1:", 'c',
         15.67},
        {"one with an index does not if its result goes to an operand", FUSED,
         "60*&a=1:a<p@100 c=1:", 'c', 11},
        {"what falls apart waits for a new cycle after four instructions",
         FUSED, "4*nop &a=1:b<p@100 4*nop c=1:", 'c', 3},
        {"what falls apart may begin third in a cycle", FUSED,
         "2*nop &a=1:b<p@100 6*nop c=1:", 'c', 2.67},
    };

    ASSERT_ROWS(rows);
}

#define PENALTY "'window': {'misprediction': 20}"
#define VECTORS "'window': {'misprediction': 20, 'vector_misprediction': 7}"

TEST(a_misprediction_costs_after_its_operands_are_known)
{
    static const struct row rows[] = {
        {"operands from before the window", PENALTY, "?a! b=1:", 'b', 21},
        {"the operands of the comparison count", PENALTY, "a=1: ?a! b=1:", 'b',
         21},
        {"they are late", PENALTY, "x=5: a=1:x ?a! b=1:", 'b', 26},
        {"they are loaded", PENALTY, "a=1:<p@100 ?a! b=1:", 'b', 25},
        {"what is older goes on", PENALTY, "c=30: ?a! b=1:", 'c', 30},
        {"a branch that is predicted costs nothing", PENALTY, "?a b=1:", 'b',
         1},
        {"the cycles of the comparison count but for one", PENALTY,
         "a=50: ?a! b=1:", 'b', 70},
        {"two mispredictions", PENALTY, "?a! ?b! c=1:", 'c', 41},
        {"it costs more where vector computations wait", VECTORS,
         "x=9: 6*%c=1:x ?a! b=1:", 'b', 28},
        {"not where few do", VECTORS, "x=9: 2*%c=1:x ?a! b=1:", 'b', 21},
        {"not where they need not wait", VECTORS, "6*%c=1: ?a! b=1:", 'b', 21},
        {"not where others wait", VECTORS, "x=9: 6*c=1:x ?a! b=1:", 'b', 21},
        {"an unknown penalty is typical", "", "?a! b=1:", 'b',
         CY_TYPICAL_PENALTY + 1},
    };

    ASSERT_ROWS(rows);
}

#define RENAMED                                                           \
    "'forward': [{'delta_k': 1, 'store_first': false, 'how': 'renamed', " \
    "'cycles': 0}, {'cycles': 5}]"

#define UNMOVED                                                         \
    "'forward': [{'delta_k': 1, 'store_first': false, 'moved': false, " \
    "'how': 'renamed', 'cycles': 0}, {'cycles': 5}], 'window': "        \
    "{'renamed_after': 1}"

#define FEW_STORES "'window': {'store_buffer': 1}"
#define ORDER                                                                  \
    "'access': {'load_general': 0, 'store_general': 2, 'locked': 20}, "        \
    "'latency': [{'mnemonic': 'mfence', 'cycles': 50}], 'occupancy': "         \
    "[{'mnemonic': 'mfence', 'cycles': 70}, {'mnemonic': 'lfence', 'cycles': " \
    "10}, {'mnemonic': 'sfence', 'cycles': 4}]"

#define RETIRING "'retiring': [{'mnemonic': 'op', 'bits': 128, 'cycles': 15}]"
#define PLACES                                                               \
    "'dispatch': {'width': 1}, 'throughput': [{'mnemonic': 'op', 'stores': " \
    "true, 'cycles': 1, 'places': 3}]"

TEST(some_instructions_begin_when_all_before_them_have_retired)
{
    static const struct row rows[] = {
        {"nothing is before it", RETIRING, "%a>p@100", '.', 15},
        {"what is before it retires first", RETIRING, "x=50: %a>p@100", '.',
         65},
        {"two of them", RETIRING, "x=50: %a>p@100 %a>p@140", '.', 80},
        {"a load waits for what it stores", RETIRING, "x=50: %a>p@100 b<p@100",
         'b', 69},
        {"and is not renamed", RETIRING ", " RENAMED,
         "[b<p@100 %a>p@100 /]20 c<p@100", 'c', 20 * 20 + 4},
        {"others do not wait", RETIRING, "x=50: %a>p@100 c=1:", 'c', 1},
    };

    ASSERT_ROWS(rows);
}

TEST(a_measured_number_of_places_replaces_that_of_llvm_mca)
{
    static const struct row rows[] = {
        {"of what stores", PLACES, "a>p@100 b=1:", 'b', 4},
        {"not of others", PLACES, "a=1: b=1:", 'b', 2},
    };

    ASSERT_ROWS(rows);
}

TEST(atomics_and_fences_execute_one_after_another)
{
    static const struct row rows[] = {
        {"two atomics", ORDER, "!a>p@40 !b>p@40", '.', 40},
        {"two atomics on different addresses", ORDER, "!a>p@40 !b>p@80", '.',
         40},
        {"an atomic beside a chain", ORDER, "[!a>p@40 b=9:b ?b]4", 'b', 36},
        {"a load goes ahead of an atomic", ORDER, "!a>p@40 b<p@80", 'b', 4},
        {"an atomic's own value goes ahead", ORDER, "a=1: !a>p@40 b<p@40", 'b',
         6},
        {"it begins shortly before what is older retires", ORDER,
         "b=30: !a>p@40", '.', 47},
        {"it waits for the stores before it, but the last", ORDER,
         "c>p@100 c>p@140 c>p@180 !a>p@40", '.', 24},
        {"stores after it leave after it", ORDER "," FEW_STORES,
         "!a>p@40 b>p@80 c>p@c0 d=1:", 'd', 23},
        {"a fence waits for what is before it, and lets nothing begin", ORDER,
         "a=30: mfence b=5:", 'b', 85},
        {"fences are not nearer to each other than that", ORDER,
         "mfence mfence b=5:", 'b', 145},
        {"a fence without a latency", ORDER, "a=30: lfence b=5:", 'b', 45},
        {"a fence of stores lets others begin", ORDER, "a=30: sfence b=5:", 'b',
         5},
        {"a fence of stores is in the store buffer", ORDER "," FEW_STORES,
         "sfence b>p@80 c>p@c0 d=1:", 'd', 7},
        {"an unknown cost counts nothing", "", "!a>p@40 mfence b=5:", 'b', 5},
    };

    ASSERT_ROWS(rows);
}

TEST(stores_forward_to_loads)
{
    static const struct row rows[] = {
        {"the same bytes", "", "a=3: a>p@100 b<p@100", 'b', 8},
        {"a part of the bytes", "", "a=3: a>p@100 b<p@104.4", 'b', 8},
        {"a load is not quicker than the cache", "", "a>p@100 p=9: b<p@100",
         'b', 13},
        {"other bytes come from the cache", "", "a=3: a>p@100 b<p@108", 'b', 4},
        {"a load that was recorded as two of its halves", "",
         "a=3: a>p@108 b<p@100.8x2", 'b', 16},
        {"the latest store counts", "", "a=30: a>p@100 c=2: c>p@100 b<p@100",
         'b', 7},
        {"the address of the store", "", "q=9: a>q@100 b<p@100", 'b', 14},
        {"a load that does not happen waits for no store", "",
         "a=9: a>p@100 b<p@-", 'b', 4},
        {"a store that does not happen forwards nothing", "",
         "a=9: a>p@- b<p@100", 'b', 4},
        {"a value that goes through memory each round", "",
         "[a<p@100 b=1:a b>p@100 /]10", 'b', 59},
        {"a value of two rounds before", "", "[a<p@100+8 b=1:a b>p@110+8 /]10",
         'b', 29},
        {"across a line",
         "'forward': [{'relation': 'crossing', 'cycles': 10}, {'cycles': 5}]",
         "a>p@13c b<p@13c", 'b', 10},
        {"across a page",
         "'forward': [{'relation': 'crossing-page', 'cycles': 27}, {'cycles': "
         "5}]",
         "a>p@ffc b<p@ffc", 'b', 27},
        {"renamed, the store first",
         "'forward': [{'delta_k': 0, 'how': 'renamed', 'cycles': 0}, "
         "{'cycles': 5}]",
         "a=7: a>p@100 b<p@100", 'b', 7},
        {"renamed, the load first",
         "'forward': [{'delta_k': 1, 'store_first': false, 'how': 'renamed', "
         "'cycles': 0}, {'cycles': 5}]",
         "[b<p@100 a=1:b a>p@100 /]3", 'a', 7},
        {"not renamed, since a register of the address was written", RENAMED,
         "[p=1: b<p@100 a=1:b a>p@100 /]3", 'a', 18},
        {"renamed after 65 times alike", RENAMED,
         "[p=1: b<p@100 a=1:b a>p@100 /]86", 'a', 6 + 65 * 6 + 20},
        {"renamed after as many times as the machine file says",
         RENAMED ", 'window': {'renamed_after': 30}",
         "[p=1: b<p@100 a=1:b a>p@100 /]86", 'a', 6 + 31 * 6 + 54},
        {"not renamed after another distance", RENAMED,
         "[p=1: b<p@100 a=1:b a>p@100 /]86 a>q@100 [p=1: b<p@100 a=1:b a>p@100 "
         "/]3",
         'a', 6 + 65 * 6 + 20 + 18},
        {"never renamed, since a register of the address is made anew", UNMOVED,
         "[p=1: b<p@100 a=1:b a>p@100 /]10", 'a', 6 + 9 * 6},
        {"renamed, though constants are added to the address", UNMOVED,
         "[+p b<p@100 a=1:b a>p@100 /]10", 'a', 6 + 2 * 6 + 7},
        {"renamed through a copy of the register", UNMOVED,
         "[q~p b<q@100 a=1:b a>p@100 /]10", 'a', 5 + 2 * 6 + 7},
        {"renamed through a copy in memory that is renamed", UNMOVED,
         "[q<s@200 b<q@100 a=1:b a>p@100 p>s@200 /]10", 'a', 28},
        {"renamed through two registers that stay", UNMOVED,
         "[b<p@100 a=1:b a>q@100 /]10", 'a', 5 + 2 * 6 + 7},
        {"not the latest store of its instruction",
         "'forward': [{'delta_k': 1, 'store_first': true, 'cycles': 9}, "
         "{'cycles': 5}]",
         "[a=2: a>p@100+8 b<p@f8+8 /]3", 'b', 11},
        {"a chain of moves",
         "'forward': [{'copy': true, 'cycles': 7}, {'cycles': 5}]",
         "[a<p@100 a>p@100 /]3", 'a', 18},
        {"a chain with arithmetic is none of moves",
         "'forward': [{'copy': true, 'cycles': 7}, {'cycles': 5}]",
         "[a<p@100 a=1:a a>p@100 /]3", 'a', 17},
        {"a chain with arithmetic takes a least time",
         "'forward': [{'cycles': 5, 'at_least': 12}]",
         "[a<p@100 b=1:a b>p@100 /]3", 'a', 28},
        {"without a rule, as long as a load", "'forward': []",
         "a=3: a>p@100 b<p@100", 'b', 7},
    };

    ASSERT_ROWS(rows);
}

#define LATE "q=9: a>q@100 b<p@100 "

TEST(loads_may_begin_before_it_is_known_where_older_stores_write)
{
    static const struct row rows[] = {
        {"the load has its value as soon as others", PENALTY, LATE, 'b', 14},
        {"what is after it begins anew when the address is known", PENALTY,
         LATE "c=1:", 'c', 30},
        {"a load a cycle before the address is in time", PENALTY,
         "q=1: a>q@100 b<p@100 c=1:", 'c', 1},
        {"a load of bytes that no late store writes is in time", PENALTY,
         "q=9: a>q@108 b<p@100 c=1:", 'c', 1},
        {"a load that is renamed does not begin",
         PENALTY ", 'forward': [{'delta_k': 1, 'store_first': false, 'how': "
                 "'renamed', 'cycles': 0}, {'cycles': 5}]",
         "[b<p@100 q=9: a>p@100 /]3 c=1:", 'c', 1},
        {"the next time it waits, and is read 3 cycles after the address",
         PENALTY, "[" LATE "/]2", 'b', 29 + 9 + 3 + 4},
        {"the next time it begins 7 cycles late at least", PENALTY,
         "[q=2: a>q@100 b<p@100 /]2", 'b', 22 + 7 + 4},
        {"the next time it waits, whatever it reads", PENALTY,
         "[q=9: a>q@100 b<p@100+8 /]2", 'b', 29 + 9 + 3 + 4},
        {"nothing begins anew after a load that has waited", PENALTY,
         "[" LATE "/]2 c=1:", 'c', 30},
        {"a load does not wait if all addresses are known", PENALTY,
         "[q=9: a>q@100 b<r@100+8 r=30: /]2", 'b', 29 + 30 + 4},
        {"a load waits until it has waited 24 times", ONE_WIDE ", " PENALTY,
         "[q=9: a>q@100 b<p@100+8 /]27", 'b', 29 + 1 + 25 * 4 + 16},
        {"a load that has waited 24 times waits no longer",
         ONE_WIDE ", " PENALTY, "[q=9: a>q@100 b<p@100+8 /]28", 'b',
         29 + 1 + 26 * 4 + 6},
    };

    ASSERT_ROWS(rows);
}

#define SLOW_STORES "'window': {'store_completion': 4}"
#define AGES                                                               \
    "'forward': [{'relation': 'several', 'how': 'failed', 'cycles': 43}, " \
    "{'relation': 'partial', 'how': 'failed', 'cycles': 30}, {'cycles': 5}]"

TEST(a_forward_that_fails_waits_until_the_stores_have_left)
{
    static const struct row rows[] = {
        {"bytes from elsewhere, too", "", "a>p@100.4 b<p@100", 'b', 13},
        {"bytes of two stores", "", "a>p@100.4 b>p@104.4 c<p@100", 'c', 14},
        {"what is before the store must retire", "", "x=20: a>p@100.4 b<p@100",
         'b', 32},
        {"what is after the store need not", "", "a>p@100.4 x=20: b<p@100", 'b',
         13},
        {"a store that left long ago costs nothing", "",
         "a>p@100.4 q=50: b<q@100", 'b', 54},
        {"a store that leaves before the other has its data", AGES,
         "x=20: a>p@100.4 y=50: y>p@104.4 c<p@100", 'c', 80},
        {"bytes of a store that has left come from the cache", AGES,
         "a>p@100.4 q=50: b>q@104.4 c<q@100", 'c', 80},
        {"bytes of a store that has not left are another's", AGES,
         "x=90: a>p@100.4 q=50: b>q@104.4 c<q@100", 'c', 133},
        {"a store that must wait has not left", "",
         "x=100: a>p@100.4 q=50: b<q@100", 'b', 112},
        {"stores leave in order, by their rate",
         "'access': {'load_general': 1, 'store_general': 2}",
         "x=10: a>p@100.4 b>q@200 c>p@104.4 d<p@100", 'd', 26},
        {"a loop with one failure a round takes its cycles", "",
         "[a<p@100 a>p@100.4 /]11", 'a', 134},
        {"where stores complete late, too", SLOW_STORES,
         "[a<p@100 a>p@100.4 /]11", 'a', 134},
        {"other results are complete before", SLOW_STORES,
         "x=20: a>p@100.4 b<p@100", 'b', 29},
        {"and so are loads", SLOW_STORES, "[b<p@100 a>p@100.4 /]11", 'b', 94},
    };

    ASSERT_ROWS(rows);
}

TEST(a_fix_removes_a_wait)
{
    static const struct row in_register[] = {
        {"the load has what was stored", "", "a=7: a>p@100 b<p@100", 'b', 7},
        {"its address does not count", "", "a=7: a>p@100 q=9: b<q@100", 'b', 7},
        {"a failed forward", "", "a=7: a>p@100.4 b<p@100", 'b', 7},
        {"its kind is that of what was stored",
         "'latency': [{'mnemonic': 'op', 'cycles': 3, 'chained': 2}]",
         "a=3: a>p@100 b<p@100 c=3:b", 'c', 5},
        {"a load of other bytes stays", "", "a=7: a>p@100 b<p@200", 'b', 4},
    };
    static const struct row wide[] = {
        {"a failed forward becomes one", "", "a=2: a>p@100.4 b<p@100", 'b', 7},
        {"others stay", "", "a=2: a>p@100 b<p@100", 'b', 7},
    };
    static const struct row predicted[] = {
        {"no branch is mispredicted", PENALTY, "?a! b=1:", 'b', 1},
    };
    static const struct row one[] = {
        {"of the pair", "", "a=7: a>p@100 b<p@100", 'b', 7},
        {"not of another pair", "", "a=7: nop a>p@100 b<p@100", 'b', 12},
    };

    static const bool first_pair[] = {false, true, true, false, false};

    assert_rows(in_register, 5, &(struct cy_fix){.kind = CY_FIX_REGISTER});
    assert_rows(wide, 2, &(struct cy_fix){.kind = CY_FIX_WIDE});
    assert_rows(predicted, 1, &(struct cy_fix){.kind = CY_FIX_PREDICTED});
    assert_rows(one, 2, &(struct cy_fix){CY_FIX_REGISTER, .parts = first_pair});
}

TEST(a_core_of_several_speeds_renames_more_or_less)
{
    static const struct row quick[] = {
        {"though a register of the address is made anew", UNMOVED,
         "[p=1: b<p@100 a=1:b a>p@100 /]10", 'a', 6 + 2 * 6 + 7},
        {"not what an earlier execution than the latest stored", UNMOVED,
         "[p=1: b<p@f8+8 a=1:b a>p@108+8 /]10", 'a', 6 + 4 * 6},
        {"not with an index", UNMOVED, "[p=1: &b=1:b<p@100 b>p@100 /]10", 'b',
         6 + 9 * 6},
    };
    static const struct row slow[] = {
        {"not if a register of the address was written", UNMOVED,
         "[+p b<p@100 a=1:b a>p@100 /]10", 'a', 6 + 9 * 6},
        {"but if none was", UNMOVED, "[b<p@100 a=1:b a>p@100 /]10", 'a', 5 + 9},
    };

    assert_rows(quick, 3, &(struct cy_fix){.kind = CY_FIX_QUICK});
    assert_rows(slow, 2, &(struct cy_fix){.kind = CY_FIX_SLOW});
}

/* Checks that the sums of an outcome agree, over the counted three quarters. */
static void assert_sums(const struct schedule *s)
{
    double causes = 0, insns = 0;

    for (unsigned i = 0; i < CY_N_CAUSES; i++)
        causes += s->outcome.causes[i];
    for (size_t i = 0; i < s->outcome.n_insns; i++)
        insns += s->outcome.by_insn[i];
    assert_float_equal(causes, s->outcome.cycles, 1e-6);
    assert_float_equal(insns, s->outcome.cycles, 1e-6);
}

/* Checks that `cause` has nearly all the time of a loop of 100 rounds. */
static void assert_cause(const char *keys, const char *program,
                         enum cy_cause cause, double share)
{
    struct schedule *s = schedule_run(keys, program, NULL);

    assert_sums(s);
    if (s->outcome.causes[cause] < (share - 0.02) * s->outcome.cycles ||
        s->outcome.causes[cause] > (share + 0.02) * s->outcome.cycles)
        fail_msg("%s: cause %u has %g of %g", program, cause,
                 s->outcome.causes[cause], s->outcome.cycles);
    schedule_free(s);
}

TEST(causes_add_up_to_the_cycles)
{
    assert_cause("", "[a=3:a /]100", CY_CAUSE_REGISTERS, 1);
    assert_cause("", "[p<p@100 /]100", CY_CAUSE_LOADS, 1);
    assert_cause("", "[a<p@100 b=1:a b>p@100 /]100", CY_CAUSE_FORWARDED,
                 5.0 / 6);
    assert_cause("", "[a<p@100 b=1:a b>p@100 /]100", CY_CAUSE_REGISTERS,
                 1.0 / 6);
    assert_cause("", "[a<p@100 a>p@100.4 /]100", CY_CAUSE_FAILED, 12.0 / 13);
    assert_cause("", "[q=9:b a>q@100 b<p@100 /]100", CY_CAUSE_ADDRESSES,
                 3.0 / 16);
    assert_cause(ONE_WIDE, "[4*nop /]100", CY_CAUSE_DISPATCH, 1);
    assert_cause(ROUNDS, "[a=1: /]100", CY_CAUSE_FETCH, 1);
    assert_cause("", "[a=1:#1 b=1:#1 /]100", CY_CAUSE_UNITS, 1);
    assert_cause(PENALTY, "[a=1: ?a! /]100", CY_CAUSE_MISPREDICTION, 0.95);
}

TEST(a_pair_has_the_time_between_store_and_load)
{
    struct schedule *s = schedule_run("", "[a<p@100 b=1:a b>p@100 /]100", NULL);
    const struct cy_window_pair *p = s->outcome.pairs;

    assert_int_equal(s->outcome.n_pairs, 1);
    assert_int_equal(p->store, 2);
    assert_int_equal(p->load, 0);
    assert_int_equal(p->failed.n, 0);
    assert_int_equal(p->forwarded.n, 75);
    assert_float_equal(p->forwarded.cycles,
                       s->outcome.causes[CY_CAUSE_FORWARDED], 1e-6);
    schedule_free(s);
}

TEST(a_pair_has_the_time_until_its_address_is_known)
{
    struct schedule *s = schedule_run("", "[q=9:b a>q@100 b<p@100 /]100", NULL);
    const struct cy_window_pair *p = s->outcome.pairs;

    assert_int_equal(s->outcome.n_pairs, 1);
    assert_int_equal(p->store, 1);
    assert_int_equal(p->load, 2);
    assert_float_equal(p->forwarded.cycles,
                       s->outcome.causes[CY_CAUSE_ADDRESSES], 1e-6);
    schedule_free(s);
}

TEST(the_first_quarter_is_not_counted)
{
    struct schedule *s = schedule_run("", "x=90: nop nop nop [a=3:a /]6", NULL);

    assert_int_equal(s->outcome.instructions, 12);
    assert_int_equal(s->outcome.executed[0], 0);
    assert_int_equal(s->outcome.executed[4], 6);
    assert_true(s->outcome.cycles < 1);
    schedule_free(s);
}

TEST(rounds_of_a_string_instruction_cost_nothing_but_are_counted)
{
    struct schedule *s = schedule_run("", "[a=5:a]8", NULL);

    assert_float_equal(schedule_time(s, 'a'), 5, NEARLY);
    assert_int_equal(s->outcome.n_rounds, 6);
    assert_int_equal(s->outcome.executed[0], 6);
    schedule_free(s);
}

TEST(instructions_that_are_not_modelled_are_counted)
{
    struct schedule *s = schedule_run(
        "'forward': []",
        "4*nop sys huh huh a<p@100 b<p@108 c<p@140 d>p@138 e<p@138 ?a! nop "
        "nop nop",
        NULL);

    assert_int_equal(s->outcome.n_system_calls, 1);
    assert_int_equal(s->outcome.n_unknown, 2);
    assert_int_equal(s->outcome.n_first_touches, 2);
    assert_int_equal(s->outcome.n_no_rules, 1);
    assert_int_equal(s->outcome.n_branches, 1);
    assert_int_equal(s->outcome.n_missed, 1);
    assert_true(s->outcome.penalty_is_typical);
    schedule_free(s);
    s = schedule_run("", "4*nop !a>p@40 mfence nop nop nop nop", NULL);
    assert_int_equal(s->outcome.n_ordered, 2);
    schedule_free(s);
}
