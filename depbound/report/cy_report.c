/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/internal.h"

#include "config.h"
#include "db.h"
#include "file.h"
#include "output.h"

/* --- Graphs of the loops, for Graphviz --- */

static void write_text(FILE *out, const char *text)
{
    text_marked(out, text, "\"\\", '\\');
}

ARRAY_ORDER(link_order, struct cy_link,
            array_order(a->from, b->from)
                ?: array_order(a->to, b->to)
                ?: array_order(a->wait, b->wait)
                ?: array_order(a->rounds, b->rounds)
                ?: array_order(b->cycles, a->cycles))

static bool is_same(const struct cy_link *a, const struct cy_link *b)
{
    return a->from == b->from && a->to == b->to && a->wait == b->wait &&
           a->rounds == b->rounds;
}

static bool is_on(const struct cy_chain *chain, const struct cy_link *l)
{
    for (size_t i = 0; i < chain->n; i++)
        if (is_same(&chain->links[i], l))
            return true;
    return false;
}

static void write_link(FILE *out, size_t loop, const struct cy_cost_of_loop *c,
                       const struct cy_link *l, bool is_critical)
{
    assert(l->from < c->n && l->to < c->n);
    fprintf(out, "  n%zu_%u -> n%zu_%u [label=\"%s %.2f", loop, l->from, loop,
            l->to, cy_wait_name(l->wait), l->cycles);
    if (l->wait == CY_WAIT_MEMORY)
        fprintf(out, "\\n%s", cy_how_name(l->how));
    if (l->rounds > 0) {
        fputs("\\n", out);
        cy_report_later(out, l->rounds);
    }
    if (cy_report_is_forward(l))
        fprintf(out, "\\ndistance %" PRIu64,
                cy_report_distance(c, &l->forward, l->to));
    fputc('"', out);
    if (l->rounds > 0)
        fputs(", constraint=false", out);
    if (l->wait == CY_WAIT_MEMORY)
        fputs(", style=dashed", out);
    if (is_critical)
        fputs(", color=red, penwidth=2", out);
    fputs("];\n", out);
}

static size_t add(struct cy_link *all, size_t n, const struct cy_link *links,
                  size_t n_links)
{
    for (size_t i = 0; i < n_links; i++)
        all[n + i] = links[i];
    return n + n_links;
}

/* Writes the waits of a loop, but only the longest one between two
   instructions. */
static void write_links(FILE *out, size_t loop, const struct cy_cost_of_loop *c)
{
    const struct cy_bound *b = &c->bound;
    const struct cy_chain *chain = cy_report_chain(c);
    size_t n = b->waits.n + b->n_passages + chain->n;
    AUTO_FREE struct cy_link *all = memory_new(n, sizeof *all);

    n = add(all, 0, b->waits.links, b->waits.n);
    n = add(all, n, b->passages, b->n_passages);
    n = add(all, n, chain->links, chain->n);
    assert(n == b->waits.n + b->n_passages + chain->n);
    array_sort(all, n, link_order);
    for (size_t i = 0; i < n; i++)
        /* Leave out the wait of a result for the load of its own
           instruction. */
        if ((all[i].from != all[i].to || all[i].rounds > 0) &&
            (i == 0 || !is_same(&all[i - 1], &all[i])))
            write_link(out, loop, c, &all[i], is_on(chain, &all[i]));
}

static void write_loop(FILE *out, const struct cy_report *r, size_t loop)
{
    const struct cy_cost_of_loop *c = &r->prediction->loops[loop];
    AUTO_FREE char *round = cy_report_round_text(r, c);

    fprintf(out, "  subgraph cluster_%zu {\n    label=\"", loop);
    if (c->name != NULL || c->function != NULL)
        write_text(out, c->name != NULL ? c->name : c->function);
    else
        fprintf(out, "%#" PRIx64, c->address);
    fprintf(out, ": %s", round);
    if (r->data->has_executions)
        fprintf(out, ", %.1f %% of the %s", cy_report_share(r, c),
                r->program != NULL ? "cycles" : "instructions");
    fputs("\";\n", out);
    for (uint32_t i = 0; i < c->n; i++) {
        struct cy_line line =
            cy_code_line(r->code, c->loop->object, c->insns[i].address);

        fprintf(out, "    n%zu_%u [label=\"%" PRIx64 "  ", loop, i,
                c->insns[i].address);
        write_text(out, c->insns[i].shown);
        fputs(line.text[0] != '\0' ? "\\n" : "", out);
        write_text(out, line.text);
        fputs("\"];\n", out);
    }
    fputs("  }\n", out);
    write_links(out, loop, c);
}

