/*
 * cc_baseline: an earlier JSON report, read again.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "compare/cc_baseline.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "file.h"
#include "lifetimes.h"
#include "num.h"

static int not_a_report(const char *path, const char *what, struct diag *d)
{
    return diag_set(d, "%s: not a covcheck JSON report: %s", path, what);
}

static bool read_figure(const json_t *object, const char *key,
                        struct cc_old_figure *figure)
{
    const json_t *value = json_object_get(object, key);

    figure->has_data = json_is_number(value);
    if (figure->has_data)
        figure->percent = json_number_value(value);
    return json_is_null(value) ||
           (figure->has_data && figure->percent >= 0 && figure->percent <= 100);
}

static bool read_bound(const json_t *value, uint64_t *bound)
{
    double number;

    if (json_is_string(value) && strcmp(json_string_value(value), "inf") == 0) {
        *bound = LIFETIME_INF;
        return true;
    }
    /* cc_baseline_read has jansson read all numbers as real ones. */
    number = json_real_value(value);
    if (!(number >= 1 && number < (double)LIFETIME_INF))
        return false;
    *bound = (uint64_t)number;
    return (double)*bound == number;
}

static bool read_address(const json_t *object, const char *key,
                         uint64_t *address)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text != NULL && num_parse(text, address);
}

/* NULL for null; false if it is neither that nor a text. */
static bool read_text(const json_t *object, const char *key, const char **text)
{
    const json_t *value = json_object_get(object, key);

    *text = json_string_value(value);
    return *text != NULL || json_is_null(value);
}

static int read_scope(struct cc_baseline *b, const json_t *root,
                      const char *path, struct diag *d)
{
    const json_t *scope = json_object_get(root, "scope");

    b->scope = CC_SCOPE_BLOCK;
    if (scope == NULL || (json_is_string(scope) &&
                          cc_scope_parse(json_string_value(scope), &b->scope)))
        return 0;
    return not_a_report(path, "wrong scope", d);
}

static int read_syntax(struct cc_baseline *b, const json_t *root,
                       const char *path, struct diag *d)
{
    const json_t *syntax = json_object_get(root, "syntax");

    b->syntax = DISASM_ATT;
    if (syntax == NULL ||
        (json_is_string(syntax) &&
         disasm_syntax_parse(json_string_value(syntax), &b->syntax)))
        return 0;
    return not_a_report(path, "wrong syntax", d);
}

static int read_bounds(struct cc_baseline *b, const json_t *root,
                       const char *path, struct diag *d)
{
    const json_t *list = json_object_get(root, "lifetimes");

    if (!json_is_array(list))
        return not_a_report(path, "no lifetimes", d);
    b->bounds = memory_new(json_array_size(list), sizeof *b->bounds);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *row = json_array_get(list, i);
        struct cc_old_bound *bound = &b->bounds[b->n_bounds++];

        if (!read_bound(json_object_get(row, "lifetime"), &bound->bound) ||
            !read_figure(row, "cov_u", &bound->cov_u) ||
            !read_figure(row, "cov_w", &bound->cov_w))
            return not_a_report(path, "wrong lifetime", d);
    }
    if (!read_figure(root, "precision", &b->precision))
        return not_a_report(path, "wrong precision", d);
    return 0;
}

/* Older reports have neither columns nor instructions. */
static bool read_end(const json_t *row, const char *const keys[4],
                     struct cc_end *end)
{
    const json_t *column = json_object_get(row, keys[2]);
    double number = json_real_value(column);

    if (number >= 1 && number <= INT_MAX)
        end->column = (int)number;
    end->insn = json_string_value(json_object_get(row, keys[3]));
    return read_address(row, keys[0], &end->address) &&
           read_text(row, keys[1], &end->line);
}

/* A number that jansson, which has it as a real one, cannot give exactly is
   unknown. */
static uint64_t read_count(const json_t *row, const char *key)
{
    double number = json_real_value(json_object_get(row, key));

    return number >= 1 && number <= 9007199254740992.0 ? (uint64_t)number : 0;
}

