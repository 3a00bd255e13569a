/*
 * windows DEPS TRACE: compares each window of a database with lackey's trace of
 * the same run: the address and the size of each instruction, and of each load
 * and store, in their order; and the branches before each window.
 *
 * windows DEPS: prints each instruction of all windows as a line "RUN START
 * THREAD ADDRESS PATH", with the address in its file.
 *
 *     valgrind --tool=lackey --trace-mem=yes ... --log-file=TRACE PROGRAM
 *     valgrind --tool=depsim --windows=N --deps-file=DEPS PROGRAM
 *     windows DEPS TRACE
 *
 * A window has file addresses, the trace has run-time addresses.  The first
 * instruction of each file tells where the file was loaded, a whole number of
 * pages away; all others must agree.
 *
 * It prints how many windows, instructions and accesses were compared; how many
 * stores only lackey shows, which are those of failed compare-and-swaps; how
 * many reuse times were compared; how many of them are shorter than the trace
 * says, as they are when the kernel has written to the line or unmapped it; how
 * many branches before windows were compared; and how much is wrong.
 *
 * Limits: one thread, one process.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <inttypes.h>

#include "core/cy_window.h"

#define LINE 64
#define PAGE 4096

enum kind { DATA, CODE, N_KINDS };

/* Hot code notes what it touches as when its superblock began, which has so
   many instructions at most. */
#define SUPERBLOCK 100

struct access {
    bool is_store;
    uint64_t address, size;
};

/* The instruction of the trace that was read last. */
struct traced {
    uint64_t address, size;
    struct access *accesses;
    size_t n_accesses, accesses_room;
};

/* The last instructions of the trace, without their accesses. */
#define LAST (1 << 17)
struct place {
    uint64_t address, size;
};

struct comparison {
    FILE *trace;
    struct place *last;               /* by number in the trace, modulo LAST */
    struct cy_window_place *branches; /* of all leads, sorted by by_place */
    size_t n_branches, branches_room;
    uint64_t n_led;
    char *line;
    size_t line_room;
    bool has_line;     /* is `line` that of the next instruction? */
    uint64_t n_before; /* instructions of the trace before `now` */
    struct traced now;
    const struct cy_windows *windows;
    uint64_t *bias; /* of objects' addresses; UINT64_MAX: unknown */
    uint64_t n_windows, n_instructions, n_accesses, n_failed, n_wrong;
    struct {
        struct keys lines;
        uint64_t *touched; /* by number of the line: the instruction that did
                              so last, from 1 on */
        size_t touched_room;
        struct keys new_lines, new_pages; /* of the present window */
    } by[N_KINDS];
    const struct cy_recorded *window;
    size_t n_taken; /* of its reuse times */
    uint64_t n_reused, n_shorter;
};

static bool next_line(struct comparison *c)
{
    if (!c->has_line)
        c->has_line = getline(&c->line, &c->line_room, c->trace) >= 0;
    return c->has_line;
}

static void add_access(struct traced *t, bool is_store, uint64_t address,
                       uint64_t size)
{
    array_append(t, accesses, (struct access){is_store, address, size});
}

static void take_access(struct traced *t, const char *line)
{
    uint64_t address, size;

    if (sscanf(line + 2, " %" SCNx64 ",%" SCNu64, &address, &size) != 2)
        return;
    if (line[1] == 'L' || line[1] == 'M')
        add_access(t, false, address, size);
    if (line[1] == 'S' || line[1] == 'M')
        add_access(t, true, address, size);
}

/* Reads the next instruction of the trace with its accesses. */
static bool next_instruction(struct comparison *c)
{
    while (next_line(c) && c->line[0] != 'I')
        c->has_line = false;
    if (!c->has_line || sscanf(c->line, "I %" SCNx64 ",%" SCNu64,
                               &c->now.address, &c->now.size) != 2)
        return false;
    c->has_line = false;
    c->last[c->n_before % LAST] = (struct place){c->now.address, c->now.size};
    c->now.n_accesses = 0;
    while (next_line(c) && c->line[0] != 'I') {
        if (c->line[0] == ' ')
            take_access(&c->now, c->line);
        c->has_line = false;
    }
    return true;
}

