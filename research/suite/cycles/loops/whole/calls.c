/*
 * Calls: loops whose work is done by functions, so that arguments, results and
 * state pass through registers, the stack and memory, and loops that jump
 * where a value points.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "whole.h"

/* State that callees keep in memory. */

struct number_stack {
    int depth;
    long cells[32];
};

CALLEE void push(struct number_stack *s, long x)
{
    s->cells[s->depth++ & 31] = x;
}

CALLEE long pop(struct number_stack *s)
{
    return s->cells[--s->depth & 31];
}

WHOLE(stack_of_calls)
{
    struct number_stack *s = SLOT(0);
    int *in = INTS;

    s->depth = 0;
    push(s, 1);
    for (int i = 0; i < 400; i++) {
        long a, b;

        push(s, in[i]);
        a = pop(s);
        b = pop(s);
        push(s, a + b);
    }
}

/* Evaluates reverse Polish notation: digits, and operators between them. */
WHOLE(postfix_expressions)
{
    struct number_stack *s = SLOT(0);

    s->depth = 0;
    push(s, 2);
    push(s, 3);
    for (int i = 0; i < 500; i++) {
        int code = FRESH(i);

        if (s->depth > 2 && (code & 1)) {
            long b = pop(s), a = pop(s);

            push(s, code & 2 ? a + b : a - b);
        } else if (s->depth < 30) {
            push(s, code);
        } else {
            s->depth = 2;
        }
    }
}

struct moments {
    double n, sum, squares;
};

CALLEE void add_sample(struct moments *m, double x)
{
    m->n += 1;
    m->sum += x;
    m->squares += x * x;
}

WHOLE(samples_added)
{
    struct moments *m = SLOT(5);
    double *x = SLOT(0);

    *m = (struct moments){0};
    for (int i = 0; i < 1000; i++)
        add_sample(m, x[i]);
}

struct shift_register {
    uint64_t state;
};

CALLEE uint32_t shifted(struct shift_register *r)
{
    r->state ^= r->state << 13;
    r->state ^= r->state >> 7;
    r->state ^= r->state << 17;
    return (uint32_t)(r->state >> 32);
}

WHOLE(dice_by_calls)
{
    struct shift_register *r = SLOT(5);
    int *faces = SLOT(0);

    r->state = (uint64_t)turn + 12345;
    for (int i = 0; i < 6; i++)
        faces[i] = 0;
    for (int i = 0; i < 900; i++)
        faces[(uint64_t)shifted(r) * 6 >> 32]++;
}

struct bit_reader {
    unsigned char *next;
    uint32_t bits;
    int n;
};

CALLEE unsigned take_bits(struct bit_reader *r, int n)
{
    unsigned value;

    while (r->n < n) {
        r->bits |= (uint32_t)*r->next++ << r->n;
        r->n += 8;
    }
    value = r->bits & ((1U << n) - 1);
    r->bits >>= n;
    r->n -= n;
    return value;
}

WHOLE(bits_read_by_calls)
{
    struct bit_reader *r = SLOT(5);
    unsigned sum = 0;

    *r = (struct bit_reader){.next = SLOT(3)};
    for (int i = 0; i < 800; i++)
        sum = sum * 3 + take_bits(r, 1 + (i * 5 & 7));
    USE(sum);
}

struct text {
    int length;
    char bytes[2048];
};

CALLEE void append(struct text *t, char c)
{
    if (t->length < 2047)
        t->bytes[t->length++] = c;
    t->bytes[t->length] = 0;
}

WHOLE(numbers_as_text)
{
    struct text *t = SLOT(0);
    int *in = INTS;

    t->length = 0;
    for (int i = 0; i < 400; i++) {
        append(t, (char)('0' + in[i] / 100));
        append(t, (char)('0' + in[i] / 10 % 10));
        append(t, (char)('0' + in[i] % 10));
        append(t, ' ');
    }
}

struct ring {
    unsigned head, tail;
    unsigned long cells[16];
};

CALLEE int put(struct ring *r, unsigned long x)
{
    if (r->head - r->tail == 16)
        return 0;
    r->cells[r->head++ & 15] = x;
    return 1;
}

CALLEE int get(struct ring *r, unsigned long *x)
{
    if (r->head == r->tail)
        return 0;
    *x = r->cells[r->tail++ & 15];
    return 1;
}

WHOLE(producer_and_consumer)
{
    struct ring *r = SLOT(0);
    unsigned long x, sum = 0;

    *r = (struct ring){0};
    for (int i = 0; i < 500; i++) {
        put(r, sum + (unsigned)i);
        if ((FRESH(i) & 3) != 0 && get(r, &x))
            sum += x;
        if ((i & 3) == 3 && get(r, &x))
            sum ^= x;
    }
    USE(sum);
}

/* Recursion. */

CALLEE long fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

WHOLE(recursive_fibonacci)
{
    USE(fibonacci(16));
}

CALLEE int takeuchi(int x, int y, int z)
{
    if (y >= x)
        return z;
    return takeuchi(takeuchi(x - 1, y, z), takeuchi(y - 1, z, x),
                    takeuchi(z - 1, x, y));
}

