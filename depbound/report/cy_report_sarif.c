/*
 * cy_report_sarif: the report for editors and code scanning, in the Static
 * Analysis Results Interchange Format (SARIF) 2.1.0, OASIS Standard, 2020.
 *
 * A loop is a result, and so is a forward that fails but limits no loop.  The
 * chain of a loop is its code flow.  A file below the directory where depbound
 * runs is named relative to that, so that a checkout of the same sources
 * elsewhere has it, too.  Code without a source line is an address in its
 * object.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <ctype.h>

#include "config.h"

#include "report/internal.h"

#define BASE "%SRCROOT%" /* the name in the examples of the standard */

/* --- Rules --- */

enum rule {
    BY_MEMORY,
    BY_REGISTERS,
    BY_UNITS,
    BY_MISPREDICTIONS,
    FAILED_FORWARD,
    N_RULES
};

static const struct {
    const char *id, *name, *text;
} rules[N_RULES] = {
    [BY_MEMORY] =
        {"limited-by-memory", "LimitedByMemory",
         "Each iteration of the loop waits for a value that an earlier "
         "iteration stored."},
    [BY_REGISTERS] = {"limited-by-registers", "LimitedByRegisters",
                      "Each iteration of the loop waits for a value that an "
                      "earlier iteration left in a register."},
    [BY_UNITS] = {"limited-by-units", "LimitedByUnits",
                  "The units of the processor limit the loop, not a chain of "
                  "instructions."},
    [BY_MISPREDICTIONS] =
        {"limited-by-mispredictions", "LimitedByMispredictions",
         "Branches of the loop that are mispredicted take more of its time "
         "than anything else."},
    [FAILED_FORWARD] = {"failed-forward", "FailedForward",
                        "A load needs bytes that no single store has, and "
                        "waits until the stores are in the cache."},
};

static void fill_rule(struct report_row *row, const void *from, size_t i)
{
    (void)from;
    report_text(row, R_KEY("id"), rules[i].id);
    report_text(row, R_KEY("name"), rules[i].name);
    report_text(row, R_KEY("shortDescription.text"), rules[i].text);
    report_text(row, R_KEY("defaultConfiguration.level"),
                i == BY_MEMORY ? "warning" : "note");
}

static enum rule rule_of(const struct cy_cost_of_loop *c)
{
    enum cy_limit limit = cy_report_limit(c);

    return limit == CY_BY_MEMORY           ? BY_MEMORY
           : limit == CY_BY_REGISTERS      ? BY_REGISTERS
           : limit == CY_BY_MISPREDICTIONS ? BY_MISPREDICTIONS
                                           : BY_UNITS;
}

/* --- Places --- */

/* Encodes a path as part of a URI, after the text `before`. */
static char *encode(const char *before, const char *path)
{
    struct memory_stream uri = memory_stream_open(&uri);

    fputs(before, uri.out);
    for (; *path != '\0'; path++)
        if (isascii((unsigned char)*path) &&
            (isalnum((unsigned char)*path) || strchr("-._~/+", *path) != NULL))
            fputc(*path, uri.out);
        else
            fprintf(uri.out, "%%%02X", (unsigned)(unsigned char)*path);
    return memory_stream_close(&uri);
}

/* Puts a file, by a relative path if possible. */
static void put_file(struct report_row *row, const struct cy_report *r,
                     const char *uri_key, const char *base_key,
                     const char *path)
{
    size_t n = r->directory != NULL ? strlen(r->directory) : 0;
    bool is_relative = path[0] != '/';

    if (n > 0 && strncmp(path, r->directory, n) == 0 && path[n] == '/') {
        path += n + 1;
        is_relative = true;
    }
    report_text(row, R_KEY(uri_key),
                report_keep(row, encode(is_relative ? "" : "file://", path)));
    if (is_relative)
        report_text(row, R_KEY(base_key), BASE);
}

/* Puts the physicalLocation of an instruction; or, if `is_inner`, the location
   object that contains it. */
static void put_place(struct report_row *row, const struct cy_report *r,
                      const struct cy_cost_of_loop *c, uint32_t step,
                      bool is_inner)
{
    uint64_t address = c->insns[step].address;
    int line = 0;
    AUTO_FREE char *file =
        cy_code_where(r->code, c->loop->object, address, &line);

    assert(step < c->n && c->loop->object < r->data->n_objects);
#define PLACE(key) \
    (is_inner ? "location.physicalLocation." key : "physicalLocation." key)
    put_file(row, r, PLACE("artifactLocation.uri"),
             PLACE("artifactLocation.uriBaseId"),
             file != NULL ? file : r->data->objects[c->loop->object].path);
    if (file != NULL)
        report_count(row, R_KEY(PLACE("region.startLine")), (uint64_t)line);
    else if (address <= INT64_MAX)
        report_count(row, R_KEY(PLACE("address.absoluteAddress")), address);
#undef PLACE
}

