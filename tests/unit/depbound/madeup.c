/* Made-up rounds of loops that were not run: which store each load reads, and
   the cycles they take. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "chain.h"
#include "staticdeps/hex.h"
#include "core/cy_figure.h"

#define MOST   8
#define ROUNDS 24

static struct cy_code_insn insns[MOST];
static struct cy_step steps[MOST];
static struct cy_mca_insn asked[MOST];
static struct cy_mca_uses uses[MOST];
static struct cy_memory_edge edges[MOST];

/* A loop: its instructions in hexadecimal, and edges "STORE>LOAD@ROUNDS"
   between their numbers, with "/OFFSET" if the offset is known. */
static struct cy_cost_of_loop loop_of(const char *code, const char *pairs)
{
    struct cy_cost_of_loop c = {
        .insns = insns, .steps = steps, .uses = uses, .edges.list = edges};
    uint64_t address = 0x1000;
    char word[32];
    int n;

    for (; sscanf(code, "%31s%n", word, &n) == 1; code += n, c.n++) {
        struct cy_code_insn *insn = &insns[c.n];

        assert_true(c.n < MOST);
        *insn = (struct cy_code_insn){.address = address, .name = "op"};
        insn->length =
            (uint8_t)from_hex(word, (uint8_t *)insn->bytes, sizeof insn->bytes);
        flow_of_insn(&insn->flow, ARCH_X86_64, insn->bytes, insn->length,
                     insn->address);
        address += insn->length;
        steps[c.n] = (struct cy_step){.insn = insn, .mca = &asked[c.n]};
        steps[c.n].operands.insn = (struct cy_insn){.mnemonic = "op"};
    }
    for (; sscanf(pairs, "%31s%n", word, &n) == 1; pairs += n, c.edges.n++) {
        unsigned store, load, rounds;
        int offset;
        int read = sscanf(word, "%u>%u@%u/%d", &store, &load, &rounds, &offset);

        assert_true(c.edges.n < MOST && read >= 3);
        edges[c.edges.n] = (struct cy_memory_edge){.store = store,
                                                   .load = load,
                                                   .rounds = rounds,
                                                   .mean_rounds = rounds,
                                                   .support = 1,
                                                   .has_offset = read > 3,
                                                   .offset = offset};
    }
    return c;
}

/* A byte that a store wrote. */
struct byte {
    uint64_t address;
    uint32_t store;
    int round;
};

static struct byte memory[ROUNDS * MOST * 64];
static size_t n_bytes;

/* Adds "STORE>LOAD@ROUNDS " for each store whose bytes the load reads. */
static void read_bytes(char *text, uint64_t address, unsigned size,
                       uint32_t load, int round)
{
    for (unsigned i = 0; i < size; i++)
        for (size_t j = n_bytes; j-- > 0;) {
            char pair[32];

            if (memory[j].address != address + i)
                continue;
            snprintf(pair, sizeof pair, "%u>%u@%d ", memory[j].store, load,
                     round - memory[j].round);
            if (strstr(text, pair) == NULL)
                strcat(text, pair);
            break;
        }
}

/* Finds all pairs of a round. */
static void find_pairs(char *text, const struct cy_cost_of_loop *c,
                       const struct cy_places *places, int round)
{
    text[0] = '\0';
    for (uint32_t i = 0; i < c->n; i++) {
        const struct flow *flow = &c->steps[i].insn->flow;

        for (unsigned j = 0; j < flow->n_loads; j++)
            read_bytes(text, cy_places_load(places, i, j, (size_t)round, 0),
                       flow->loads[j].size, i, round);
        for (unsigned j = 0; j < flow->n_stores; j++)
            for (unsigned b = 0; b < flow->stores[j].size; b++)
                memory[n_bytes++] = (struct byte){
                    cy_places_store(places, i, j, (size_t)round, 0) + b, i,
                    round};
    }
}

