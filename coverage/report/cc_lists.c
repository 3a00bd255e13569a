/* cc_lists: dependencies one by one, as tables for any format. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/cc_match.h"
#include "report/cc_report.h"

#define SENTENCE R_SEEN("", .shown = R_IN_TEXT)
#define NOTE     R_SEEN("note", .shown = R_IN_MARKUP, .flags = R_LEFT)
#define FUNCTION \
    R_SEEN("function", .shown = R_IN_MARKUP, .flags = R_LEFT | R_EXTRA)

/* --- A pair, observed or predicted --- */

/* The *n fixed delta_k of a found dependency.  The caller frees the list. */
static uint64_t *deltas_of(const struct cc_data *data,
                           const struct cc_observed *d, size_t *n)
{
    size_t n_all;
    const struct cc_prediction *p = cc_find_predictions(data, d, &n_all);
    uint64_t *deltas = memory_new(n_all, sizeof *deltas);

    /* Predictions without a fixed delta_k come last. */
    for (*n = 0; *n < n_all && p[*n].delta_k != CC_ANY_DELTA; (*n)++)
        deltas[*n] = p[*n].delta_k;
    return deltas;
}

/* The fixed delta_k of a dependency as "1, 2", or empty; the caller frees. */
static char *deltas_text(const struct cc_data *data,
                         const struct cc_observed *d)
{
    size_t n;
    AUTO_FREE uint64_t *deltas = deltas_of(data, d, &n);
    struct memory_stream text = memory_stream_open(&text);

    for (size_t i = 0; i < n; i++)
        fprintf(text.out, "%s%" PRIu64, i > 0 ? ", " : "", deltas[i]);
    return memory_stream_close(&text);
}

/* The evidence of a prediction, to follow "predicted"; "" if it is the block
   alone. */
static TEXT_NAMES(evidence_text, cc_evidence, "", " by walks", " by flow")

    static void put_place(struct report_row *row, struct report_column column,
                          const struct cc_report *r, uint32_t object,
                          uint64_t address)
{
    struct cc_location at;

    cc_symbolize(r->symbolizer, object, address, &at);
    report_place(
        row, column,
        &(struct report_place){.address = address,
                               .insn = at.insn.length > 0 ? at.insn.text : NULL,
                               .function = at.function,
                               .has_offset = true,
                               .offset = at.offset,
                               .frames = at.frames,
                               .n = at.n_frames});
}

static void put_pair(struct report_row *row, const struct cc_report *r,
                     uint32_t src_block, uint32_t dst_block, uint64_t src,
                     uint64_t dst)
{
    const struct cc_block *b = &r->data->blocks[src_block];
    uint32_t dst_number = r->data->blocks[dst_block].object;
    const struct cc_object *src_object = &r->data->objects[b->object];
    const struct cc_object *dst_object = &r->data->objects[dst_number];
    enum cc_scope scope = cc_scope_of(r->data, src_block, dst_block);
    uint64_t start;
    const char *function =
        cc_symbolize_function(r->symbolizer, src_block, &start);
    const char *dst_function =
        cc_symbolize_function(r->symbolizer, dst_block, &start);
    bool are_two = scope == CC_SCOPE_PROGRAM;

    if (scope > CC_SCOPE_FUNCTION)
        report_functions(row, FUNCTION, function,
                         are_two ? src_object->path : NULL, dst_function,
                         are_two ? dst_object->path : NULL);
    else
        report_function(row, FUNCTION, function, NULL);
    report_text(row, R_KEY("object"), src_object->build_id);
    report_text(row, R_KEY("function"), function);
    report_text(row, R_KEY("dst_object"), dst_object->build_id);
    report_text(row, R_KEY("dst_function"), dst_function);
    report_text(row, R_KEY("scope"), cc_scope_name(scope));
    put_place(row, R_BOTH("store", "src", .flags = R_LEFT), r, b->object, src);
    put_place(row, R_BOTH("load", "dst", .flags = R_LEFT), r, dst_number, dst);
    report_text(row,
                R_SEEN("within", .shown = R_IN_HTML, .flags = R_LEFT | R_EXTRA),
                cc_scope_name(scope));
}

