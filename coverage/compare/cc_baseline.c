/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare/cc_compare.h"

#include <jansson.h>
#include <limits.h>

#include "report/baseline.h"

/* --- Identities --- */

/* The texts of an identity. */
struct texts {
    char function_lines[2][512];
    char lines[2][512];
    struct disasm_insn insns[2];
};

/* Writes "FILE:LINE" into `text`; NULL for an unknown line. */
static const char *line_text(const struct source_frame *frame, char *text,
                             size_t n)
{
    if (frame->line == 0)
        return NULL;
    snprintf(text, n, "%s:%d", text_base_name(frame->file), frame->line);
    return text;
}

static struct cc_end end_of(struct cc_symbolizer *symbolizer, uint32_t object,
                            uint64_t address, struct texts *texts, int which)
{
    struct source_frame frame = cc_symbolize_line(symbolizer, object, address);
    struct disasm_insn *insn = &texts->insns[which];
    struct cc_end end = {.address = address, .column = frame.column};

    end.line =
        line_text(&frame, texts->lines[which], sizeof texts->lines[which]);
    cc_symbolize_insn(symbolizer, object, address, insn);
    end.insn = insn->length > 0 ? insn->text : NULL;
    return end;
}

static struct cc_code code_of(const struct cc_data *data,
                              struct cc_symbolizer *symbolizer, uint32_t object,
                              uint32_t block, struct texts *texts, int which)
{
    struct cc_code code = {
        .path = data->objects[object].path,
        .build_id = data->objects[object].build_id,
    };

    if (block == CC_NONE)
        return code;
    code.function =
        cc_symbolize_function(symbolizer, block, &code.function_start);
    struct source_frame first =
        cc_symbolize_line(symbolizer, object, code.function_start);
    code.function_line = line_text(&first, texts->function_lines[which],
                                   sizeof texts->function_lines[which]);
    return code;
}

/* Moves the texts of an identity into one allocation of their size. */
static void own_texts(struct cc_identity *id)
{
    const char **const texts[] = {
        &id->code.function_line, &id->dst_code.function_line,
        &id->src.line,           &id->dst.line,
        &id->src.insn,           &id->dst.insn};
    const size_t n_texts = sizeof texts / sizeof *texts;
    size_t n = 1;
    char *at;

    for (size_t i = 0; i < n_texts; i++)
        n += *texts[i] != NULL ? strlen(*texts[i]) + 1 : 0;
    id->texts = at = memory_new(n, 1);
    for (size_t i = 0; i < n_texts; i++)
        if (*texts[i] != NULL) {
            const char *text = *texts[i];

            *texts[i] = at;
            at = stpcpy(at, text) + 1;
        }
}

static bool is_in_one_function(const struct cc_data *data,
                               const struct cc_observed *d)
{
    if (d->src_block == CC_NONE || d->dst_block == CC_NONE)
        return d->src_block == d->dst_block && d->src_object == d->dst_object;
    return cc_scope_of(data, d->src_block, d->dst_block) <= CC_SCOPE_FUNCTION;
}

struct cc_identity cc_identify(const struct cc_data *data,
                               struct cc_symbolizer *symbolizer,
                               uint32_t observed)
{
    const struct cc_observed *d = &data->observed[observed];
    struct cc_identity id = {
        .occurrences = cc_weight_of(data, d),
        .verdict = d->verdict,
        .number = observed,
    };
    struct texts texts;

    assert(d->src_object != CC_NONE && d->dst_object != CC_NONE);
    id.code = code_of(data, symbolizer, d->src_object, d->src_block, &texts, 0);
    if (!is_in_one_function(data, d))
        id.dst_code =
            code_of(data, symbolizer, d->dst_object, d->dst_block, &texts, 1);
    id.src = end_of(symbolizer, d->src_object, d->src, &texts, 0);
    id.dst = end_of(symbolizer, d->dst_object, d->dst, &texts, 1);
    own_texts(&id);
    return id;
}

bool cc_identity_has_lines(const struct cc_identity *id)
{
    return id->src.line != NULL && id->dst.line != NULL;
}

