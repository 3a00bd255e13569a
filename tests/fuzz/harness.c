/* harness: a program's main, run again and again in one process. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "harness.h"

#include <sys/stat.h>
#include <unistd.h>

#include "basics.h"

#define MAX_FILES     8
#define MAX_ARGUMENTS 64

static struct file {
    const char *name;
    uint8_t *bytes; /* content of the seed */
    size_t n;
    const uint8_t *now; /* content for the next run */
    size_t n_now;
} files[MAX_FILES];
static size_t n_files;

static char directory[4096];
static const char *program;

static void fail(const char *what, const char *text)
{
    fprintf(stderr, "harness: %s: %s\n", what, text);
    abort();
}

static uint8_t *slurp(const char *path, size_t *n)
{
    FILE *in = fopen(path, "rb");

    if (in == NULL)
        fail(path, "cannot be opened");

    uint8_t *bytes = (uint8_t *)memory_contents(in, SIZE_MAX, n);

    fclose(in);
    return bytes;
}

static void hold(struct file *f, const uint8_t *bytes, size_t n)
{
    FILE *out = fopen(f->name, "wb");

    if (out == NULL || fwrite(bytes, 1, n, out) != n || fclose(out) != 0)
        fail(f->name, "cannot be written");
    f->now = bytes;
    f->n_now = n;
}

static void remove_directory(void)
{
    char command[sizeof directory + 16];

    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    if (system(command) != 0)
        perror(command);
}

void harness_init(const char *name, const char *const *names, size_t n)
{
    const char *seeds = getenv("SEEDS"), *tmp = getenv("TMPDIR");
    char path[4096];

    program = name;
    if (seeds == NULL)
        fail("SEEDS", "not set: the script that runs this sets it");
    for (size_t i = 0; i < n; i++) {
        assert(n_files < MAX_FILES);
        snprintf(path, sizeof path, "%s/%s", seeds, names[i]);
        files[n_files].name = names[i];
        files[n_files].bytes = slurp(path, &files[n_files].n);
        n_files++;
    }
    snprintf(directory, sizeof directory, "%s/fuzz-XXXXXX",
             tmp != NULL ? tmp : "/tmp");
    /* Two levels, so that ".." is a directory of this process, too. */
    if (mkdtemp(directory) == NULL || chdir(directory) != 0 ||
        mkdir("work", 0700) != 0 || chdir("work") != 0)
        fail(directory, "cannot be made");
    atexit(remove_directory);
    for (size_t i = 0; i < n_files; i++)
        hold(&files[i], files[i].bytes, files[i].n);
}

void harness_replace(const char *name, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n_files; i++)
        if (strcmp(files[i].name, name) == 0)
            hold(&files[i], bytes, n);
}

static void check_files(void)
{
    for (size_t i = 0; i < n_files; i++) {
        struct file *f = &files[i];
        size_t n;
        uint8_t *bytes = slurp(f->name, &n);
        bool same = n == f->n_now && (n == 0 || memcmp(bytes, f->now, n) == 0);

        free(bytes);
        if (!same)
            fail(f->name, "its input was changed");
        if (f->now != f->bytes)
            hold(f, f->bytes, f->n);
    }
}

static void check_messages(int status, const char *text)
{
    if (status < 0 || status > 2)
        fail("exit status", text);
    if (status != 0 && *text == '\0')
        fail("exit status", "not 0, and no message says why");
    while (*text != '\0') {
        const char *end = strchr(text, '\n');

        if (end == NULL || strncmp(text, program, strlen(program)) != 0 ||
            strncmp(text + strlen(program), ": ", 2) != 0)
            fail("not a message", text);
        text = end + 1;
    }
}

void harness_run(char **arguments, int n)
{
    char *argv[MAX_ARGUMENTS + 2] = {(char *)program};
    char *said[2] = {NULL, NULL};
    size_t length[2];
    FILE *out = stdout, *err = stderr;
    int status;

    assert(n <= MAX_ARGUMENTS);
    for (int i = 0; i < n; i++)
        argv[i + 1] = arguments[i];
    stdout = open_memstream(&said[0], &length[0]);
    stderr = open_memstream(&said[1], &length[1]);
    status = program_main(n + 1, argv);
    fclose(stdout);
    fclose(stderr);
    stdout = out;
    stderr = err;
    check_messages(status, said[1]);
    check_files();
    free(said[0]);
    free(said[1]);
}