/* --- Results --- */

/* A result: a loop, or, with `failed`, one of its forwards. */
struct result {
    const struct cy_cost_of_loop *loop;
    const struct cy_link *failed;
};

struct results {
    const struct cy_report *report;
    struct result *list;
    size_t n, capacity;
};

/* What the rows of a table of places are filled from. */
struct places {
    const struct cy_report *report;
    const struct result *result;
};

static void fill_location(struct report_row *row, const void *from, size_t i)
{
    const struct places *p = from;
    const struct cy_cost_of_loop *c = p->result->loop;

    (void)i;
    put_place(row, p->report, c,
              p->result->failed != NULL ? p->result->failed->to : 0, false);
}

/* Puts the store of a forward that fails. */
static void fill_store(struct report_row *row, const void *from, size_t i)
{
    const struct places *p = from;
    const struct cy_cost_of_loop *c = p->result->loop;
    uint32_t store = p->result->failed->from;

    (void)i;
    report_count(row, R_KEY("id"), 0);
    put_place(row, p->report, c, store, false);
    report_printf(row, R_KEY("message.text"), "The store: %s",
                  c->insns[store].shown);
}

static void fill_step(struct report_row *row, const void *from, size_t i)
{
    const struct places *p = from;
    const struct cy_cost_of_loop *c = p->result->loop;
    const struct cy_link *l = &cy_report_chain(c)->links[i];

    assert(l->to < c->n && l->from < c->n);
    struct memory_stream text = memory_stream_open(&text);
    fprintf(
        text.out, "%s waits %.2f cycles for %s%s", c->insns[l->to].shown,
        l->cycles,
        l->wait == CY_WAIT_MEMORY    ? "what was stored by "
        : l->wait == CY_WAIT_ADDRESS ? "its address from "
        : l->wait == CY_WAIT_DATA    ? "the value from "
                                     : "the result of ",
        c->insns[l->wait == CY_WAIT_MEMORY ? l->forward.store : l->from].shown);
    if (l->wait == CY_WAIT_MEMORY)
        fprintf(text.out, " (%s)", cy_how_name(l->how));
    if (l->rounds > 0)
        fprintf(text.out, ", %u iteration%s before", l->rounds,
                l->rounds == 1 ? "" : "s");
    put_place(row, p->report, c, l->to, true);
    report_text(row, R_KEY("location.message.text"),
                report_keep(row, memory_stream_close(&text)));
    report_count(row, R_KEY("executionOrder"), i + 1);
}

static void fill_thread_flow(struct report_row *row, const void *from, size_t i)
{
    const struct places *p = from;

    (void)i;
    report_rows(
        row, R_KEY("locations"),
        &REPORT_TABLE(cy_report_chain(p->result->loop)->n, fill_step, p));
}

static void fill_code_flow(struct report_row *row, const void *from, size_t i)
{
    (void)i;
    report_rows(row, R_KEY("threadFlows"),
                &REPORT_TABLE(1, fill_thread_flow, from));
}

static char *loop_message(const struct cy_report *r,
                          const struct cy_cost_of_loop *c)
{
    AUTO_FREE char *name = cy_report_name(r, c);
    AUTO_FREE char *advice = cy_report_advice(r, c);
    AUTO_FREE char *unknown = cy_report_unknown(r, c);
    AUTO_FREE char *round = cy_report_round_text(r, c);
    struct memory_stream text = memory_stream_open(&text);

    fprintf(text.out, "%s: %s", name, round);
    if (cy_report_without(c) != NULL)
        fprintf(text.out, " (%.2f without)", *cy_report_without(c));
    fputc('.', text.out);
    if (advice != NULL)
        fprintf(text.out, " %s", advice);
    if (unknown != NULL)
        fprintf(text.out, " %s", unknown);
    return memory_stream_close(&text);
}

static char *failed_message(const struct cy_report *r,
                            const struct result *result)
{
    const struct cy_link *f = result->failed;

    return memory_printf(
        "Failed forward of %.2f cycles: the load needs bytes that the store at "
        "%s does not have alone (%s, %s).",
        f->cycles, cy_report_place(r, result->loop, f->from).text,
        cy_relation_name(f->forward.relation),
        f->forward.is_observed ? "observed" : "predicted");
}

