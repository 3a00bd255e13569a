/* di_spool: reads a spool file (spool_format.h), trusting nothing in it. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/di_import.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "spool_format.h"

/* A position in the mapped file.  Reading beyond the end gives zeros and sets
   `failed`, so that a caller may check once for several reads. */
struct di_spool {
    const char *path; /* owned by the caller */
    unsigned char *bytes;
    size_t size, at;
    bool failed;
    struct di_run *run;
    enum di_section section;
    uint64_t n_read; /* rows of this section that were read */
    struct di_count counts[LIFETIMES_MAX];
};

static int damaged(const struct di_spool *s, struct diag *d)
{
    return diag_set(d, "%s: damaged spool", s->path);
}

static void take(struct di_spool *s, void *to, size_t n)
{
    assert(s->at <= s->size);
    if (s->failed || n > s->size - s->at) {
        s->failed = true;
        memset(to, 0, n);
        return;
    }
    memcpy(to, s->bytes + s->at, n);
    s->at += n;
}

static uint32_t take_u32(struct di_spool *s)
{
    uint32_t value;

    take(s, &value, sizeof value);
    return value;
}

static uint64_t take_u64(struct di_spool *s)
{
    uint64_t value;

    take(s, &value, sizeof value);
    return value;
}

/* A number that the database can hold: SQLite's integers are signed. */
static uint64_t take_count(struct di_spool *s)
{
    uint64_t value = take_u64(s);

    s->failed |= value > INT64_MAX;
    return value;
}

/* Reads a text, which the caller frees; NULL after a failure. */
static char *take_text(struct di_spool *s)
{
    uint32_t n = take_u32(s);

    assert(s->at <= s->size);
    if (s->failed || n > s->size - s->at) {
        s->failed = true;
        return NULL;
    }
    char *text = memory_new((size_t)n + 1, 1);
    take(s, text, n);
    return text;
}

static void take_bounds(struct di_spool *s, struct lifetimes *bounds)
{
    uint32_t n = take_u32(s);

    s->failed |= n < 1 || n > LIFETIMES_MAX;
    for (uint32_t i = 0; i < n && !s->failed; i++) {
        uint64_t bound = take_u64(s);

        s->failed |= bound < 1 || bound > LIFETIME_INF ||
                     (i > 0 && bound <= bounds->bound[i - 1]);
        bounds->bound[bounds->n++] = bound;
    }
    assert(s->failed || bounds->n == n);
}

static void take_objects(struct di_spool *s, struct di_run *run)
{
    size_t room = 0;
    uint32_t n = take_u32(s);

    for (uint32_t i = 0; i < n && !s->failed; i++) {
        struct di_object o = {0};

        o.path = take_text(s);
        o.build_id = take_text(s);
        array_push(run->object, run->n_objects, room, o);
    }
}

static int take_run(struct di_spool *s, struct di_run *run, struct diag *d)
{
    char magic[8];

    take(s, magic, sizeof magic);
    if (s->failed || memcmp(magic, SPOOL_MAGIC, sizeof magic) != 0)
        return diag_set(d, "%s: not a depsim spool", s->path);
    uint32_t version = take_u32(s);
    if (!s->failed && version != SPOOL_VERSION)
        return diag_set(d, "%s: spool version %u, this program knows %d",
                        s->path, version, SPOOL_VERSION);
    run->append = take_u32(s) != 0;
    run->started = take_count(s);
    run->pid = take_u32(s);
    run->end = take_u32(s);
    s->failed |= run->end >= SPOOL_N_ENDS;
    run->exit_status = (int32_t)take_u32(s);
    run->instructions = take_count(s);
    run->recorded = take_count(s);
    s->failed |= run->recorded > run->instructions;
    run->complete = take_u32(s) != 0;
    run->session = take_text(s);
    run->command = take_text(s);
    run->program = take_text(s);
    run->successor = take_text(s);
    take_bounds(s, &run->bounds);
    take_objects(s, run);
    return s->failed ? damaged(s, d) : 0;
}