/* Instructions in hexadecimal: */
#define LOAD_RDI_8  "488b47f8 "       /* mov -8(%rdi), %rax */
#define STORE_RDI   "488907 "         /* mov %rax, (%rdi) */
#define LOAD_RSI    "488b06 "         /* mov (%rsi), %rax */
#define LOAD_RSI_4  "8b06 "           /* mov (%rsi), %eax */
#define STORE_RDI_2 "668907 "         /* mov %ax, (%rdi) */
#define STORE_2_2   "66894702 "       /* mov %ax, 2(%rdi) */
#define RDI_8       "4883c708 "       /* add $8, %rdi */
#define RDI_16      "4883c710 "       /* add $16, %rdi */
#define RSI_8       "4883c608 "       /* add $8, %rsi */
#define CHASE_RDX   "488b12 "         /* mov (%rdx), %rdx */
#define CHASE_RCX   "488b09 "         /* mov (%rcx), %rcx */
#define STORE_RCX   "488901 "         /* mov %rax, (%rcx) */
#define LOAD_RDX_8  "488b4208 "       /* mov 8(%rdx), %rax */
#define STORE_RDX   "488902 "         /* mov %rax, (%rdx) */
#define RDX         "480fafd2 "       /* imul %rdx, %rdx */
#define COUNT       "48ff05f01f0000 " /* incq of an absolute address */
#define PUSH_POP    "50 58 "          /* push %rax, pop %rax */

TEST(loads_read_what_edges_and_registers_say)
{
    static const struct {
        const char *what, *code, *edges, *pairs;
        size_t n_impossible;
    } rows[] = {
        {"one register", LOAD_RDI_8 STORE_RDI RDI_8, "", "1>0@1 ", 0},
        {"the edge that registers say", LOAD_RDI_8 STORE_RDI RDI_8, "1>0@1",
         "1>0@1 ", 0},
        {"an edge that registers exclude", LOAD_RDI_8 STORE_RDI RDI_8, "1>0@3",
         "1>0@1 ", 1},
        {"two registers", LOAD_RSI STORE_RDI RDI_8 RSI_8, "", "", 0},
        {"two registers that move alike", LOAD_RSI STORE_RDI RDI_8 RSI_8,
         "1>0@3", "1>0@3 ", 0},
        {"two registers that do not move", LOAD_RSI STORE_RDI, "1>0@1",
         "1>0@1 ", 0},
        {"two registers that move apart", LOAD_RSI STORE_RDI RDI_16 RSI_8,
         "1>0@1", "", 1},
        {"a load of a pointer", CHASE_RDX STORE_RDI RDI_8, "1>0@2", "1>0@2 ",
         0},
        {"no edge to a pointer", CHASE_RDX STORE_RDI RDI_8, "", "", 0},
        {"a store to a pointer", LOAD_RSI CHASE_RCX STORE_RCX RSI_8, "2>0@5",
         "2>0@5 ", 0},
        {"two pointers", CHASE_RDX CHASE_RCX STORE_RCX, "2>0@2", "2>0@2 ", 0},
        {"a pointer and its own loads", CHASE_RCX STORE_RCX, "1>0@1", "1>0@1 ",
         0},
        {"an address that was computed", LOAD_RDX_8 STORE_RDX RDX, "1>0@1",
         "1>0@1 ", 0},
        {"the same over three rounds", LOAD_RDX_8 STORE_RDX RDX, "1>0@3",
         "1>0@3 ", 0},
        {"two edges of one store", LOAD_RDX_8 STORE_RDX RDX, "1>0@1 1>0@3",
         "1>0@1 ", 1},
        {"a wide load", STORE_RDI_2 STORE_2_2 LOAD_RSI_4, "0>2@0 1>2@0",
         "0>2@0 1>2@0 ", 0},
        {"a wide load, by offsets", STORE_RDI_2 STORE_2_2 LOAD_RSI_4,
         "1>2@0/-2 0>2@0/0", "0>2@0 1>2@0 ", 0},
        {"the second half", STORE_RDI LOAD_RSI_4, "0>1@0/4", "0>1@0 ", 0},
        {"a load of two places", CHASE_RDX STORE_RDI COUNT RDI_8, "1>0@1 2>0@1",
         "1>0@1 2>2@1 ", 1},
        {"a counter", COUNT, "", "0>0@1 ", 0},
        {"the stack", PUSH_POP, "", "0>1@0 ", 0},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct cy_cost_of_loop c = loop_of(rows[i].code, rows[i].edges);
        size_t n_impossible;
        struct cy_places *places =
            cy_places_new(&c, CY_HELD_EDGES, &n_impossible);
        char text[256];

        n_bytes = 0;
        for (int round = 0; round < ROUNDS; round++) {
            find_pairs(text, &c, places, round);
            if (round > 5 && (strcmp(text, rows[i].pairs) != 0 ||
                              n_impossible != rows[i].n_impossible))
                fail_msg("%s: %snot %sin round %d; %zu impossible",
                         rows[i].what, text, rows[i].pairs, round,
                         n_impossible);
        }
        cy_places_free(places);
    }
}

