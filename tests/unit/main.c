/*
 * main: runs the tests of the files that it is linked with, and prints TAP.
 *
 * Each file has a process of its own: files share no state, and a crash hides
 * only the tests that follow it in its file.  With UNIT=WORD in the environment
 * only those tests run whose file is named so (without ".c") or whose name the
 * word, a pattern of the shell, matches.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include <assert.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct function {
    const char *file, *name;
    enum unit_role role;
    void (*run)(void);
};

/* All tests; those of one file are neighbours. */
static struct function *functions;
static size_t n_functions;

/* How many results have been printed. */
static unsigned n_results;

/* The fixtures of the file that this process runs. */
static void (*fixtures[N_UNIT_ROLES])(void);

void unit_add(const char *file, const char *name, enum unit_role role,
              void (*run)(void))
{
    functions = realloc(functions, (n_functions + 1) * sizeof *functions);
    assert(functions != NULL);
    functions[n_functions++] =
        (struct function){basename(file), name, role, run};
}

unsigned unit_below(unsigned n)
{
    static uint64_t state = 1;

    state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (unsigned)(state >> 33) % n;
}

static char directory[] = "/tmp/unit.XXXXXX";

static void remove_directories(void)
{
    char command[40];

    snprintf(command, sizeof command, "rm -rf %s", directory);
    if (chdir("/") != 0 || system(command) != 0)
        perror(command);
}

void unit_enter_directory(void)
{
    static unsigned n;
    char path[40];

    if (n == 0) {
        assert(mkdtemp(directory) != NULL);
        atexit(remove_directories);
    }
    snprintf(path, sizeof path, "%s/%u", directory, n++);
    assert(mkdir(path, 0700) == 0 && chdir(path) == 0);
}

void unit_put_json(FILE *out, const char *text)
{
    for (; *text != '\0'; text++)
        fputc(*text == '\'' ? '"' : *text, out);
}

static bool is_chosen(const struct function *f)
{
    const char *word = getenv("UNIT");
    size_t length = word != NULL ? strlen(word) : 0;

    return f->role == UNIT_TEST &&
           (word == NULL || fnmatch(word, f->name, 0) == 0 ||
            (strncmp(f->file, word, length) == 0 &&
             strcmp(f->file + length, ".c") == 0));
}

static void call_test(void **state)
{
    ((const struct function *)*state)->run();
}

#define FIXTURE(name, role)         \
    static int name(void **state)   \
    {                               \
        (void)state;                \
        if (fixtures[role] != NULL) \
            fixtures[role]();       \
        return 0;                   \
    }
FIXTURE(before_each, UNIT_BEFORE_EACH)
FIXTURE(after_each, UNIT_AFTER_EACH)
FIXTURE(before_all, UNIT_BEFORE_ALL)
FIXTURE(after_all, UNIT_AFTER_ALL)

/* Runs tests in this process; returns its exit status. */
static int run_here(struct function *first, size_t n)
{
    struct CMUnitTest *tests = calloc(n, sizeof *tests);
    size_t n_tests = 0;
    int n_failed;

    assert(tests != NULL);
    for (struct function *f = first; f < first + n; f++)
        if (is_chosen(f))
            tests[n_tests++] = (struct CMUnitTest){f->name, call_test,
                                                   before_each, after_each, f};
        else if (f->role != UNIT_TEST)
            fixtures[f->role] = f->run;
    n_failed = _cmocka_run_group_tests(first->file, tests, n_tests, before_all,
                                       after_all);
    free(tests);
    return n_failed != 0;
}

/* Prints a line of a file's process, with results numbered anew and without its
   plan.  Returns whether the line says that a test failed. */
static bool pass_on(const char *line)
{
    bool is_failed = strncmp(line, "not ok ", 7) == 0;
    int digits = 0;

    if (sscanf(line, is_failed ? "not ok %*u%n" : "ok %*u%n", &digits),
        digits > 0)
        printf("%sok %u%s", is_failed ? "not " : "", ++n_results,
               line + digits);
    else if (strncmp(line, "1..", 3) != 0)
        fputs(line, stdout);
    return is_failed && strstr(line, "# SKIP") == NULL;
}

/* Reports how the process of a file ended, if not well. */
static bool has_ended_well(const char *file, int status, bool has_failures,
                           bool has_all)
{
    char how[40] = "without results of some tests";

    if (WIFSIGNALED(status))
        snprintf(how, sizeof how, "by signal %d", WTERMSIG(status));
    else if (WEXITSTATUS(status) > has_failures)
        snprintf(how, sizeof how, "with status %d", WEXITSTATUS(status));
    else if (has_all)
        return true;
    printf("not ok %u - %s ends %s\n", ++n_results, file, how);
    return false;
}

/* Runs the chosen tests of a file; returns whether all passed. */
static bool run_file(struct function *first, size_t n, size_t n_chosen)
{
    int ends[2], status;
    bool has_failures = false;
    unsigned n_before = n_results;
    char *line = NULL;
    size_t room = 0;
    pid_t child;
    FILE *output;

    if (pipe(ends) != 0 || (child = fork()) < 0) {
        perror("fork");
        return false;
    }
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        exit(run_here(first, n));
    }
    close(ends[1]);
    output = fdopen(ends[0], "r");
    while (getline(&line, &room, output) > 0)
        has_failures |= pass_on(line);
    free(line);
    fclose(output);
    waitpid(child, &status, 0);
    return has_ended_well(first->file, status, has_failures,
                          n_results >= n_before + n_chosen) &&
           !has_failures;
}

int main(void)
{
    bool has_passed = true;
    size_t end;

    setvbuf(stdout, NULL, _IOLBF, 0);
    cmocka_set_message_output(CM_OUTPUT_TAP);
    for (size_t first = 0; first < n_functions; first = end) {
        size_t n_chosen = 0;

        for (end = first;
             end < n_functions &&
             strcmp(functions[end].file, functions[first].file) == 0;
             end++)
            n_chosen += is_chosen(&functions[end]);
        if (n_chosen > 0)
            has_passed &= run_file(functions + first, end - first, n_chosen);
    }
    if (n_results == 0)
        fprintf(stderr, "UNIT: names no file and no test\n");
    printf("1..%u\n", n_results);
    return !has_passed || n_results == 0;
}
