/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "demangle.h"

#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <libiberty/demangle.h>

#include "funcname.h"
#include "output.h"

#define SMALL    128    /* bytes: names of shorter symbols fit in memory */
#define SMALL_V0 48     /* for Rust's newer symbols, whose names grow more */
#define LARGEST  65536  /* bytes: longer symbols are not tried */
#define PATIENCE 200000 /* microseconds for a symbol */

/* The most other names of the same code that are shown. */
#define MOST_OTHERS 3

/* The name of a symbol of C++ or Rust, which the caller frees.  NULL: the
   symbol has none, or memory is exhausted.  Rust's older symbols look like
   those of C++. */
static char *name_of(const char *symbol)
{
    char *name = rust_demangle(symbol, DMGL_NO_OPTS);

    return name == NULL && strncmp(symbol, "_Z", 2) == 0
               ? cplus_demangle_v3(symbol, DMGL_PARAMS | DMGL_TYPES)
               : name;
}

/* --- Long names --- */

/* Would a bracket at `at` be part of an operator's name: "operator()",
   "operator<<"? */
static bool is_operator(const char *name, const char *at, char bracket)
{
    static const char word[] = "operator";
    size_t n = sizeof word - 1;

    while (at > name && bracket == '<' && at[-1] == '<')
        at--;
    return (size_t)(at - name) >= n && memcmp(at - n, word, n) == 0;
}

/* Replaces the contents of each outer pair of brackets by "...".  The ">" of
   "->" is no bracket.  The text after a bracket that is never closed is
   kept. */
static void drop_enclosed(char *name, char opening, char closing)
{
    static const char anonymous[] = "(anonymous namespace)";
    char *to = name, *start = name;
    unsigned depth = 0;

    for (const char *from = name; *from != '\0'; from++) {
        if (depth > 0 && *from == opening) {
            depth++;
        } else if (depth > 0 && *from == closing && from[-1] != '-') {
            depth--;
            if (depth == 0 && to - start > 3) {
                memcpy(start, "...", 3);
                to = start + 3;
            }
        } else if (*from == opening && !is_operator(name, to, opening) &&
                   strncmp(from, anonymous, sizeof anonymous - 1) != 0) {
            depth = 1;
            start = to + 1;
        }
        *to++ = *from;
    }
    *to = '\0';
}

/* Drops the middle of a name.  Keeps whole characters of UTF-8 at both ends. */
static void drop_middle(char *name)
{
    size_t n = strlen(name), head = DEMANGLE_LONGEST * 2 / 3;
    size_t tail = n - (DEMANGLE_LONGEST - head - 3);

    assert(n > DEMANGLE_LONGEST);
    while (head > 0 && ((unsigned char)name[head] & 0xc0) == 0x80)
        head--;
    while (((unsigned char)name[tail] & 0xc0) == 0x80)
        tail++;
    memcpy(name + head, "...", 3);
    memmove(name + head + 3, name + tail, n - tail + 1);
}

/* Shortens a name in place to at most DEMANGLE_LONGEST bytes. */
static void shorten(char *name)
{
    if (strlen(name) > DEMANGLE_LONGEST)
        drop_enclosed(name, '(', ')');
    if (strlen(name) > DEMANGLE_LONGEST)
        drop_enclosed(name, '<', '>');
    if (strlen(name) > DEMANGLE_LONGEST)
        drop_middle(name);
    assert(strlen(name) <= DEMANGLE_LONGEST);
}

/* --- Names of large symbols, by a helper process --- */

/* The helper reads a packet for each symbol, and answers with a packet that
   holds the shortened name, or an empty one if there is no name. */
static struct {
    pid_t pid; /* 0: there is no helper */
    int fd;
} helper;

static _Noreturn void help(int fd)
{
    static char symbol[LARGEST + 1];
    const struct itimerval patience = {.it_value = {.tv_usec = PATIENCE}};
    sigset_t timer;
    ssize_t n;

    /* Else a reader of the program's output would wait for the helper, too. */
    close(STDIN_FILENO);
    close(STDOUT_FILENO);
    signal(SIGVTALRM, SIG_DFL);
    sigemptyset(&timer);
    sigaddset(&timer, SIGVTALRM);
    sigprocmask(SIG_UNBLOCK, &timer, NULL);
    while ((n = recv(fd, symbol, LARGEST, 0)) > 0) {
        symbol[n] = '\0';
        setitimer(ITIMER_VIRTUAL, &patience, NULL);
        AUTO_FREE char *name = name_of(symbol);
        if (name != NULL)
            shorten(name);
        n = send(fd, name, name != NULL ? strlen(name) : 0, MSG_NOSIGNAL);
        if (n < 0)
            break;
    }
    _exit(0);
}

