/*
 * cc_html: a report as one page for a browser.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "html/cc_html.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "html/cc_html_parts.h"
#include "html/cc_html_text.h"
#include "memory.h"

static void write_head(FILE *out)
{
    fputs("<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n"
          "<meta name=viewport content='width=device-width, "
          "initial-scale=1'>\n"
          "<meta http-equiv=Content-Security-Policy content=\"default-src "
          "'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
          "img-src data:\">\n"
          "<link rel=icon href=data:,>\n"
          "<title>covcheck</title>\n<style>\n",
          out);
    fputs(cc_html_style, out);
    fputs("</style>\n</head>\n", out);
}

static void write_title(FILE *out, const struct cc_report *report)
{
    const struct cc_data *data = report->data;

    fputs("<h1>Which dependencies were predicted?</h1>\n", out);
    for (uint32_t i = 0; i < data->n_objects; i++) {
        fputs("<p class=path>", out);
        cc_html_text(out, data->objects[i].path);
        fputs("</p>\n", out);
    }
    fprintf(out, "<p class=note>%zu run%s", data->n_runs,
            data->n_runs == 1 ? "" : "s");
    if (data->n_incomplete > 0)
        fprintf(out, ", of which %zu incomplete", data->n_incomplete);
    fputs("</p>\n", out);
}

static void write_page(FILE *out, const struct cc_report *report,
                       const struct cc_curve *curve)
{
    write_head(out);
    fputs("<body>\n<main>\n", out);
    write_title(out, report);
    cc_html_table(out, report);
    if (report->comparison != NULL)
        cc_html_changes(out, report);
    cc_html_curve(out, curve);
    cc_html_functions(out, report);
    cc_html_reasons(out, report);
    cc_html_blocks(out, report);
    fputs("</main>\n<script>\n", out);
    fputs(cc_html_script, out);
    fputs("</script>\n</body>\n</html>\n", out);
}

static int fail(FILE *out, const char *path, const char *made, struct diag *d)
{
    diag_set(d, "%s: %s", path, errno != 0 ? strerror(errno) : "write error");
    if (out != NULL)
        fclose(out);
    if (made != NULL)
        unlink(made);
    return -1;
}

/* A new file beside it takes the place of a file; a pipe or a device gets the
   page itself. */
static FILE *open_beside(const char *path, char **made)
{
    mode_t mask = umask(0);
    struct stat st;
    FILE *out;
    int fd;

    umask(mask);
    *made = NULL;
    if (lstat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return fopen(path, "w");
    if (asprintf(made, "%s.XXXXXX", path) < 0)
        memory_exhausted();
    fd = mkstemp(*made);
    if (fd < 0) {
        free(*made);
        *made = NULL;
        return NULL;
    }
    out = fchmod(fd, 0666 & ~mask) == 0 ? fdopen(fd, "w") : NULL;
    if (out == NULL)
        close(fd);
    return out;
}

int cc_html_write(const char *path, const struct cc_report *report,
                  const struct cc_curve *curve, struct diag *d)
{
    char *made;
    FILE *out;
    int rc = 0;

    errno = 0;
    out = open_beside(path, &made);
    if (out == NULL)
        rc = fail(out, path, made, d);
    else {
        write_page(out, report, curve);
        if (fflush(out) != 0 || ferror(out))
            rc = fail(out, path, made, d);
        else if (fclose(out) != 0 || (made != NULL && rename(made, path) != 0))
            rc = fail(NULL, path, made, d);
    }
    free(made);
    return rc;
}
