/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "output.h"

#include <errno.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define USUAL_WIDTH 80
#define MOST_WIDTH  65535 /* the largest width that a terminal may report */

bool terminal_has_controls(int fd)
{
    const char *term = getenv("TERM");

    return isatty(fd) && term != NULL && strcmp(term, "dumb") != 0;
}

bool terminal_has_colour(int fd)
{
    const char *no_color = getenv("NO_COLOR");

    return terminal_has_controls(fd) && (no_color == NULL || *no_color == '\0');
}

unsigned terminal_width(int fd)
{
    const char *columns = getenv("COLUMNS");
    struct winsize size;
    uint64_t n;

    if (!isatty(fd))
        return 0;
    if (columns != NULL && num_parse(columns, &n) && n > 0 && n <= MOST_WIDTH)
        return (unsigned)n;
    if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return USUAL_WIDTH;
}

/* The bytes of the next character, or of an escape sequence of colours. */
static size_t next(const char *text, size_t *columns)
{
    size_t n = 1;

    assert(*text != '\0');
    *columns = 1;
    if (text[0] == '\033' && text[1] == '[') {
        *columns = 0;
        n = 2 + strspn(text + 2, "0123456789;");
        return n + (text[n] != '\0');
    }
    while (((unsigned char)text[n] & 0xc0) == 0x80)
        n++;
    return n;
}

/* The number of columns that the first n bytes of a text take. */
static size_t columns_of(const char *text, size_t n)
{
    const char *end = text + n;
    size_t all = 0, columns;

    while (text < end) {
        text += next(text, &columns);
        all += columns;
    }
    return all;
}

void terminal_write(FILE *out, const char *text)
{
    bool is_control;

    while (*text != '\0') {
        size_t n = text_next(text, &is_control);

        if (is_control)
            fputc('?', out);
        else
            fwrite(text, 1, n, out);
        text += n;
    }
}

void terminal_write_lines(FILE *out, const char *text)
{
    while (*text != '\0') {
        size_t n = strcspn(text, "\t\n");
        AUTO_FREE char *part = memory_printf("%.*s", (int)n, text);

        terminal_write(out, part);
        text += n;
        if (*text != '\0')
            fputc(*text++, out);
    }
}

size_t terminal_columns(const char *text)
{
    return columns_of(text, strlen(text));
}

size_t terminal_room(unsigned width, size_t columns, size_t least)
{
    if (width == 0)
        return 0;
    return width > columns + least ? width - columns : least;
}

void terminal_cut(FILE *out, const char *text, size_t columns)
{
    const char *end = text;
    size_t at = 0, more;

    assert(columns == 0 || columns >= 4);
    if (columns == 0 || terminal_columns(text) <= columns) {
        fputs(text, out);
        return;
    }
    while (at < columns - 3) {
        end += next(end, &more);
        at += more;
    }
    fprintf(out, "%.*s...", (int)(end - text), text);
}

void terminal_fold(FILE *out, const char *text, size_t indent, unsigned width)
{
    size_t at = 0;
    bool begins = true; /* at the start of a line of the output */

    while (*text != '\0') {
        size_t blanks = strspn(text, " "), word = strcspn(text + blanks, " \n"),
               columns = columns_of(text + blanks, word);

        if (!begins && word > 0 && width > 0 && at + blanks + columns > width) {
            fprintf(out, "\n%*s", (int)indent, "");
            at = indent;
        } else {
            fwrite(text, 1, blanks, out);
            at += blanks;
        }
        text += blanks;
        fwrite(text, 1, word, out);
        text += word;
        at += columns;
        begins = *text == '\n';
        if (begins) {
            fputc(*text++, out);
            at = 0;
        }
    }
}

/* --- The pager --- */

/* less quits if all fits on a screen, shows colours, and clears nothing. */
#define LESS_OPTIONS "FRX"

/* The shell's exit status if a command cannot be run; 127: it is not there. */
#define CANNOT_RUN 126

static pid_t pager;

