/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare/cy_compare.h"

#include <jansson.h>

#include "config.h"

#include "report/baseline.h"

/* More than any run takes, and small enough that sums stay exact enough. */
#define MOST ((uint64_t)1000000000000000000)

/* --- Values --- */

static bool read_figure(const json_t *object, const char *key, double *figure)
{
    return baseline_figure(object, key, MOST, figure);
}

static bool read_count(const json_t *object, const char *key, uint64_t *count)
{
    return baseline_count(object, key, MOST, count);
}

static bool read_truth(const json_t *object, const char *key, bool *truth)
{
    const json_t *value = json_object_get(object, key);

    *truth = json_is_true(value);
    return json_is_boolean(value);
}

/* --- Loops --- */

static bool read_dependency(struct cy_saved_dependency *d, const json_t *value)
{
    return baseline_text(json_object_get(value, "from"), "line",
                         &d->store_line) &&
           baseline_text(json_object_get(value, "to"), "line", &d->load_line) &&
           baseline_text(value, "forwarding", &d->forwarding) &&
           d->forwarding != NULL && read_figure(value, "cycles", &d->cycles) &&
           !isnan(d->cycles);
}

static bool read_dependencies(struct cy_saved_loop *loop, const json_t *list)
{
    size_t n = json_array_size(list);

    loop->dependencies = memory_new(n, sizeof *loop->dependencies);
    for (; loop->n_dependencies < n; loop->n_dependencies++)
        if (!read_dependency(&loop->dependencies[loop->n_dependencies],
                             json_array_get(list, loop->n_dependencies)))
            return false;
    return json_is_array(list);
}

static bool read_loop(struct cy_saved_loop *loop, const json_t *value)
{
    return baseline_text(value, "function", &loop->function) &&
           baseline_text(value, "function_line", &loop->function_line) &&
           baseline_text(value, "region", &loop->region) &&
           baseline_text(value, "line", &loop->line) &&
           baseline_text(value, "limited_by", &loop->limited_by) &&
           loop->limited_by != NULL &&
           read_count(value, "address", &loop->order) &&
           read_count(value, "rounds", &loop->rounds) &&
           read_figure(value, "predicted", &loop->predicted) &&
           read_truth(value, "at_least", &loop->is_least) &&
           read_dependencies(loop, json_object_get(value, "dependencies"));
}

static const char *read_loops(struct cy_saved *s, const json_t *root)
{
    const json_t *list = json_object_get(root, "loops");

    if (!json_is_array(list))
        return "no loops";
    s->loops = memory_new(json_array_size(list), sizeof *s->loops);
    while (s->n_loops < json_array_size(list)) {
        struct cy_saved_loop *loop = &s->loops[s->n_loops];

        if (!read_loop(loop, json_array_get(list, s->n_loops++)))
            return "wrong loop";
    }
    return NULL;
}

/* --- The report --- */

static const char *read_sums(struct cy_saved *s, const json_t *root)
{
    const json_t *program = json_object_get(root, "program");

    s->program = s->low = s->high = NAN;
    if (program != NULL && (!baseline_text(program, "by", &s->by) ||
                            !read_figure(program, "cycles", &s->program) ||
                            !read_figure(program, "low", &s->low) ||
                            !read_figure(program, "high", &s->high)))
        return "wrong program";
    return NULL;
}

static const char *read_report(struct cy_saved *s, const json_t *root)
{
    uint64_t left_out, beyond_top;

    if (!json_is_object(root) || json_object_get(root, "loops") == NULL)
        return "no loops";
    if (!json_is_string(json_object_get(root, "version")))
        return "no version";
    if (!json_is_object(json_object_get(root, "options")))
        return "no options";
    if (!read_count(root, "left_out", &left_out) ||
        !read_count(root, "beyond_top", &beyond_top))
        return "no number of loops left out";
    s->n_left_out = left_out + beyond_top;
    return read_sums(s, root) ?: read_loops(s, root);
}

static int read_document(struct cy_saved *saved, json_t *document,
                         const char *path, struct diag *d)
{
    const char *version =
        json_string_value(json_object_get(document, "version"));

    *saved = (struct cy_saved){.document = document};
    if (document == NULL)
        return -1;
    /* Another version may have other keys, or figures with another meaning. */
    if (json_object_get(document, "loops") != NULL && version != NULL &&
        strcmp(version, PACKAGE_VERSION) != 0)
        return diag_set(d, "%s: a report of version %s; this is version %s",
                        path, version, PACKAGE_VERSION);
    const char *wrong = read_report(saved, document);
    return wrong != NULL ? baseline_refuse(path, "depbound", wrong, d) : 0;
}

int cy_saved_parse(struct cy_saved *saved, const char *text, size_t n,
                   const char *path, struct diag *d)
{
    return read_document(saved, baseline_parse(text, n, path, d), path, d);
}

int cy_saved_read(struct cy_saved *saved, const char *path, struct diag *d)
{
    return read_document(saved, baseline_read(path, d), path, d);
}

void cy_saved_fini(struct cy_saved *saved)
{
    for (size_t i = 0; i < saved->n_loops; i++)
        free(saved->loops[i].dependencies);
    free(saved->loops);
    json_decref(saved->document);
    *saved = (struct cy_saved){0};
}

/* --- Two reports --- */

/* What reports were made with: keys of the report, and the words for them in a
   message about a difference. */
static const struct {
    const char *key, *what;
} meanings[] = {
    {"machine", "machine file"},
    {"stands_for", "processor"},
    {"llvm_mca", "llvm-mca"},
    {"edges", "--edges"},
};

/* Writes an option: "--support=50", or "no --function". */
static char *spell(const char *name, const json_t *value)
{
    if (json_is_string(value))
        return memory_printf("%s %s", name, json_string_value(value));
    if (value == NULL || json_is_null(value) || json_is_false(value))
        return memory_printf("no %s", name);
    if (json_is_true(value))
        return memory_text(name);
    return memory_printf("%s %.12g", name, json_real_value(value));
}

/* Compares two values; a missing one counts as null. */
static bool is_same(const json_t *a, const json_t *b)
{
    return json_equal(a, b) ||
           ((a == NULL || json_is_null(a)) && (b == NULL || json_is_null(b)));
}

static int differ(const char *path, const char *name, const json_t *before,
                  const json_t *now, struct diag *d)
{
    AUTO_FREE char *was = spell(name, before), *is = spell(name, now);

    assert(!is_same(before, now));
    diag_set(d, "%s: a report with %s; this one has %s", path, was, is);
    return -1;
}

int cy_saved_check(const struct cy_saved *before, const struct cy_saved *now,
                   const char *path, struct diag *d)
{
    const json_t *old = before->document, *new = now->document, *value;
    const json_t *options = json_object_get(old, "options");
    const char *key;

    assert(old != NULL && new != NULL);
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++) {
        const json_t *a = json_object_get(old, meanings[i].key);
        const json_t *b = json_object_get(new, meanings[i].key);

        if (!is_same(a, b))
            return differ(path, meanings[i].what, a, b, d);
    }
    json_object_foreach(json_object_get(new, "options"), key, value)
    {
        const json_t *other = json_object_get(options, key);

        if (is_same(other, value))
            continue;
        AUTO_FREE char *name = memory_printf("--%s", key);
        differ(path, name, other, value, d);
        return -1;
    }
    return 0;
}