static void put_loop(struct report_row *row, const struct cy_report *r,
                     const struct places *places)
{
    const struct cy_cost_of_loop *c = places->result->loop;

    if (cy_report_is_chained(c) && cy_report_chain(c)->n > 0)
        report_rows(row, R_KEY("codeFlows"),
                    &REPORT_TABLE(1, fill_code_flow, places));
    if (r->data->has_executions)
        report_real(row, R_KEY("rank"), fmin(100, cy_report_share(r, c)));
    cy_put_real(row, R_KEY("properties.cyclesPerRound"),
                !cy_unknown_is_all(&c->unknown), c->cycles.predicted);
    cy_put_real(row, R_KEY("properties.withoutMemory"),
                !cy_unknown_is_all(&c->unknown), c->cycles.mended);
    report_count(row, R_KEY("properties.rounds"), c->iterations);
    report_bool(row, R_KEY("properties.atLeast"),
                cy_unknown_is_least(&c->unknown));
}

static void fill_result(struct report_row *row, const void *from, size_t i)
{
    const struct results *all = from;
    const struct cy_report *r = all->report;
    const struct result *result = &all->list[i];
    struct places *places = report_alloc(row, sizeof *places);
    enum rule rule =
        result->failed != NULL ? FAILED_FORWARD : rule_of(result->loop);

    *places = (struct places){r, result};
    report_text(row, R_KEY("ruleId"), rules[rule].id);
    report_count(row, R_KEY("ruleIndex"), rule);
    report_text(row, R_KEY("level"),
                rule == BY_MEMORY && result->loop->cycles.is_memory_bound
                    ? "warning"
                    : "note");
    report_text(row, R_KEY("message.text"),
                report_keep(row, rule == FAILED_FORWARD
                                     ? failed_message(r, result)
                                     : loop_message(r, result->loop)));
    report_rows(row, R_KEY("locations"),
                &REPORT_TABLE(1, fill_location, places));
    if (rule != FAILED_FORWARD) {
        put_loop(row, r, places);
        return;
    }
    report_rows(row, R_KEY("relatedLocations"),
                &REPORT_TABLE(1, fill_store, places));
    report_real(row, R_KEY("properties.cycles"), result->failed->cycles);
}

/* Is a forward part of the chain that is reported with the loop? */
static bool is_told(const struct cy_cost_of_loop *c, const struct cy_link *f)
{
    const struct cy_chain *chain = cy_report_chain(c);

    for (size_t i = 0; i < chain->n && rule_of(c) == BY_MEMORY; i++)
        if (chain->links[i].wait == CY_WAIT_MEMORY &&
            chain->links[i].to == f->to &&
            chain->links[i].forward.store == f->from)
            return true;
    return false;
}

/* --- The file --- */

static void fill_log(struct report_row *row, const void *from, size_t i)
{
    (void)from, (void)i;
    report_text(row, R_KEY("$schema"),
                "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/"
                "schemas/sarif-schema-2.1.0.json");
    report_text(row, R_KEY("version"), "2.1.0");
}

static void fill_run(struct report_row *row, const void *from, size_t i)
{
    const struct results *all = from;
    const struct cy_report *r = all->report;

    (void)i;
    report_text(row, R_KEY("tool.driver.name"), "depbound");
    report_text(row, R_KEY("tool.driver.version"), PACKAGE_VERSION);
    report_rows(row, R_KEY("tool.driver.rules"),
                &REPORT_TABLE(N_RULES, fill_rule, NULL));
    if (r->directory != NULL) {
        AUTO_FREE char *base = memory_printf("%s/", r->directory);

        report_text(row, R_KEY("originalUriBaseIds." BASE ".uri"),
                    report_keep(row, encode("file://", base)));
    }
    report_text(row, R_KEY("properties.machine"),
                r->machine != NULL ? r->machine->name : NULL);
    report_text(row, R_KEY("properties.edges"),
                cy_edges_name(r->choice->edges));
    report_rows(row, R_KEY("results"), &REPORT_TABLE(all->n, fill_result, all));
}

void cy_report_sarif(FILE *out, const struct cy_report *r)
{
    struct report report = {.out = out, .format = REPORT_JSON};
    struct results all = {.report = r};

    for (size_t i = 0; i < cy_report_n(r); i++) {
        const struct cy_cost_of_loop *c = &r->prediction->loops[i];

        array_push(all.list, all.n, all.capacity, (struct result){c, NULL});
        for (unsigned j = 0; j < c->bound.n_failed; j++)
            if (!is_told(c, &c->bound.failed[j]))
                array_push(all.list, all.n, all.capacity,
                           (struct result){c, &c->bound.failed[j]});
    }
    report_begin(&report);
    report_table(&report, &REPORT_TABLE(1, fill_log, NULL));
    report_table(&report, &REPORT_TABLE(1, fill_run, &all, .key = "runs"));
    report_end(&report);
    free(all.list);
}