static void write_dot(FILE *out, const struct cy_report *r)
{
    fputs("digraph depbound {\n  node [shape=box, fontname=monospace];\n", out);
    for (size_t i = 0; i < cy_report_n(r); i++)
        write_loop(out, r, i);
    fputs("}\n", out);
}

/* --- For programs --- */

/* Puts the user's options that change figures. */
static void put_options(struct report_row *row, const struct cy_report *r)
{
    AUTO_FREE char *objects = cy_report_objects(r);

    report_real(row, R_KEY("options.support"), 100 * r->choice->min_support);
    report_text(row, R_KEY("options.objects"),
                r->choice->wish.n_objects > 0 ? objects : NULL);
    report_text(row, R_KEY("options.function"), r->choice->wish.function);
    report_text(row, R_KEY("options.source"), r->choice->source);
    report_bool(row, R_KEY("options.unrolled"), r->choice->is_unrolled);
    report_text(row, R_KEY("options.initial"),
                r->is_same ? "same" : "different");
}

static void fill_head(struct report_row *row, const void *from, size_t i)
{
    const struct cy_report *r = from;
    AUTO_FREE char *verdict = cy_verdict_of(r).text;

    (void)i;
    report_text(row, R_KEY("version"), PACKAGE_VERSION);
    report_text(row, R_KEY("verdict"), cy_known(verdict));
    report_text(row, R_KEY("llvm_mca"), r->mca);
    report_text(row, R_KEY("machine"),
                r->machine != NULL ? r->machine->name : NULL);
    report_text(row, R_KEY("stands_for"),
                r->machine != NULL ? r->machine->stands_for : NULL);
    cy_put_real(row, R_KEY("clock"), r->clock > 0, r->clock);
    cy_put_measured(row, r);
    report_text(row, R_KEY("other_variants.functions"), r->variants);
    cy_put_real(row, R_KEY("other_variants.share"), r->variants != NULL,
                r->variants != NULL
                    ? cy_windowed_share(r->windowed, r->of_variants)
                    : 0);
    report_bool(row, R_KEY("published"),
                r->machine != NULL && r->machine->is_published);
    report_text(row, R_KEY("edges"), cy_edges_name(r->choice->edges));
    report_count(row, R_KEY("instructions"), r->data->instructions);
    report_count(row, R_KEY("recorded"), r->data->recorded);
    report_real(row, R_KEY("share"), r->prediction->share);
    report_count(row, R_KEY("left_out"),
                 r->prediction->n - r->prediction->n_shown);
    report_count(row, R_KEY("beyond_top"),
                 r->prediction->n_shown - cy_report_n(r));
    put_options(row, r);
}

