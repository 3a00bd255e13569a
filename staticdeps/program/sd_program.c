/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "program/sd_program.h"

/* --- Look-ups of blocks, routines and stubs --- */

uint32_t sd_program_block(const struct sd_program *p, uint64_t address)
{
    size_t section = sd_sections_find(&p->sections, address);

    return section != SD_NO_SECTION ? sd_cfg_block(p->cfg, section, address)
                                    : SD_NO_BLOCK;
}

uint32_t sd_program_block_of(const struct sd_program *p, uint32_t site)
{
    const struct sd_block *blocks = p->blocks->blocks;
    size_t block = array_bisect(1, p->n_blocks, i, blocks[i].first < site) - 1;

    assert(site != 0);
    while (blocks[block].n_insns == 0)
        block--; /* skip blocks without instructions */
    return (uint32_t)block;
}

uint32_t sd_program_whole(const struct sd_program *p, uint32_t block)
{
    uint32_t routine = p->routine_of[block];

    return routine == SD_NO_ROUTINE ? routine : p->routines[routine].whole;
}

uint32_t sd_program_routine(const struct sd_program *p, uint64_t address)
{
    uint32_t block = sd_program_block(p, address), routine;

    if (block == SD_NO_BLOCK)
        return SD_NO_ROUTINE;
    routine = p->routine_of[block];
    return routine != SD_NO_ROUTINE && p->routines[routine].start == address
               ? routine
               : SD_NO_ROUTINE;
}

bool sd_program_is_function(const struct sd_program *p, uint64_t address)
{
    uint32_t routine = sd_program_routine(p, address);

    return routine != SD_NO_ROUTINE && p->routines[routine].whole == routine;
}

uint64_t sd_program_slot(const struct sd_program *p, uint64_t address)
{
    const struct sd_stub *stub =
        array_find(&address, p->stubs, p->n_stubs, array_by_number);

    return stub != NULL ? stub->slot : 0;
}

const struct sd_model *sd_program_model(const struct sd_program *p,
                                        uint64_t address)
{
    uint64_t number = (address & ~SD_LIBRARY_MARK) >> 4;

    if (!(address & SD_LIBRARY_MARK) || p->library == NULL ||
        number >= p->library->n)
        return NULL;
    return &p->library->models[number];
}

bool sd_program_is_final(const struct sd_program *p, uint32_t routine)
{
    const struct sd_model *m;

    assert(routine < p->n_routines);
    const char *name = p->routines[routine].name;
    if (name == NULL || p->library == NULL)
        return false;
    m = sd_library_find(p->library, name); /* even if defined here */
    return m != NULL && m->never;
}

bool sd_program_returns(const struct sd_program *p, uint32_t routine)
{
    const struct sd_routine *r = &p->routines[routine];

    if (sd_program_is_final(p, routine))
        return false;
    return r->n == 0 || p->leads_on[r->first];
}

uint64_t sd_program_landing(const struct sd_program *p, uint64_t call)
{
    const struct sd_landing *l = p->image->landings;
    size_t end = array_bisect(0, p->image->n_landings, i, l[i].start <= call);

    return end > 0 && call < l[end - 1].end ? l[end - 1].pad : 0;
}

/* Finds the stubs whose slots are known.  Functions that an object file does
   not define, but the table of libraries describes, get stubs, too. */
static void find_stubs(struct sd_program *p)
{
    const struct sd_image *image = p->image;

    p->stubs =
        memory_new(image->n_stubs + image->n_outside + 1, sizeof *p->stubs);
    for (size_t i = 0; i < image->n_outside && p->library != NULL; i++) {
        const struct sd_model *m =
            sd_library_find(p->library, image->outside[i].name);

        if (m != NULL)
            p->stubs[p->n_stubs++] = (struct sd_stub){
                image->outside[i].address, sd_library_mark(p->library, m)};
    }
    for (size_t i = 0; i < p->image->n_stubs; i++) {
        struct sd_stub stub = p->image->stubs[i];

        if (sd_contents_word(p->contents, stub.slot, &stub.slot))
            p->stubs[p->n_stubs++] = stub;
    }
    assert(p->n_stubs <= image->n_stubs + image->n_outside);
    array_sort(p->stubs, p->n_stubs, array_by_number);
}

