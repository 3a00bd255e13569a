/* A block that settles has the results that running all its iterations
   gives. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "staticdeps/analyse.h"

#define N_ITERATIONS 60
#define KEY          12345

/* Leaves a block's trace in the analyser, with a back path if it has a node. */
static void trace_block(const struct sd_blocks *of, const struct sd_block *b)
{
    assert_int_equal(sd_analyse(&analyser, of, b), SD_OK);
}

static void trace(const uint8_t *bytes, size_t size)
{
    struct sd_blocks alone = {0};

    sd_blocks_add_bytes(&alone, decoder(), bytes, size, NULL, 0);
    trace_block(&alone, &alone.blocks[0]);
    sd_blocks_fini(&alone);
}

/* Runs the trace, and keeps its pairs; returns the number of iterations run. */
static uint64_t run(bool never_settles)
{
    uint64_t before = analyser.exec.n_rounds;
    struct sd_reroll *reroll = &analyser.reroll;

    analyser.exec.never_settles = never_settles;
    sd_reroll_begin(reroll);
    sd_reroll_end_run(reroll,
                      sd_exec_run(&analyser.exec, &analyser.trace, KEY,
                                  N_ITERATIONS, reroll, NULL),
                      0);
    analyser.exec.never_settles = false;
    return analyser.exec.n_rounds - before;
}

/* The iterations that are run of the trace; they must show the pairs of all. */
static unsigned rounds_of_trace(void)
{
    struct sd_reroll *reroll = &analyser.reroll;
    uint64_t n_rounds;
    uint8_t *did;
    struct sd_dep *deps;
    size_t n, n_sites = analyser.trace.n_sites;

    n_rounds = run(false);
    did = test_calloc(n_sites + 1, 1);
    memcpy(did, analyser.exec.did, n_sites + 1);
    n = reroll->n_deps;
    deps = test_calloc(n + 1, sizeof *deps);
    if (n > 0)
        memcpy(deps, reroll->deps, n * sizeof *deps);
    assert_in_range(run(true), 2, N_ITERATIONS + 1); /* and one to warm up */
    for (size_t i = 1; i <= n_sites; i++)
        assert_true(((did[i] ^ analyser.exec.did[i]) & ~SD_IS_WRITTEN) == 0);
    test_free(did);
    assert_int_equal(reroll->n_deps, n);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(deps[i].src, reroll->deps[i].src);
        assert_int_equal(deps[i].dst, reroll->deps[i].dst);
        assert_int_equal(deps[i].delta_k, reroll->deps[i].delta_k);
        assert_true(deps[i].support == reroll->deps[i].support);
    }
    test_free(deps);
    return (unsigned)n_rounds;
}

static unsigned rounds(const uint8_t *bytes, size_t size)
{
    trace(bytes, size);
    return rounds_of_trace();
}

static void assert_rounds(const char *hex, unsigned least, unsigned most)
{
    uint8_t bytes[100];
    size_t n = from_hex(hex, bytes, sizeof bytes);

    assert_in_range(rounds(bytes, n), least, most);
}

TEST(a_block_that_advances_evenly_is_run_until_the_largest_delta)
{
    /* pushq %rax; ret */
    assert_rounds("50 c3", 2, 2);
    /* addl $1,(%rdx) */
    assert_rounds("830201", 2, 2);
    /* movl (%rdi),%eax; movl %eax,20(%rdi); addq $4,%rdi: 5 iterations */
    assert_rounds("8b07 894714 4883c704", 6, 8);
    /* movq (%rdi,%rsi,8),%rax; incq %rsi; movq %rax,(%rdi,%rsi,8) */
    assert_rounds("488b04f7 48ffc6 488904f7", 2, 4);
    /* movslq %ecx,%rax; movq %rdx,(%rdi,%rax,8); movq -8(%rdi,%rax,8),%rbx;
       incl %ecx */
    assert_rounds("4863c1 488914c7 488b5cc7f8 ffc1", 2, 5);
    /* fxsave (%rax); fxrstor (%rax) */
    assert_rounds("0fae00 0fae08", 2, 2);
    /* movq %rax,(%rsi); rep movsb: of an unknown number */
    assert_rounds("488906 f3a4", 2, 10);
}

TEST(a_block_that_settles_later_is_run_until_then)
{
    /* movq %rax,(%rdi); movq (%rsi),%rbx; movq %rsi,%rdi */
    assert_rounds("488907 488b1e 4889f7", 3, 4);
    /* lock cmpxchgq %rcx,(%rdi) */
    assert_rounds("f0480fb10f", 3, 6);
}

TEST(loaded_addresses_stay_or_are_random)
{
    /* movq 3(%rdi),%rbx; movq %rax,(%rbx); movq 4(%rbx),%rcx */
    assert_rounds("488b5f03 488903 488b4b04", 2, 2);
    /* movq %rax,(%rdi); movq (%rdi),%rbx; incl (%rbx) */
    assert_rounds("488907 488b1f ff03", 2, 2);
    /* popq %rbx; incl (%rbx); pushq %rax; popq %rcx */
    assert_rounds("5b ff03 50 59", 2, 3);
    /* popq %rbx; incl (%rbx): the next one, which nothing wrote */
    assert_rounds("5b ff03", 2, 3);
    /* popq %rbx; incl (%rbx); leaq (%rbx,%rbx,8),%rcx; incl (%rcx) */
    assert_rounds("5b ff03 488d0cdb ff01", 2, 3);
    /* movq (%rdi),%rdi; movq %rax,8(%rdi): a list */
    assert_rounds("488b3f 48894708", 2, 6);
}

