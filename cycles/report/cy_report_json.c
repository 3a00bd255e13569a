/*
 * cy_report_json: the report for programs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>
#include <stdlib.h>

#include "json.h"
#include "memory.h"
#include "report/internal.h"

static void key_number(FILE *out, const char *key, double number)
{
    fprintf(out, "\"%s\": ", key);
    json_number(out, number);
}

static void key_text(FILE *out, const char *key, const char *text)
{
    fprintf(out, "\"%s\": ", key);
    json_text(out, text);
}

static void write_insn(FILE *out, const struct cy_report *r,
                       const struct cy_cost_of_loop *c, uint32_t step)
{
    char line[128];

    cy_code_line(r->code, c->loop->object, c->insns[step].address, line,
                 sizeof line);
    fprintf(out, "{\"address\": %" PRIu64 ", ", c->insns[step].address);
    key_text(out, "text", c->insns[step].shown);
    fputs(", ", out);
    key_text(out, "line", line[0] != '\0' ? line : NULL);
    fputc('}', out);
}

static void write_forward(FILE *out, const struct cy_forward *f)
{
    key_text(out, "relation", cy_relation_name(f->relation));
    fprintf(out, ", \"observed\": %s", f->is_observed ? "true" : "false");
}

static void write_distance(FILE *out, const struct cy_cost_of_loop *c,
                           const struct cy_forward *f, uint32_t load)
{
    fprintf(out, "\"distance\": %" PRIu64 ", ", cy_report_distance(c, f, load));
}

static void write_failed(FILE *out, const struct cy_report *r,
                         const struct cy_cost_of_loop *c)
{
    fputc('[', out);
    for (unsigned i = 0; i < c->bound.n_failed; i++) {
        const struct cy_failed *f = &c->bound.failed[i];

        fputs(i > 0 ? ",\n      {" : "\n      {", out);
        write_forward(out, &f->forward);
        fputs(", ", out);
        key_number(out, "cycles", f->cycles);
        fprintf(out, ", \"rounds\": %u, ", f->rounds);
        write_distance(out, c, &f->forward, f->load);
        key_number(out, "support", f->support);
        fputs(", \"from\": ", out);
        write_insn(out, r, c, f->store);
        fputs(", \"to\": ", out);
        write_insn(out, r, c, f->load);
        fputc('}', out);
    }
    fputc(']', out);
}

static void write_chain(FILE *out, const struct cy_report *r,
                        const struct cy_cost_of_loop *c,
                        const struct cy_chain *chain)
{
    fputc('[', out);
    for (size_t i = 0; i < chain->n; i++) {
        const struct cy_link *l = &chain->links[i];

        fputs(i > 0 ? ",\n      {" : "\n      {", out);
        key_text(out, "wait", cy_wait_name(l->wait));
        fputs(", ", out);
        key_number(out, "cycles", l->cycles);
        fprintf(out, ", \"rounds\": %u", l->rounds);
        if (l->wait == CY_WAIT_MEMORY) {
            fputs(", ", out);
            if (cy_report_is_forward(l))
                write_distance(out, c, &l->forward, l->to);
            key_text(out, "forwarding", cy_how_name(l->how));
            fputs(", ", out);
            write_forward(out, &l->forward);
            fputs(", ", out);
            key_number(out, "support", l->support);
        }
        fputs(", \"from\": ", out);
        write_insn(out, r, c, l->from);
        fputs(", \"to\": ", out);
        write_insn(out, r, c, l->to);
        fputc('}', out);
    }
    fputc(']', out);
}

static void write_advice(FILE *out, const struct cy_report *r,
                         const struct cy_cost_of_loop *c)
{
    struct memory_stream memory;
    char *text;

    memory_stream_open(&memory);
    cy_report_advice(memory.out, r, c, "", "");
    text = memory_stream_close(&memory);
    key_text(out, "advice", text[0] != '\0' ? text : NULL);
    free(text);
}

static void write_loop(FILE *out, const struct cy_report *r,
                       const struct cy_cost_of_loop *c)
{
    char line[128];

    cy_code_line(r->code, c->loop->object, c->address, line, sizeof line);
    fputs("\n    {", out);
    key_text(out, "function", c->function);
    fputs(", ", out);
    key_text(out, "region", c->name);
    fputs(", ", out);
    key_text(out, "line", line[0] != '\0' ? line : NULL);
    fprintf(out, ", \"address\": %" PRIu64 ", \"instructions\": %u", c->address,
            c->n);
    fprintf(out, ",\n     \"rounds\": %" PRIu64 ", \"entries\": %" PRIu64 ", ",
            c->loop->rounds, c->loop->entries);
    key_number(out, "share", c->share);
    fputs(", ", out);
    if (r->program != NULL)
        key_number(out, "cycles_share", cy_report_share(r, c));
    else
        fputs("\"cycles_share\": null", out);
    fputs(", ", out);
    key_number(out, "path_share", c->loop->share_of_path);
    fprintf(out, ", \"calls\": %s", c->loop->has_call ? "true" : "false");
    fputs(",\n     ", out);
    if (c->cycles.has_throughput) {
        key_number(out, "units", c->cycles.throughput);
        fputs(", ", out);
        key_number(out, "llvm_mca", c->region.total);
    } else {
        fputs("\"units\": null, \"llvm_mca\": null", out);
    }
    fputs(", ", out);
    key_number(out, "registers", c->bound.registers.cycles);
    fputs(", ", out);
    key_number(out, "memory", c->bound.memory.cycles);
    fputs(",\n     ", out);
    key_number(out, "without_memory", c->cycles.without);
    fputs(", ", out);
    key_number(out, "predicted", c->cycles.predicted);
    fputs(", ", out);
    key_number(out, "short_runs", c->cycles.short_runs);
    fputs(", ", out);
    key_text(out, "limited_by", cy_report_limit(c));
    fprintf(out, ", \"memory_bound\": %s",
            c->cycles.is_memory_bound ? "true" : "false");
    fprintf(out,
            ",\n     \"edges\": %zu, \"unfixed\": %zu, \"failed_forwards\": "
            "%u, \"unknown_instructions\": %zu, \"guessed_latencies\": %u",
            c->edges.n, c->edges.n_unfixed, c->bound.n_failed,
            c->bound.n_unknown_flow + c->region.n_unknown,
            c->bound.n_unknown_cost);
    fputs(",\n     ", out);
    write_advice(out, r, c);
    fputs(",\n     \"chain\": ", out);
    write_chain(out, r, c, cy_report_chain(c));
    fputs(",\n     \"failed\": ", out);
    write_failed(out, r, c);
    fputc('}', out);
}

static void write_total(FILE *out, const struct cy_total *t)
{
    fprintf(out, "\"instructions\": %" PRIu64 ", \"unmodelled\": %" PRIu64 ", ",
            t->instructions, t->unmodelled);
    key_number(out, "llvm_mca", t->mca);
    fputs(", ", out);
    key_number(out, "without_memory", t->high_without);
    fputs(", ", out);
    key_number(out, "low_without_memory", t->low_without);
    fputs(", ", out);
    key_number(out, "low", t->low);
    fputs(", ", out);
    key_number(out, "high", t->high);
}

static void write_program(FILE *out, const struct cy_program *p)
{
    fputs(",\n  \"program\": {", out);
    write_total(out, &p->total);
    fputs(",\n    \"functions\": [", out);
    for (size_t i = 0; i < p->n; i++) {
        fputs(i > 0 ? ",\n      {" : "\n      {", out);
        key_text(out, "function", p->functions[i].function);
        fputs(", ", out);
        write_total(out, &p->functions[i]);
        fputc('}', out);
    }
    fputs("]}", out);
}

void cy_report_json(FILE *out, const struct cy_report *r)
{
    const struct cy_prediction *p = r->prediction;

    fputs("{\"llvm_mca\": ", out);
    json_text(out, r->mca);
    fputs(", \"machine\": ", out);
    json_text(out, r->machine);
    fputs(", \"edges\": ", out);
    json_text(out, cy_edges_name(r->edges));
    fprintf(out, ",\n  \"instructions\": %" PRIu64 ", ", r->data->instructions);
    key_number(out, "share", p->share);
    fprintf(out, ", \"left_out\": %zu,\n  \"loops\": [", p->n - p->n_shown);
    for (size_t i = 0; i < cy_report_n(r); i++) {
        if (i > 0)
            fputc(',', out);
        write_loop(out, r, &p->loops[i]);
    }
    fputc(']', out);
    if (r->program != NULL)
        write_program(out, r->program);
    fputs("}\n", out);
}