WHOLE(takeuchi_function)
{
    USE(takeuchi(10, 6, 2) + takeuchi(9, 5, 1));
}

CALLEE void move_discs(int n, int from, int to, int *heights)
{
    if (n == 0)
        return;
    move_discs(n - 1, from, 3 - from - to, heights);
    heights[from]--;
    heights[to]++;
    move_discs(n - 1, 3 - from - to, to, heights);
}

WHOLE(towers_of_hanoi)
{
    int *heights = SLOT(0);

    heights[0] = 10;
    heights[1] = heights[2] = 0;
    move_discs(10, 0, 2, heights);
}

struct tree {
    struct tree *left, *right;
    long value;
};

CALLEE long tree_sum(const struct tree *t)
{
    if (t == 0)
        return 0;
    return tree_sum(t->left) + t->value + tree_sum(t->right);
}

WHOLE(tree_summed)
{
    struct tree *nodes = SLOT(0);
    long sum = 0;

    for (int i = 0; i < 300; i++) {
        nodes[i].left = 2 * i + 1 < 300 ? &nodes[2 * i + 1] : 0;
        nodes[i].right = 2 * i + 2 < 300 ? &nodes[2 * i + 2] : 0;
        nodes[i].value = INTS[i];
    }
    for (int times = 0; times < 4; times++) {
        sum += tree_sum(nodes);
        nodes[0].value = sum;
    }
    USE(sum);
}

/* Parses an expression of numbers, + and *, and brackets. */
struct parser {
    const char *next;
};

CALLEE long parse_sum(struct parser *p);

CALLEE long parse_factor(struct parser *p)
{
    long x = 0;

    if (*p->next == '(') {
        p->next++;
        x = parse_sum(p);
        p->next++;
        return x;
    }
    while (*p->next >= '0' && *p->next <= '9')
        x = x * 10 + *p->next++ - '0';
    return x;
}

CALLEE long parse_product(struct parser *p)
{
    long x = parse_factor(p);

    while (*p->next == '*') {
        p->next++;
        x *= parse_factor(p);
    }
    return x;
}

CALLEE long parse_sum(struct parser *p)
{
    long x = parse_product(p);

    while (*p->next == '+') {
        p->next++;
        x += parse_product(p);
    }
    return x;
}

WHOLE(expressions_parsed)
{
    static const char text[] = "(12+3*(4+5))*7+(1+2*3)*(40+1)+9*9*(3+15)";
    struct parser *p = SLOT(5);
    long sum = 0;

    for (int i = 0; i < 60; i++) {
        p->next = text;
        sum += parse_sum(p);
    }
    USE(sum);
}

/* Jumps to where a value points. */

typedef int state_function(int c, long *counts);

CALLEE int in_space(int c, long *counts)
{
    counts[0]++;
    return c < 64 ? 0 : c < 160 ? 1 : 2;
}

CALLEE int in_word(int c, long *counts)
{
    counts[1] += c;
    return c < 24 ? 0 : c < 230 ? 1 : 2;
}

CALLEE int in_number(int c, long *counts)
{
    counts[2] ^= c;
    return c < 80 ? 0 : 2;
}

WHOLE(states_by_pointer)
{
    static state_function *const states[] = {in_space, in_word, in_number};
    long *counts = SLOT(0);
    int state = 0;

    for (int i = 0; i < 700; i++)
        state = states[state](FRESH(i), counts);
    USE(state);
}

struct shape {
    double (*area)(const struct shape *);
    double a, b;
};

CALLEE double rectangle(const struct shape *s)
{
    return s->a * s->b;
}

CALLEE double triangle(const struct shape *s)
{
    return 0.5 * s->a * s->b;
}

CALLEE double ellipse(const struct shape *s)
{
    return 3.14159 * s->a * s->b;
}

/* Makes shapes, in runs of one kind or in random order. */
static void make_shapes(struct shape *shapes, const int *in, int shift)
{
    static double (*const areas[])(const struct shape *) = {rectangle, triangle,
                                                            ellipse, rectangle};

    for (int i = 0; i < 300; i++) {
        shapes[i].area = areas[in[i >> shift] & 3];
        shapes[i].a = shapes[i].b = 1 + in[i];
    }
}

WHOLE(shapes_in_runs)
{
    struct shape *shapes = SLOT(0);
    double sum = 0;

    make_shapes(shapes, INTS, 4);
    for (int times = 0; times < 4; times++)
        for (int i = 0; i < 300; i++)
            sum += shapes[i].area(&shapes[i]);
    USE(sum);
}

WHOLE(shapes_in_no_order)
{
    struct shape *shapes = SLOT(0);
    double sum = 0;

    make_shapes(shapes, INTS, 0);
    for (int times = 0; times < 3; times++)
        for (int i = 0; i < 300; i++)
            sum += shapes[i].area(&shapes[i]);
    USE(sum);
}

