/*
 * internal: the parts of the core model.
 *
 * cy_branch says which branch an instruction is, cy_recipe what the core needs
 * of it, cy_predictor which branches are mispredicted, cy_habits which loads
 * are renamed, cy_early which begin too early, cy_steer how soon branches are
 * told, cy_fetch when instructions reach the dispatch, cy_queues and
 * cy_schedulers when there is room for them, cy_units when work begins,
 * cy_written which store gave a byte of memory its value, and cy_steady whether
 * rounds that are made up have settled.  cy_pipeline lets a window go through
 * all of them, with cy_passage for what goes through memory, and cy_causes goes
 * back along the last waits.  cy_calls has the time of what is called.
 *
 * Time is in cycles since the window began.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CY_WINDOW_INTERNAL_H
#define CY_WINDOW_INTERNAL_H

#include "machine/cy_machine.h"
#include "step/cy_step.h"
#include "window/cy_madeup.h"
#include "window/cy_simulate.h"

/* cy_units: work that waits for a unit.  A unit does one cycle's work in a
   cycle, and a rate is a unit that may do parts of it.  What asks first is
   served first, but what asks later may begin in an earlier cycle that was left
   free: the scheduler of a processor prefers what is older, and needs no
   order. */
enum cy_rate {
    CY_RATE_LOAD,
    CY_RATE_STORE,
    CY_RATE_ANY,
    CY_RATE_DIVIDE,        /* of general registers */
    CY_RATE_DIVIDE_VECTOR, /* and roots */
    CY_RATE_RETURN,
    CY_N_RATES
};

#define CY_SPAN 8192 /* cycles that are looked ahead, at most */

/* llvm-mca's units, and two groups of the machine file's own. */
#define CY_ALL_UNITS (CY_MOST_UNITS + 2 * CY_MOST_OWN_UNITS)

struct cy_units {
    uint64_t now; /* nothing asks for an earlier cycle */
    uint64_t full[CY_ALL_UNITS][CY_SPAN / 64];
    uint64_t n_taken[CY_ALL_UNITS];
    uint64_t rate_full[CY_N_RATES][CY_SPAN / 64];
    float used[CY_N_RATES][CY_SPAN];
};

void cy_units_init(struct cy_units *u);

/* Nothing asks for a cycle before `time` from now on. */
void cy_units_advance(struct cy_units *u, double time);

/* One cycle's work of one of `units`, from `ready` on: when it begins. */
double cy_units_take(struct cy_units *u, uint64_t units, double ready);

/* Work of some rates, `cost[rate]` cycles of each that is not 0: when it
   begins. */
double cy_units_take_rates(struct cy_units *u, const float cost[CY_N_RATES],
                           double ready);

/* cy_written: the store that wrote each byte last. */
#define CY_NO_STORE UINT32_MAX

struct cy_written;

struct cy_written *cy_written_new(void);
void cy_written_free(struct cy_written *w);

/* Forgets all stores. */
void cy_written_clear(struct cy_written *w);

void cy_written_store(struct cy_written *w, uint64_t address, unsigned size,
                      uint32_t store);

/* The stores that wrote `size` bytes last, in `stores`: CY_NO_STORE of bytes
   that none wrote.  Returns how many differ. */
#define CY_MOST_WRITERS 64
unsigned cy_written_load(struct cy_written *w, uint64_t address, unsigned size,
                         uint32_t stores[CY_MOST_WRITERS]);

/* Is it the first access since the last clearing to its line of 64 bytes? */
bool cy_written_is_first(struct cy_written *w, uint64_t address);

/* cy_predictor: where branches are expected to go. */
struct cy_predictor;

enum cy_branch {
    CY_NO_BRANCH,
    CY_JUMP, /* always to one place */
    CY_CONDITIONAL,
    CY_INDIRECT,
    CY_DIRECT_CALL,
    CY_INDIRECT_CALL,
    CY_RETURN
};

/* cy_branch: which branch an instruction is, by its code. */
enum cy_branch cy_branch_of(const struct cy_code_insn *insn);

/* Does the kernel run instead? */
bool cy_is_system_call(const struct cy_code_insn *insn);

