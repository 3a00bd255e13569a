/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/internal.h"

/* --- Chains and failed forwards --- */

/* A loop whose chain, failed forwards, or dependencies are the rows of a
   table. */
struct links {
    const struct cy_report *report;
    const struct cy_cost_of_loop *loop;
    const struct cy_dependency *dependencies; /* NULL: not needed */
};

static void write_how(FILE *out, const char *before, enum cy_how how,
                      const struct cy_forward *f)
{
    fprintf(out, "%s%s (%s, %s)", before, cy_how_name(how),
            cy_relation_name(f->relation),
            f->is_observed ? "observed" : "predicted");
}

void cy_report_later(FILE *out, uint32_t rounds)
{
    assert(rounds > 0);
    if (rounds == 1)
        fputs("next iteration", out);
    else
        fprintf(out, "%u iterations later", rounds);
}

void cy_report_failed(FILE *out, const struct cy_cost_of_loop *c,
                      const struct cy_link *f)
{
    write_how(out, "", CY_FAILED, &f->forward);
    if (f->rounds > 0) {
        fputs("  ", out);
        cy_report_later(out, f->rounds);
    }
    fprintf(out, "%sdistance %" PRIu64, f->forward.rounds > 0 ? ", " : "  ",
            cy_report_distance(c, &f->forward, f->to));
}

/* The text after the source line of a link: variable, forward, support. */
static char *details_of(const struct cy_cost_of_loop *c,
                        const struct cy_link *l, const char *variable)
{
    const char *before = "";
    struct memory_stream text = memory_stream_open(&text);

    if (variable != NULL) {
        fprintf(text.out, "through %s", variable);
        before = "  ";
    }
    if (l->wait == CY_WAIT_MEMORY) {
        write_how(text.out, before, l->how, &l->forward);
        before = "  ";
    }
    if (l->support < 1) {
        fprintf(text.out, "%ssupport %.0f %%", before, 100 * l->support);
        before = "  ";
    }
    if (l->rounds > 0) {
        fputs(before, text.out);
        cy_report_later(text.out, l->rounds);
        if (l->mean_rounds > l->rounds)
            fprintf(text.out, ", %.2f on average", l->mean_rounds);
        before = ", ";
    }
    if (cy_report_is_forward(l))
        fprintf(text.out, "%sdistance %" PRIu64, before,
                cy_report_distance(c, &l->forward, l->to));
    return memory_stream_close(&text);
}

/* Puts the instructions at the two ends of a link. */
static void put_ends(struct report_row *row, const struct cy_report *r,
                     const struct cy_cost_of_loop *c, uint32_t from,
                     uint32_t to)
{
    assert(from < c->n && to < c->n);
    report_count(row, R_KEY("from.address"), c->insns[from].address);
    report_text(row, R_KEY("from.text"), c->insns[from].shown);
    cy_put_line(row, R_KEY("from.line"), r->code, c->loop->object,
                c->insns[from].address);
    report_count(row, R_KEY("to.address"), c->insns[to].address);
    report_text(row, R_KEY("to.text"), c->insns[to].shown);
    cy_put_line(row, R_KEY("to.line"), r->code, c->loop->object,
                c->insns[to].address);
}

static void fill_link(struct report_row *row, const void *from, size_t i)
{
    const struct links *links = from;
    const struct cy_cost_of_loop *c = links->loop;
    const struct cy_link *l = &cy_report_chain(c)->links[i];
    AUTO_FREE char *variable =
        l->wait == CY_WAIT_MEMORY
            ? cy_report_variable(links->report, c, &l->forward, l->to)
            : NULL;
    AUTO_FREE char *details = details_of(c, l, variable);

    report_text(row, R_KEY("wait"), cy_wait_name(l->wait));
    report_real(row, R_SEEN("cycles", .key = "cycles", .width = 7), l->cycles);
    report_text(row, R_SEEN("wait", .width = 8, .flags = R_LEFT),
                cy_wait_name(l->wait));
    report_address(row, R_SEEN("address", .width = 6), c->insns[l->to].address);
    report_text(row,
                R_SEEN("instruction", .width = 16, .flags = R_LEFT | R_CUT),
                c->insns[l->to].shown);
    report_text(row, R_SEEN("line", .flags = R_LEFT | R_RAGGED),
                cy_report_place(links->report, c, l->to).text);
    report_text(row, R_SEEN("", .flags = R_LEFT | R_RAGGED | R_WRAP),
                cy_known(details));
    report_count(row, R_KEY("rounds"), l->rounds);
    if (cy_report_is_forward(l))
        report_count(row, R_KEY("distance"),
                     cy_report_distance(c, &l->forward, l->to));
    if (l->wait == CY_WAIT_MEMORY) {
        report_text(row, R_KEY("forwarding"), cy_how_name(l->how));
        report_text(row, R_KEY("relation"),
                    cy_relation_name(l->forward.relation));
        report_bool(row, R_KEY("observed"), l->forward.is_observed);
        report_real(row, R_KEY("support"), l->support);
        report_text(row, R_KEY("variable"), variable);
    }
    put_ends(row, links->report, c, l->from, l->to);
}

