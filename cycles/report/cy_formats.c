/*
 * cy_formats: the formats of the report, by name.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <assert.h>
#include <string.h>

#include "report/internal.h"

static const struct {
    const char *name;
    void (*write)(FILE *, const struct cy_report *);
} formats[CY_N_FORMATS] = {
    [CY_TEXT] = {"text", cy_report_text},
    [CY_JSON] = {"json", cy_report_json},
    [CY_MARKDOWN] = {"markdown", cy_report_markdown},
    [CY_HTML] = {"html", cy_report_html},
    [CY_DOT] = {"dot", cy_report_dot},
};

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
