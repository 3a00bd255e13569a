/*
 * cc_report: which format is which.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "report/cc_report.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "memory.h"

#define MAX_NAMED 3 /* objects whose path names a program */

static const struct {
    const char *name;
    void (*write)(FILE *out, const struct cc_report *report);
} formats[] = {
    [CC_FORMAT_TEXT] = {"text", cc_report_text},
    [CC_FORMAT_JSON] = {"json", cc_report_json},
    [CC_FORMAT_CSV] = {"csv", cc_report_csv},
    [CC_FORMAT_MARKDOWN] = {"markdown", cc_report_markdown},
    [CC_FORMAT_JUNIT] = {"junit", cc_report_junit},
};

bool cc_format_parse(const char *name, enum cc_format *format)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        assert(strstr(CC_FORMAT_NAMES, formats[i].name) != NULL);
        if (strcmp(formats[i].name, name) == 0) {
            *format = (enum cc_format)i;
            return true;
        }
    }
    return false;
}

void cc_report_write(FILE *out, enum cc_format format,
                     const struct cc_report *report)
{
    assert((size_t)format < sizeof formats / sizeof formats[0]);
    assert(report->data->bounds.n > 0 && report->total != NULL);
    formats[format].write(out, report);
}

char *cc_report_program(const struct cc_data *data)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    uint32_t n = data->n_objects > MAX_NAMED + 1 ? MAX_NAMED : data->n_objects;

    if (out == NULL)
        memory_exhausted();
    for (uint32_t i = 0; i < n; i++)
        fprintf(out, "%s%s", i > 0 ? ", " : "", data->objects[i].path);
    if (n < data->n_objects)
        fprintf(out, " and %" PRIu32 " more", data->n_objects - n);
    if (fclose(out) != 0)
        memory_exhausted();
    return text;
}

const struct cc_where_counts *
cc_report_between_threads(const struct cc_report *report, char bound[CC_BOUND])
{
    const struct cc_bounds *bounds = &report->data->bounds;
    unsigned largest = cc_bounds_largest(bounds);

    if (report->where[largest].cross_thread == 0)
        return NULL;
    cc_bound_format(bounds->bound[largest], bound);
    return &report->where[largest];
}

static double percent(uint64_t part, uint64_t whole)
{
    return 100 * (double)part / (double)whole;
}

bool cc_forwards_format(const struct cc_report *report, char text[CC_FORWARDS])
{
    const struct cc_forwards *f = &report->data->forwards[0];
    uint64_t n = cc_forwards_known(f);
    char bound[CC_BOUND];

    if (n == 0)
        return false;
    cc_bound_format(report->data->bounds.bound[0], bound);
    snprintf(text, CC_FORWARDS,
             "at lifetime %s %.1f %% same bytes, %.1f %% contained, %.1f %% "
             "partial, %.1f %% several stores; %.1f %% cross a line",
             bound, percent(f->by[FORWARD_SAME], n),
             percent(f->by[FORWARD_CONTAINED], n),
             percent(f->by[FORWARD_PARTIAL], n),
             percent(f->by[FORWARD_SEVERAL], n), percent(f->crossing, n));
    return true;
}