/* Writes " in PATH", or " in PATH and PATH" if the two objects differ. */
static void write_objects(FILE *out, const struct cc_report *r, uint32_t src,
                          uint32_t dst)
{
    fprintf(out, " in %s", r->data->objects[src].path);
    if (dst != src)
        fprintf(out, " and %s", r->data->objects[dst].path);
}

static void put_stream(struct report_row *row, struct report_column column,
                       struct memory_stream *stream)
{
    AUTO_FREE char *text = memory_stream_close(stream);

    report_text(row, column, *text != '\0' ? text : NULL);
}

/* --- What occurred --- */

static void put_occurred(struct report_row *row, const struct cc_report *r,
                         const struct cc_observed *d)
{
    static const char *const apart[] = {
        [CC_SCOPE_BLOCK] = "",
        [CC_SCOPE_FUNCTION] = ", between blocks",
        [CC_SCOPE_OBJECT] = ", between functions",
        [CC_SCOPE_PROGRAM] = "",
    };
    struct memory_stream text = memory_stream_open(&text);

    fprintf(text.out, "%" PRIu64 " occurrences at distance%s %" PRIu64,
            cc_counts(r->data, d)[0],
            d->max_distance > d->min_distance ? "s" : "", d->min_distance);
    if (d->max_distance > d->min_distance)
        fprintf(text.out, " to %" PRIu64, d->max_distance);
    write_objects(text.out, r, d->src_object, d->dst_object);
    fputs(apart[cc_scope_of(r->data, d->src_block, d->dst_block)], text.out);
    fputs(d->is_cross_thread ? ", between threads" : "", text.out);
    fputs(cc_forwards_fail(&d->forwards) ? ", forward fails" : "", text.out);
    put_stream(row, SENTENCE, &text);
}

/* Can distances be compared with delta_k?  A block must follow itself. */
static bool is_judged(const struct cc_report *r, const struct cc_observed *d)
{
    return d->has_delta_k && r->data->blocks[d->src_block].follows_itself;
}

/* Puts how a dependency was predicted, or why it was missed. */
static void put_note(struct report_row *row, const struct cc_report *r,
                     const struct cc_observed *d)
{
    struct memory_stream text = memory_stream_open(&text);

    if (d->verdict == CC_FOUND) {
        AUTO_FREE char *deltas = deltas_text(r->data, d);

        fprintf(text.out, "%s%s%s", *deltas != '\0' ? "\xce\x94k " : "", deltas,
                evidence_text(cc_evidence_of(r->data, d)));
    } else {
        fputs(cc_reason_text(cc_reason_of(r->data, d)), text.out);
    }
    fputs(d->is_cross_thread ? "; between threads" : "", text.out);
    fputs(cc_forwards_fail(&d->forwards) ? "; forward fails" : "", text.out);
    put_stream(row, NOTE, &text);
}

static void put_remark(struct report_row *row, const struct cc_report *r,
                       const struct cc_observed *d)
{
    if (d->verdict != CC_FOUND) {
        report_printf(row, SENTENCE, "reason %s",
                      cc_reason_text(cc_reason_of(r->data, d)));
        return;
    }
    AUTO_FREE char *deltas = deltas_text(r->data, d);
    report_printf(row, SENTENCE, "predicted%s with %s%s%s",
                  evidence_text(cc_evidence_of(r->data, d)),
                  *deltas != '\0' ? "delta-k " : "no fixed delta-k", deltas,
                  !is_judged(r, d) ? ""
                  : d->agrees      ? ", as the smallest distance"
                                   : ", unlike the smallest distance");
}

static void put_verdict(struct report_row *row, const struct cc_report *r,
                        const struct cc_observed *d)
{
    size_t n;

    if (d->verdict != CC_FOUND) {
        report_text(row, R_KEY("reason"),
                    cc_reason_name(cc_reason_of(r->data, d)));
        return;
    }
    AUTO_FREE uint64_t *deltas = deltas_of(r->data, d, &n);
    report_counts(row, R_KEY("delta_k"), deltas, n);
    report_bool(row, R_KEY("delta_k_agrees"), d->agrees);
    report_known(row, is_judged(r, d));
    report_text(row, R_KEY("evidence"),
                cc_evidence_name(cc_evidence_of(r->data, d)));
}