TEST(without_edges_no_load_reads_a_store)
{
    struct cy_cost_of_loop c = loop_of(LOAD_RDI_8 STORE_RDI RDI_8 COUNT, "");
    size_t n_impossible;
    struct cy_places *places = cy_places_new(&c, CY_HELD_NONE, &n_impossible);
    char text[256];

    n_bytes = 0;
    for (int round = 0; round < ROUNDS; round++) {
        find_pairs(text, &c, places, round);
        assert_string_equal(text, "");
    }
    cy_places_free(places);
}

/* A processor as the machine file describes it, without llvm-mca. */
static struct cy_model model_of(const struct cy_machine *machine)
{
    struct cy_model model;
    struct diag d;

    assert_int_equal(cy_model_of(&model, machine, ARCH_X86_64, NULL, &d), 0);
    return model;
}

/* Without a machine file and llvm-mca, a load takes 5 cycles, anything else 1,
   and 4 instructions begin in a cycle. */
TEST(rounds_take_what_the_core_model_says)
{
    static const struct {
        const char *what, *code, *edges;
        double cycles;
    } rows[] = {
        {"a chain of loads", CHASE_RDX, "", 5},
        {"loads that do not wait", LOAD_RSI RSI_8, "", 1},
        {"a store that is loaded", LOAD_RDI_8 STORE_RDI RDI_8, "", 5},
        {"one of two rounds before", LOAD_RSI STORE_RDI RDI_8 RSI_8, "1>0@2",
         2.5},
        {"no edge", LOAD_RSI STORE_RDI RDI_8 RSI_8, "", 1},
        {"one instruction, which is not repeated", RDI_8, "", 1},
        {"a long round", RDI_8 RSI_8 "4883c308 4983c208 4983c308", "", 1.25},
    };
    const struct cy_madeup_choice choice = {.held = CY_HELD_EDGES};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct cy_cost_of_loop c = loop_of(rows[i].code, rows[i].edges);
        const struct cy_model model = model_of(NULL);
        size_t n_impossible;
        struct cy_madeup *m = cy_madeup_new(&model, &c, &choice, &n_impossible);
        struct cy_outcome outcome;
        double cycles = cy_madeup_run(m, CY_FIX_NONE, &outcome);

        if (cycles < rows[i].cycles - 0.01 || cycles > rows[i].cycles + 0.01)
            fail_msg("%s: %g cycles, not %g", rows[i].what, cycles,
                     rows[i].cycles);
        cy_outcome_fini(&outcome);
        cy_madeup_free(m);
    }
}

/* --- Random loops --- */

/* Makes a loop of some instructions, in `code`, and edges between any of its
   stores and loads, in `pairs`. */
