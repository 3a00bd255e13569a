/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "depbound.h"

#include <stdarg.h>
#include <unistd.h>

#include "process.h"
#include "output.h"

/* Makes room below the cursor, by scrolling if necessary, and returns. */
#define MAKE_ROOM "\033D\033[A"

/* Goes to the line below and erases it; END goes back to the cursor. */
#define BEGIN "\0337\r\n\033[K"
#define END   "\0338"

/* Erases everything to the right of the cursor and below. */
#define ERASE "\033[J"

#define LEAST_COLUMNS 20

static bool has_line;

bool cy_progress_is_shown(void)
{
    return terminal_has_controls(STDERR_FILENO);
}

void cy_progress_say(const char *format, ...)
{
    va_list values;
    sigset_t old;
    char *text;

    if (!cy_progress_is_shown())
        return;
    va_start(values, format);
    text = memory_vprintf(format, values);
    va_end(values);
    text_make_safe(text);
    early_hold(&old);
    early_say(ERASE);
    fputs(MAKE_ROOM BEGIN "depbound: ", stderr);
    /* A line that the terminal wraps could not be erased. */
    terminal_cut(stderr, text,
                 terminal_room(terminal_width(STDERR_FILENO),
                               sizeof "depbound: ", LEAST_COLUMNS));
    fputs(END, stderr);
    fflush(stderr);
    early_release(&old);
    free(text);
    has_line = true;
}

void cy_progress_end(void)
{
    if (!has_line)
        return;
    fputs(ERASE, stderr);
    fflush(stderr);
    early_say(NULL);
    has_line = false;
}

void cy_progress_warn(const struct diag *d)
{
    cy_progress_end();
    fprintf(stderr, "depbound: %s\n", d->text);
}