static void fill_data(struct report_row *row, const void *from, size_t i)
{
    const struct cy_report *r = from;
    const struct cy_cost_of_loop *c = &r->prediction->loops[i];
    const struct cy_block *first = &r->data->blocks[c->loop->blocks[0]];
    AUTO_FREE char *others = cy_report_other_names(r, c->function);
    AUTO_FREE char *advice = cy_report_advice(r, c);
    AUTO_FREE char *unknown = cy_report_unknown(r, c);
    bool is_known = !cy_unknown_is_all(&c->unknown);

    assert(c->n > 0 && c->loop->n_blocks > 0);
    report_text(row, R_KEY("object"), cy_report_object(r, c));
    report_text(row, R_KEY("function"), c->function);
    report_text(row, R_KEY("other_names"), others);
    if (first->has_function_start)
        cy_put_line(row, R_KEY("function_line"), r->code, c->loop->object,
                    first->function_start);
    else
        report_none(row, R_KEY("function_line"));
    report_text(row, R_KEY("region"), c->name);
    cy_put_line(row, R_KEY("line"), r->code, c->loop->object, c->address);
    report_count(row, R_KEY("address"), c->address);
    report_count(row, R_KEY("instructions"), c->n);
    report_count(row, R_KEY("rounds"), c->iterations);
    report_count(row, R_KEY("entries"), c->loop->entries);
    report_real(row, R_KEY("share"), c->share);
    cy_put_real(row, R_KEY("cycles_share"), is_known && r->program != NULL,
                cy_report_share(r, c));
    report_real(row, R_KEY("path_share"), c->loop->share_of_path);
    report_real(row, R_KEY("path_share_least"), c->loop->least_share);
    report_bool(row, R_KEY("calls"), c->loop->has_call);
    cy_put_real(row, R_KEY("units"), is_known && c->cycles.has_units,
                c->cycles.throughput);
    cy_put_real(row, R_KEY("registers"), is_known, c->bound.registers.cycles);
    cy_put_real(row, R_KEY("memory"), is_known, c->bound.memory.cycles);
    cy_put_real(row, R_KEY("without_memory"), is_known, c->cycles.without);
    cy_put_real(row, R_KEY("predicted"), is_known, c->cycles.predicted);
    cy_put_real(row, R_KEY("mended"), is_known, c->cycles.mended);
    cy_put_real(row, R_KEY("without_mispredictions"),
                is_known && c->cycles.n_recorded > 0, c->cycles.steered);
    cy_put_real(row, R_KEY("without_misses"),
                is_known && c->cycles.n_recorded > 0 && r->windowed->has_caches,
                c->cycles.cached);
    report_bool(row, R_KEY("at_least"), cy_unknown_is_least(&c->unknown));
    report_text(row, R_KEY("not_known"), unknown);
    report_bool(row, R_KEY("waits_for_thread"), c->unknown.is_spin);
    cy_put_real(row, R_KEY("cycles"), is_known && r->data->has_executions,
                c->cycles.all);
    report_text(row, R_KEY("limited_by"), cy_limit_name(cy_report_limit(c)));
    report_bool(row, R_KEY("memory_bound"), c->cycles.is_memory_bound);
    report_count(row, R_KEY("recorded_rounds"), c->cycles.n_recorded);
    cy_put_real(row, R_KEY("in_calls"), is_known && c->cycles.n_recorded > 0,
                c->cycles.called);
    cy_put_real(row, R_KEY("steady"), is_known, c->cycles.steady);
    cy_put_real(row, R_KEY("low"), is_known, c->cycles.low);
    cy_put_real(row, R_KEY("high"), is_known, c->cycles.high);
    report_count(row, R_KEY("impossible"), c->n_impossible);
    report_count(row, R_KEY("edges"), c->edges.n);
    report_count(row, R_KEY("unfixed"), c->edges.n_unfixed);
    report_count(row, R_KEY("failed_forwards"), c->bound.n_failed);
    report_count(row, R_KEY("unknown_instructions"), c->bound.n_unknown);
    report_count(row, R_KEY("guessed_latencies"), c->bound.n_unknown_cost);
    report_text(row, R_KEY("advice"), advice);
    cy_put_links(row, r, c);
}

/* Writes all tables for programs; to a database, those of all loops. */
static void write_data(struct report *out, const struct cy_report *r)
{
    size_t n = out->db != NULL ? r->prediction->n : cy_report_n(r);

    report_table(out, &REPORT_TABLE(1, fill_head, r));
    report_table(out, &REPORT_TABLE(n, fill_data, r, .key = "loops"));
    cy_report_programs(out, r);
    cy_report_program(out, r);
    cy_report_windows(out, r);
    cy_report_between(out, r);
    cy_report_changes(out, r);
}

void cy_report_json(FILE *out, const struct cy_report *r)
{
    struct report report = {.out = out, .format = REPORT_JSON};

    report_begin(&report);
    write_data(&report, r);
    report_end(&report);
}

/* --- The database --- */

static void fill_object(struct report_row *row, const void *from, size_t i)
{
    const struct cy_data *data = from;

    report_text(row, R_KEY("path"), data->objects[i].path);
    report_text(row, R_KEY("build_id"), data->objects[i].build_id);
}

/* The blocks on the way around a loop. */
struct way {
    const struct cy_data *data;
    const struct cy_loop *loop;
    size_t number; /* of the loop, from 0 */
};

static void fill_block(struct report_row *row, const void *from, size_t i)
{
    const struct way *way = from;
    const struct cy_block *b = &way->data->blocks[way->loop->blocks[i]];

    assert(b->object == way->loop->object);
    report_count(row, R_KEY("of_row"), way->number + 1);
    report_count(row, R_KEY("start"), b->start);
    report_count(row, R_KEY("end"), b->end);
}

static int write_tables(struct db *db, const struct cy_report *r,
                        struct diag *d)
{
    struct report out = {.format = REPORT_JSON, .db = report_db_new(db, d)};