static bool read_code(const json_t *row, const char *const keys[4],
                      struct cc_code *code)
{
    return read_text(row, keys[0], &code->build_id) && code->build_id != NULL &&
           read_text(row, keys[1], &code->function) &&
           read_text(row, keys[2], &code->function_line) &&
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

    id->occurrences = read_count(row, "occurrences");
    return read_code(row, code, &id->code) &&
           (json_object_get(row, dst_code[0]) == NULL ||
            read_code(row, dst_code, &id->dst_code)) &&
           read_end(row, src, &id->src) && read_end(row, dst, &id->dst);
}

/* Appends a list of the report to the dependencies. */
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

/* An order in which identities of one dependency are equal. */
static int pair_order(const struct cc_identity *a, const struct cc_identity *b)
{
    return strcmp(a->code.build_id, b->code.build_id)
               ?: array_order(a->src.address, b->src.address)
               ?: strcmp(cc_identity_dst_code(a)->build_id,
                         cc_identity_dst_code(b)->build_id)
               ?: array_order(a->dst.address, b->dst.address);
}

static int identity_order(const void *pa, const void *pb)
{
    const struct cc_identity *a = pa, *b = pb;

    return pair_order(a, b) ?: array_order(b->verdict, a->verdict);
}

/* The path of an object, or NULL. */
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

/* In order, each once, however often the report names it. */
static void sort_dependencies(struct cc_baseline *b)
{
    size_t n = 0;

    array_sort(b->dependencies, b->n_dependencies, identity_order);
    for (size_t i = 0; i < b->n_dependencies; i++) {
        const struct cc_identity *id = &b->dependencies[i];

        if (n == 0 || pair_order(id, &b->dependencies[n - 1]) != 0)
            b->dependencies[n++] = *id;
    }
    b->n_dependencies = n;
}

static int read_dependencies(struct cc_baseline *b, const json_t *root,
                             const char *path, struct diag *d)
{
    const json_t *found = json_object_get(root, "found_dependencies");
    const json_t *missed = json_object_get(root, "all_missed_dependencies");

    if (!json_is_array(found))
        return not_a_report(path, "no found_dependencies", d);
    if (missed != NULL && !json_is_array(missed))
        return not_a_report(path, "all_missed_dependencies is not a list", d);
    b->has_missed = missed != NULL;
    b->dependencies =
        memory_new(json_array_size(found) + json_array_size(missed),
                   sizeof *b->dependencies);
    if (!read_list(b, found, CC_FOUND))
        return not_a_report(path, "wrong found dependency", d);
    if (!read_list(b, missed, CC_MISSED))
        return not_a_report(path, "wrong missed dependency", d);
    sort_dependencies(b);
    find_paths(b, root);
    return 0;
}

int cc_baseline_read(struct cc_baseline *baseline, const char *path,
                     struct diag *d)
{
    json_error_t error;
    json_t *root;
    char *text;
    size_t n;

    *baseline = (struct cc_baseline){0};
    text = file_text(path, FILE_MOST_TEXT, &n, d);
    if (text == NULL)
        return -1;
    /* Sums of occurrences may exceed what jansson takes for an integer. */
    root = json_loadb(text, n, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL,
                      &error);
    free(text);
    baseline->document = root;
    if (root == NULL)
        return diag_set(d, "%s: not JSON: line %d: %s", path, error.line,
                        error.text);
    if (!json_is_object(root))
        return not_a_report(path, "not an object", d);
    if (read_scope(baseline, root, path, d) != 0 ||
        read_syntax(baseline, root, path, d) != 0 ||
        read_bounds(baseline, root, path, d) != 0)
        return -1;
    return read_dependencies(baseline, root, path, d);
}

void cc_baseline_fini(struct cc_baseline *baseline)
{
    free(baseline->bounds);
    free(baseline->dependencies);
    json_decref(baseline->document);
    *baseline = (struct cc_baseline){0};
}