static void wrong(struct comparison *c, uint64_t at, const char *what)
{
    if (c->n_wrong++ < 10)
        printf("instruction %" PRIu64 " at %" PRIx64 ": %s\n", at,
               c->now.address, what);
}

static void compare_place(struct comparison *c, uint64_t at,
                          const struct cy_window_insn *insn)
{
    uint64_t bias = c->now.address - insn->address;

    if (c->bias[insn->object] == UINT64_MAX)
        c->bias[insn->object] = bias;
    if (bias != c->bias[insn->object] || bias % PAGE != 0)
        wrong(c, at, "another address");
    if (c->now.size != insn->length)
        wrong(c, at, "another size");
}

/* Does the trace show a store that did not happen: one that follows a load of
   the same bytes? */
static bool has_failed(const struct comparison *c,
                       const struct cy_window_access *access, size_t place)
{
    const struct access *a = c->now.accesses;

    return access->is_store && place > 0 && place < c->now.n_accesses &&
           a[place].is_store && !a[place - 1].is_store &&
           a[place].address == a[place - 1].address;
}

/* Does the trace show how VEX computes bt, bts, btr or btc of a register: a
   store of the register below the stack, an access of one of its bytes, and
   perhaps a load of all?  The processor accesses no memory. */
static bool tests_bit(const struct traced *t)
{
    const struct access *a = t->accesses;

    return t->n_accesses >= 2 && a[0].is_store && !a[1].is_store &&
           a[1].size == 1 && a[1].address - a[0].address < a[0].size;
}

static void compare_accesses(struct comparison *c, uint64_t at,
                             const struct cy_window_insn *insn,
                             const uint64_t *addresses)
{
    size_t place = 0;

    if (insn->n_accesses == 0 && tests_bit(&c->now))
        return;
    for (unsigned i = 0; i < insn->n_accesses; i++) {
        const struct cy_window_access *w =
            &c->windows->accesses[insn->first_access + i];
        const struct access *t = &c->now.accesses[place];

        if (addresses[i] == CY_NOT_DONE) {
            if (has_failed(c, w, place))
                c->n_failed++, place++;
            continue;
        }
        c->n_accesses++;
        if (place >= c->now.n_accesses)
            wrong(c, at, "an access that lackey does not show");
        else if (t->is_store != w->is_store || t->address != addresses[i] ||
                 t->size != w->size)
            wrong(c, at, "another access");
        place++;
    }
    if (place < c->now.n_accesses)
        wrong(c, at, "an access of lackey is missing");
}

/* The last touch of a page. */
static uint64_t page_of(const struct comparison *c, enum kind kind,
                        uint64_t address)
{
    uint64_t first = address / PAGE * (PAGE / LINE);
    uint64_t last = 0;

    for (uint64_t line = first; line < first + PAGE / LINE; line++) {
        uint32_t i = keys_find(&c->by[kind].lines, line);

        if (i != NO_KEY && c->by[kind].touched[i] > last)
            last = c->by[kind].touched[i];
    }
    return last;
}

/* Is the next reuse time of the window that of what was touched then, at
   instruction number `at` of the trace? */
static void compare_reuse(struct comparison *c, uint64_t at, uint64_t touched)
{
    size_t i = c->n_taken++;
    uint64_t stored = i < c->window->n_reuse ? c->window->reuse[i] : 0;
    uint64_t since = stored - 1;

    c->n_reused++;
    if (i >= c->window->n_reuse)
        wrong(c, at, "reuse times that end too early");
    else if (stored == 0)
        c->n_shorter += touched != 0;
    else if (touched == 0 || since < at + 1 - touched)
        c->n_shorter++;
    else if (since > at + 1 - touched + SUPERBLOCK)
        wrong(c, at, "another reuse time");
}

/* Instruction number `at` touches bytes; the window says of its first touches
   when they were touched before. */