/* Tables of functions in a program's data: structures of handlers, virtual
   tables, arrays.

   A table begins at an address that code or data refer to, or, for a virtual
   table, after its two words of type information (Itanium C++ ABI, 2.5), and
   extends to the next table.  If a program loads the address of a function at
   some offset from an unknown pointer, only the offset is known.  The function
   must then be in some table at that offset: all fields of one offset are one
   variable (Heintze, Tardieu, Ultra-fast Aliasing Analysis Using CLA, PLDI
   2001, field-based; for virtual tables: Dean, Grove, Chambers, Optimization of
   Object-Oriented Programs Using Static Class Hierarchy Analysis, ECOOP 1995,
   without the hierarchy).

   Entries at regular distances are an array of structures, and each structure
   is a table. */

#define LARGEST  (1u << 16) /* bytes of a table */
#define APART    1024u      /* most bytes between two entries of one table */
#define LEAST    3          /* least elements of an array of structures */
#define SMALLEST 16u        /* least bytes of such an element */

struct finding {
    const struct sd_program *program;
    struct sd_tables *tables;
    size_t room;
    uint64_t lowest, highest; /* the range of addresses of entries */
    uint64_t *starts;         /* starts of tables; sorted when all are found */
    size_t n_starts, starts_room;
};

/* Calls `see` with each known word of data that may be an address. */
static void visit(struct finding *f,
                  void (*see)(struct finding *, uint64_t address,
                              uint64_t word))
{
    const struct sd_contents *contents = f->program->contents;

    for (size_t i = 0; i < contents->n; i++) {
        const struct sd_part *part = &contents->parts[i];

        for (size_t k = part->begin; k < part->end; k++)
            if (part->unknown[k] == 0)
                see(f, 8 * (part->first + k), part->words[k]);
    }
}

/* Adds an entry if a word is the address of a function.  `table` is the entry's
   own address until the table is known. */
static void see_function(struct finding *f, uint64_t address, uint64_t word)
{
    struct sd_tables *t = f->tables;

    if (word == 0 || !sd_program_is_function(f->program, word))
        return;
    array_push(t->list, t->n, f->room,
               (struct sd_entry){.table = address, .function = word});
}

static void see_start(struct finding *f, uint64_t address, uint64_t word)
{
    (void)address;
    if (word > f->highest || word + LARGEST < f->lowest || word % 8 != 0)
        return;
    array_append(f, starts, word);
}

static void see_code(struct finding *f)
{
    const struct sd_blocks *blocks = f->program->blocks;

    for (size_t i = 0; i < blocks->n_blocks; i++) {
        const struct sd_block *b = &blocks->blocks[i];
        struct sd_referring referring = {.arch = f->program->image->arch};
        uint64_t at = 0, made;

        for (uint32_t k = 0; b->status == SD_OK && k < b->n_insns; k++) {
            unsigned length = blocks->insns[b->first + k] & (SD_NO_EFFECT - 1u);

            if (sd_refer(&referring, b->bytes + at, length, b->address + at,
                         &made))
                see_start(f, 0, made);
            at += length;
        }
    }
}

/* Does a virtual table begin at `start`?  Before its functions it has the
   offset from a part of an object to the whole object, which is not positive,
   and the address of type information or 0. */
static bool is_virtual(const struct finding *f, uint64_t start)
{
    const struct sd_contents *c = f->program->contents;
    uint64_t top, type, first;

    if (!sd_contents_word(c, start, &top) || (int64_t)top > 0 ||
        (int64_t)top < -(1 << 20) || !sd_contents_word(c, start + 16, &first))
        return false;
    if (sd_contents_word(c, start + 8, &type) &&
        sd_program_is_function(f->program, type))
        return false;
    return sd_program_is_function(f->program, first);
}