/* Joins two texts; the row keeps the result. */
static const char *joined(struct report_row *row, const char *before,
                          const char *name)
{
    return report_keep(row, memory_printf("%s%s", before, name));
}

static void put_forward(struct report_row *row, const char *name, bool is_known,
                        uint64_t count)
{
    report_count(row, R_KEY(joined(row, "forwards.", name)), count);
    report_known(row, is_known);
}

static void fill_observed(struct report_row *row, const void *from, size_t i)
{
    static const char *const names[FORWARD_N] = FORWARD_NAMES;
    const struct cc_list *list = from;
    const struct cc_report *r = list->report;
    const struct cc_observed *d = &r->data->observed[list->items[i]];
    const struct cc_forwards *f = &d->forwards;
    bool is_known = cc_forwards_known(f) > 0;

    assert(cc_is_scored(d));
    put_occurred(row, r, d);
    put_pair(row, r, d->src_block, d->dst_block, d->src, d->dst);
    report_count(row,
                 R_BOTH("occurrences", "occurrences", .shown = R_IN_MARKUP,
                        .flags = R_EXTRA),
                 cc_counts(r->data, d)[0]);
    report_range(row,
                 R_SEEN("distances", .shown = R_IN_MARKUP, .flags = R_EXTRA),
                 d->min_distance, d->max_distance);
    report_count(row, R_KEY("min_distance"), d->min_distance);
    report_count(row, R_KEY("max_distance"), d->max_distance);
    report_bool(row, R_KEY("cross_thread"), d->is_cross_thread);
    put_verdict(row, r, d);
    put_note(row, r, d);
    for (int kind = 0; kind < FORWARD_N; kind++)
        put_forward(row, names[kind], is_known, f->by[kind]);
    put_forward(row, "crossing", is_known, f->crossing);
    put_remark(row, r, d);
}

struct report_table cc_table_observed(const struct cc_list *list,
                                      const char *key, const char *id)
{
    return REPORT_TABLE(list->n, fill_observed, list, .key = key, .id = id,
                        .is_list = true);
}

/* --- What was predicted, but did not occur --- */

static void put_predicted(struct report_row *row, const struct cc_report *r,
                          const struct cc_prediction *p)
{
    const struct cc_block *src = &r->data->blocks[p->block];
    const struct cc_block *dst = &r->data->blocks[p->dst_block];
    struct memory_stream text = memory_stream_open(&text);

    if (p->delta_k != CC_ANY_DELTA)
        fprintf(text.out, "delta-k %" PRIu64 " in a block", p->delta_k);
    else
        fputs(src == dst ? "in a block" : "between blocks", text.out);
    fprintf(text.out, " executed %" PRIu64, src->weight);
    if (src != dst)
        fprintf(text.out, " and %" PRIu64, dst->weight);
    fputs(" times", text.out);
    write_objects(text.out, r, src->object, dst->object);
    if (p->evidence != CC_EVIDENCE_BLOCK)
        fprintf(text.out, ", predicted%s", evidence_text(p->evidence));
    put_stream(row, SENTENCE, &text);
}

static void fill_false(struct report_row *row, const void *from, size_t i)
{
    const struct cc_list *list = from;
    const struct cc_report *r = list->report;
    const struct cc_prediction *p = &r->data->predictions[list->items[i]];
    bool has_delta = p->delta_k != CC_ANY_DELTA;

    assert(!p->occurred && cc_is_judged(r->data, p));
    put_predicted(row, r, p);
    put_pair(row, r, p->block, p->dst_block, p->src, p->dst);
    report_count(row, R_KEY("delta_k"), p->delta_k);
    report_known(row, has_delta);
    report_text(row, R_KEY("evidence"), cc_evidence_name(p->evidence));
    report_count(row,
                 R_SEEN("executions", .shown = R_IN_MARKUP, .key = "weight"),
                 r->data->blocks[p->block].weight);
    if (has_delta)
        report_printf(row, NOTE, "\xce\x94k %" PRIu64 "%s", p->delta_k,
                      evidence_text(p->evidence));
    else
        report_text(row, NOTE, evidence_text(p->evidence));
}

