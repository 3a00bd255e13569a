/* staticdeps: finds dependencies through memory in ELF files without running
   them. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "output.h"
#include "process.h"
#include "staticdeps.h"

enum { TROUBLE = 2 };

struct analysis {
    struct sd_options options;
    struct sd_intake intake;
    struct sd_results results;
};

/* Opens a file without a name for the report, which is printed after the
   database has been written; so a run that fails prints only the reason. */
static FILE *open_report(struct diag *d)
{
    const char *directory = getenv("TMPDIR");
    FILE *out = NULL;

    if (directory == NULL || directory[0] == '\0')
        directory = "/tmp";
    AUTO_FREE char *path = memory_printf("%s/staticdepsXXXXXX", directory);
    int fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0) {
        unlink(path);
        out = fdopen(fd, "w+");
        if (out == NULL)
            close(fd);
    }
    if (out == NULL)
        diag_set(d, "%s: %s", path, strerror(errno));
    return out;
}

static int print_report(FILE *report, struct diag *d)
{
    char part[1 << 16];
    size_t n;

    rewind(report);
    while ((n = fread(part, 1, sizeof part, report)) > 0)
        if (fwrite(part, 1, n, stdout) != n)
            break;
    if (n > 0 || fflush(stdout) != 0)
        return diag_set(d, "standard output: %s", strerror(errno));
    if (ferror(report))
        return diag_set(d, "temporary file: %s", strerror(errno));
    return 0;
}

/* Begins the report and the progress line. */
static void begin(struct analysis *a, char **files)
{
    struct sd_report *report = &a->results.report;
    size_t n = 0;

    while (files[n] != NULL)
        n++;
    report->has_functions = sd_scope_walks(a->options.settings.scope);
    report->has_lines = a->options.hex != NULL;
    report->has_names = report->has_lines || n > 1;
    sd_report_begin(report);
    /* All lines of --hex count as one file. */
    sd_progress_begin(&a->results.progress, n > 0 ? n : 1,
                      report->has_functions ? "functions" : "blocks");
}

static int finish_db(struct analysis *a, struct diag *d)
{
    struct sd_results *r = &a->results;

    if (a->options.library_table != NULL &&
        sd_db_fact(r->db, "library_table", DB_TEXT(a->options.library_table),
                   d) != 0)
        return -1;
    assert(r->db != NULL);
    if (sd_results_end(r, &a->options.settings, d) != 0 ||
        sd_select_write(&a->intake.select, r->db, d) != 0)
        return -1;
    return sd_db_commit(r->db, d);
}

static void print_note(const char *path, const char *text)
{
    fputs("staticdeps: ", stderr);
    terminal_write(stderr, path);
    fputs(": ", stderr);
    terminal_write(stderr, text);
    fputc('\n', stderr);
}

static int analyse(struct analysis *a, char **files, struct diag *d)
{
    struct sd_results *r = &a->results;

    if (sd_intake_init(&a->intake, &a->options, r, print_note, d) != 0)
        return -1;
    if (a->options.output != NULL) {
        sigset_t old;

        early_hold(&old);
        r->db = sd_db_open(
            a->options.output,
            sd_scope_walks(a->options.settings.scope) ? DB_WALKS : DB_STATIC,
            d);
        early_remove(r->db != NULL ? sd_db_temporary(r->db) : NULL);
        early_release(&old);
        if (r->db == NULL)
            return -1;
    }
    begin(a, files);
    if (a->options.hex != NULL && sd_intake_hex(&a->intake, d) != 0)
        return -1;
    for (; *files != NULL; files++) {
        r->progress.file++;
        assert(r->progress.file <= r->progress.n_files);
        if (sd_intake_file(&a->intake, *files, d) != 0)
            return -1;
    }
    if (sd_intake_end(&a->intake, d) != 0)
        return -1;
    sd_report_end(&r->report);
    if (r->report.out != NULL &&
        (fflush(r->report.out) != 0 || ferror(r->report.out)))
        return diag_set(d, "temporary file: %s", strerror(errno));
    if (sd_select_check(&a->intake.select, d) != 0)
        return -1;
    return r->db != NULL ? finish_db(a, d) : 0;
}

/* With --untrusted, only files that the user named can be read. */
static int distrust(struct input *home, const struct sd_options *o,
                    char **files, struct diag *d)
{
    size_t n = 0;

    while (files[n] != NULL)
        n++;
    AUTO_FREE const char **all = memory_new(n + 3, sizeof *all);
    memcpy(all, files, n * sizeof *all);
    all[n++] = o->hex;
    all[n++] = o->executed;
    all[n++] = o->library_table;
    return input_distrust(home, all, n, d);
}

static int run(struct analysis *a, char **files, struct diag *d)
{
    struct sd_report *report = &a->results.report;
    struct input home = {0};
    int rc = 0;

    report->format = a->options.format;
    report->syntax = a->options.syntax;
    if (report->format != SD_FORMAT_NONE)
        rc = (report->out = open_report(d)) != NULL ? 0 : -1;
    if (rc == 0 && a->options.is_untrusted)
        rc = distrust(&home, &a->options, files, d);
    if (rc == 0)
        rc = analyse(a, files, d);
    sd_progress_end(&a->results.progress);
    sd_db_close(a->results.db);
    if (rc == 0 && report->out != NULL)
        rc = print_report(report->out, d);
    if (report->out != NULL)
        fclose(report->out);
    sd_report_fini(report);
    sd_intake_fini(&a->intake);
    sd_results_fini(&a->results);
    input_close(&home);
    demangle_fini();
    return rc;
}

int main(int argc, char **argv)
{
    struct analysis a = {.options.jobs = 0};
    struct diag d;
    int first, rc = 0;

    early_begin();
    switch (sd_options_parse(&a.options, argc, argv, &first, &d)) {
    case OPTIONS_RUN:
        rc = run(&a, argv + first, &d);
        break;
    case OPTIONS_DONE:
        break;
    case OPTIONS_BAD:
        rc = -1;
        break;
    }
    sd_options_fini(&a.options);
    if (rc == 0)
        return EXIT_SUCCESS;
    if (d.text[0] != '\0') /* empty if a worker has reported the reason */
        fprintf(stderr, "staticdeps: %s\n", d.text);
    return TROUBLE;
}