TEST(a_locked_operation_stores_as_any_other)
{
    /* lock addl $1,(%rdi) */
    assert_rounds("f0830701", 2, 2);
    /* xchgq %rax,(%rdi) */
    assert_rounds("488707", 2, 3);
    /* lock xaddq %rax,(%rdi); xchgb %al,1(%rdi) */
    assert_rounds("f0480fc107 864701", 2, 4);
}

TEST(registers_that_become_unknown_are_random)
{
    /* call *(%rax), in a function to which it does not come back */
    make(BYTES(0xff, 0x10), FUNCTIONS(0));
    assert_true(at(0)->calls);
    trace_block(&blocks, block_at(0));
    assert_in_range(rounds_of_trace(), 2, 5);
    release();
}

TEST(a_block_that_does_not_settle_is_run_to_the_end)
{
    /* addb $37,%al; addl %ecx,(%rax) */
    assert_rounds("0425 0108", N_ITERATIONS, N_ITERATIONS);
    /* movq (%rdi),%rbx; movq %rax,(%rbx); addq %rcx,(%rdi); xorq %rdx,(%rdi) */
    assert_rounds("488b1f 488903 48010f 483117", N_ITERATIONS, N_ITERATIONS);
    /* addq %rsi,%rdi; movq %rax,(%rdi,%rsi); movq (%rdi),%rbx: the next
       iteration leaps to it */
    assert_rounds("4801f7 48890437 488b1f", N_ITERATIONS, N_ITERATIONS);
    /* movq %rax,(%rdi); movq (%rsi),%rbx; addq $8,%rdi; leaq 4096(%rdi),%rsi:
       each has another step at first */
    assert_rounds("488907 488b1e 4883c708 488db700100000", 3, N_ITERATIONS);
    /* movb %al,4(%rdi); movq (%rdi),%rbx; andq $-16,%rax; lock cmpxchg16b
       8(%rdi): stores in the first iteration only, which all later ones see */
    assert_rounds("488b5f00 884704 4883e0f0 488b4bf7 480fc74f08", 2,
                  N_ITERATIONS);
}

/* Random accesses of all sizes near each other, and steps between them. */
static uint64_t drawn(void)
{
    static uint64_t n;

    return sd_random(1, n++);
}

#define LIST(...)         \
    (const char *const[]) \
    {                     \
        __VA_ARGS__       \
    }

TEST(random_blocks_show_the_pairs_of_all_their_iterations)
{
    /* each access has a displacement of 8 bits */
    const char *const *accesses = LIST(
        "\x8a\x47", "\x88\x47", "\x8b\x47", "\x89\x47", "\x48\x8b\x47",
        "\x48\x89\x47", "\xf3\x0f\x6f\x47", "\xf3\x0f\x7f\x47", "\x0f\xae\x47",
        "\x0f\xae\x4f", "\x48\x83\xc7", "\x48\x8b\x5f", "\x48\x8b\x4b",
        "\x48\x89\x43", "\x48\x83\xef", "\xff\x4f", "\xf0\x0f\xb1\x4f");
    const char *const *others =
        LIST("\x50", "\x58", "\x5f", "\x57", "\x53", "\x5b", "\x48\x89\xfe",
             "\x48\x01\xf7", "\x48\xff\xc7", "\x83\xc7\x01", "\xff\xc0",
             "\x48\x63\xc7", "\x01\xc7", "\x48\x87\xfe", "\x48\x0f\xaf\xc7",
             "\x48\xc1\xe0\x03", "\x48\x83\xe0\xf0", "\x89\xc0", "\x0f\xb6\xc0",
             "\x48\x89\x3c\x37", "\x48\x8b\x3c\x37", "\x8b\x0c\x87",
             "\xf3\x48\xab", "\x48\x0f\x44\xc7", "\x48\x29\xf7");
    unsigned n_settled = 0, n_blocks = 6000;

    for (unsigned i = 0; i < n_blocks; i++) {
        unsigned n_insns = 2 + (unsigned)(drawn() % 9);
        uint8_t bytes[100];
        size_t n = 0;

        for (unsigned k = 0; k < n_insns; k++) {
            uint64_t r = drawn();
            bool is_other = r % 4 == 0;
            const char *insn =
                is_other ? others[(r >> 8) % 25] : accesses[(r >> 8) % 17];

            memcpy(bytes + n, insn, strlen(insn));
            n += strlen(insn);
            if (!is_other)
                bytes[n++] = (uint8_t)(r >> 16 & 1 ? r >> 20 & 15 : r >> 20);
        }
        n_settled += rounds(bytes, n) < N_ITERATIONS;
    }
    assert_in_range(n_settled, n_blocks / 2, n_blocks - 1);
}
