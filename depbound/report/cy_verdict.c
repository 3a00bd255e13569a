/*
 * cy_verdict: what to mend first, its cost, the gain, and what comes next.
 *
 * A gain is a share of the program's cycles, or of the loop's where the
 * program's are not known.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "report/internal.h"

#include "demangle.h"

/* --- What could be mended, by what that gains --- */

/* One thing that could be mended: a loop whose rounds wait for memory, a pair
   of store and load in no such loop, all misses of the first caches, or
   mispredictions. */
struct candidate {
    const struct cy_cost_of_loop *loop;  /* NULL if it is no loop */
    const struct cy_windowed_pair *pair; /* NULL if it is no pair */
    bool is_away;                        /* all misses, of which */
    const struct cy_miss
        *miss;   /* this load costs most; NULL: none costs much */
    double gain; /* percent of the program's cycles */
};

struct candidates {
    struct candidate *list;
    size_t n, room;
};

/* The least gain, in percent of a program, of what is named first. */
#define LEAST_FIRST 5.0

/* A loop is due to a pair if mending the pair gains this share of the loop's
   gain. */
#define MOST_OF_IT 0.8

static bool is_misprediction(const struct candidate *c)
{
    return c->loop == NULL && c->pair == NULL && !c->is_away;
}

/* Do the loop's cycles leave out what it calls, perhaps most of its time? */
static bool calls_unknown(const struct cy_cost_of_loop *c)
{
    return c->loop->has_call && c->cycles.n_recorded == 0;
}

static double loop_gain(const struct cy_report *r,
                        const struct cy_cost_of_loop *c)
{
    double part = 1 - c->cycles.mended / c->cycles.predicted;

    /* Called functions have loops and pairs of their own. */
    return r->program != NULL ? cy_report_share(r, c) * part : 100 * part;
}

bool cy_report_has(const struct cy_report *r, const struct cy_cost_of_loop *c,
                   uint32_t insn)
{
    const struct cy_simulated_insn *end = &r->windowed->simulated[insn];

    assert(insn < r->windowed->n_insns);
    for (uint32_t i = 0;
         i < c->n && c->loop->object == r->windowed->in_data[end->object]; i++)
        if (c->insns[i].address == end->address)
            return true;
    return false;
}

/* Are both ends of the pair in a loop that is itself a candidate? */
static bool is_in_loop(const struct cy_report *r, const struct candidates *all,
                       const struct cy_windowed_pair *p)
{
    for (size_t i = 0; i < all->n; i++)
        if (all->list[i].loop != NULL &&
            cy_report_has(r, all->list[i].loop, p->store) &&
            cy_report_has(r, all->list[i].loop, p->load))
            return true;
    return false;
}

/* Is a loop's gain mainly that of a pair with only one end in the loop?  The
   other end is in a function that the loop calls, or in a caller. */
static bool is_of_pair(const struct candidates *all, const struct cy_report *r,
                       const struct candidate *loop)
{
    assert(loop->loop != NULL && loop->pair == NULL);
    for (size_t i = 0; i < all->n; i++) {
        const struct cy_windowed_pair *p = all->list[i].pair;

        if (p != NULL && all->list[i].gain >= MOST_OF_IT * loop->gain &&
            cy_report_has(r, loop->loop, p->store) !=
                cy_report_has(r, loop->loop, p->load))
            return true;
    }
    return false;
}

static void drop_loops_of_pairs(struct candidates *all,
                                const struct cy_report *r)
{
    size_t n = 0;

    for (size_t i = 0; i < all->n; i++)
        if (all->list[i].loop == NULL || !is_of_pair(all, r, &all->list[i]))
            all->list[n++] = all->list[i];
    all->n = n;
}

ARRAY_ORDER(gain_order, struct candidate,
            array_order(b->gain, a->gain) ?: array_order(a->loop, b->loop))

static void add(struct candidates *all, struct candidate candidate)
{
    if (candidate.gain >= CY_LEAST_GAIN)
        array_push(all->list, all->n, all->room, candidate);
}

/* Adds mispredictions, which come before memory only if that does not gain
   enough to be named first.  Those of the loader do not count, since nobody
   would mend them. */
