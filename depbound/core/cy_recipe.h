/*
 * cy_recipe: what the core model needs of each instruction.
 *
 * Instructions with the same code and accesses share a recipe, wherever they
 * lead.
 *
 * Units for memory are llvm-mca's only if the machine file does not say how
 * many accesses begin at once.
 *
 * Limits: an instruction that occupies a divider does so from the moment when
 * its operands are ready.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once

#include "step/cy_step.h"
#include "core/cy_window.h"

/* A distinct instruction of the windows, by its number in cy_windows. */
struct cy_simulated_insn {
    uint64_t address;
    uint32_t object;
    uint32_t recipe; /* number of its recipe */
    uint8_t length;
    bool is_shared; /* its object is a shared one, far from the program */
    /* Of windows: its code can be read, its flow is known, it has loads, and
       stores. */
    bool is_read, is_known, loads, stores;
    uint8_t n_accesses;
    const struct cy_window_access *accesses; /* recorded accesses */
    /* For the recipe, and shared as it is.  Without step->insn, the code cannot
       be read; of an instruction of windows, only step->operands are valid
       later on. */
    const struct cy_step *step;
};

/* Units that work waits for by rate. */
enum cy_rate {
    CY_RATE_LOAD,
    CY_RATE_STORE,
    CY_RATE_ANY,
    CY_RATE_DIVIDE,        /* divisions in general registers */
    CY_RATE_DIVIDE_VECTOR, /* divisions and roots in vector registers */
    CY_RATE_RETURN,
    CY_N_RATES
};

/* llvm-mca's units, and the machine file's own, general and vector. */
#define CY_ALL_UNITS (CY_MOST_UNITS + 2 * CY_MOST_OWN_UNITS)

/* What a value is made of: n of cy_recipes.words from `first` on, and loads. */
struct cy_needs {
    uint32_t first;
    uint8_t n;
    uint8_t loads; /* bit i: load i, as in flow_sources */
};

/* Work that occupies one of `units` (bits) for some cycles.  Fractions add up
   over executions until they make a cycle. */
struct cy_piece {
    uint64_t units;
    float cycles;
};

/* Work of more cycles than this stays in one unit. */
#define CY_LONG_WORK 4

/* `n` elements of cy_recipes.pieces from `first` on. */
struct cy_pieces {
    uint32_t first;
    uint8_t n;
};

/* Bytes of a block: two stores of general registers whose bytes are in one
   leave together.  (Found on Zen 3 with eight stores at many places.) */
#define CY_PAIR_BLOCK 32

#define CY_NO_ACCESS UINT8_MAX

/* The address of an access, among all those of an executed instruction. */
static inline uint64_t cy_address_of(const uint64_t *addresses, uint8_t access)
{
    return access != CY_NO_ACCESS ? addresses[access] : CY_NOT_DONE;
}

struct cy_recipe_load {
    struct cy_needs address;
    uint8_t access; /* number of the recorded access; CY_NO_ACCESS: none */
    uint8_t size;
};

struct cy_recipe_store {
    struct cy_needs address, data;
    uint8_t access, size;
    bool by_result; /* the data is the instruction's result */
};

struct cy_recipe_put {
    struct cy_needs value;
    uint8_t word;
    bool by_result, is_free, is_base;
    float more; /* cycles after the result: the high half of a product, or a
                   remainder */
};