struct report_table cc_table_false(const struct cc_list *list)
{
    return REPORT_TABLE(list->n, fill_false, list, .key = "false_predictions",
                        .id = "false", .is_list = true);
}

/* --- What identifies a dependency to another run --- */

static void put_code(struct report_row *row, const char *before,
                     const struct cc_code *code)
{
    report_text(row, R_KEY(joined(row, before, "object")), code->build_id);
    report_text(row, R_KEY(joined(row, before, "function")), code->function);
    report_address(row, R_KEY(joined(row, before, "function_start")),
                   code->function_start);
    report_text(row, R_KEY(joined(row, before, "function_line")),
                code->function_line);
}

static void put_end(struct report_row *row, const char *before,
                    const struct cc_end *end)
{
    report_text(row, R_KEY(joined(row, before, "_line")), end->line);
    report_count(row, R_KEY(joined(row, before, "_column")),
                 (uint64_t)end->column);
    report_known(row, end->column > 0);
    report_text(row, R_KEY(joined(row, before, "_instruction")), end->insn);
}

static void put_identity(struct report_row *row, const struct cc_identity *id)
{
    put_code(row, "", &id->code);
    if (id->dst_code.build_id != NULL)
        put_code(row, "dst_", &id->dst_code);
    report_address(row, R_KEY("src"), id->src.address);
    report_address(row, R_KEY("dst"), id->dst.address);
    put_end(row, "src", &id->src);
    put_end(row, "dst", &id->dst);
    report_count(row, R_KEY("occurrences"), id->occurrences);
    report_known(row, id->occurrences > 0);
}

static void fill_identity(struct report_row *row, const void *from, size_t i)
{
    const struct cc_list *list = from;
    struct cc_identity id = cc_identify(
        list->report->data, list->report->symbolizer, list->items[i]);

    put_identity(row, &id);
    free(id.texts);
}

struct report_table cc_table_identities(const struct cc_list *list,
                                        const char *key)
{
    return REPORT_TABLE(list->n, fill_identity, list, .key = key);
}

/* Puts an end as it was in the baseline, where lines are "FILE:LINE". */
static void put_old_place(struct report_row *row, struct report_column column,
                          const struct cc_end *end, const char *function)
{
    AUTO_FREE char *file = memory_text(end->line != NULL ? end->line : "");
    char *colon = strrchr(file, ':');
    struct source_frame frame = {0};

    if (colon != NULL) {
        *colon = '\0';
        frame.line = atoi(colon + 1);
    }
    frame.file = report_copy(row, file);
    report_place(row, column,
                 &(struct report_place){.address = end->address,
                                        .insn = end->insn,
                                        .function = function,
                                        .frames = &frame,
                                        .n = colon != NULL});
}

static void fill_gone(struct report_row *row, const void *from, size_t i)
{
    const struct cc_report *r = from;
    const struct cc_outcomes *f = &r->comparison.outcomes;
    const struct cc_identity *id = &f->before[f->gone[i]];
    const struct cc_code *dst_code = cc_identity_dst_code(id);

    assert(id->verdict == CC_FOUND);
    if (id->occurrences > 0)
        report_printf(row, SENTENCE,
                      "%" PRIu64
                      " occurrences in the baseline, with its addresses",
                      id->occurrences);
    else
        report_text(row, SENTENCE, "in the baseline, with its addresses");
    if (id->dst_code.build_id != NULL)
        report_functions(row, FUNCTION, id->code.function, NULL,
                         dst_code->function, NULL);
    else
        report_function(row, FUNCTION, id->code.function, NULL);
    put_identity(row, id);
    put_old_place(row, R_SEEN("store", .flags = R_LEFT), &id->src,
                  id->code.function);
    put_old_place(row, R_SEEN("load", .flags = R_LEFT), &id->dst,
                  dst_code->function);
    report_count(row, R_SEEN("occurrences", .shown = R_IN_MARKUP),
                 id->occurrences);
    report_known(row, id->occurrences > 0);
}

struct report_table cc_table_gone(const struct cc_report *r)
{
    return REPORT_TABLE(r->comparison.outcomes.n_gone, fill_gone, r,
                        .key = "gone_dependencies", .id = "gone",
                        .is_list = true);
}
