/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cy_simulate.h"

/* --- Do rounds repeat? --- */

/* Compared rounds have this many instructions together, more than a core holds,
   but are no fewer than FEWEST. */
#define INSNS  1024
#define FEWEST 6

#define NOTHING 1e-6 /* cycles; less is a rounding error */

/* The time of the round `back` rounds before the last, by one of its ends. */
static double taken(const struct cy_steady *s, unsigned what, size_t back)
{
    return s->ends[(s->n - back) % CY_ENDS][what] -
           s->ends[(s->n - back - 1) % CY_ENDS][what];
}

/* The time that the last rounds took together, by one of their ends. */
static double all(const struct cy_steady *s, unsigned what, size_t rounds)
{
    return s->ends[s->n % CY_ENDS][what] -
           s->ends[(s->n - rounds) % CY_ENDS][what];
}

static bool repeat(const struct cy_steady *s, unsigned what, size_t rounds,
                   size_t period)
{
    for (size_t i = 0; i + period < rounds; i++)
        if (fabs(taken(s, what, i) - taken(s, what, i + period)) > NOTHING)
            return false;
    return fabs(all(s, what, period) - all(s, 0, period)) < NOTHING;
}

size_t cy_steady_round(struct cy_steady *s, size_t n_insns,
                       const double ends[CY_N_ENDS])
{
    size_t rounds = INSNS / n_insns;
    unsigned n_ends = ends[CY_N_ENDS - 1] > 0 ? CY_N_ENDS : CY_N_ENDS - 1;

    assert(n_insns > 0);
    if (rounds > CY_STEADY)
        rounds = CY_STEADY;
    if (rounds < FEWEST)
        rounds = FEWEST;
    s->n++;
    memcpy(s->ends[s->n % CY_ENDS], ends, sizeof s->ends[0]);
    for (size_t period = 1; period <= rounds / 2 && s->n > rounds; period++) {
        unsigned what = 0;

        while (what < n_ends && repeat(s, what, rounds, period))
            what++;
        if (what == n_ends)
            return (rounds + period - 1) / period * period;
    }
    return 0;
}

/* --- A window --- */

/* Is `next`, which is executed after *insn, not the next instruction in the
   code? */
static bool is_taken(const struct cy_recorded *window, bool is_branch,
                     const struct cy_simulated_insn *insn,
                     const struct cy_simulated_insn *next)
{
    if (next->object == insn->object &&
        next->address == insn->address + insn->length)
        return false;
    if (window->is_unrolled && !is_branch)
        return false;
    /* A string instruction is executed once for each round. */
    return is_branch || next != insn || window->per_round > 0;
}

struct cy_turn cy_turn_of(const struct cy_recipes *recipes,
                          const struct cy_recorded *window, size_t i)
{
    const struct cy_executed *e = &window->executed[i];
    const struct cy_recipe *r = cy_recipe_of(recipes, e->insn);
    struct cy_turn turn = {.is_taken = true};

    if (i + 1 < window->n && !e[1].is_apart) {
        turn.is_taken =
            is_taken(window, r->branch != CY_NO_BRANCH,
                     &recipes->insns[e->insn], &recipes->insns[e[1].insn]);
        turn.is_first =
            r->fuses &&
            cy_recipe_of(recipes, e[1].insn)->branch == CY_CONDITIONAL &&
            cy_binds_units(cy_machine_facts(recipes->model->machine));
    }
    if (i == 0)
        return turn;
    turn.is_round = window->per_round == 0 && e[-1].insn == e->insn &&
                    r->branch == CY_NO_BRANCH;
    turn.is_fused =
        r->branch == CY_CONDITIONAL && cy_recipe_of(recipes, e[-1].insn)->fuses;
    return turn;
}

static bool is_split(const struct cy_simulated_insn *insn)
{
    return cy_crosses(insn->address, insn->length, CY_LINE);
}

/* Lets the predictor of the fetch pass execution number i, if it is a
   branch. */
