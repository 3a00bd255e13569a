/* Windows as depsim stores them and depbound reads them: whatever was executed
   comes out as it went in, and no changed byte does harm. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "core/cy_window.h"
#include "window/ds_window.h"

#define MOST_RUNS      400
#define MOST_ADDRESSES 20000
#define MOST_INSNS     12 /* most instructions of a superblock */

/* An instruction that was executed, with its accesses. */
struct expected {
    uint32_t object;
    uint64_t address;
    unsigned size, n_accesses;
    unsigned kinds[4];
    bool is_apart;
};

/* A superblock and its instructions. */
struct block {
    struct ds_way *way;
    unsigned n;
    struct expected insns[MOST_INSNS];
};

static struct ds_run_of_way runs[MOST_RUNS];
static ULong addresses[MOST_ADDRESSES];
static struct expected executed[MOST_RUNS * MOST_INSNS];
static size_t n_runs, n_addresses, n_executed;

static void begin_case(void)
{
    n_runs = n_addresses = n_executed = 0;
}

static struct block block_at(Addr address, unsigned n)
{
    struct block b = {.n = n};
    uint32_t object = unit_below(3);

    ds_way_begin();
    for (unsigned i = 0; i < n; i++) {
        struct expected *x = &b.insns[i];

        *x = (struct expected){.object = object,
                               .address = address,
                               .size = 1 + unit_below(15),
                               .n_accesses = unit_below(4)};
        ds_way_instruction(object, address, 0, x->size);
        for (unsigned j = 0; j < x->n_accesses; j++) {
            SizeT size = 1u << unit_below(6);
            Bool is_store = unit_below(2) != 0;

            x->kinds[j] = 2 * (unsigned)size + is_store;
            ds_way_access(size, is_store);
        }
        address += x->size;
        if (unit_below(5) == 0)
            address += unit_below(1000); /* begins another piece */
        if (unit_below(20) == 0)
            object = unit_below(3);
    }
    b.way = ds_way_end(b.insns[0].address);
    return b;
}

/* Executes the first n instructions of a superblock. */
static void execute(const struct block *b, unsigned n)
{
    bool is_apart = n_runs > 0 && unit_below(3) == 0;
    size_t first = n_executed;

    runs[n_runs++] = (struct ds_run_of_way){b->way, n, is_apart};
    for (unsigned i = 0; i < n; i++)
        executed[n_executed++] = b->insns[i];
    executed[first].is_apart = is_apart;
}

static void access_at(ULong address)
{
    assert_true(n_addresses < MOST_ADDRESSES);
    addresses[n_addresses++] = address;
}

/* A window of what was executed. */
static struct ds_kept encoded(void)
{
    struct ds_kept kept = {
        .ran = {.runs = runs, .addresses = addresses, .n_runs = n_runs}};

    ds_encode(&kept);
    return kept;
}

/* The row of the database for a window. */
static struct cy_window_row row_of(const struct ds_kept *kept)
{
    struct cy_window_row row = {.n = n_executed,
                                .path = malloc(kept->path.n + 1),
                                .path_size = kept->path.n,
                                .accesses = malloc(kept->accesses.n + 1),
                                .accesses_size = kept->accesses.n,
                                .gaps = malloc(kept->gaps.n + 1),
                                .gaps_size = kept->gaps.n,
                                .reuse = malloc(kept->reuse.n + 1),
                                .reuse_size = kept->reuse.n};

    memcpy(row.path, kept->path.bytes, kept->path.n);
    if (kept->accesses.n > 0)
        memcpy(row.accesses, kept->accesses.bytes, kept->accesses.n);
    if (kept->gaps.n > 0)
        memcpy(row.gaps, kept->gaps.bytes, kept->gaps.n);
    if (kept->reuse.n > 0)
        memcpy(row.reuse, kept->reuse.bytes, kept->reuse.n);
    return row;
}

/* Reads all pieces. */
static struct cy_windows windows_of_pieces(void)
{
    struct cy_windows w = {0};
    struct keys insns = {0};

    for (unsigned i = 0; i < ds_pieces_number(); i++) {
        struct ds_kept_piece p = ds_pieces_get(i);

        struct cy_piece_blob blob = {.number = i,
                                     .address = p.address,
                                     .object = p.object,
                                     .insns = p.insns.bytes,
                                     .insns_size = p.insns.n};

        while (w.n_objects <= p.object)
            array_append(&w, objects, (struct cy_object){0});
        assert_null(cy_window_add_piece(&w, &insns, &blob));
    }
    keys_fini(&insns);
    return w;
}

static void free_row(struct cy_window_row *row)
{
    free(row->path);
    free(row->accesses);
    free(row->gaps);
    free(row->reuse);
    free(row->pieces);
}

/* Reads a row; returns NULL, or the text of what is wrong. */
static const char *read_row(const struct cy_windows *w,
                            struct cy_window_row *row, struct cy_recorded *to)
{
    const char *wrong = cy_window_read_pieces(w, row);
    struct cy_windows alone = *w;

    alone.rows = row;
    alone.n_rows = 1;
    return wrong == NULL ? cy_windows_expand(&alone, 0, to) : wrong;
}

