/*
 * staticdeps: finds dependencies through memory in ELF files without running
 * them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"
#include "sd_intake.h"
#include "terminal.h"

enum { TROUBLE = 2 };

struct analysis {
    struct sd_options options;
    struct sd_intake intake;
    struct sd_results results;
};

/* The file to remove if the program ends early, and the process that removes
   it: workers inherit this, and must not. */
static const char *volatile temporary;
static pid_t owner;

static void remove_temporary(void)
{
    if (temporary != NULL && getpid() == owner)
        unlink((const char *)temporary);
}

static void interrupted(int signal_number)
{
    remove_temporary();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* Removes a file if the program ends by a signal or out of memory. */
static void remove_at_an_early_end(const char *path)
{
    static const int signals[] = {SIGHUP,  SIGINT, SIGTERM, SIGPIPE, SIGSEGV,
                                  SIGABRT, SIGBUS, SIGFPE,  SIGILL};
    struct sigaction action = {.sa_handler = interrupted,
                               .sa_flags = SA_RESTART};

    owner = getpid();
    temporary = path;
    atexit(remove_temporary);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction old;

        /* nohup and shells make the program ignore signals on purpose. */
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(signals[i], &action, NULL);
    }
}

/* Opens a file without a name for the output, which is printed after the
   database has been written; so a run that fails prints only the reason. */
static FILE *open_report(struct diag *d)
{
    const char *directory = getenv("TMPDIR");
    char *path;
    FILE *out = NULL;
    int fd;

    if (directory == NULL || directory[0] == '\0')
        directory = "/tmp";
    path = memory_printf("%s/staticdepsXXXXXX", directory);
    fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0) {
        unlink(path);
        out = fdopen(fd, "w+");
        if (out == NULL)
            close(fd);
    }
    if (out == NULL)
        diag_set(d, "%s: %s", path, strerror(errno));
    free(path);
    return out;
}

/* Accepts NULL. */
static int check_report(FILE *report, struct diag *d)
{
    if (report != NULL && (fflush(report) != 0 || ferror(report)))
        return diag_set(d, "temporary file: %s", strerror(errno));
    return 0;
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

/* The number of files; all lines of --hex count as one. */
static size_t count(char **files)
{
    size_t n = 0;

    while (files[n] != NULL)
        n++;
    return n > 0 ? n : 1;
}

/* Begins the report and the progress line. */
static void begin(struct analysis *a, size_t n_files)
{
    struct sd_report *report = &a->results.report;

    report->has_functions = sd_scope_walks(a->options.settings.scope);
    report->has_lines = a->options.hex != NULL;
    report->has_names = report->has_lines || n_files > 1;
    sd_report_begin(report);
    sd_progress_begin(&a->results.progress, n_files,
                      report->has_functions ? "functions" : "blocks");
}

static int open_db(struct analysis *a, struct diag *d)
{
    struct sd_results *r = &a->results;

    r->db = sd_db_open(
        a->options.output,
        sd_scope_walks(a->options.settings.scope) ? DB_WALKS : DB_STATIC, d);
    if (r->db == NULL)
        return -1;
    remove_at_an_early_end(sd_db_temporary(r->db));
    return 0;
}

static int finish_db(struct analysis *a, struct diag *d)
{
    struct sd_results *r = &a->results;

    if (a->options.library_table != NULL &&
        sd_db_fact(r->db, "library_table", DB_TEXT(a->options.library_table),
                   d) != 0)
        return -1;
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
    if (a->options.output != NULL && open_db(a, d) != 0)
        return -1;
    begin(a, count(files));
    if (a->options.hex != NULL && sd_intake_hex(&a->intake, d) != 0)
        return -1;
    for (; *files != NULL; files++) {
        sd_progress_file(&r->progress);
        if (sd_intake_file(&a->intake, *files, d) != 0)
            return -1;
    }
    if (sd_intake_end(&a->intake, d) != 0)
        return -1;
    sd_report_end(&r->report);
    if (check_report(r->report.out, d) != 0 ||
        sd_select_check(&a->intake.select, d) != 0)
        return -1;
    return r->db != NULL ? finish_db(a, d) : 0;
}

static int run(struct analysis *a, char **files, struct diag *d)
{
    struct sd_report *report = &a->results.report;
    int rc = 0;

    report->format = a->options.format;
    report->syntax = a->options.syntax;
    if (report->format != SD_FORMAT_NONE)
        rc = (report->out = open_report(d)) != NULL ? 0 : -1;
    if (rc == 0)
        rc = analyse(a, files, d);
    sd_progress_end(&a->results.progress);
    temporary = NULL;
    sd_db_close(a->results.db);
    if (rc == 0 && report->out != NULL)
        rc = print_report(report->out, d);
    if (report->out != NULL)
        fclose(report->out);
    sd_report_fini(report);
    sd_intake_fini(&a->intake);
    sd_results_fini(&a->results);
    return rc;
}

int main(int argc, char **argv)
{
    struct analysis a = {.options.jobs = 0};
    struct diag d;
    int first, rc = 0;

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