static void steer(struct cy_pipeline *c, const struct cy_recorded *window,
                  size_t i, struct cy_turn turn)
{
    const struct cy_simulated_insn *insns = c->recipes->insns;
    uint32_t insn = window->executed[i].insn;
    struct cy_steered branch = {.insn = insn,
                                .kind = cy_recipe_of(c->recipes, insn)->branch,
                                .is_taken = turn.is_taken,
                                .is_late = turn.is_late,
                                .is_cold = turn.is_cold,
                                .is_split = is_split(&insns[insn]),
                                .to = CY_NO_INSN};

    if (branch.kind == CY_NO_BRANCH)
        return;
    if (turn.is_fused && i > 0)
        branch.is_split |= is_split(&insns[window->executed[i - 1].insn]);
    if (i + 1 < window->n && !window->executed[i + 1].is_apart) {
        branch.to = window->executed[i + 1].insn;
        branch.is_far = insns[branch.to].is_shared != insns[insn].is_shared;
    }
    cy_steer_branch(&c->fetch.steer, &branch);
}

/* Begins to fetch the run that starts with execution number i. */
static void begin_run(struct cy_pipeline *c, const struct cy_recorded *window,
                      size_t i, const struct cy_turn *turns)
{
    cy_fetch_begin(&c->fetch);
    for (bool goes_on = true; goes_on && i < window->n; i++) {
        uint32_t insn = window->executed[i].insn;
        const struct cy_simulated_insn *at = &c->recipes->insns[insn];

        const struct cy_recipe *r = cy_recipe_of(c->recipes, insn);

        cy_fetch_add(&c->fetch,
                     &(struct cy_fetched){at->address, at->length,
                                          cy_pipeline_places(r, turns[i]),
                                          turns[i].is_round ? 0 : r->numbers,
                                          cy_pipeline_decodes(c, i), r->apart});
        steer(c, window, i, turns[i]);
        goes_on = !turns[i].is_missed && !turns[i].is_taken;
    }
    cy_fetch_run(&c->fetch, &c->events);
}

/* Binds the work of what the dispatch takes in a cycle, from execution number i
   on, to units.  Returns the number of the execution after it. */
static size_t bind_group(struct cy_pipeline *c,
                         const struct cy_recorded *window, size_t i,
                         const struct cy_turn *turns)
{
    uint64_t sets[CY_MOST_TURNS];
    double places = 0;
    unsigned n = 0;

    for (; i < window->n && places < c->fetch.width; i++) {
        const struct cy_recipe *r =
            cy_recipe_of(c->recipes, window->executed[i].insn);
        const struct cy_piece *work = &c->recipes->pieces[r->work.first];

        places += cy_pipeline_places(r, turns[i]);
        for (unsigned p = 0;
             p < r->work.n && !turns[i].is_first && !turns[i].is_round; p++)
            for (float left = work[p].cycles;
                 left >= 1 && (work[p].units & ~c->units.bind) == 0 &&
                 n < CY_MOST_TURNS;
                 left--)
                sets[n++] = work[p].units;
    }
    cy_units_bind(&c->units, sets, n);
    return i;
}

/* Goes on after a gap, when all before it has retired.  What was called and
   returned in the gap is not known. */
static void resume(struct cy_pipeline *c)
{
    cy_fetch_again(&c->fetch, c->retired);
    if (c->is_counted)
        cy_calls_end(&c->calls, c->outcome, c->retired.time);
    cy_calls_restart(&c->calls);
    cy_calls_count(&c->calls, c->retired.time);
}