/* Interprets a machine with registers in memory; a switch becomes a table. */
WHOLE(bytecode_by_switch)
{
    unsigned long *r = SLOT(0);
    int *code = INTS;

    for (int i = 0; i < 8; i++)
        r[i] = (unsigned)i + 1;
    for (int pc = 0; pc < 600; pc++) {
        int a = code[pc] & 7, b = code[pc] >> 3 & 7;

        switch (code[pc + 1] & 7) {
        case 0:
            r[a] += r[b];
            break;
        case 1:
            r[a] -= r[b];
            break;
        case 2:
            r[a] ^= r[b];
            break;
        case 3:
            r[a] = r[b] << 1;
            break;
        case 4:
            r[a] = r[b] >> 1;
            break;
        case 5:
            r[a] *= r[b] | 1;
            break;
        case 6:
            r[a] = r[b];
            break;
        default:
            r[a] = ~r[b];
            break;
        }
    }
}

/* Interprets a program of eleven steps again and again. */
WHOLE(threaded_code)
{
    static const void *const steps[] = {&&load,  &&add,   &&store, &&load,
                                        &&add,   &&twice, &&store, &&load,
                                        &&twice, &&add,   &&store};
    unsigned long *cells = SLOT(0), a = 0;
    int left = 1100, at = 0;

    goto *steps[0];
load:
    a = cells[at & 7];
    goto next;
add:
    a += (unsigned)at;
    goto next;
twice:
    a *= 2;
    goto next;
store:
    cells[at & 7] = a;
next:
    at = at == 10 ? 0 : at + 1;
    if (--left > 0)
        goto *steps[at];
    USE(a);
}

struct coroutine {
    int where, i;
    long sum;
};

CALLEE long resume(struct coroutine *c, long x)
{
    switch (c->where) {
    case 0:
        c->sum = x;
        c->where = 1;
        return 0;
    case 1:
        c->sum += x;
        c->where = 2;
        return c->sum;
    case 2:
        c->sum ^= x;
        c->where = ++c->i & 3 ? 1 : 3;
        return c->sum;
    case 3:
        c->sum -= x;
        c->where = 4;
        return -1;
    default:
        c->where = 0;
        return c->sum * 3;
    }
}

WHOLE(coroutine_resumed)
{
    struct coroutine *c = SLOT(5);
    int *in = INTS;
    long sum = 0;

    *c = (struct coroutine){0};
    for (int i = 0; i < 800; i++)
        sum += resume(c, in[i]);
    USE(sum);
}

/* Callbacks and arguments. */

typedef int comparison(const void *a, const void *b);

CALLEE int by_value(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

CALLEE void sort_with(int *a, int n, comparison *compare)
{
    for (int gap = n / 2; gap > 0; gap /= 2)
        for (int i = gap; i < n; i++) {
            int x = a[i], j = i;

            for (; j >= gap && compare(&a[j - gap], &x) > 0; j -= gap)
                a[j] = a[j - gap];
            a[j] = x;
        }
}

WHOLE(sorted_by_callback)
{
    int *a = SLOT(0);

    for (int i = 0; i < 100; i++)
        a[i] = FRESH(i);
    sort_with(a, 100, by_value);
}

struct vector {
    double x, y, z;
};

CALLEE struct vector cross(struct vector a, struct vector b)
{
    return (struct vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
                           a.x * b.y - a.y * b.x};
}

/* Structures are passed and returned in memory. */
WHOLE(cross_products)
{
    struct vector *in = SLOT(0), v = {1, 2, 3};

    for (int i = 0; i < 300; i++) {
        v = cross(v, in[i]);
        v.x = 0.5 * v.x + 1;
        v.y = 0.5 * v.y - 1;
        v.z = 0.5 * v.z + 0.5;
    }
    USE(v.x + v.y + v.z);
}

CALLEE unsigned long of_nine(unsigned long a, unsigned long b, unsigned long c,
                             unsigned long d, unsigned long e, unsigned long f,
                             unsigned long g, unsigned long h, unsigned long i)
{
    return (a ^ b) + (c ^ d) + (e ^ f) + (g ^ h) * 3 + i;
}

WHOLE(nine_arguments)
{
    unsigned *in = SLOT(3);
    unsigned long x = 1;

    for (int i = 0; i < 600; i++)
        x = of_nine(in[i], (unsigned)i, in[i + 1], 2, in[i + 2], 3, x,
                    in[i + 3], x >> 1);
    USE(x);
}

CALLEE unsigned long deepest(unsigned long a, unsigned long b)
{
    return a * 3 ^ b;
}

CALLEE unsigned long deeper(unsigned long a, unsigned long b)
{
    unsigned long x = deepest(a, b), y = deepest(b, a);

    return x + y + a;
}

CALLEE unsigned long deep(unsigned long a, unsigned long b)
{
    unsigned long x = deeper(a, b), y = deeper(x, b);

    return x - y + b;
}

WHOLE(calls_in_calls)
{
    unsigned *in = SLOT(3);
    unsigned long x = 1;

    for (int i = 0; i < 200; i++)
        x = deep(x, in[i]) >> 1;
    USE(x);
}