static struct report_table table_of_links(const struct links *links)
{
    return REPORT_TABLE(cy_report_chain(links->loop)->n, fill_link, links,
                        .is_joined = true, .bare = R_IN_TEXT);
}

void cy_report_links(struct report *out, const struct cy_report *r,
                     const struct cy_cost_of_loop *c)
{
    const struct links links = {r, c, NULL};
    struct report_table table = table_of_links(&links);

    report_table(out, &table);
}

static void fill_failed(struct report_row *row, const void *from, size_t i)
{
    const struct links *links = from;
    const struct cy_cost_of_loop *c = links->loop;
    const struct cy_link *f = &c->bound.failed[i];
    AUTO_FREE char *variable =
        cy_report_variable(links->report, c, &f->forward, f->to);

    assert(i < c->bound.n_failed);
    report_text(row, R_KEY("relation"), cy_relation_name(f->forward.relation));
    report_bool(row, R_KEY("observed"), f->forward.is_observed);
    report_real(row, R_KEY("cycles"), f->cycles);
    report_count(row, R_KEY("rounds"), f->forward.rounds);
    report_count(row, R_KEY("distance"),
                 cy_report_distance(c, &f->forward, f->to));
    report_real(row, R_KEY("support"), f->support);
    report_text(row, R_KEY("variable"), variable);
    put_ends(row, links->report, c, f->from, f->to);
}

/* --- Dependencies --- */

/* A dependency costs what the chain waits for it, if memory limits the loop.
   Any other costs nothing: without it, the loop would be no faster. */

ARRAY_ORDER(dependency_order, struct cy_dependency,
            array_order(a->load, b->load)
                ?: array_order(a->store, b->store)
                ?: array_order(a->rounds, b->rounds)
                ?: array_order(b->how == CY_FAILED, a->how == CY_FAILED))

static bool is_same(const struct cy_dependency *a,
                    const struct cy_dependency *b)
{
    return a->load == b->load && a->store == b->store && a->rounds == b->rounds;
}

static struct cy_dependency of_link(const struct cy_link *l)
{
    return (struct cy_dependency){.store = l->forward.store,
                                  .load = l->to,
                                  .rounds = l->forward.rounds,
                                  .how = l->how,
                                  .forward = &l->forward,
                                  .support = l->support};
}

/* Adds to each dependency what the chain waits for it. */
static void add_costs(const struct cy_cost_of_loop *c,
                      struct cy_dependency *list, size_t n)
{
    const struct cy_chain *chain = cy_report_chain(c);
    double once = 0;

    if (!cy_report_gains(c))
        return;
    for (size_t i = 0; i < chain->n; i++)
        once += chain->links[i].cycles;
    for (size_t i = 0; i < chain->n && once > 0; i++) {
        const struct cy_link *l = &chain->links[i];
        struct cy_dependency key = of_link(l);

        for (size_t j = 0; j < n && l->wait == CY_WAIT_MEMORY; j++)
            if (is_same(&list[j], &key))
                list[j].cycles += l->cycles * chain->cycles / once;
    }
}

struct cy_dependency *cy_report_dependencies(const struct cy_cost_of_loop *c,
                                             size_t *n)
{
    const struct cy_bound *b = &c->bound;
    struct cy_dependency *list = memory_new(b->n_passages, sizeof *list);

    for (size_t i = 0; i < b->n_passages; i++)
        list[i] = of_link(&b->passages[i]);
    array_sort(list, b->n_passages, dependency_order);
    *n = 0;
    for (size_t i = 0; i < b->n_passages; i++) {
        assert(list[i].store < c->n && list[i].load < c->n);
        if (*n == 0 || !is_same(&list[*n - 1], &list[i]))
            list[(*n)++] = list[i];
    }
    add_costs(c, list, *n);
    return list;
}

