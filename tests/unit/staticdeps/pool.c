/* Results of workers are passed on in order; workers never get far ahead of
   their receiver; a lost worker ends the work, even if others wait for it. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <signal.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "unit.h"

#include "out/sd_pool.h"

enum {
    N = 300,
    BATCH = 2,
    JOBS = 3,
    PIECE = 1 << 20,
    AHEAD = SD_POOL_AHEAD / PIECE + BATCH /* pieces of one worker */
};

static size_t *begun;       /* pieces of work that workers have begun */
static size_t lost;         /* the piece that ends its worker, or N */
static size_t taken, ends;  /* numbers of pieces passed on, of ended workers */
static size_t most_waiting; /* the most pieces begun but not taken */
static bool slow;           /* takes the first piece late */
static size_t enough;       /* the work ends after so many pieces */
static struct diag d;

BEFORE_EACH()
{
    begun = mmap(NULL, sizeof *begun, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    lost = enough = N;
    taken = ends = most_waiting = 0;
    slow = false;
}

static void *begin(const void *context)
{
    (void)context;
    return memory_new(1, PIECE);
}

static void work(void *state, const void *context, size_t number,
                 struct sd_output *out)
{
    (void)context;
    __atomic_fetch_add(begun, 1, __ATOMIC_SEQ_CST);
    if (number == lost) {
        while (__atomic_load_n(begun, __ATOMIC_SEQ_CST) < SD_POOL_AHEAD / PIECE)
            ;
        raise(SIGKILL);
    }
    memset(state, (int)number, PIECE);
    sd_output_add(out, state, PIECE);
}

static void end(void *state, struct sd_output *out)
{
    const uint64_t word = 42;

    sd_output_add(out, &word, sizeof word);
    free(state);
}

static void wait_until_nobody_begins(void)
{
    const struct timespec a_while = {.tv_nsec = 200000000};
    size_t before;

    do {
        before = __atomic_load_n(begun, __ATOMIC_SEQ_CST);
        nanosleep(&a_while, NULL);
    } while (before < AHEAD ||
             __atomic_load_n(begun, __ATOMIC_SEQ_CST) != before);
}

static int take(void *argument, size_t first, size_t n, const uint8_t *bytes,
                size_t size, struct diag *unused)
{
    size_t waiting;

    (void)argument;
    (void)unused;
    assert_int_equal(first, taken);
    assert_int_equal(size, n * PIECE);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(bytes[i * PIECE + PIECE - 1], (uint8_t)(first + i));
    if (first == 0 && slow)
        wait_until_nobody_begins();
    waiting = __atomic_load_n(begun, __ATOMIC_SEQ_CST) - taken;
    if (waiting > most_waiting)
        most_waiting = waiting;
    taken += n;
    return taken >= enough ? SD_ENOUGH : 0;
}

static void take_end(void *argument, const uint8_t *bytes, size_t size)
{
    (void)argument;
    assert_int_equal(size, 8);
    assert_int_equal(bytes[0], 42);
    ends++;
}

static int run(void)
{
    const struct sd_job job = {.n = N,
                               .batch = BATCH,
                               .begin = begin,
                               .work = work,
                               .end = end,
                               .take = take,
                               .take_end = take_end};

    return sd_pool_run(&job, JOBS, &d);
}

TEST(results_are_passed_on_in_order)
{
    assert_int_equal(run(), 0);
    assert_int_equal(taken, N);
    assert_int_equal(ends, JOBS);
}

TEST(workers_are_never_far_ahead)
{
    slow = true;
    assert_int_equal(run(), 0);
    assert_int_equal(taken, N);
    assert_in_range(most_waiting, AHEAD, JOBS * AHEAD + BATCH);
}

TEST(work_ends_when_enough_is_done)
{
    enough = 1;
    assert_int_equal(run(), 0);
    assert_in_range(taken, BATCH, JOBS * AHEAD + BATCH);
}

TEST(a_lost_worker_ends_the_work)
{
    lost = 4;
    assert_int_equal(run(), -1);
    assert_string_equal(d.text, "worker: killed by signal 9");
    assert_int_equal(taken, 4);
}