static bool start_helper(void)
{
    int fds[2];

    if (helper.pid != 0)
        return true;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) != 0)
        return false;
    helper.pid = fork();
    if (helper.pid == 0) {
        close(fds[0]);
        help(fds[1]);
    }
    close(fds[1]);
    helper.fd = fds[0];
    if (helper.pid > 0)
        return true;
    close(helper.fd);
    helper.pid = 0;
    return false;
}

void demangle_fini(void)
{
    if (helper.pid == 0)
        return;
    close(helper.fd);
    TEMP_FAILURE_RETRY(waitpid(helper.pid, NULL, 0));
    helper.pid = 0;
}

static char *demangle_large(const char *symbol, size_t length)
{
    char name[DEMANGLE_LONGEST + 1];

    if (length > LARGEST || !start_helper())
        return NULL;
    ssize_t n = send(helper.fd, symbol, length, MSG_NOSIGNAL);
    if (n == (ssize_t)length)
        n = TEMP_FAILURE_RETRY(recv(helper.fd, name, sizeof name - 1, 0));
    if (n <= 0) {
        demangle_fini(); /* the helper ran out of time, or knows no name */
        return NULL;
    }
    assert((size_t)n < sizeof name);
    name[n] = '\0';
    return memory_text(name);
}

/* --- Names as people read them --- */

/* The name of a symbol, shortened if the symbol is long; the caller frees. */
static char *name_as_read(const char *symbol, bool *was_mangled)
{
    size_t length = strcspn(symbol, "@");
    AUTO_FREE char *mangled = memory_text(symbol);
    AUTO_FREE char *name = NULL;

    mangled[length] = '\0';
    if (strncmp(symbol, "_Z", 2) == 0 || strncmp(symbol, "_R", 2) == 0)
        name = length <= (symbol[1] == 'R' ? SMALL_V0 : SMALL)
                   ? name_of(mangled)
                   : demangle_large(mangled, length);
    *was_mangled = name != NULL || funcname_fortran(mangled);
    return memory_printf("%s%s", name != NULL ? name : mangled,
                         symbol + length);
}

void demangle_write(FILE *out, const char *symbol,
                    void (*write)(FILE *out, const char *text))
{
    bool was_mangled;
    AUTO_FREE char *name = name_as_read(symbol, &was_mangled);

    shorten(name);
    write(out, name);
}

static char *shown(const char *symbol)
{
    struct memory_stream name = memory_stream_open(&name);

    demangle_write(name.out, symbol, terminal_write);
    return memory_stream_close(&name);
}