static void assert_insn(const struct cy_windows *w, const struct cy_executed *e,
                        const struct expected *x)
{
    const struct cy_window_insn *insn = &w->insns[e->insn];

    assert_true(e->insn < w->n_insns);
    assert_int_equal(insn->object, x->object);
    assert_true(insn->address == x->address);
    assert_int_equal(insn->length, x->size);
    assert_int_equal(insn->n_accesses, x->n_accesses);
    assert_int_equal(e->is_apart, x->is_apart);
    for (unsigned i = 0; i < x->n_accesses; i++) {
        const struct cy_window_access *a = &w->accesses[insn->first_access + i];

        assert_int_equal(a->size, x->kinds[i] / 2);
        assert_int_equal(a->is_store, x->kinds[i] % 2);
    }
}

/* Encodes what was executed, and checks that it is read back equal.  Returns
   the bytes of the path and the accesses. */
static size_t assert_kept(void)
{
    struct ds_kept kept = encoded();
    struct cy_windows w;
    struct cy_recorded r = {0};
    struct cy_window_row row;
    size_t size;

    w = windows_of_pieces();
    row = row_of(&kept);
    assert_null(read_row(&w, &row, &r));
    assert_int_equal(r.n, n_executed);
    for (size_t i = 0; i < n_executed; i++)
        assert_insn(&w, &r.executed[i], &executed[i]);
    assert_int_equal(r.executed[r.n].first_access, n_addresses);
    for (size_t i = 0; i < n_addresses; i++)
        assert_true(r.addresses[i] == addresses[i]);
    size = row.path_size + row.accesses_size;
    cy_recorded_fini(&r);
    cy_windows_fini(&w);
    free_row(&row);
    return size;
}

/* Executes a few superblocks, some in part, with addresses of any kind. */
static void execute_anything(void)
{
    struct block blocks[8];
    ULong moving = unit_below(1u << 30);

    begin_case();
    for (unsigned i = 0; i < 8; i++)
        blocks[i] =
            block_at(0x1000 * unit_below(100), 1 + unit_below(MOST_INSNS));
    while (n_runs < MOST_RUNS) {
        const struct block *b = &blocks[unit_below(unit_below(2) != 0 ? 2 : 8)];
        unsigned n = unit_below(4) == 0 ? 1 + unit_below(b->n) : b->n;

        execute(b, n);
        for (unsigned i = 0; i < ds_way_n_accesses(b->way, n); i++)
            access_at(unit_below(9) == 0   ? DS_TRACE_NONE
                      : unit_below(9) == 0 ? ~(ULong)0 - 1 - unit_below(100)
                      : unit_below(3) == 0
                          ? (ULong)unit_below(1u << 30) << unit_below(20)
                          : (moving += 8));
    }
}

TEST(executed_instructions_are_read_back_unchanged)
{
    for (unsigned i = 0; i < 100; i++) {
        execute_anything();
        assert_kept();
    }
}

TEST(a_window_may_have_no_access)
{
    struct block b;

    begin_case();
    do
        b = block_at(0x1000, 2);
    while (b.way->n_accesses > 0);
    for (unsigned i = 0; i < 10; i++)
        execute(&b, 2);
    assert_true(assert_kept() < 25);
}

/* A loop over an array, whose rows begin anew every hundredth round. */
TEST(a_loop_takes_a_few_bytes)
{
    struct block b;

    begin_case();
    do
        b = block_at(0x1000, 4);
    while (b.way->n_accesses == 0 || b.way->n_pieces > 1);
    for (unsigned i = 0; i < MOST_RUNS; i++) {
        execute(&b, 4);
        for (unsigned j = 0; j < b.way->n_accesses; j++)
            access_at(0x100000 * (j + 1) + 8 * (i % 100) + 4096 * (i / 100));
    }
    assert_true(assert_kept() < 30 + 3 * b.n * 4 + 20 * b.way->n_accesses);
}

TEST(the_same_superblock_has_the_same_way)
{
    struct ds_way *first = NULL;

    for (unsigned i = 0; i < 4; i++) {
        struct ds_way *way;

        ds_way_begin();
        ds_way_instruction(1, 0x500, i == 3 ? 0x1000 : 0, 3);
        ds_way_access(8, False);
        ds_way_instruction(1, 0x503, i == 3 ? 0x1000 : 0, i == 2 ? 2 : 4);
        way = ds_way_end(0x500);
        if (i == 1)
            assert_ptr_equal(way, first);
        if (i >= 2)
            assert_ptr_not_equal(way, first);
        if (i == 0)
            first = way;
    }
}

/* Reads a row with a changed byte, or cut short; sanitizers detect any harm. */
TEST(a_changed_byte_does_no_harm)
{
    struct ds_kept kept;
    struct cy_windows w;
    unsigned n_refused = 0;

    execute_anything();
    kept = encoded();
    w = windows_of_pieces();
    for (unsigned i = 0; i < 3000; i++) {
        struct cy_recorded r = {0};
        struct cy_window_row row = row_of(&kept);

        if (unit_below(4) == 0)
            row.path_size = unit_below((unsigned)row.path_size);
        else if (unit_below(4) == 0)
            row.accesses_size = unit_below((unsigned)row.accesses_size);
        else if (unit_below(2) == 0)
            row.path[unit_below((unsigned)row.path_size)] =
                (uint8_t)unit_below(256);
        else
            row.accesses[unit_below((unsigned)row.accesses_size)] =
                (uint8_t)unit_below(256);
        n_refused += read_row(&w, &row, &r) != NULL;
        cy_recorded_fini(&r);
        free_row(&row);
    }
    assert_true(n_refused > 1000);
    cy_windows_fini(&w);
}
