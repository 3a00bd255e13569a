/*
 * cy_report_callgrind: predicted cycles in the format of Callgrind's files, for
 * KCachegrind and callgrind_annotate ("Callgrind Format Specification" of
 * Valgrind's manual).
 *
 * With a run, the costs are cycles and add up to those of the program, or of
 * its loops if those of other code are not known.  If the run has windows, an
 * instruction has what it takes there.  Without a run, they are hundredths of a
 * cycle, of one round of each loop, since the format has whole numbers only.
 * An instruction of a loop has what the chain waits before it; if no chain
 * limits the loop, and in other code, nothing tells which instruction takes the
 * time, and all have an equal part.  A dependency through memory is a jump from
 * its store to its load.
 *
 * Limits: the file has no calls, since no database says who called whom how
 * often.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "config.h"

#include "demangle.h"
#include "report/internal.h"
#include "output.h"

struct writer {
    FILE *out;
    const struct cy_report *report;
    struct cy_code *code; /* code of the objects of `files` */
    const struct cy_data *files;
    double exact;     /* sum of the exact costs so far */
    uint64_t written; /* sum of the whole numbers written for them */
    char *file;       /* source file of the last line; NULL if none */
};

static void write_name(FILE *out, const char *key, const char *name)
{
    AUTO_FREE char *safe = text_make_safe(memory_text(name));

    fprintf(out, "%s=%s\n", key, safe);
}

/* Begins the code of a function, or of its part that begins at an address. */
static void begin(struct writer *w, uint32_t object, uint64_t address,
                  const char *name)
{
    int line;

    free(w->file);
    w->file = cy_code_where(w->code, object, address, &line);
    if (w->file == NULL)
        w->file = memory_text("???");
    write_name(w->out, "ob", w->files->objects[object].path);
    write_name(w->out, "fl", w->file);
    write_name(w->out, "fn", name);
}

/* The address of a block's function, or else that of the block. */
static uint64_t start_of(const struct cy_block *block)
{
    return block->has_function_start ? block->function_start : block->start;
}

/* Writes an instruction's file, if it differs from that of the last line, and
   its address.  *line is 0 if the source line is not known. */
static void find_place(struct writer *w, uint32_t object, uint64_t address,
                       int *line)
{
    assert(w->file != NULL);
    *line = 0;
    char *file = cy_code_where(w->code, object, address, line);
    if (file == NULL || strcmp(file, w->file) == 0) {
        free(file);
        return;
    }
    free(w->file);
    w->file = file;
    write_name(w->out, "fi", file);
}

/* Writes the cost of an instruction, rounded so that the sum stays exact. */
static void write_cost(struct writer *w, uint32_t object, uint64_t address,
                       double cost)
{
    int line;

    assert(cost >= 0);
    w->exact += cost;
    uint64_t whole = (uint64_t)llround(w->exact) - w->written;
    w->written += whole;
    find_place(w, object, address, &line);
    fprintf(w->out, "%#" PRIx64 " %d %" PRIu64 "\n", address, line, whole);
}

static char *name_of(const char *symbol)
{
    return symbol != NULL ? demangle_names(symbol, NULL) : memory_text("???");
}

/* --- Loops --- */

/* Divides a loop's cost among its instructions.  The caller frees the list. */
static double *parts_of(const struct cy_cost_of_loop *c)
{
    double *parts = memory_new(c->n, sizeof *parts), sum = 0;
    bool has_chain = cy_report_is_chained(c);

    for (uint32_t i = 0; i < c->n && has_chain; i++) {
        cy_report_waits(cy_report_chain(c), i, &parts[i]);
        sum += parts[i];
    }
    for (uint32_t i = 0; i < c->n; i++)
        parts[i] = sum > 0 ? parts[i] / sum : 1.0 / c->n;
    return parts;
}

/* Writes a jump as two lines: the target and the count; then, with no cost, the
   source.  A jump names no file: both ends are in that of the line before. */
static void write_jump(struct writer *w, uint32_t object, uint64_t store,
                       uint64_t load, uint64_t n)
{
    int store_line, load_line;
    AUTO_FREE char *from = cy_code_where(w->code, object, store, &store_line);
    AUTO_FREE char *to = cy_code_where(w->code, object, load, &load_line);

    if (from != NULL && to != NULL && strcmp(from, to) == 0) {
        find_place(w, object, store, &store_line);
        fprintf(w->out, "jump=%" PRIu64 " %#" PRIx64 " %d\n%#" PRIx64 " %d\n",
                n, load, load_line, store, store_line);
    }
}

static void write_dependencies(struct writer *w,
                               const struct cy_cost_of_loop *c)
{
    size_t n;

    AUTO_FREE struct cy_dependency *list = cy_report_dependencies(c, &n);
    for (size_t i = 0; i < n; i++)
        write_jump(w, c->loop->object, c->insns[list[i].store].address,
                   c->insns[list[i].load].address,
                   c->iterations > 0 ? c->iterations : 1);
}

static void write_loop(struct writer *w, const struct cy_cost_of_loop *c)
{
    const struct cy_block *first = &w->report->data->blocks[c->loop->blocks[0]];
    AUTO_FREE char *name =
        c->name != NULL ? cy_report_name(w->report, c) : name_of(c->function);
    AUTO_FREE double *parts = parts_of(c);
    double cost = w->report->data->has_executions ? c->cycles.all
                                                  : 100 * c->cycles.predicted;

    begin(w, c->loop->object, start_of(first), name);
    for (uint32_t i = 0; i < c->n; i++)
        write_cost(w, c->loop->object, c->insns[i].address, cost * parts[i]);
    write_dependencies(w, c);
    fputc('\n', w->out);
}