static void add_mispredictions(struct candidates *all,
                               const struct cy_report *r)
{
    double gain = cy_report_missed(r);
    size_t place = all->n > 0 && all->list[0].gain >= LEAST_FIRST;

    if (gain < CY_LEAST_GAIN)
        return;
    add(all, (struct candidate){.gain = gain});
    assert(is_misprediction(&all->list[all->n - 1]));
    if (all->n > place + 1 && gain > all->list[place].gain) {
        struct candidate other = all->list[place];

        all->list[place] = all->list[all->n - 1];
        all->list[all->n - 1] = other;
    }
}

/* Does a miss cost enough, and is it not one of the loader? */
static bool is_worth_naming(const struct cy_windowed *w,
                            const struct cy_miss *miss)
{
    const struct cy_total part = {
        .function = w->names[miss->insn],
        .object = w->objects.objects[w->simulated[miss->insn].object].path};

    return miss->cached >= 0 && !cy_report_is_start(&part);
}

/* Adds all misses, but for those of the loader, which nobody would mend. */
static void add_misses(struct candidates *all, const struct cy_report *r)
{
    const struct cy_windowed *w = r->windowed;
    bool is_named = w->misses.n > 0 && is_worth_naming(w, w->misses.list);
    struct cy_total start = cy_report_start(r);

    add(all, (struct candidate){
                 .is_away = true,
                 .miss = is_named ? w->misses.list : NULL,
                 .gain = cy_windowed_share(w, w->cached_gain) -
                         cy_report_part(r, start.cycles - start.cached)});
}

/* Those that gain enough; the greatest gain first, if that of the program is
   known.  Mispredictions are last, or second, or first if nothing else gains
   enough to be named first.  The caller frees the list. */
static struct candidates candidates_of(const struct cy_report *r)
{
    const struct cy_windowed *w = r->windowed;
    struct candidates all = {0};

    /* Loops that are not listed count, unless the user chose sources. */
    for (size_t i = 0; i < r->prediction->n; i++) {
        const struct cy_cost_of_loop *c = &r->prediction->loops[i];

        /* If calls take most of an iteration, the called code has loops and
           pairs of its own. */
        if (cy_report_gains(c) && !calls_unknown(c) &&
            c->cycles.called <= c->cycles.predicted / 2 &&
            (c->is_shown || r->choice->source == NULL))
            add(&all, (struct candidate){.loop = c, .gain = loop_gain(r, c)});
    }
    if (w != NULL && cy_windowed_is_known(w)) {
        for (size_t i = 0; i < w->n_pairs; i++)
            if (w->pairs[i].fix == i && !is_in_loop(r, &all, &w->pairs[i]))
                add(&all, (struct candidate){
                              .pair = &w->pairs[i],
                              .gain = cy_windowed_share(w, w->pairs[i].gain)});
        drop_loops_of_pairs(&all, r);
        if (w->has_caches)
            add_misses(&all, r);
    }
    /* Without a program, the candidates stay in the order of the loops. */
    if (r->program != NULL)
        array_sort(all.list, all.n, gain_order);
    if (w != NULL && cy_windowed_is_known(w))
        add_mispredictions(&all, r);
    return all;
}

/* A function has most cycles, and not a loop, if the loop has less than this
   share of what the function has. */
#define MOST_OF_FUNCTION 0.5

/* Other waits take nearly as long as that of a pair if mending the pair gains
   less than this share of its cost. */
#define MUCH_OF_IT 0.5

/* --- The first line --- */

static void write_part(FILE *out, const struct cy_report *r, double percent)
{
    if (r->program != NULL)
        fprintf(out, ", %.0f %% of the program's cycles", percent);
}

/* Writes "mavg.cc:20 waits for mavg.cc:22 of the iteration before, through
   this->sum", and frees the variable, which may be NULL.  Without a link the
   iteration is not known. */
static void write_wait(FILE *out, struct cy_line load, struct cy_line store,
                       const struct cy_link *link, char *variable)
{
    fprintf(out, "%s waits for %s", load.text,
            strcmp(load.text, store.text) == 0 ? "its own store" : store.text);
    if (link != NULL)
        cy_report_rounds(out, &link->forward);
    cy_report_through(out, variable);
}

