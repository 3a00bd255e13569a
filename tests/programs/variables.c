/* Loops that pass a value from round to round through memory, each through
   another kind of variable, which the comment before it names. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#define N 4096

struct state {
    long count;
    double acc;
    int bins[64];
};
struct node {
    struct node *next;
    long key, seen;
};

volatile long counter;
volatile struct state state;
__thread volatile long per_thread;
__thread unsigned thread_hist[64];
unsigned tail[8], after_tail[8], hist[256];
unsigned char data[N];
long back[N];
double chain[N];

#define NOINLINE __attribute__((noinline))

/* A symbol for the linker only: it is not loaded and has no address. */
__asm__(".pushsection .gnu.note, \"\", %progbits\n"
        ".type note, %object\n"
        ".size note, 64\n"
        "note: .skip 64\n"
        ".popsection");

/* through: counter */
NOINLINE void scalar(long n)
{
    for (long i = 0; i < n; i++)
        counter += i;
}

/* through: state.acc */
NOINLINE void field(long n)
{
    for (long i = 0; i < n; i++)
        state.acc += 1.5;
}

/* through: hist[] */
NOINLINE void element(long n)
{
    for (long i = 0; i < n; i++)
        hist[data[i]]++;
}

/* through: chain[] */
NOINLINE void before(long n)
{
    for (long i = 1; i < n; i++)
        chain[i] = chain[i - 1] * 0.5 + 1;
}

/* through: tail[] */
NOINLINE void from_end(long n)
{
    for (long i = 0; i < n; i++)
        tail[8 - back[i]]++;
}

/* through: per_thread */
NOINLINE void of_thread(long n)
{
    for (long i = 0; i < n; i++)
        per_thread += i;
}

/* through: thread_hist[] */
NOINLINE void element_of_thread(long n)
{
    for (long i = 0; i < n; i++)
        thread_hist[data[i]]++;
}

/* through: local(): sum */
NOINLINE long local(long n)
{
    volatile long sum = 0;

    for (long i = 0; i < n; i++)
        sum += i;
    return sum;
}

/* through: node->seen */
NOINLINE void pointer(struct node *node, long n)
{
    for (long i = 0; i < n; i++) {
        node->seen += i;
        __asm__ volatile("" ::: "memory");
    }
}

/* through: (struct node).seen */
NOINLINE void two_pointers(struct node *from, struct node *to, long n)
{
    for (long i = 0; i < n; i++) {
        to->seen = from->seen * 3;
        __asm__ volatile("" ::: "memory");
    }
}

/* through: a[] */
NOINLINE void argument(double *a, long n)
{
    for (long i = 1; i < n; i++)
        a[i] = a[i] * a[i - 1];
}

int main(void)
{
    static struct node node;

    for (int i = 0; i < N; i++)
        back[i] = 8;
    for (int t = 0; t < 4; t++) {
        scalar(N);
        field(N);
        element(N);
        before(N);
        from_end(N);
        of_thread(N);
        element_of_thread(N);
        counter = local(N);
        pointer(&node, N);
        two_pointers(&node, &node, N);
        argument(chain, N);
    }
    return 0;
}