/* Opens or closes frames if execution number i is a call or a return. */
static void follow_calls(struct cy_pipeline *c,
                         const struct cy_recorded *window, size_t i)
{
    const struct cy_simulated_insn *insns = c->recipes->insns,
                                   *at = &insns[c->insn];
    enum cy_branch branch = cy_recipe_of(c->recipes, c->insn)->branch;

    if (i + 1 >= window->n || window->executed[i + 1].is_apart)
        return;
    uint32_t next = window->executed[i + 1].insn;
    bool calls = branch == CY_DIRECT_CALL || branch == CY_INDIRECT_CALL;
    if (calls && !insns[next].is_read && window->per_round == 0)
        c->outcome->hides[c->insn] = true;
    else if (calls)
        cy_calls_call(&c->calls, c->insn, next, cy_place_of(at) + at->length,
                      c->number, c->retired.time);
    else if (branch == CY_RETURN)
        cy_calls_return(&c->calls, c->is_counted ? c->outcome : NULL, c->insn,
                        next, cy_place_of(&insns[next]), c->retired.time);
    else if (branch == CY_INDIRECT)
        cy_calls_jump(&c->calls, next, c->number);
}

/* At the end of a round, before execution number i: how many more rounds
   represent any number of them; 0: the rounds are not steady yet. */
static size_t rounds_to_go(struct cy_pipeline *c, size_t i, size_t per_round,
                           struct cy_steady *steady)
{
    const double ends[CY_N_ENDS] = {
        c->dispatched.time,
        c->n_begun > 0 ? c->begun / (double)c->n_begun : c->dispatched.time,
        c->retired.time, c->left.time};
    size_t rounds = cy_steady_round(steady, per_round, ends);

    c->begun = 0;
    c->n_begun = 0;
    return i <= c->settled || c->is_load_early ? 0 : rounds;
}

/* Discards what was counted so far. */
static void count_anew(struct cy_outcome *outcome)
{
    struct cy_outcome new;

    cy_outcome_init(&new, outcome->n_insns, 1);
    new.weight = outcome->weight;
    cy_outcome_fini(outcome);
    *outcome = new;
}

void cy_simulate_window(struct cy_pipeline *c, const struct cy_recorded *window,
                        const struct cy_turn *turns, const struct cy_fix *fix,
                        const struct cy_found *found,
                        struct cy_outcome *outcome)
{
    size_t first = cy_window_first(window->n), end = window->n, bound = 0;
    struct cy_steady steady = {0};
    const uint64_t *addresses;
    double begin = 0;
    bool begins = true;

    assert(window->n > 0 && outcome->n_insns == c->recipes->n_insns);
    c->fix = fix;
    c->is_made_up = window->per_round > 0;
    c->fetch.steer.speed = fix->kind == CY_FIX_QUICK  ? CY_QUICKEST
                           : fix->kind == CY_FIX_SLOW ? CY_SLOWEST
                                                      : CY_USUAL;
    cy_pipeline_restart(c);
    c->outcome = outcome;
    c->found = found;
    outcome->weight = window->weight;
    for (size_t i = 0; i < end; i++) {
        if (window->per_round > 0 && i > 0 && i % window->per_round == 0 &&
            end == window->n) {
            size_t rounds = rounds_to_go(c, i, window->per_round, &steady);

            if (rounds > 0 && rounds * window->per_round < window->n - i) {
                if (i > first)
                    count_anew(outcome);
                first = i;
                end = i + rounds * window->per_round;
            }
        }
        addresses = window->addresses + window->executed[i].first_access;
        c->is_counted = i >= first;
        if (i == first) {
            begin = c->retired.time;
            cy_calls_count(&c->calls, begin);
        }
        c->insn = window->executed[i].insn;
        c->number = (uint32_t)i;
        assert(c->insn < c->recipes->n_insns);
        if (window->executed[i].is_apart)
            resume(c);
        if (window->executed[i].is_entry)
            cy_pipeline_enter(c);
        c->first_access = window->executed[i].first_access;
        if (begins)
            begin_run(c, window, i, turns);
        if (c->units.bind != 0 && !c->units.by_queue && i >= bound)
            bound = bind_group(c, window, i, turns);
        cy_pipeline_code(c, i);
        if (turns[i].is_round)
            cy_pipeline_repeat(c, addresses);
        else
            cy_pipeline_execute(c, addresses, turns[i]);
        follow_calls(c, window, i);
        begins = turns[i].is_missed || turns[i].is_taken;
    }
    cy_calls_end(&c->calls, outcome, c->retired.time);
    if (!fix->is_brief)
        cy_causes_of(outcome, &c->events, c->retired.event, begin,
                     c->retired.time);
    if (window->per_round > 0)
        cy_way_of(outcome, &c->events, c->retired.event);
    outcome->windows[outcome->n_windows] = (struct cy_weighed){
        window->run, window->weight * (c->retired.time - begin),
        window->weight * (double)(end - first)};
    outcome->cycles += outcome->windows[outcome->n_windows++].cycles;
    outcome->instructions += end - first;
    outcome->penalty_is_typical = c->penalty_is_typical;
}