static void write_ends(FILE *out, const struct cy_report *r,
                       const struct cy_windowed_pair *p)
{
    write_wait(out, cy_windowed_place(r->windowed, p->load),
               cy_windowed_place(r->windowed, p->store), NULL,
               cy_windowed_variable(r, p));
}

static void write_name(FILE *out, const struct cy_report *r,
                       const struct cy_cost_of_loop *c)
{
    AUTO_FREE char *name = cy_report_name(r, c);

    fprintf(out, "%s  ", name);
}

/* The most costly pair within the function of a loop; it may be on another path
   than the loop's chain.  NULL if there is no such pair. */
static const struct cy_windowed_pair *
pair_of_function(const struct cy_report *r, const struct cy_cost_of_loop *c)
{
    const struct cy_windowed *w = r->windowed;

    for (size_t i = 0; w != NULL && i < w->n_pairs; i++)
        if (c->function != NULL && w->names[w->pairs[i].load] == c->function &&
            w->names[w->pairs[i].store] == c->function)
            return &w->pairs[i];
    return NULL;
}

/* Writes a loop's cost and, if the loop `is_worth` mending, its waits. */
static void write_loop(FILE *out, const struct cy_report *r,
                       const struct cy_cost_of_loop *c, bool is_worth)
{
    const struct cy_link *worst = cy_report_worst(c);
    const struct cy_windowed_pair *pair = pair_of_function(r, c);
    bool by_memory = is_worth && cy_report_limit(c) == CY_BY_MEMORY;

    write_name(out, r, c);
    if (by_memory && (worst != NULL || pair != NULL)) {
        if (worst != NULL)
            write_wait(out, cy_report_place(r, c, worst->to),
                       cy_report_place(r, c, worst->forward.store), worst,
                       cy_report_variable(r, c, &worst->forward, worst->to));
        else
            write_ends(out, r, pair);
        fprintf(out, ": %s%.2f cycles an iteration", cy_report_mark(c),
                c->cycles.predicted);
    } else {
        AUTO_FREE char *round = cy_report_round_text(r, c);

        fprintf(out, "%s: %s", cy_report_place(r, c, 0).text, round);
    }
    if (c->unknown.is_spin && r->data->has_executions)
        fprintf(out, "; %.0f %% of the executed instructions", c->share);
    if (cy_unknown_is_all(&c->unknown))
        return;
    cy_report_time(out, r, c->cycles.predicted, false);
    write_part(out, r, cy_report_whole_share(r, c));
    if (r->program != NULL && c->cycles.called > 0)
        fputs(" with what it calls", out);
}

/* The percentage of the windows' cycles that all pairs with a pair's fix
   cost. */
static double share_of_fix(const struct cy_report *r,
                           const struct cy_windowed_pair *p)
{
    const struct cy_windowed *w = r->windowed;
    double cycles = 0;

    assert(&w->pairs[p->fix] == p);
    for (size_t i = 0; i < w->n_pairs; i++)
        if (&w->pairs[w->pairs[i].fix] == p)
            cycles += w->pairs[i].cycles;
    return cy_windowed_share(w, cycles);
}

/* Writes what to mend next, without its cost. */
static void write_next(FILE *out, const struct cy_report *r,
                       const struct candidate *c)
{
    if (is_misprediction(c))
        fputs("mispredicted branches", out);
    else if (c->is_away)
        fprintf(out, "waits for caches, memory and pages%s%s",
                c->miss != NULL ? ", most at " : "",
                c->miss != NULL
                    ? cy_windowed_place(r->windowed, c->miss->insn).text
                    : "");
    else if (c->loop == NULL)
        fputs(cy_windowed_place(r->windowed, c->pair->load).text, out);
    else {
        write_name(out, r, c->loop);
        fputs(cy_report_place(r, c->loop, 0).text, out);
    }
}

/* --- The second line --- */

/* The simulation has the same instructions without the wait.  A fix with
   several copies used in turn needs more instructions, so its gain is at most
   the simulated one; other fixes may add or remove some. */