static const char *command(void)
{
    const char *name = getenv("PAGER");

    if (name == NULL && system("command -v less >/dev/null 2>&1") == 0)
        return "less";
    return name != NULL && *name != '\0' && strcmp(name, "cat") != 0 ? name
                                                                     : NULL;
}

/* In the child: the pager reads what is written to the pipe. */
static void run(const char *name, const int *ends)
{
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    close(ends[1]);
    setenv("LESS", LESS_OPTIONS, 0);
    execl("/bin/sh", "sh", "-c", name, (char *)NULL);
    _exit(CANNOT_RUN);
}

bool pager_begin(void)
{
    const char *name;
    int ends[2];

    assert(pager <= 0); /* there is one pager at a time */
    if (!terminal_has_controls(STDOUT_FILENO) || (name = command()) == NULL ||
        pipe(ends) != 0)
        return false;
    fflush(stdout);
    pager = fork();
    if (pager == 0)
        run(name, ends);
    if (pager > 0) {
        /* A user who quits the pager early has seen enough. */
        signal(SIGPIPE, SIG_IGN);
        dup2(ends[1], STDOUT_FILENO);
    }
    close(ends[0]);
    close(ends[1]);
    return pager > 0;
}

bool pager_end(void)
{
    int status = 0;

    if (pager <= 0)
        return true;
    fflush(stdout);
    clearerr(stdout);
    /* The pager reads to the end of the pipe, which this closes. */
    dup2(STDERR_FILENO, STDOUT_FILENO);
    while (waitpid(pager, &status, 0) < 0 && errno == EINTR)
        ;
    pager = 0;
    return !WIFEXITED(status) || WEXITSTATUS(status) < CANNOT_RUN;
}

void shell_word(FILE *out, const char *text)
{
    static const char plain[] = "=ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "abcdefghijklmnopqrstuvwxyz"
                                "0123456789/._+-:@%,";
    /* A word that begins like a name and has "=" may be an assignment. */
    const char *allowed = *text == '-' ? plain : plain + 1;

    if (*text != '\0' && text[strspn(text, allowed)] == '\0') {
        fputs(text, out);
        return;
    }
    fputc('\'', out);
    for (; *text != '\0'; text++)
        if (*text == '\'')
            fputs("'\\''", out);
        else
            fputc(*text, out);
    fputc('\'', out);
}

char *shell_command(int argc, char *const *argv)
{
    assert(argc > 0);
    struct memory_stream command = memory_stream_open(&command);
    shell_word(command.out, text_base_name(argv[0]));
    for (int i = 1; i < argc; i++) {
        fputc(' ', command.out);
        shell_word(command.out, argv[i]);
    }
    return memory_stream_close(&command);
}

void text_marked(FILE *out, const char *text, const char *special, char mark)
{
    AUTO_FREE char *safe = text_make_safe(memory_text(text));

    for (const char *c = safe; *c != '\0'; c++) {
        if (strchr(special, *c) != NULL)
            fputc(mark, out);
        fputc(*c, out);
    }
}

/* Writes one character and returns the number of its bytes. */
static size_t write_character(FILE *out, const char *s)
{
    unsigned char c = (unsigned char)*s;
    size_t n = utf8_length(s);

    assert(c != '\0' && n <= 4);
    if (n == 0) {
        fputs("\\ufffd", out);
        return 1;
    }
    if (c == '"' || c == '\\')
        fprintf(out, "\\%c", c);
    else if (text_control_length(s) > 0)
        fprintf(out, "\\u%04x", n == 2 ? (unsigned char)s[1] : c);
    else
        fwrite(s, 1, n, out);
    return n;
}

void json_text(FILE *out, const char *text)
{
    if (text == NULL) {
        fputs("null", out);
        return;
    }
    fputc('"', out);
    while (*text != '\0')
        text += write_character(out, text);
    fputc('"', out);
}

void json_number(FILE *out, double number)
{
    char text[32];

    assert(isfinite(number));
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    fputs(text, out);
}
