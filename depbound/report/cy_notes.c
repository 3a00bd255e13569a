/* cy_notes: what the figures leave out, and which figures are guesses. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdarg.h>

#include "output.h"
#include "demangle.h"
#include "report/internal.h"

/* Where notes about a loop go.  `before` and `after` enclose each note. */
struct notes {
    FILE *out;
    const struct cy_report *report;
    const struct cy_cost_of_loop *loop;
    const char *before, *after;
    void (*write)(FILE *out, const char *text);
};

__attribute__((format(printf, 2, 3))) static void note(const struct notes *n,
                                                       const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    AUTO_FREE char *line = text_make_safe(memory_vprintf(format, arguments));
    va_end(arguments);
    fputs(n->before, n->out);
    n->write(n->out, line);
    fputs(n->after, n->out);
}

static const char *s_of(size_t n)
{
    return n == 1 ? "" : "s";
}

#define LEAST_RANGE 0.01 /* least difference of two shares that is reported */

static void note_ways(const struct notes *n, const struct cy_unknown *u)
{
    if (u->is_way_guessed)
        note(n, "Not known: how often its iterations go this way, and what the "
                "others take.");
    if (u->most_of_way - u->share_of_way > LEAST_RANGE)
        note(n,
             "%.0f to %.0f %% of its iterations go this way; what the others "
             "take "
             "is not known.",
             100 * u->share_of_way, 100 * u->most_of_way);
    else if (u->share_of_way < 1)
        note(n,
             "%.0f %% of its iterations go this way, which makes %.2f cycles "
             "for "
             "each of all; what the others take is not known.",
             100 * u->share_of_way,
             u->share_of_way * n->loop->cycles.predicted);
}

/* The place of one end of a pair, with its function if the loop has another. */
static char *place_of(const struct notes *n, uint64_t address)
{
    const struct cy_cost_of_loop *c = n->loop;
    const struct cy_data *data = n->report->data;
    uint32_t block = cy_data_block(data, c->loop->object, address);
    const char *function =
        block != CY_NO_BLOCK ? data->blocks[block].function : NULL;
    struct cy_line line =
        cy_code_line(n->report->code, c->loop->object, address);
    bool is_elsewhere = function != NULL && function != c->function;
    AUTO_FREE char *name = is_elsewhere ? demangle_names(function, NULL) : NULL;

    return memory_printf("%#" PRIx64 "%s%s%s%s", address,
                         line.text[0] != '\0' ? ", " : "", line.text,
                         is_elsewhere ? ", in " : "", is_elsewhere ? name : "");
}

static void note_dependencies(const struct notes *n, const struct cy_unknown *u)
{
    if (u->n_unfixed > 0)
        note(n,
             "Not counted: %zu dependenc%s through memory at varying "
             "distances.",
             u->n_unfixed, u->n_unfixed == 1 ? "y" : "ies");
    if (u->n_renamed > 0)
        note(n,
             "Not known: what %zu dependenc%s through memory at varying "
             "distances cost%s, if loads are not renamed.",
             u->n_renamed, u->n_renamed == 1 ? "y" : "ies",
             u->n_renamed == 1 ? "s" : "");
    if (u->n_addresses > 0)
        note(n,
             "Not known: what %u instruction%s share%s with others in memory, "
             "since addresses are data%s.",
             u->n_addresses, s_of(u->n_addresses),
             u->n_addresses == 1 ? "s" : "",
             u->is_supposed ? "; the figure is that of equal ones" : "");
    if (u->is_doubtful)
        note(n,
             "Not known: which dependencies through memory occur, since only "
             "some ways through the code have them; %.2f to %.2f cycles.",
             n->loop->cycles.low, n->loop->cycles.high);
    if (u->is_unsteady)
        note(n,
             "Not known: which of its speeds the processor has for this code, "
             "by its branches and by loads that it may rename; %.2f to %.2f "
             "cycles.",
             n->loop->cycles.low, n->loop->cycles.high);
    if (u->is_missing)
        note(n,
             "Not known: what misses of the caches take, but for a factor of "
             "%.0f; %.2f to %.2f cycles.",
             CY_MISSES_WITHIN, n->loop->cycles.low, n->loop->cycles.high);
    if (u->may_be_carried)
        note(n, "Not counted: a dependency through memory that an outer loop "
                "may carry.");
    if (u->hottest != NULL) {
        AUTO_FREE char *store = place_of(n, u->hottest->store),
                       *load = place_of(n, u->hottest->load);

        note(n,
             "Not counted: the load at %s read what the store at %s wrote "
             "%" PRIu64 " instructions before, %" PRIu64 " times.",
             load, store, u->hottest->distance, u->hottest->near);
    }
}