static void write_gain(FILE *out, const struct cy_report *r,
                       const struct candidate *c)
{
    const struct cy_link *worst =
        c->loop != NULL ? cy_report_worst(c->loop) : NULL;
    bool failed = c->loop != NULL ? worst != NULL && worst->how == CY_FAILED
                                  : c->pair != NULL &&
                                        c->pair->failed > c->pair->cycles / 2;
    bool changes_more = false;

    assert(c->gain >= CY_LEAST_GAIN);
    if (c->is_away) {
        cy_miss_write_gain(out, r, c->miss);
        return;
    }
    if (is_misprediction(c))
        fputs("without them, by a modelled predictor: ", out);
    else if ((changes_more = failed))
        fputs("stored and loaded in one width: ", out);
    else if (worst != NULL && cy_report_is_by_data(c->loop, worst))
        fputs("several copies, by turns: at best ", out);
    else if ((changes_more =
                  c->loop == NULL && cy_windowed_is_behind_call(r, c->pair)))
        fputs("passed in a register, or inlined: ", out);
    else
        fputs("in a register: ", out);
    if (c->loop != NULL)
        fprintf(out, "%.2f (-%.0f %%)%s", c->loop->cycles.mended,
                100 * (1 - c->loop->cycles.mended / c->loop->cycles.predicted),
                r->program != NULL ? ", " : "");
    if (r->program != NULL)
        fprintf(out, "-%.0f %% of the program's cycles", c->gain);
    if (changes_more)
        fputs(", if only the wait goes", out);
    if (c->pair != NULL && c->gain < MUCH_OF_IT * share_of_fix(r, c->pair))
        fputs("; other waits take nearly as long", out);
}

/* The loop that costs most; without executions, the first one that calls
   nothing.  NULL if no loop is listed. */
static const struct cy_cost_of_loop *hottest(const struct cy_report *r)
{
    const struct cy_cost_of_loop *loops = r->prediction->loops;

    for (size_t i = 0; i < cy_report_n(r) && !r->data->has_executions; i++)
        if (!calls_unknown(&loops[i]))
            return &loops[i];
    return cy_report_n(r) > 0 ? loops : NULL;
}

/* Was all code that ran analysed, and not only loops, or some of them? */
static bool saw_all(const struct cy_report *r)
{
    return r->program != NULL && r->program->is_recorded &&
           !cy_choice_is_part(r->choice) && r->choice->source == NULL;
}

/* Does a figure leave out something that may be a dependency? */
static bool has_marks(const struct cy_report *r)
{
    for (size_t i = 0; i < r->prediction->n; i++)
        if (cy_report_mark(&r->prediction->loops[i])[0] != '\0')
            return true;
    return false;
}

/* Is there a loop whose calls were not analysed? */
static bool has_calls(const struct cy_report *r)
{
    for (size_t i = 0; i < cy_report_n(r); i++)
        if (calls_unknown(&r->prediction->loops[i]))
            return true;
    return false;
}

/* The function that has most cycles, if all loops have clearly fewer; NULL:
   none.  Nobody mends the loader. */
static const struct cy_total *hot_function(const struct cy_report *r,
                                           const struct cy_cost_of_loop *c)
{
    if (r->program == NULL || (c != NULL && cy_unknown_is_all(&c->unknown)))
        return NULL;
    for (size_t i = 0; i < r->program->n; i++) {
        const struct cy_total *t = &r->program->functions[i];

        if (!cy_report_is_start(t))
            return c == NULL || c->cycles.all < t->cycles * MOST_OF_FUNCTION
                       ? t
                       : NULL;
    }
    return NULL;
}

static void write_nothing(FILE *out, const struct cy_report *r,
                          const struct cy_cost_of_loop *c, double gain)
{
    const struct cy_total *most = hot_function(r, c);

    if (c == NULL || !cy_unknown_is_all(&c->unknown))
        fprintf(out,
                "No %sdependency through memory%s%s costs more than %.0f "
                "%%%s.\n",
                has_marks(r) ? "known " : "",
                saw_all(r)     ? ""
                : has_calls(r) ? " in the loops that call nothing"
                               : " in these loops",
                /* Dependencies between threads are not modelled. */
                r->windowed != NULL && r->windowed->windows.n_threads > 1
                    ? " within a thread"
                    : "",
                ceil(fmax(gain, CY_LEAST_GAIN)),
                r->program != NULL ? " of the program's cycles" : "");
    if (most != NULL) {
        AUTO_FREE char *name = most->function != NULL
                                   ? demangle_names(most->function, NULL)
                                   : memory_text("code");

        fprintf(out, "Most cycles: %s of %s%s", name,
                text_base_name(most->object), c == NULL ? ", in no loop" : "");
        write_part(out, r, cy_report_part(r, most->cycles));
        fputc('\n', out);
        return;
    }
    if (c == NULL)
        return;
    fputs(r->program != NULL ? "Most cycles: " : "", out);
    write_loop(out, r, c, false);
    fputc('\n', out);
    if (r->program == NULL && has_calls(r))
        fputs("What loops call is not counted; --record tells more.\n", out);
}