/* `longest`: the most rounds of a loop whose exit is predicted, if it always
   has as many. */
struct cy_predictor *cy_predictor_new(unsigned longest);
void cy_predictor_free(struct cy_predictor *p);

/* What was executed before is not known. */
void cy_predictor_restart(struct cy_predictor *p);

/* A branch at `address` went to `to`; what follows it in the code is at `next`.
   Is that as predicted?  Learns it. */
bool cy_predictor_branch(struct cy_predictor *p, enum cy_branch kind,
                         uint64_t address, uint64_t next, uint64_t to);

/* cy_recipe: what the core needs of an instruction.  Lists of words of the
   registers are parts of one array. */
struct cy_needs {
    uint32_t first;
    uint8_t n;
    uint8_t loads; /* as in cy_sources */
};

/* Work of one of `units` for some cycles.  A part of a cycle is one each few
   executions. */
struct cy_piece {
    uint64_t units;
    float cycles;
};

/* Work of more cycles is that of one unit. */
#define CY_LONG_WORK 4

/* A part of the pieces of all recipes. */
struct cy_pieces {
    uint32_t first;
    uint8_t n;
};

#define CY_NO_ACCESS UINT8_MAX

/* The address of a load or store, among those of an executed instruction. */
static inline uint64_t cy_address_of(const uint64_t *addresses, uint8_t access)
{
    return access != CY_NO_ACCESS ? addresses[access] : CY_NOT_DONE;
}

struct cy_recipe_load {
    struct cy_needs address;
    uint8_t access; /* among those recorded; CY_NO_ACCESS: none of them */
    uint8_t size;
};

struct cy_recipe_store {
    struct cy_needs address, data;
    uint8_t access, size;
    bool by_result; /* the data is the result */
};

struct cy_recipe_put {
    struct cy_needs value;
    uint8_t word;
    bool by_result, is_free, is_base;
};

struct cy_recipe {
    uint64_t address;
    uint32_t object;
    uint8_t length;
    enum cy_branch branch;
    bool is_known, is_idle; /* a zero idiom: it waits for nothing */
    bool is_system;         /* the kernel runs instead */
    bool fuses;             /* with a conditional jump after it */
    bool is_vector;         /* by registers */
    uint8_t upper;          /* the word that it does not wait for if that is
                               known to be 0; CY_WORDS: none */
    uint8_t places;         /* in the dispatch */
    uint8_t n_loads, n_stores, n_puts;
    bool computes;      /* there is a result */
    bool cost_is_known; /* by machine file or llvm-mca */
    float cycles;       /* from operands to the result */
    float chained;      /* if the operand comes from a result of `figure` */
    float accumulated;  /* the same for the operand that it adds to */
    float kept;         /* the same for the half of a register that it keeps */
    uint32_t figure;    /* 0: none */
    float load_cycles, leave_cycles;
    enum cy_order {
        CY_NO_ORDER,
        CY_ORDER_UNKNOWN,   /* an atomic or a fence whose cost is not known */
        CY_ORDER_STORES,    /* it is among the stores that leave the buffer */
        CY_ORDER_RETIRES,   /* it takes its turn before it retires */
        CY_ORDER_SERIALIZES /* and what follows begins after that */
    } order;
    float order_cycles;  /* from one of these to the next */
    float serial_cycles; /* from what is before to what follows */
    struct cy_needs operands, way;
    struct cy_recipe_load loads[CY_MOST_LOADS];
    struct cy_recipe_store stores[CY_MOST_STORES];
    struct cy_recipe_put *puts;
    struct cy_pieces work, load_work, store_work;
    float rates[CY_N_RATES];
    float load_rates[CY_N_RATES], store_rates[CY_N_RATES];
    bool has_rates, has_load_rates, has_store_rates;
    const struct cy_step *step;
};

/* Its address, with its object. */
static inline uint64_t cy_place_of(const struct cy_recipe *r)
{
    return ((uint64_t)r->object << 48) + r->address;
}

/* Does it take a unit for more than its accesses? */
static inline bool cy_computes(const struct cy_recipe *r)
{
    return r->work.n > 0 || r->has_rates;
}