/* --- All windows --- */

/* The most rounds of a loop whose exit is predicted, as in predictors of 2017
   and later. */
#define USUAL_LONGEST 64

struct cy_simulation {
    const struct cy_window_source *source;
    struct cy_recipes recipes;
    struct cy_pipeline *core;
    const struct cy_memory *memory; /* NULL: not known */
    double pace;           /* cycles of an instruction; 0: not asked for */
    struct cy_turn *turns; /* turns of all executions of all windows */
    size_t n_turns, turns_room;
    size_t *first; /* by window: index in `turns`; then the end */
    size_t n_insns;
    struct cy_trails *trails;
};

/* Finds which branches of window number `number` are taken, and which are
   mispredicted.
   Without a predictor (NULL), none are. */
static void predict(struct cy_simulation *s, struct cy_predictor *p,
                    size_t number, const struct cy_recorded *window)
{
    if (p != NULL)
        cy_predictor_restart(p);
    if (p != NULL && s->source->training != NULL)
        cy_train(s->source->training, number, p);
    for (size_t i = 0; i < window->n; i++) {
        uint32_t insn = window->executed[i].insn;
        const struct cy_simulated_insn *insns = s->recipes.insns;
        enum cy_branch branch = cy_recipe_of(&s->recipes, insn)->branch;
        uint64_t place = cy_place_of(&insns[insn]),
                 next = place + insns[insn].length, to;
        struct cy_turn turn = cy_turn_of(&s->recipes, window, i);
        struct cy_foreseen f;

        if (p != NULL && branch != CY_NO_BRANCH && i + 1 < window->n &&
            !window->executed[i + 1].is_apart) {
            to = cy_place_of(&insns[window->executed[i + 1].insn]);
            f = cy_predictor_branch(p, branch, place, next, to);
            turn.is_missed = !f.is_right;
            turn.is_late = f.is_late;
            turn.is_cold = !f.is_near;
        }
        array_append(s, turns, turn);
    }
}

/* Finds how many cycles an instruction takes, which decides how many lines
   others push out meanwhile, and these how many it takes: until that repeats,
   or for so many passes.  A pass takes the windows that the one before left as
   they are, so only the first tells how many instructions all have. */
#define PACED  48 /* windows */
#define PASSES 4
static void find_pace(struct cy_simulation *s)
{
    size_t every = (s->source->n + PACED - 1) / PACED;
    const struct cy_fix fix = {.every = (unsigned)every, .is_brief = true};
    double n = 0;

    s->pace = 1;
    for (unsigned i = 0; i < PASSES; i++) {
        AUTO_FINI(cy_outcome_fini) struct cy_outcome o = {0};
        double before = s->pace;

        cy_windows_simulate(&o, s, &fix);
        n = n > 0 ? n : (double)o.instructions;
        assert(n > 0 && o.cycles > 0);
        s->pace = o.cycles / n;
        if (s->pace == before)
            break;
    }
    cy_trails_forget(s->trails);
}

struct cy_simulation *cy_simulation_new(const struct cy_window_source *source,
                                        struct cy_recipes *recipes)
{
    struct cy_simulation *s = memory_new(1, sizeof *s);
    struct cy_predictor *p = NULL;
    const struct cy_facts *facts = cy_machine_facts(recipes->model->machine);
    unsigned longest = facts->window.predicted_rounds;