bool cc_identity_outlives_build(const struct cc_identity *id)
{
    return (id->code.function != NULL &&
            cc_identity_dst_code(id)->function != NULL) ||
           cc_identity_has_lines(id);
}

const struct cc_code *cc_identity_dst_code(const struct cc_identity *id)
{
    return id->dst_code.build_id != NULL ? &id->dst_code : &id->code;
}

/* --- An earlier report --- */

static bool read_share(const json_t *object, const char *key, double *share)
{
    return baseline_figure(object, key, 100, share);
}

static bool read_bound(const json_t *row, uint64_t *bound)
{
    const char *text = json_string_value(json_object_get(row, "lifetime"));

    if (text == NULL)
        return baseline_count(row, "lifetime", LIFETIME_INF, bound) &&
               *bound >= 1 && *bound < LIFETIME_INF;
    *bound = LIFETIME_INF;
    return strcmp(text, "inf") == 0;
}

static bool read_address(const json_t *object, const char *key,
                         uint64_t *address)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text != NULL && num_parse(text, address);
}

static const char *read_settings(struct cc_baseline *b, const json_t *root)
{
    const char *scope = json_string_value(json_object_get(root, "scope"));
    const char *syntax = json_string_value(json_object_get(root, "syntax"));

    if (scope == NULL || !cc_scope_parse(scope, &b->scope))
        return "wrong scope";
    return syntax != NULL && disasm_syntax_parse(syntax, &b->syntax)
               ? NULL
               : "wrong syntax";
}

static const char *read_bounds(struct cc_baseline *b, const json_t *root)
{
    const json_t *list = json_object_get(root, "lifetimes");

    if (!json_is_array(list))
        return "no lifetimes";
    b->bounds = memory_new(json_array_size(list), sizeof *b->bounds);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *row = json_array_get(list, i);
        struct cc_old_bound *bound = &b->bounds[b->n_bounds++];

        if (!read_bound(row, &bound->bound) ||
            !read_share(row, "cov_u", &bound->cov_u) ||
            !read_share(row, "cov_w", &bound->cov_w))
            return "wrong lifetime";
    }
    if (!read_share(root, "precision", &b->precision))
        return "wrong precision";
    return NULL;
}

/* A count; 0 if it is not exact: jansson reads large numbers as real ones. */
static uint64_t read_known(const json_t *row, const char *key, uint64_t most)
{
    uint64_t count;

    return baseline_count(row, key, most, &count) ? count : 0;
}

static bool read_end(const json_t *row, const char *const keys[4],
                     struct cc_end *end)
{
    end->column = (int)read_known(row, keys[2], INT_MAX);
    end->insn = json_string_value(json_object_get(row, keys[3]));
    return read_address(row, keys[0], &end->address) &&
           baseline_text(row, keys[1], &end->line);
}

static bool read_code(const json_t *row, const char *const keys[4],
                      struct cc_code *code)
{
    return baseline_text(row, keys[0], &code->build_id) &&
           code->build_id != NULL &&
           baseline_text(row, keys[1], &code->function) &&
           baseline_text(row, keys[2], &code->function_line) &&
           read_address(row, keys[3], &code->function_start);
}

static bool read_identity(const json_t *row, struct cc_identity *id)
{
    static const char *const src[] = {"src", "src_line", "src_column",
                                      "src_instruction"};
    static const char *const dst[] = {"dst", "dst_line", "dst_column",
                                      "dst_instruction"};

    static const char *const code[] = {"object", "function", "function_line",
                                       "function_start"};
    static const char *const dst_code[] = {"dst_object", "dst_function",
                                           "dst_function_line",
                                           "dst_function_start"};

    id->occurrences = read_known(row, "occurrences", (uint64_t)1 << 53);
    return read_code(row, code, &id->code) &&
           (json_object_get(row, dst_code[0]) == NULL ||
            read_code(row, dst_code, &id->dst_code)) &&
           read_end(row, src, &id->src) && read_end(row, dst, &id->dst);
}