struct cy_recipes {
    struct cy_recipe *list;
    size_t n;
    uint8_t *words;
    size_t n_words, words_room;
    struct cy_piece *pieces;
    size_t n_pieces, pieces_room;
    const struct cy_machine *machine;
    const struct cy_load_latency *loads;
    double mca_width; /* of llvm-mca's dispatch; 0: unknown */
    uint64_t adders;  /* llvm-mca's units that add; 0: unknown */
};

void cy_recipes_init(struct cy_recipes *recipes,
                     const struct cy_simulated_insn *insns, size_t n,
                     const struct cy_model *model);
void cy_recipes_fini(struct cy_recipes *recipes);

/* cy_queues: entries that are left in order, or in any order. */
struct cy_queue {
    unsigned size; /* 0: unlimited */
    unsigned used;
    struct cy_queued {
        double until;
        unsigned entries;
        uint32_t event;
    } * ring;
    uint32_t head, n, room; /* room: a power of two */
};

void cy_queue_init(struct cy_queue *q, unsigned size);
void cy_queue_fini(struct cy_queue *q);
void cy_queue_clear(struct cy_queue *q);

/* When there is room for `entries` more, from `time` on; *event is what made
   it, if that is later. */
double cy_queue_room(struct cy_queue *q, unsigned entries, double time,
                     uint32_t *event);

/* They are left at `until`, not before those of the calls before. */
void cy_queue_add(struct cy_queue *q, unsigned entries, double until,
                  uint32_t event);

struct cy_pool {
    unsigned size; /* 0: unlimited */
    struct cy_pooled {
        double until;
        uint32_t event;
    } * ring;               /* the earliest first */
    uint32_t head, n, room; /* room: a power of two */
};

void cy_pool_init(struct cy_pool *p, unsigned size);
void cy_pool_fini(struct cy_pool *p);
void cy_pool_clear(struct cy_pool *p);
double cy_pool_room(struct cy_pool *p, double time, uint32_t *event);
void cy_pool_add(struct cy_pool *p, double until, uint32_t event);

/* cy_causes: something that happened, after a last wait. */
#define CY_NO_EVENT 0 /* the window began */
struct cy_event {
    double time;
    uint32_t from;
    uint32_t insn, store; /* store: of a passage through memory */
    uint32_t number;      /* of the execution in the window */
    float delay;          /* for a unit, of the time since `from` */
    uint8_t cause;        /* enum cy_cause, of the rest */
    bool retires;         /* it is the retirement of the instruction */
};

struct cy_events {
    struct cy_event *list; /* the first one is CY_NO_EVENT */
    size_t n, room;
};

void cy_events_clear(struct cy_events *events);
void cy_events_grow(struct cy_events *events);

/* Adds an event, which is filled where it lies: what is built elsewhere and
   copied waits for its stores. */
static inline struct cy_event *cy_events_new(struct cy_events *events)
{
    if (events->n == events->room)
        cy_events_grow(events);
    return &events->list[events->n++];
}

static inline uint32_t cy_events_last(const struct cy_events *events)
{
    return (uint32_t)events->n - 1;
}

/* Adds the time between two moments to the outcome, by the causes of the waits
   before `last`, which ends it. */
void cy_causes_of(struct cy_outcome *outcome, const struct cy_events *events,
                  uint32_t last, double begin, double end);

/* Gives the outcome the legs of the way to an event. */
void cy_way_of(struct cy_outcome *outcome, const struct cy_events *events,
               uint32_t last);

/* A time, and the event that it is the time of, or is after. */
struct cy_moment {
    double time;
    uint32_t event;
};

/* cy_steer: when it is known where code goes on. */
#define CY_STEERED 20 /* runs that are ahead of the fetch, at most */

struct cy_steer {
    unsigned branches; /* in a cycle; 0: unknown, and all is known in time */
    double more;       /* cycles of a call or a return, beside its own */
    double time;       /* when the begin of the next run is known */
    unsigned left;     /* branches for which the cycle has time */
    uint8_t *known;    /* by instruction: where it went */
    double fetched[CY_STEERED]; /* when runs began to be fetched */
    uint32_t n_fetched;
};