    report_table(&out, &REPORT_TABLE(r->data->n_objects, fill_object, r->data,
                                     .key = "objects"));
    write_data(&out, r);
    for (size_t i = 0; i < r->prediction->n; i++) {
        const struct way way = {r->data, r->prediction->loops[i].loop, i};

        report_table(&out, &REPORT_TABLE(way.loop->n_blocks, fill_block, &way,
                                         .key = "loops_blocks"));
    }
    return report_db_free(out.db);
}

int cy_costdb_write(const char *path, const struct cy_report *report,
                    struct diag *d)
{
    if (db_may_replace(path, DB_COST, d) != 0)
        return -1;
    struct replace *file = replace_new(path, REPLACE_ALWAYS, d);
    if (file == NULL)
        return -1;
    struct db *db = db_open_rw(replace_path(file), DB_COST, d);
    int rc = db != NULL ? db_begin(db, d) : -1;
    if (rc == 0)
        rc = write_tables(db, report, d);
    if (rc == 0)
        rc = db_commit(db, d);
    db_close(db);
    if (rc == 0)
        rc = replace_commit(file, d);
    replace_free(file);
    return rc;
}

/* --- Formats --- */

/* Writes what the figures with a mark leave out. */
static void write_unknown(struct report *out, const struct cy_report *r)
{
    for (size_t i = 0; i < cy_report_n(r); i++) {
        const struct cy_cost_of_loop *c = &r->prediction->loops[i];
        AUTO_FREE char *unknown = cy_report_unknown(r, c), *name = NULL;

        if (unknown == NULL)
            continue;
        name = cy_report_name(r, c);
        if (cy_unknown_is_all(&c->unknown))
            report_paragraph(out, "%s %s: %s", name,
                             cy_report_place(r, c, 0).text, unknown);
        else
            report_paragraph(out, "%s %s: %s%.2f cycles. %s", name,
                             cy_report_place(r, c, 0).text, cy_report_mark(c),
                             c->cycles.predicted, unknown);
    }
}

static void write_markdown(FILE *out, const struct cy_report *r)
{
    struct report report = {.out = out, .format = REPORT_MARKDOWN};

    for (unsigned i = 0; i < CY_N_NOTICES; i++) {
        char *notice = cy_report_notice(r, i);

        if (notice != NULL)
            report_add_paragraph(&report, notice);
    }
    cy_report_programs(&report, r);
    cy_report_changes(&report, r);
    cy_report_loops(&report, r);
    if (r->data->has_executions) {
        struct memory_stream text = memory_stream_open(&text);

        fputs("Share: ", text.out);
        cy_report_share_of(text.out, r);
        fputc('.', text.out);
        report_add_paragraph(&report, memory_stream_close(&text));
    }
    write_unknown(&report, r);
    cy_report_forwards(&report, r);
    cy_report_windows(&report, r);
    cy_report_between(&report, r);
}

static const struct {
    const char *name;
    void (*write)(FILE *, const struct cy_report *);
    const char *use;
} formats[CY_N_FORMATS] = {
    [CY_TEXT] = {"text", cy_report_text, "for people"},
    [CY_JSON] = {"json", cy_report_json, "for programs, with all figures"},
    [CY_MARKDOWN] = {"markdown", write_markdown, "for comments and CI"},
    [CY_HTML] = {"html", cy_report_html, "a page for a browser"},
    [CY_DOT] = {"dot", write_dot, "graphs of the loops, for Graphviz"},
    [CY_SARIF] = {"sarif", cy_report_sarif, "for editors and code scanning"},
    [CY_CALLGRIND] = {"callgrind", cy_report_callgrind,
                      "cycles by line, for KCachegrind"},
    [CY_REMARKS] = {"remarks", cy_report_remarks,
                    "optimization remarks, for LLVM's tools"},
};

void cy_format_list(FILE *out)
{
    for (enum cy_format f = 0; f < CY_N_FORMATS; f++)
        fprintf(out, "%-10s %s\n", formats[f].name, formats[f].use);
}

enum cy_format cy_format_parse(const char *name)
{
    enum cy_format f = 0;

    while (f < CY_N_FORMATS && strcmp(formats[f].name, name) != 0)
        f++;
    return f;
}

void cy_report_write(FILE *out, enum cy_format format,
                     const struct cy_report *report)
{
    assert(format < CY_N_FORMATS);
    formats[format].write(out, report);
}