struct cy_recipe {
    enum cy_branch branch;
    bool is_known, is_idle; /* is_idle: a zero idiom, which waits for nothing */
    bool is_prefetch;       /* it asks for a line: VEX, and so depsim, does not
                               tell which */
    bool is_system;         /* a system call: the kernel runs, unrecorded */
    bool fuses;             /* can fuse with a conditional jump after it */
    bool adds_constant;     /* to a general register of 64 bits */
    bool moves_base;        /* it copies one, and may add a constant */
    bool is_vector;         /* works on vector registers */
    uint8_t paired_in;      /* two such stores to a block of so many bytes leave
                               together; 0: they do not */
    bool is_split;          /* falls apart in the dispatch: see
                               cy_dispatch.split_places */
    uint8_t upper;          /* the word that the instruction does not wait for
                               if it is known to be 0; FLOW_WORDS: none */
    uint8_t places;         /* places that it takes in the dispatch */
    uint8_t apart;          /* of these, those that only the dispatch splits off
                             */
    uint8_t numbers;        /* immediates and displacements; of 64 bits: two */
    uint8_t n_loads, n_stores, n_puts;
    uint8_t n_general, n_vector; /* registers for its results */
    bool has_parts;              /* as in struct flow */
    bool loads_compute;          /* it computes with what it loads */
    bool computes;               /* it has a computed result */
    bool cost_is_known;          /* the cost is not guessed */
    float cycles;                /* latency from operands to the result */
    float chained;     /* latency from an operand of the same `figure` */
    float accumulated; /* latency from an addend of the same `figure` */
    float
        kept; /* latency from the n_kept words of operands from first_kept on */
    uint8_t first_kept, n_kept;
    float retiring;  /* cycles of what begins when all before it has retired; 0:
                        it does not wait for that */
    uint32_t figure; /* shared if each is quicker after the other; 0: none */
    float load_cycles, leave_cycles;
    enum cy_order {
        CY_NO_ORDER,
        CY_ORDER_UNKNOWN,   /* an atomic or a fence whose cost is not known */
        CY_ORDER_STORES,    /* takes its turn when stores leave their buffer */
        CY_ORDER_RETIRES,   /* takes its turn before it retires */
        CY_ORDER_SERIALIZES /* takes its turn, and then what follows begins */
    } order;
    float order_cycles;  /* cycles from one ordered instruction to the next */
    float serial_cycles; /* cycles from earlier instructions to later ones */
    struct cy_needs operands, way;
    struct cy_recipe_put *puts;
    const struct cy_step *step;
    struct cy_pieces work, load_work, store_work;
    uint32_t first_piece, n_pieces; /* of all three */
    bool has_rates, has_load_rates, has_store_rates;
    /* Most instructions need little of the rest, so it is not in between. */
    struct cy_recipe_load loads[FLOW_MOST_LOADS];
    struct cy_recipe_store stores[FLOW_MOST_STORES];
    float rates[CY_N_RATES];
    float load_rates[CY_N_RATES], store_rates[CY_N_RATES];
};

/* The instruction's place as one number: its object and its address. */
static inline uint64_t cy_place_at(uint32_t object, uint64_t address)
{
    return ((uint64_t)object << 48) + address;
}
static inline uint32_t cy_object_at(uint64_t place)
{
    return (uint32_t)(place >> 48);
}
static inline uint64_t cy_address_at(uint64_t place)
{
    return place & ((UINT64_C(1) << 48) - 1);
}

static inline uint64_t cy_place_of(const struct cy_simulated_insn *insn)
{
    return cy_place_at(insn->object, insn->address);
}

/* Does the instruction take a unit for more than its accesses? */
static inline bool cy_computes(const struct cy_recipe *r)
{
    return r->work.n > 0 || r->has_rates;
}

struct cy_recipes {
    const struct cy_simulated_insn *insns; /* that have the recipes */
    size_t n_insns;
    struct cy_recipe *list;
    size_t n;
    uint8_t *words;
    size_t n_words, words_room;
    struct cy_piece *pieces;
    size_t n_pieces, pieces_room;
    size_t *figures; /* recipes with a figure */
    size_t n_figures, figures_room;
    const struct cy_model *model;
};

/* The recipe of an instruction. */
static inline const struct cy_recipe *
cy_recipe_of(const struct cy_recipes *recipes, uint32_t insn)
{
    return &recipes->list[recipes->insns[insn].recipe];
}

/* Begins n recipes of n_insns instructions.  `insns` and `model` must live as
   long as the recipes. */
void cy_recipes_begin(struct cy_recipes *recipes,
                      const struct cy_simulated_insn *insns, size_t n_insns,
                      size_t n, const struct cy_model *model);

/* Makes the recipe of an instruction, after those with lower numbers.
   step->operands must live as long as the recipes, but step->insn, step->mca
   and `uses` (NULL: not known) need not. */
void cy_recipes_take(struct cy_recipes *recipes,
                     const struct cy_simulated_insn *insn,
                     const struct cy_mca_uses *uses);

/* Does both for n instructions that share no recipe, whose numbers it sets. */
void cy_recipes_init(struct cy_recipes *recipes,
                     struct cy_simulated_insn *insns,
                     const struct cy_mca_uses *uses, size_t n,
                     const struct cy_model *model);
void cy_recipes_fini(struct cy_recipes *recipes);