static void sort_starts(struct finding *f)
{
    size_t n = f->n_starts, kept = 0;

    for (size_t i = 0; i < n; i++)
        if (is_virtual(f, f->starts[i]))
            see_start(f, 0, f->starts[i] + 16);
    array_sort(f->starts, f->n_starts, array_by_number);
    for (size_t i = 0; i < f->n_starts; i++)
        if (kept == 0 || f->starts[kept - 1] != f->starts[i])
            f->starts[kept++] = f->starts[i];
    f->n_starts = kept;
}

/* Divides the n entries of one table: if their distances have a common divisor
   that is large enough, the table is an array of structures, each of which
   becomes a table. */
static void divide(struct sd_entry *list, size_t n)
{
    uint32_t size = 0, first = n > 0 ? list[0].offset : 0;

    if (n < LEAST)
        return;
    for (size_t i = 1; i < n; i++)
        size = (uint32_t)num_gcd(list[i].offset - list[i - 1].offset, size);
    if (size < SMALLEST || first >= size)
        return;
    for (size_t i = 0; i < n; i++) {
        list[i].table += list[i].offset - first;
        list[i].offset = first;
    }
}

/* Finds the table of each entry; the entries are sorted by address. */
static void assign_tables(struct finding *f)
{
    struct sd_tables *t = f->tables;
    uint64_t last = 0;
    size_t next = 0, kept = 0, begun = 0;

    for (size_t i = 0; i < t->n; i++) {
        struct sd_entry e = t->list[i];
        uint64_t at = e.table, start;

        while (next < f->n_starts && f->starts[next] <= at)
            next++;
        if (next == 0)
            continue;
        start = f->starts[next - 1];
        if (at - start >= LARGEST ||
            at - (last > start ? last : start) >= APART)
            continue;
        last = at;
        if (kept > begun && t->list[begun].table != start) {
            divide(t->list + begun, kept - begun);
            begun = kept;
        }
        e.offset = (uint32_t)(at - start);
        e.table = start;
        t->list[kept++] = e;
    }
    divide(t->list + begun, kept - begun);
    t->n = kept;
}

ARRAY_ORDER(compare_entries, struct sd_entry,
            array_order(a->offset, b->offset)
                ?: array_order(a->table, b->table))

static void find_tables(struct sd_program *p)
{
    struct sd_tables *t = &p->tables;
    struct finding f = {.program = p, .tables = t};

    if (p->contents == NULL)
        return;
    visit(&f, see_function);
    if (t->n == 0)
        return;
    f.lowest = t->list[0].table;
    f.highest = t->list[t->n - 1].table;
    visit(&f, see_start);
    see_code(&f);
    sort_starts(&f);
    assign_tables(&f);
    array_sort(t->list, t->n, compare_entries);
    free(f.starts);
}

size_t sd_tables_at(const struct sd_tables *t, int64_t offset, size_t *first)
{
    *first = array_bisect(0, t->n, i, t->list[i].offset < offset);
    return array_bisect(*first, t->n, i, t->list[i].offset <= offset) - *first;
}

/* --- Making a program, and freeing it --- */

void sd_program_init(struct sd_program *p, const struct sd_image *image,
                     const struct sd_blocks *blocks, const struct sd_cfg *cfg,
                     const struct sd_contents *contents,
                     const struct sd_library *library)
{
    *p = (struct sd_program){.image = image,
                             .blocks = blocks,
                             .cfg = cfg,
                             .contents = contents,
                             .library = library,
                             .n_blocks = blocks->n_blocks};
    sd_sections_init(&p->sections, image);
    find_stubs(p);
    sd_program_find_routines(p);
    find_tables(p);
}

void sd_program_fini(struct sd_program *p)
{
    free(p->tables.list);
    sd_sections_fini(&p->sections);
    free(p->routine_of);
    free(p->target_of);
    free(p->routines);
    free(p->leads_on);
    free(p->stubs);
    *p = (struct sd_program){0};
}