    s->source = source;
    s->n_insns = recipes->n_insns;
    s->recipes = *recipes;
    *recipes = (struct cy_recipes){0};
    s->core = cy_pipeline_new(&s->recipes, s->recipes.model);
    s->memory = s->core->memory;
    s->first = memory_new(source->n + 1, sizeof *s->first);
    s->trails = cy_trails_new(source->n, s->n_insns);
    for (size_t i = 0; i < source->n; i++) {
        const struct cy_recorded *window =
            s->source->take(s->source->context, i);

        if (p == NULL && window->per_round == 0)
            p = cy_predictor_new(longest > 0 ? longest : USUAL_LONGEST,
                                 facts->history);
        predict(s, p, i, window);
        s->core->settled = cy_habits_learn(s->core->habits, &s->recipes,
                                           s->core->written, window);
        s->first[i + 1] = s->n_turns;
        assert(s->n_turns - s->first[i] == window->n);
    }
    cy_predictor_free(p);
    if (s->memory != NULL && source->reuse != NULL &&
        s->memory->l3_lifetime > 0)
        find_pace(s);
    return s;
}

void cy_simulation_free(struct cy_simulation *s)
{
    if (s == NULL)
        return;
    cy_pipeline_free(s->core);
    cy_recipes_fini(&s->recipes);
    cy_trails_free(s->trails);
    free(s->turns);
    free(s->first);
    free(s);
}

struct cy_near cy_simulation_take_near(struct cy_simulation *s)
{
    return cy_habits_take_near(s->core->habits);
}

/* Do the causes add up to all cycles, but for rounding? */
static bool adds_up(const struct cy_outcome *o)
{
    double sum = 0;

    for (unsigned i = 0; i < CY_N_CAUSES; i++)
        sum += o->causes[i];
    return fabs(sum - o->cycles) <= 1e-6 * (1 + o->cycles);
}

/* Simulates window number i, and adds its time to the outcome; or takes it as
   it was without the fix, if the fix changes nothing in it. */
static void simulate(struct cy_outcome *o, struct cy_simulation *s, size_t i,
                     const struct cy_fix *fix)
{
    const struct cy_found *found =
        s->core->memory != NULL
            ? cy_reuse_found(s->source->reuse, s->core->memory,
                             fix->memory == NULL ? s->pace : 0, i)
            : NULL;
    bool is_base = (fix->is_brief || fix->is_noted) &&
                   fix->kind == CY_FIX_NONE && fix->memory == NULL;

    if (fix->is_brief && cy_trail_take(s->trails, i, s->core, fix, found, o))
        return;
    const struct cy_recorded *window = s->source->take(s->source->context, i);
    assert(window->n == s->first[i + 1] - s->first[i]);
    if (is_base)
        cy_trail_begin(s->trails, i, s->core, window, found);
    cy_simulate_window(s->core, window, s->turns + s->first[i], fix, found, o);
    if (is_base)
        cy_trail_end(s->trails, i, s->core,
                     o->windows[o->n_windows - 1].cycles);
}

void cy_windows_simulate(struct cy_outcome *o, struct cy_simulation *s,
                         const struct cy_fix *fix)
{
    static const struct cy_fix none = {.kind = CY_FIX_NONE};
    size_t n = 0;

    fix = fix != NULL ? fix : &none;
    cy_outcome_init(o, s->n_insns, s->source->n);
    cy_pipeline_forget(s->core);
    s->core->memory = s->source->reuse == NULL ? NULL
                      : fix->memory != NULL    ? fix->memory
                                               : s->memory;
    for (size_t i = 0; i < s->source->n; i++)
        if (s->first[i + 1] > s->first[i] &&
            (fix->every == 0 || n++ % fix->every == 0))
            simulate(o, s, i, fix);
    assert(adds_up(o) || fix->is_brief);
    cy_outcome_conclude(o);
}