void cy_steer_init(struct cy_steer *s, const struct cy_machine *machine,
                   size_t n_insns);
void cy_steer_fini(struct cy_steer *s);

/* It is known at `time` where the first run begins. */
void cy_steer_restart(struct cy_steer *s, double time);

/* The next branch in the order of execution. */
void cy_steer_branch(struct cy_steer *s, uint32_t insn, enum cy_branch kind,
                     bool is_taken);

/* The next run begins to be fetched. */
void cy_steer_fetched(struct cy_steer *s, double time);

/* cy_fetch: when instructions are there to be dispatched.  What is executed
   between two taken branches is a run. */
struct cy_fetch {
    double width, most; /* places a cycle: of long runs; after a stall */
    const struct cy_dispatch *dispatch; /* NULL: unknown */
    struct cy_moment begin;             /* of the run */
    double end;                         /* of the run; the next begins then */
    struct cy_steer steer;
    double known; /* when it is known where the next run begins */
    double cost, places, done;
    struct cy_lines lines;
    enum cy_cause cause; /* of what it costs */
    bool is_anew;        /* `begin` is that of the next run */
};

void cy_fetch_init(struct cy_fetch *f, const struct cy_model *model,
                   size_t n_insns);
void cy_fetch_fini(struct cy_fetch *f);
void cy_fetch_restart(struct cy_fetch *f);

/* A run begins, and its instructions. */
void cy_fetch_begin(struct cy_fetch *f);
void cy_fetch_add(struct cy_fetch *f, uint64_t address, unsigned places);

/* A branch of the run. */
void cy_fetch_branch(struct cy_fetch *f, uint32_t insn, enum cy_branch kind,
                     bool is_taken);

/* The run is complete, and is fetched from now on. */
void cy_fetch_run(struct cy_fetch *f, struct cy_events *events);

/* When the next instruction of the run is there. */
struct cy_moment cy_fetch_next(struct cy_fetch *f, double places);

/* The next run begins at `at`, after a misprediction. */
void cy_fetch_again(struct cy_fetch *f, struct cy_moment at);

/* The rest of the run is fetched again, from `at` on. */
void cy_fetch_rest(struct cy_fetch *f, struct cy_moment at);

/* cy_habits: which loads the processor renames by what they met before. */
struct cy_habits;

/* `renamed_after`: times in a row that a load meets the same store before it is
   renamed; 0: as many as is typical. */
struct cy_habits *cy_habits_new(size_t n_insns, unsigned renamed_after);
void cy_habits_free(struct cy_habits *habits);

#define CY_LONG_AGO SIZE_MAX /* the distance of a store before the window */

/* How often the instruction of a store ran after this store, which it did
   `before` times before, and `executed` times by now.  The store itself is not
   counted; a store of the instruction that loads is not counted yet. */
static inline uint32_t cy_rounds_since(uint32_t executed, uint32_t before)
{
    uint32_t rounds = executed - before;

    return rounds - (rounds > 0);
}

/* A load of this instruction meets a store of the instruction `store`, which
   ran `rounds` times since, and `distance` stores ago, from 1 on.  Does the
   processor know this by now?  With CY_LONG_AGO it meets none of a window. */
bool cy_habits_meet(struct cy_habits *habits, uint32_t insn, size_t distance,
                    uint32_t store, uint32_t rounds);

/* Did the last of these meetings break a habit by which the load was renamed?
   Then what went on with the wrong value begins anew. */
bool cy_habits_is_broken(const struct cy_habits *habits);

/* Whether values that a load meets are renamed once they are learnt. */
void cy_habits_rename(struct cy_habits *habits, uint32_t insn, bool is_renamed);

/* What all loads that were learnt met; the caller frees by_insn. */
struct cy_near cy_habits_take_near(struct cy_habits *habits);

/* Learns what the loads of a window meet, as if it was executed.  Forgets what
   was written.  Returns the last instruction whose loads met others than the
   last time. */
size_t cy_habits_learn(struct cy_habits *habits,
                       const struct cy_recipes *recipes,
                       struct cy_written *written,
                       const struct cy_recorded *window);