static void draw(char *code, char *pairs)
{
    static const char *const insns_of[] = {
        LOAD_RDI_8, STORE_RDI,   LOAD_RSI,    RDI_8,       RSI_8,
        CHASE_RDX,  LOAD_RDX_8,  STORE_RDX,   "4801d8 ",   "4801c3 ",
        COUNT,      "480fafc3 ", "48895f10 ", "488b5ef0 ", "4889c3 ",
    };
    static const bool loads[] = {1, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0},
                      stores[] = {0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0};
    uint32_t n = 2 + unit_below(MOST - 1), chosen[MOST];

    code[0] = pairs[0] = '\0';
    for (uint32_t i = 0; i < n; i++) {
        do /* two counters at one address would overlap */
            chosen[i] = unit_below(sizeof insns_of / sizeof *insns_of);
        while (insns_of[chosen[i]][0] == COUNT[0] &&
               strcmp(insns_of[chosen[i]], COUNT) == 0 &&
               strstr(code, COUNT) != NULL);
        strcat(code, insns_of[chosen[i]]);
    }
    for (int tries = 0; tries < 4; tries++) {
        uint32_t store = unit_below(n), load = unit_below(n);
        char pair[32];

        if (!stores[chosen[store]] || !loads[chosen[load]] ||
            unit_below(2) == 0)
            continue;
        snprintf(pair, sizeof pair, "%u>%u@%u ", store, load,
                 unit_below(3) + (store >= load));
        strcat(pairs, pair);
    }
}

/* Finds the pairs that remain in the long run; false if they change. */
static bool steady_pairs(char *text, const struct cy_cost_of_loop *c,
                         const struct cy_places *places)
{
    char before[512] = "";

    n_bytes = 0;
    for (int round = 0; round < ROUNDS; round++) {
        find_pairs(text, c, places, round);
        if (round > 8 && strcmp(text, before) != 0)
            return false;
        strcpy(before, text);
    }
    return true;
}

static struct cy_machine *wide_machine(void)
{
    char path[256];
    struct diag d;

    snprintf(path, sizeof path, "%s/data/machine.json", getenv("srcdir"));
    return cy_machine_read(path, &d);
}

/* The loops are limited by no unit; a jump takes a cycle. */
TEST(rounds_take_as_long_as_the_longest_chain)
{
    struct cy_machine *machine = wide_machine();
    const struct cy_madeup_choice choice = {.held = CY_HELD_EDGES};
    const struct cy_model model = model_of(machine);
    unsigned n_judged = 0, n_memory = 0;

    assert_non_null(machine);
    for (unsigned i = 0; i < 3000; i++) {
        char code[256], pairs[256], text[512];
        struct cy_cost_of_loop c;
        struct cy_places *places;
        struct cy_outcome outcome;
        struct cy_madeup *m;
        double chain, round;
        size_t ignored;

        draw(code, pairs);
        c = loop_of(code, pairs);
        places = cy_places_new(&c, CY_HELD_EDGES, &ignored);
        if (steady_pairs(text, &c, places) && strstr(text, ">0@0") == NULL) {
            m = cy_madeup_new(&model, &c, &choice, &ignored);
            round = cy_madeup_run(m, CY_FIX_NONE, &outcome);
            c = loop_of(code, text);
            chain = chain_cycles(steps, c.n, edges, c.edges.n, &model);
            if (chain >= 2 && (round < 0.98 * chain || round > 1.02 * chain))
                fail_msg("%s, %s: %g cycles by the model, %g by the chain",
                         code, text, round, chain);
            n_judged += chain >= 2;
            n_memory += chain >= 2 && text[0] != '\0';
            cy_outcome_fini(&outcome);
            cy_madeup_free(m);
        }
        cy_places_free(places);
    }
    assert_true(n_judged > 1000 && n_memory > 300);
    cy_machine_free(machine);
}