/* Is one of the first n names equal?  Constructors have several symbols. */
static bool is_among(char *const *names, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

char *demangle_names(const char *symbol, const char *others)
{
    char *names[1 + MOST_OTHERS] = {shown(symbol)};
    AUTO_FREE char *rest = others != NULL ? memory_text(others) : NULL;
    char *at = rest, *one;
    size_t n = 1, n_left = 0;
    struct memory_stream text = memory_stream_open(&text);

    fputs(names[0], text.out);
    while ((one = strsep(&at, ",")) != NULL) {
        /* The C library's own names (C11, 7.1.3), as __libc_malloc is. */
        if (strncmp(one, "__", 2) == 0)
            continue;
        char *name = shown(one);
        if (n <= MOST_OTHERS && !is_among(names, n, name)) {
            fprintf(text.out, "%s%s", n == 1 ? " (also " : ", ", name);
            names[n++] = name;
            continue;
        }
        n_left += !is_among(names, n, name);
        free(name);
    }
    assert(n >= 1 && n <= 1 + MOST_OTHERS);
    if (n_left > 0)
        fprintf(text.out, " and %zu more", n_left);
    fputs(n > 1 ? ")" : "", text.out);
    while (n > 0)
        free(names[--n]);
    return memory_stream_close(&text);
}

/* --- Which functions a user means by a name --- */

/* How many of the names that have a part in common are told. */
#define MOST_TOLD 3

/* Does a name end with what was asked, from the start of a component on? */
static bool has_end(const char *name, const char *asked)
{
    size_t n = strlen(name), n_asked = strlen(asked);

    return n > n_asked && strcmp(name + n - n_asked, asked) == 0 &&
           strchr(":.", name[n - n_asked - 1]) != NULL;
}

/* Compares one form of a name with what was asked. */
static enum funcfind_match compare(const char *name, const char *asked)
{
    return strcmp(name, asked) == 0      ? FUNCFIND_ALL
           : has_end(name, asked)        ? FUNCFIND_END
           : strstr(name, asked) != NULL ? FUNCFIND_PART
                                         : FUNCFIND_NONE;
}

static enum funcfind_match better(enum funcfind_match a, enum funcfind_match b)
{
    return a > b ? a : b;
}

/* Compares a symbol and all forms of its name with what was asked.  The caller
   frees *shortest, which it sets. */
static enum funcfind_match compare_symbol(const char *symbol, const char *asked,
                                          char **shortest)
{
    bool was_mangled;
    char *name = name_as_read(symbol, &was_mangled);
    AUTO_FREE char *shown = memory_text(name);
    enum funcfind_match best = compare(symbol, asked);

    shorten(shown);
    best = better(best, compare(shown, asked));
    for (int form = FUNCNAME_WHOLE; form < FUNCNAME_FORMS; form++) {
        funcname_reduce(name, form, was_mangled);
        best = better(best, compare(name, asked));
    }
    *shortest = name;
    return best;
}

/* Notes a name that does not match as the nearest one, unless both it and its
   last component are farther from what was asked than an earlier name was, or
   than a third of the letters. */
static void note_nearest(struct funcfind *f, const char *name)
{
    const char *last = strrchr(name, ':');
    unsigned distance = text_distance(name, f->asked);

    if (last != NULL) {
        unsigned of_last = text_distance(last + 1, f->asked);

        distance = of_last < distance ? of_last : distance;
    }
    if (distance > strlen(f->asked) / 3 ||
        (f->nearest != NULL && f->distance <= distance))
        return;
    free(f->nearest);
    f->nearest = memory_text(name);
    f->distance = distance;
}

void funcfind_among(struct funcfind *f, const char *const *symbols, size_t n,
                    bool *is_meant)
{
    AUTO_FREE enum funcfind_match *matches = memory_new(n + 1, sizeof *matches);
    enum funcfind_match best = 0;
    AUTO_FREE char **names = memory_new(n + 1, sizeof *names);

    assert(f->asked != NULL);
    for (size_t i = 0; i < n; i++)
        if (symbols[i] != NULL) {
            matches[i] = compare_symbol(symbols[i], f->asked, &names[i]);
            best = better(best, matches[i]);
            if (best == FUNCFIND_NONE)
                note_nearest(f, names[i]);
        }
    if (best > f->match) {
        f->is_late = f->match != FUNCFIND_NONE;
        f->match = best;
    }
    for (size_t i = 0; i < n; i++) {
        if (matches[i] == f->match && best != FUNCFIND_NONE) {
            is_meant[i] = true;
            if ((f->match != FUNCFIND_ALL || f->is_late) &&
                !is_among(f->names, f->n_names, names[i]))
                array_append(f, names, memory_text(names[i]));
        }
        free(names[i]);
    }
}

/* What is wrong with the name that was asked; the caller frees. */
static char *fault_of(const struct funcfind *f)
{
    size_t i;
    struct memory_stream text = memory_stream_open(&text);

    if (f->match == FUNCFIND_NONE) {
        fputs("there is no such function", text.out);
        if (f->nearest != NULL)
            fprintf(text.out, "; the nearest is %s", f->nearest);
    } else {
        fputs("part of several names: ", text.out);
        for (i = 0; i < f->n_names && i < MOST_TOLD; i++)
            fprintf(text.out, "%s%s", i > 0 ? ", " : "", f->names[i]);
        if (i < f->n_names)
            fprintf(text.out, " and %zu more", f->n_names - i);
    }
    return memory_stream_close(&text);
}

int funcfind_check(const struct funcfind *f, const char *option, struct diag *d)
{
    if (f->match != FUNCFIND_NONE && f->n_names < 2)
        return 0;
    AUTO_FREE char *fault = fault_of(f);
    diag_set(d, "%s=%s: %s", option, f->asked, fault);
    return -1;
}

void funcfind_fini(struct funcfind *f)
{
    for (size_t i = 0; i < f->n_names; i++)
        free(f->names[i]);
    free(f->names);
    free(f->nearest);
    *f = (struct funcfind){0};
}
