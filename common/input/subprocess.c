/*
 * subprocess: runs another program with a text as its input.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "input/subprocess.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "memory.h"

extern char **environ;

/* Files are used instead of pipes, so that none of the three can block
   another. */
struct streams {
    FILE *in, *out, *errors;
};

static void streams_close(struct streams *s)
{
    if (s->in != NULL)
        fclose(s->in);
    if (s->out != NULL)
        fclose(s->out);
    if (s->errors != NULL)
        fclose(s->errors);
}

static int streams_open(struct streams *s, const char *input, size_t n,
                        struct diag *d)
{
    s->in = tmpfile();
    s->out = tmpfile();
    s->errors = tmpfile();
    if (s->in == NULL || s->out == NULL || s->errors == NULL)
        return diag_set(d, "temporary file: %s", strerror(errno));
    if (fwrite(input, 1, n, s->in) != n || fflush(s->in) != 0)
        return diag_set(d, "temporary file: %s", strerror(errno));
    rewind(s->in);
    return 0;
}

static char *contents(FILE *file, size_t *n)
{
    rewind(file);
    return memory_contents(file, n);
}

static int spawn(char *const argv[], const struct streams *s, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    int error;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(s->in), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(s->out), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(s->errors),
                                     STDERR_FILENO);
    error = posix_spawnp(pid, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int subprocess_run(char *const argv[], const char *input, size_t n,
                   struct subprocess_output *out, struct diag *d)
{
    struct streams s = {0};
    int error, status, rc = -1;
    size_t n_errors;
    pid_t pid;

    *out = (struct subprocess_output){0};
    if (streams_open(&s, input, n, d) == 0) {
        error = spawn(argv, &s, &pid);
        if (error != 0) {
            diag_set(d, "%s: %s", argv[0], strerror(error));
        } else if (waitpid(pid, &status, 0) != pid) {
            diag_set(d, "%s: %s", argv[0], strerror(errno));
        } else {
            out->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
            out->text = contents(s.out, &out->n);
            out->errors = contents(s.errors, &n_errors);
            rc = 0;
        }
    }
    streams_close(&s);
    return rc;
}

void subprocess_fini(struct subprocess_output *out)
{
    free(out->text);
    free(out->errors);
    *out = (struct subprocess_output){0};
}