static void touch(struct comparison *c, enum kind kind, uint64_t address,
                  uint64_t size, uint64_t at, bool is_in_window)
{
    for (uint64_t line = address / LINE; line <= (address + size - 1) / LINE;
         line++) {
        size_t n = c->by[kind].lines.n;
        uint32_t i = keys_add(&c->by[kind].lines, line);
        uint64_t *t;

        c->by[kind].touched =
            memory_grow(c->by[kind].touched, &c->by[kind].touched_room, i,
                        sizeof *c->by[kind].touched);
        t = &c->by[kind].touched[i];
        if (i == n)
            *t = 0;
        if (is_in_window && keys_find(&c->by[kind].new_lines, line) == NO_KEY) {
            keys_add(&c->by[kind].new_lines, line);
            compare_reuse(c, at, *t);
            if (keys_find(&c->by[kind].new_pages, line * LINE / PAGE) ==
                NO_KEY) {
                keys_add(&c->by[kind].new_pages, line * LINE / PAGE);
                compare_reuse(c, at, page_of(c, kind, line * LINE));
            }
        }
        *t = at + 1;
    }
}

/* What the last instruction of the trace touches. */
static void touch_all(struct comparison *c, uint64_t at, bool is_in_window)
{
    touch(c, CODE, c->now.address, c->now.size, at, is_in_window);
    for (size_t i = 0; i < c->now.n_accesses && !tests_bit(&c->now); i++)
        touch(c, DATA, c->now.accesses[i].address, c->now.accesses[i].size, at,
              is_in_window);
}

static void begin_reuse(struct comparison *c, const struct cy_recorded *window)
{
    for (enum kind kind = 0; kind < N_KINDS; kind++) {
        keys_clear(&c->by[kind].new_lines);
        keys_clear(&c->by[kind].new_pages);
    }
    c->window = window;
    c->n_taken = 0;
}

static int by_place(const void *pa, const void *pb)
{
    const struct cy_window_place *a = pa, *b = pb;

    if (a->object != b->object)
        return a->object < b->object ? -1 : 1;
    return a->address < b->address ? -1 : a->address > b->address;
}

/* Is a place of the trace that of a branch of some lead? */
static bool is_branch(const struct comparison *c, uint64_t address)
{
    for (uint32_t o = 0; o < c->windows->n_objects; o++) {
        struct cy_window_place at = {.object = o,
                                     .address = address - c->bias[o]};

        if (c->bias[o] != UINT64_MAX && bsearch(&at, c->branches, c->n_branches,
                                                sizeof at, by_place) != NULL)
            return true;
    }
    return false;
}

/* Is the address of the trace at the place? */
static bool is_at(const struct comparison *c, uint64_t address, uint32_t place)
{
    const struct cy_window_place *p = &c->windows->places[place];

    return address - c->bias[p->object] == p->address;
}

/* Compares the branches before a window, from the last one back, with the
   trace, of which the window's first instruction was just read.  Each execution
   of an instruction that is some lead's branch must be there. */
static void compare_lead(struct comparison *c, const struct cy_lead *lead)
{
    uint64_t first = c->n_before - 1, at = first;
    size_t n = lead->n;

    while (n > 0 && at > 0 && first - at < LAST - 2) {
        uint64_t next = c->last[at-- % LAST].address;
        const struct place *t = &c->last[at % LAST];
        const struct cy_lead_branch *b = &lead->branches[n - 1];
        const struct cy_window_place *p = &c->windows->places[b->place];

        if (c->bias[p->object] == UINT64_MAX)
            return; /* no window has told where the file lies */
        if (!is_branch(c, t->address))
            continue;
        n--;
        c->n_led++;
        if (!is_at(c, t->address, b->place))
            wrong(c, at, "another branch before a window");
        else if (p->kind == CY_PLACE_CONDITIONAL
                     ? b->is_taken != (next != t->address + t->size)
                     : c->bias[c->windows->places[b->target].object] !=
                               UINT64_MAX &&
                           !is_at(c, next, b->target))
            wrong(c, at, "a branch before a window goes elsewhere");
    }
}