static void note_unknown(const struct notes *n)
{
    const struct cy_unknown *u = &n->loop->unknown;
    bool is_static = n->report->choice->edges != CY_EDGES_OBSERVED;

    if (u->is_spin) {
        note(n, "Not known: how long it waits; when it ran, one thread ran at "
                "a time, so how often it goes round tells little.");
        return;
    }
    if (u->n_ordered > 0)
        note(
            n,
            "Not known: what %zu atomic instruction%s or fence%s take%s, which "
            "the machine file%s.",
            u->n_ordered, s_of(u->n_ordered), s_of(u->n_ordered),
            u->n_ordered == 1 ? "s" : "",
            n->report->machine != NULL
                ? " does not say; depbound --calibrate measures it"
                : " would say");
    if (u->is_cut)
        note(n,
             "Not counted: calls or ways that are in no window, or code that "
             "cannot be read.");
    if (u->has_calls)
        note(n, "Not counted: what its calls do.");
    note_ways(n, u);
    note_dependencies(n, u);
    if (u->n_passed > 0)
        note(n,
             "Not modelled: %" PRIu64 " load%s of values that another thread "
             "stored.",
             u->n_passed, s_of(u->n_passed));
    if (u->n_shared > 0)
        note(n,
             "Not modelled: %" PRIu64 " access%s to lines of 64 bytes in which "
             "another thread stored other bytes (false sharing, if the two run "
             "at once).",
             u->n_shared, u->n_shared == 1 ? "" : "es");
    if (u->n_insns > 0)
        note(n, "Not known: %zu instruction%s.", u->n_insns, s_of(u->n_insns));
    if (u->bytes > 0)
        note(n,
             "Not known: the cost of data beyond the first cache; each run "
             "of the loop goes through %.0f KiB.",
             u->bytes / 1024);
    /* A region may come from code that no program runs. */
    if (is_static && n->loop->name == NULL &&
        (u->has_calls || u->is_way_guessed || u->n_unfixed > 0 ||
         u->n_addresses > 0 || u->may_be_carried))
        note(n, "A run tells more: depbound --record PROGRAM");
}

char *cy_report_unknown(const struct cy_report *r,
                        const struct cy_cost_of_loop *c)
{
    struct memory_stream text = memory_stream_open(&text);

    note_unknown(&(struct notes){text.out, r, c, "", " ", terminal_write});
    char *line = memory_stream_close(&text);
    if (line[0] != '\0') {
        line[strlen(line) - 1] = '\0';
        return line;
    }
    free(line);
    return NULL;
}

/* Is the latency of a link neither in the machine file nor known to llvm-mca?
   A machine file omits general-register instructions of one cycle. */
static bool is_guessed(const struct cy_report *r,
                       const struct cy_cost_of_loop *c, const struct cy_link *l)
{
    bool is_plain = r->machine != NULL && !c->cycles.has_units &&
                    strchr(c->insns[l->to].text, '%') != NULL &&
                    strstr(c->insns[l->to].text, "mm") == NULL;

    assert(l->to < c->n);
    return c->bound.is_guessed[l->to] &&
           (l->wait == CY_WAIT_MEMORY ||
            (l->wait == CY_WAIT_REGISTER && l->cycles > 0 && !is_plain));
}

static void note_guessed(const struct notes *n)
{
    const struct cy_cost_of_loop *c = n->loop;
    const struct cy_chain *chain = cy_report_chain(c);
    unsigned n_guessed = c->bound.n_unknown_cost;

    for (size_t i = 0; i < chain->n; i++) {
        const struct cy_link *l = &chain->links[i];

        if (is_guessed(n->report, c, l))
            note(n, "Guessed: the %.2f cycles of %s at %s.", l->cycles,
                 c->insns[l->to].shown,
                 cy_report_place(n->report, c, l->to).text);
    }
    if (n->report->machine == NULL && n_guessed > 0)
        note(n, "Guessed: the latenc%s of %u instruction%s.",
             n_guessed == 1 ? "y" : "ies", n_guessed, s_of(n_guessed));
}

void cy_report_notes(FILE *out, const struct cy_report *r,
                     const struct cy_cost_of_loop *c, const char *before,
                     const char *after, void (*write)(FILE *, const char *))
{
    const struct notes notes = {out, r, c, before, after, write};

    note_unknown(&notes);
    note_guessed(&notes);
}