static int map(struct di_spool *s, int fd, struct diag *d)
{
    struct stat st;

    if (fstat(fd, &st) != 0)
        return diag_set(d, "%s: %s", s->path, strerror(errno));
    if (!S_ISREG(st.st_mode) || st.st_size == 0)
        return diag_set(d, "%s: not a depsim spool", s->path);
    s->size = (size_t)st.st_size;
    s->bytes = mmap(NULL, s->size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (s->bytes == MAP_FAILED) {
        s->bytes = NULL;
        return diag_set(d, "%s: %s", s->path, strerror(errno));
    }
    return 0;
}

static int open_spool(struct di_spool *s, struct di_run *run, struct diag *d)
{
    int fd = open(s->path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return diag_set(d, "%s: %s", s->path, strerror(errno));
    int rc = map(s, fd, d);
    close(fd);
    return rc == 0 ? take_run(s, run, d) : -1;
}

struct di_spool *di_spool_open(const char *path, struct di_run *run,
                               struct diag *d)
{
    struct di_spool *s = memory_new(1, sizeof *s);

    *run = (struct di_run){0};
    s->path = path;
    s->run = run;
    if (open_spool(s, run, d) == 0)
        return s;
    di_spool_close(s);
    return NULL;
}

void di_spool_close(struct di_spool *s)
{
    if (s == NULL)
        return;
    for (uint32_t i = 0; i < s->run->n_objects; i++) {
        free(s->run->object[i].path);
        free(s->run->object[i].build_id);
    }
    free(s->run->object);
    free(s->run->session);
    free(s->run->command);
    free(s->run->program);
    free(s->run->successor);
    if (s->bytes != NULL)
        munmap(s->bytes, s->size);
    free(s);
}

/* Goes to the next row of a section, at first from the end of the section
   before.  False if there are no more. */
static bool has_next(struct di_spool *s, enum di_section section)
{
    if (s->section != section) {
        assert(s->section + 1 == section);
        s->section = section;
        s->n_read = 0;
    }
    s->n_read++;
    return take_u32(s) != 0;
}

static int check_end(struct di_spool *s, struct diag *d)
{
    char magic[8];

    take(s, magic, sizeof magic);
    if (s->failed || memcmp(magic, SPOOL_END, sizeof magic) != 0 ||
        s->at != s->size)
        return damaged(s, d);
    return 0;
}

_Static_assert(SPOOL_CROSSES == FORWARD_N, "above the kinds of forward");

/* Adds the occurrences of one forward, by bound, to the counts. */
static uint64_t take_forward(struct di_spool *s, uint32_t forward)
{
    uint64_t total = 0;

    for (uint32_t i = 0; i < s->run->bounds.n && !s->failed; i++) {
        struct di_count *count = &s->counts[i];
        uint64_t n = take_count(s);

        s->failed |= n > INT64_MAX - total;
        total += n;
        count->all += n;
        count->forward[forward % SPOOL_CROSSES] += n;
        count->crossing += forward >= SPOOL_CROSSES ? n : 0;
    }
    return total;
}

/* Reads the counts of a dependency.  Returns their sum. */
static uint64_t take_counts(struct di_spool *s)
{
    uint32_t n = take_u32(s), next = 0;
    uint64_t total = 0;

    memset(s->counts, 0, sizeof s->counts);
    while (n-- > 0 && !s->failed) {
        uint32_t forward = take_u32(s);

        s->failed |= forward < next || forward >= 2 * SPOOL_CROSSES;
        if (!s->failed)
            total += take_forward(s, forward);
        s->failed |= total > INT64_MAX;
        next = forward + 1;
    }
    return total;
}

static struct db_value take_bytes(struct di_spool *s)
{
    uint32_t n = take_u32(s);
    const unsigned char *bytes = s->bytes + s->at;

    assert(s->at <= s->size);
    s->failed |= n > s->size - s->at;
    if (s->failed)
        return DB_BYTES(NULL, 0);
    s->at += n;
    return DB_BYTES(bytes, n);
}

static struct db_value take_object(struct di_spool *s)
{
    uint32_t i = take_u32(s);

    s->failed |= i >= s->run->n_objects;
    return DB_INT(s->failed ? 0 : s->run->object[i].id);
}

/* The fields of each section's rows.  What else must hold, the schema checks.
 */
static const char *const fields[DI_SECTIONS] = {
    [DI_SEGMENTS] = "oaac",        [DI_DEPS] = "oaoaccct",
    [DI_SHARED_LINES] = "oaoaucc", [DI_PIECES] = "noab",
    [DI_PLACES] = "noau",          [DI_WINDOWS] = "uccbbbbb"};

static struct db_value take_field(struct di_spool *s, char field)
{
    switch (field) {
    case 'n': /* the number of the row, which the spool leaves out */
        return DB_INT(s->n_read - 1);
    case 'o':
        return take_object(s);
    case 'u':
        return DB_INT(take_u32(s));
    case 'a':
        return DB_INT(take_u64(s));
    case 'c':
        return DB_INT(take_count(s));
    case 't':
        return DB_INT(take_counts(s));
    default:
        assert(field == 'b');
        return take_bytes(s);
    }
}

int di_spool_row(struct di_spool *s, enum di_section section,
                 struct db_value row[DI_COLUMNS], size_t *n, struct diag *d)
{
    const char *field = fields[section];

    if (!has_next(s, section)) {
        if (section + 1 == DI_SECTIONS)
            return check_end(s, d);
        return s->failed ? damaged(s, d) : 0;
    }
    for (*n = 0; field[*n] != '\0'; ++*n)
        row[*n] = take_field(s, field[*n]);
    assert(*n <= DI_COLUMNS);
    return s->failed ? damaged(s, d) : 1;
}

const struct di_count *di_spool_counts(const struct di_spool *s)
{
    assert(s->section == DI_DEPS);
    return s->counts;
}