static void compare_window(struct comparison *c, const struct cy_lead *lead,
                           const struct cy_recorded *window)
{
    c->n_windows++;
    begin_reuse(c, window);
    for (size_t i = 0; i < window->n; i++) {
        const struct cy_executed *e = &window->executed[i];
        const struct cy_window_insn *insn = &c->windows->insns[e->insn];
        uint64_t at = window->start + i;

        while (c->n_before <= at && next_instruction(c)) {
            touch_all(c, c->n_before, c->n_before == at);
            c->n_before++;
        }
        if (c->n_before != at + 1) {
            wrong(c, at, "the trace has ended, or windows overlap");
            return;
        }
        c->n_instructions++;
        compare_place(c, at, insn);
        compare_accesses(c, at, insn, &window->addresses[e->first_access]);
        if (i == 0)
            compare_lead(c, lead);
    }
    if (c->n_taken < window->n_reuse)
        wrong(c, window->start, "reuse times that nothing touches");
}

static void take_branches(struct comparison *c)
{
    const struct cy_windows *w = c->windows;

    for (size_t i = 0; i < w->n_places; i++)
        if (w->places[i].kind != CY_PLACE_TARGET)
            array_append(c, branches, w->places[i]);
    array_sort(c->branches, c->n_branches, by_place);
}

static void print_window(const struct cy_windows *windows,
                         const struct cy_recorded *window)
{
    for (size_t i = 0; i < window->n; i++) {
        const struct cy_window_insn *insn =
            &windows->insns[window->executed[i].insn];

        printf("%" PRId64 " %" PRIu64 " %" PRIu32 " %" PRIx64 " %s\n",
               window->run, window->start, window->thread, insn->address,
               windows->objects[insn->object].path);
    }
}

static int fail(const char *what)
{
    fprintf(stderr, "windows: %s\n", what);
    return 2;
}

int main(int argc, char **argv)
{
    struct comparison c = {0};
    struct cy_windows windows;
    struct cy_recorded window = {0};
    struct cy_lead lead = {0};
    struct diag d;

    if (argc != 2 && argc != 3)
        return fail("usage: windows DEPS [TRACE]");
    if (cy_windows_read(&windows, argv[1], NULL, &d) != 0)
        return fail(d.text);
    for (size_t i = 0; argc == 2 && i < windows.n_rows; i++) {
        cy_windows_expand(&windows, i, &window);
        print_window(&windows, &window);
    }
    if (argc == 2)
        return 0;
    c.trace = fopen(argv[2], "r");
    if (c.trace == NULL)
        return fail(argv[2]);
    c.windows = &windows;
    c.last = memory_new(LAST, sizeof *c.last);
    take_branches(&c);
    c.bias = memory_new(windows.n_objects + 1, sizeof *c.bias);
    for (size_t i = 0; i < windows.n_objects; i++)
        c.bias[i] = UINT64_MAX;
    for (size_t i = 0; i < windows.n_rows; i++) {
        cy_windows_expand(&windows, i, &window);
        cy_lead_of(&windows, i, &lead);
        compare_window(&c, &lead, &window);
    }
    printf("windows %" PRIu64 " instructions %" PRIu64 " accesses %" PRIu64
           " failed %" PRIu64 " reused %" PRIu64 " shorter %" PRIu64
           " branches %" PRIu64 " wrong %" PRIu64 "\n",
           c.n_windows, c.n_instructions, c.n_accesses, c.n_failed, c.n_reused,
           c.n_shorter, c.n_led, c.n_wrong);
    cy_recorded_fini(&window);
    cy_lead_fini(&lead);
    cy_windows_fini(&windows);
    free(c.last);
    free(c.branches);
    fclose(c.trace);
    for (enum kind kind = 0; kind < N_KINDS; kind++) {
        keys_fini(&c.by[kind].lines);
        keys_fini(&c.by[kind].new_lines);
        keys_fini(&c.by[kind].new_pages);
        free(c.by[kind].touched);
    }
    free(c.bias);
    free(c.line);
    free(c.now.accesses);
    return c.n_wrong != 0;
}