/* Makes control characters in the lines of a text safe.  Frees the text. */
static char *safe_lines(char *text)
{
    char *rest = text, *line;
    struct memory_stream safe = memory_stream_open(&safe);

    while ((line = strsep(&rest, "\n")) != NULL && line[0] != '\0')
        fprintf(safe.out, "%s\n", text_make_safe(line));
    free(text);
    return memory_stream_close(&safe);
}

/* Writes what misses cost, and why the costliest one does. */
static void write_misses(FILE *out, const struct cy_report *r,
                         const struct cy_miss *miss)
{
    cy_miss_write_all(out, r);
    if (miss == NULL)
        return;
    fprintf(out, "\n  %.0f %% for ",
            cy_windowed_share(r->windowed, miss->cycles));
    cy_miss_write(out, r, miss);
}

/* What mending a loop or a pair gains at most, in percent. */
static double gain_of_dependencies(const struct candidates *all)
{
    double gain = 0;

    for (size_t i = 0; i < all->n; i++)
        if (all->list[i].loop != NULL || all->list[i].pair != NULL)
            gain = fmax(gain, all->list[i].gain);
    return gain;
}

static char *text_of(const struct cy_report *r, const struct candidates *all,
                     size_t next, const struct cy_cost_of_loop *c)
{
    assert(next <= all->n);
    struct memory_stream text = memory_stream_open(&text);
    if (next > 0) {
        if (all->list[0].loop != NULL) {
            write_loop(text.out, r, all->list[0].loop, true);
        } else if (all->list[0].is_away) {
            write_misses(text.out, r, all->list[0].miss);
        } else {
            write_ends(text.out, r, all->list[0].pair);
            write_part(text.out, r, share_of_fix(r, all->list[0].pair));
        }
        fputs("\n  ", text.out);
        write_gain(text.out, r, &all->list[0]);
        fputc('\n', text.out);
    } else if (c != NULL || (r->windowed != NULL && saw_all(r) &&
                             cy_windowed_is_known(r->windowed))) {
        write_nothing(text.out, r, c, gain_of_dependencies(all));
    }
    if (all->n > next) {
        fputs(next > 0 ? "next: " : "first: ", text.out);
        write_next(text.out, r, &all->list[next]);
        fputs(" (", text.out);
        write_gain(text.out, r, &all->list[next]);
        fputs(")\n", text.out);
    }
    cy_report_beyond(text.out, r);
    return safe_lines(memory_stream_close(&text));
}

static void add_mismatch(struct cy_verdict *v, const struct cy_report *r)
{
    AUTO_FREE char *mismatch = cy_report_mismatch(r), *text = NULL;

    if (mismatch == NULL)
        return;
    text = v->text;
    v->n_before = strlen(mismatch) + 1;
    v->text = memory_printf("%s\n%s", mismatch, text);
}

struct cy_verdict cy_verdict_of(const struct cy_report *r)
{
    struct candidates all = candidates_of(r);
    struct cy_verdict v = {.loop = hottest(r)};
    /* Does mending memory gain enough to come first? */
    bool is_first = all.n > 0 && !is_misprediction(&all.list[0]) &&
                    (r->program == NULL || all.list[0].gain >= LEAST_FIRST);

    v.text = text_of(r, &all, is_first ? 1 : 0, v.loop);
    add_mismatch(&v, r);
    if (is_first) {
        v.pair = all.list[0].pair;
        v.is_away = all.list[0].is_away;
        if (all.list[0].loop != NULL)
            v.loop = all.list[0].loop;
    }
    assert(v.pair == NULL || !is_misprediction(&all.list[0]));
    free(all.list);
    return v;
}