static void fill_dependency(struct report_row *row, const void *from, size_t i)
{
    const struct links *all = from;
    const struct cy_cost_of_loop *c = all->loop;
    const struct cy_dependency *d = &all->dependencies[i];

    assert(d->store == d->forward->store && d->cycles >= 0);
    report_real(row, R_KEY("cycles"), d->cycles);
    report_count(row, R_KEY("rounds"), d->rounds);
    report_count(row, R_KEY("distance"),
                 cy_report_distance(c, d->forward, d->load));
    report_text(row, R_KEY("forwarding"), cy_how_name(d->how));
    report_text(row, R_KEY("relation"), cy_relation_name(d->forward->relation));
    report_bool(row, R_KEY("observed"), d->forward->is_observed);
    report_real(row, R_KEY("support"), d->support);
    put_ends(row, all->report, c, d->store, d->load);
}

void cy_put_links(struct report_row *row, const struct cy_report *r,
                  const struct cy_cost_of_loop *c)
{
    struct links *links = report_alloc(row, sizeof *links);
    size_t n;
    struct cy_dependency *list = cy_report_dependencies(c, &n);

    report_keep(row, (char *)list);
    *links = (struct links){r, c, list};
    struct report_table chain = table_of_links(links);
    report_rows(row, R_KEY("chain"), &chain);
    report_rows(row, R_KEY("failed"),
                &REPORT_TABLE(c->bound.n_failed, fill_failed, links));
    report_rows(row, R_KEY("dependencies"),
                &REPORT_TABLE(n, fill_dependency, links));
}

/* --- Forwards, in a table --- */

/* One forward of a loop: a wait of its chain for memory, or a forward that
   fails. */
struct forward {
    const struct cy_cost_of_loop *loop;
    const struct cy_forward *forward;
    uint32_t load;
    enum cy_how how;
    double cycles;
};

struct cy_forwards {
    const struct cy_report *report;
    struct forward *list;
    size_t n, capacity;
};

static void find_forwards(struct cy_forwards *f)
{
    for (size_t i = 0; i < cy_report_n(f->report); i++) {
        const struct cy_cost_of_loop *c = &f->report->prediction->loops[i];
        const struct cy_chain *chain = cy_report_chain(c);

        for (size_t j = 0; j < chain->n; j++) {
            const struct cy_link *l = &chain->links[j];

            if (l->wait == CY_WAIT_MEMORY && l->how != CY_FAILED)
                array_push(
                    f->list, f->n, f->capacity,
                    (struct forward){c, &l->forward, l->to, l->how, l->cycles});
        }
        for (unsigned j = 0; j < c->bound.n_failed; j++) {
            const struct cy_link *l = &c->bound.failed[j];

            array_push(
                f->list, f->n, f->capacity,
                (struct forward){c, &l->forward, l->to, CY_FAILED, l->cycles});
        }
    }
}

static void fill_forward(struct report_row *row, const void *from, size_t i)
{
    const struct cy_forwards *forwards = from;
    const struct cy_report *r = forwards->report;
    const struct forward *f = &forwards->list[i];
    AUTO_FREE char *name = cy_report_name(r, f->loop);
    AUTO_FREE char *variable =
        cy_report_variable(r, f->loop, f->forward, f->load);

    assert(i < forwards->n && f->load < f->loop->n);
    cy_put_code(row, R_SEEN("loop", .flags = R_LEFT), r, f->loop, name, 0);
    cy_put_code(row, R_SEEN("store", .flags = R_LEFT), r, f->loop,
                f->loop->insns[f->forward->store].text, f->forward->store);
    cy_put_code(row, R_SEEN("load", .flags = R_LEFT), r, f->loop,
                f->loop->insns[f->load].text, f->load);
    report_code(row, R_SEEN("variable", .flags = R_LEFT), variable, NULL);
    report_count(row, R_SEEN("iterations"), f->forward->rounds);
    report_count(row, R_SEEN("distance"),
                 cy_report_distance(f->loop, f->forward, f->load));
    report_text(row, R_SEEN("forward", .flags = R_LEFT), cy_how_name(f->how));
    report_printf(row, R_SEEN("bytes", .flags = R_LEFT), "%s, %s",
                  cy_relation_name(f->forward->relation),
                  f->forward->is_observed ? "observed" : "predicted");
    report_real(row, R_SEEN("cycles"), f->cycles);
}

void cy_report_forwards(struct report *out, const struct cy_report *r)
{
    struct cy_forwards forwards = {.report = r};

    find_forwards(&forwards);
    if (forwards.n > 0)
        report_table(out, &REPORT_TABLE(forwards.n, fill_forward, &forwards));
    free(forwards.list);
}