/* Appends the dependencies of a list of the report. */
static bool read_list(struct cc_baseline *b, const json_t *list,
                      enum cc_verdict verdict)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        struct cc_identity *id = &b->dependencies[b->n_dependencies++];

        id->verdict = verdict;
        if (!read_identity(json_array_get(list, i), id))
            return false;
    }
    return true;
}

/* Orders identities; those of one dependency are equal. */
static int pair_order(const struct cc_identity *a, const struct cc_identity *b)
{
    return strcmp(a->code.build_id, b->code.build_id)
               ?: array_order(a->src.address, b->src.address)
               ?: strcmp(cc_identity_dst_code(a)->build_id,
                         cc_identity_dst_code(b)->build_id)
               ?: array_order(a->dst.address, b->dst.address);
}

ARRAY_ORDER(identity_order, struct cc_identity,
            pair_order(a, b) ?: array_order(b->verdict, a->verdict))

/* The path of the object with the build-id; NULL if the report has none. */
static const char *find_path(const json_t *root, const char *build_id)
{
    const json_t *list = json_object_get(root, "objects");

    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *object = json_array_get(list, i);
        const char *id = json_string_value(json_object_get(object, "build_id"));

        if (id != NULL && strcmp(id, build_id) == 0)
            return json_string_value(json_object_get(object, "path"));
    }
    return NULL;
}

static void find_paths(struct cc_baseline *b, const json_t *root)
{
    for (size_t i = 0; i < b->n_dependencies; i++) {
        struct cc_identity *id = &b->dependencies[i];

        id->code.path =
            i > 0 && strcmp(id->code.build_id, id[-1].code.build_id) == 0
                ? id[-1].code.path
                : find_path(root, id->code.build_id);
        if (id->dst_code.build_id != NULL)
            id->dst_code.path = find_path(root, id->dst_code.build_id);
    }
}

/* Sorts the dependencies, and drops those that the report repeats. */
static void sort_dependencies(struct cc_baseline *b)
{
    size_t n = 0;

    array_sort(b->dependencies, b->n_dependencies, identity_order);
    for (size_t i = 0; i < b->n_dependencies; i++) {
        const struct cc_identity *id = &b->dependencies[i];

        if (n == 0 || pair_order(id, &b->dependencies[n - 1]) != 0)
            b->dependencies[n++] = *id;
    }
    for (size_t i = 1; i < n; i++)
        assert(pair_order(&b->dependencies[i - 1], &b->dependencies[i]) < 0);
    b->n_dependencies = n;
}

static const char *read_dependencies(struct cc_baseline *b, const json_t *root)
{
    const json_t *found = json_object_get(root, "found_dependencies");
    const json_t *missed = json_object_get(root, "all_missed_dependencies");

    if (!json_is_array(found))
        return "no found_dependencies";
    if (!json_is_array(missed))
        return "no all_missed_dependencies";
    b->dependencies =
        memory_new(json_array_size(found) + json_array_size(missed),
                   sizeof *b->dependencies);
    if (!read_list(b, found, CC_FOUND))
        return "wrong found dependency";
    if (!read_list(b, missed, CC_MISSED))
        return "wrong missed dependency";
    sort_dependencies(b);
    find_paths(b, root);
    return NULL;
}

int cc_baseline_read(struct cc_baseline *baseline, const char *path,
                     struct diag *d)
{
    const json_t *root;
    const char *wrong;

    *baseline = (struct cc_baseline){0};
    root = baseline->document = baseline_read(path, d);
    if (root == NULL)
        return -1;
    if (!json_is_object(root))
        wrong = "not an object";
    else
        wrong = read_settings(baseline, root)
                    ?: read_bounds(baseline, root)
                    ?: read_dependencies(baseline, root);
    return wrong != NULL ? baseline_refuse(path, "covcheck", wrong, d) : 0;
}

void cc_baseline_fini(struct cc_baseline *baseline)
{
    free(baseline->bounds);
    free(baseline->dependencies);
    json_decref(baseline->document);
    *baseline = (struct cc_baseline){0};
}