/* cy_calls: how long what instructions call takes, in the counted part of a
   window, with what that calls. */
struct cy_calls {
    struct cy_frame {
        uint32_t insn;  /* that calls */
        uint32_t entry; /* that it calls */
        bool recurses;  /* what it calls is open already */
        uint64_t back;  /* the place after it, as cy_place_of has them */
        double since;
    } * list;
    size_t n, list_room;
    double begin; /* of the counted part */
};

void cy_calls_fini(struct cy_calls *calls);
void cy_calls_restart(struct cy_calls *calls); /* a window begins */
void cy_calls_count(struct cy_calls *calls, double now);
void cy_calls_call(struct cy_calls *calls, uint32_t insn, uint32_t entry,
                   uint64_t back, double now);

/* Control returned to the instruction `insn` at the place `to`.  `outcome` is
   NULL before the counted part. */
void cy_calls_return(struct cy_calls *calls, struct cy_outcome *outcome,
                     uint32_t insn, uint64_t to, double now);

/* The window ends. */
void cy_calls_end(struct cy_calls *calls, struct cy_outcome *outcome,
                  double now);

/* cy_places: addresses of a loop's accesses, such that these of its edges hold,
   but for *n_impossible, which contradict others. */
struct cy_cost_of_loop;
struct cy_places;

struct cy_places *cy_places_new(const struct cy_cost_of_loop *loop,
                                enum cy_held held, size_t *n_impossible);
void cy_places_free(struct cy_places *places);

/* Of number i of a step's loads or stores, in a round and a run of the loop,
   both from 0 on; rounds are counted through all runs. */
uint64_t cy_places_load(const struct cy_places *places, uint32_t step,
                        unsigned i, size_t round, size_t run);
uint64_t cy_places_store(const struct cy_places *places, uint32_t step,
                         unsigned i, size_t round, size_t run);

/* cy_steady: do rounds that are made up take what those before them did? */
#define CY_STEADY 16              /* rounds that are looked at, at most */
#define CY_ENDS   (CY_STEADY + 1) /* their ends, and that before them */
#define CY_N_ENDS 4

struct cy_steady {
    size_t n; /* rounds that have ended */
    double ends[CY_ENDS][CY_N_ENDS];
};

/* A round of some instructions has ended: its last instruction was dispatched,
   its work began (in the mean), it has retired, and the last store so far has
   left its buffer (0: there was none).  Returns how many more rounds are as
   good as any number; 0: the last ones differ. */
size_t cy_steady_round(struct cy_steady *steady, size_t n_insns,
                       const double ends[CY_N_ENDS]);

/* cy_turn: what is known of an executed instruction before its time is. */
struct cy_turn {
    bool is_missed : 1; /* a mispredicted branch */
    bool is_taken : 1;  /* control goes elsewhere after it */
    bool is_round : 1;  /* a further one of a string instruction */
    bool is_fused : 1;  /* a jump that takes no place after what it follows */
};

/* That of number i, but for is_missed. */
struct cy_turn cy_turn_of(const struct cy_recipes *recipes,
                          const struct cy_recorded *window, size_t i);

/* cy_pipeline: lets windows through. */
struct cy_pipeline;

struct cy_pipeline *cy_pipeline_new(const struct cy_recipes *recipes,
                                    const struct cy_model *model);
void cy_pipeline_free(struct cy_pipeline *core);

struct cy_near cy_pipeline_take_near(struct cy_pipeline *core);

/* What the processor learns from a window, without its time. */
void cy_pipeline_learn(struct cy_pipeline *core,
                       const struct cy_recorded *window);

/* Adds to the outcome. */
void cy_pipeline_run(struct cy_pipeline *core, const struct cy_recorded *window,
                     const struct cy_turn *turns, const struct cy_fix *fix,
                     struct cy_outcome *outcome);

/* Adds time, or passages, to those of a hop between the same ends. */
void cy_outcome_hop(struct cy_outcome *outcome, struct cy_hop hop);

/* Adds up the passages between the same ends, and sorts what was found. */
void cy_outcome_conclude(struct cy_outcome *outcome);

#endif