/* --- Other code --- */

static void write_rest(struct writer *w, const struct cy_rest *rest)
{
    const struct cy_report *r = w->report;
    const struct cy_block *block = &r->data->blocks[rest->block];
    AUTO_FREE struct cy_code_insn *insns = NULL;
    size_t n = 0, room = 0;
    AUTO_FREE char *name = name_of(block->function);

    assert(rest->block < r->data->n_blocks);
    begin(w, block->object, start_of(block), name);
    /* A failure was reported when the code was first read. */
    if (cy_code_block(r->code, block, &insns, &n, &room, NULL) != 0 || n == 0)
        write_cost(w, block->object, block->start, rest->cycles);
    else
        for (size_t i = 0; i < n; i++)
            write_cost(w, block->object, insns[i].address,
                       rest->cycles / (double)n);
    fputc('\n', w->out);
}

/* --- Windows --- */

ARRAY_ORDER(address_order, struct cy_simulated_insn *const,
            array_order((*a)->object, (*b)->object)
                ?: array_order((*a)->address, (*b)->address))

/* Begins the function of a recorded instruction. */
static void begin_recorded(struct writer *w, uint32_t i)
{
    const struct cy_windowed *windowed = w->report->windowed;
    AUTO_FREE char *name = name_of(windowed->names[i]);

    begin(w, windowed->simulated[i].object, windowed->simulated[i].address,
          name);
}

static void write_pairs(struct writer *w)
{
    const struct cy_windowed *windowed = w->report->windowed;

    for (size_t i = 0; i < windowed->n_pairs; i++) {
        const struct cy_windowed_pair *p = &windowed->pairs[i];
        const struct cy_simulated_insn *store = &windowed->simulated[p->store],
                                       *load = &windowed->simulated[p->load];

        if (store->object != load->object)
            continue;
        begin_recorded(w, p->store);
        write_jump(w, store->object, store->address, load->address, p->n);
    }
}

static void write_recorded(struct writer *w)
{
    const struct cy_windowed *windowed = w->report->windowed;
    AUTO_FREE const struct cy_simulated_insn **sorted =
        memory_new(windowed->n_insns, sizeof(*sorted));
    uint32_t last = UINT32_MAX;
    size_t n = 0;

    for (uint32_t i = 0; i < windowed->n_insns; i++)
        if (windowed->outcome.executed[i] > 0 &&
            cy_windowed_is_asked(windowed, i))
            sorted[n++] = &windowed->simulated[i];
    array_sort(sorted, n, address_order);
    for (size_t i = 0; i < n; i++) {
        uint32_t insn = (uint32_t)(sorted[i] - windowed->simulated);

        if (last == UINT32_MAX ||
            windowed->simulated[last].object != sorted[i]->object ||
            windowed->names[last] != windowed->names[insn])
            begin_recorded(w, insn);
        write_cost(
            w, sorted[i]->object, sorted[i]->address,
            cy_windowed_whole(windowed, windowed->outcome.by_insn[insn]));
        last = insn;
    }
    write_pairs(w);
}

/* --- The file --- */

static void write_head(FILE *out, const struct cy_report *r)
{
    fputs("# callgrind format\nversion: 1\n"
          "creator: depbound-" PACKAGE_VERSION "\n",
          out);
    if (r->data->n_objects > 0) {
        AUTO_FREE char *path =
            text_make_safe(memory_text(r->data->objects[0].path));

        fprintf(out, "cmd: %s\n", path);
    }
    fprintf(out, "desc: Machine file: %s\ndesc: Edges: %s\n",
            r->machine != NULL ? r->machine->name : "none",
            cy_edges_name(r->choice->edges));
    fputs("positions: instr line\n", out);
    if (r->data->has_executions)
        fputs("event: Cycles : Predicted cycles\nevents: Cycles\n\n", out);
    else
        fputs("event: CentiCycles : Hundredths of a predicted cycle of one "
              "iteration\nevents: CentiCycles\n\n",
              out);
}

/* Writes the costs of loops and, if the program is known, of other code. */
static void write_executed(struct writer *w)
{
    const struct cy_report *r = w->report;
    /* The program's sum includes all loops, listed or not. */
    size_t n = r->program != NULL ? r->prediction->n : cy_report_n(r);

    for (size_t i = 0; i < n; i++)
        if (!cy_unknown_is_all(&r->prediction->loops[i].unknown))
            write_loop(w, &r->prediction->loops[i]);
    for (size_t i = 0; r->program != NULL && i < r->program->n_rest; i++)
        write_rest(w, &r->program->rest[i]);
}

void cy_report_callgrind(FILE *out, const struct cy_report *r)
{
    struct writer w = {
        .out = out, .report = r, .code = r->code, .files = r->data};
    const struct cy_program *p = r->program;

    write_head(out, r);
    if (p != NULL && p->is_recorded) {
        w.code = r->windowed->code;
        w.files = &r->windowed->objects;
        write_recorded(&w);
    } else {
        write_executed(&w);
    }
    assert(p == NULL || cy_choice_is_part(r->choice) ||
           fabs(w.exact - p->total.cycles) <= 1 + 1e-6 * p->total.cycles);
    fprintf(out, "totals: %" PRIu64 "\n", w.written);
    free(w.file);
}
