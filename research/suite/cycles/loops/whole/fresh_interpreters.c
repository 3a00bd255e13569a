/* Interpreters, written after the rules were fixed: machines for bytes, words,
   trees and patterns. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "whole.h"

/* One accumulator, eight cells, and operands in the byte after the code. */
WHOLE(accumulator_machine)
{
    enum { HALT, LOAD, STORE, ADD, SUBTRACT, DOUBLE, JUMP, JUMP_IF_LESS };
    static const uint8_t code[] = {
        LOAD,  0, ADD,   1, STORE,        2, LOAD,     1, STORE, 0, LOAD, 2,
        STORE, 1, LOAD,  3, DOUBLE,       0, SUBTRACT, 2, STORE, 3, LOAD, 4,
        ADD,   5, STORE, 4, JUMP_IF_LESS, 0, HALT,     0};
    unsigned long cells[8] = {1, (unsigned)FRESH(0), 0, 7, 0, 1, 60, 0},
                  acc = 0;

    for (int pc = 0; code[pc] != HALT;) {
        int operand = code[pc + 1];

        switch (code[pc]) {
        case LOAD:
            acc = cells[operand];
            break;
        case STORE:
            cells[operand] = acc;
            break;
        case ADD:
            acc += cells[operand];
            break;
        case SUBTRACT:
            acc -= cells[operand];
            break;
        case DOUBLE:
            acc *= 2;
            break;
        case JUMP:
            pc = operand;
            continue;
        case JUMP_IF_LESS:
            if (acc < cells[6]) {
                pc = operand;
                continue;
            }
            break;
        }
        pc += 2;
    }
    USE(cells[3]);
}

/* The addresses of labels: each word jumps to the next by itself.  Collatz
   sequences are followed, one after the other. */
WHOLE(labels_as_code)
{
    static const void *const code[] = {&&dup,   &&odd,  &&triple, &&increment,
                                       &&count, &&half, &&count};
    const void *const *pc;
    long stack[16], *top = stack, steps = 0;

next:
    *top = FRESH(steps) + 2;
again:
    pc = code;
    goto *(*pc++);
dup:
    top[1] = top[0];
    top++;
    goto *(*pc++);
odd:
    if ((*top-- & 1) == 0)
        pc = code + 5;
    goto *(*pc++);
triple:
    *top *= 3;
    goto *(*pc++);
increment:
    *top += 1;
    goto *(*pc++);
half:
    *top >>= 1;
    goto *(*pc++);
count:
    if (++steps == 150) {
        USE(*top);
        return;
    }
    if (*top > 1)
        goto again;
    goto next;
}

/* The eight instructions of a language whose programs few people can read:
   squares, by addition in loops. */
WHOLE(brackets_and_signs)
{
    static const char code[] = "++++++[>+++<-]>[>+>+<<-]>>[<<+>>-]<[>++<-]>.";
    uint8_t *tape = SLOT(0), *at = tape;
    long out = 0;

    for (int i = 0; i < 16; i++)
        tape[i] = 0;
    for (const char *pc = code; *pc != 0; pc++)
        switch (*pc) {
        case '>':
            at++;
            break;
        case '<':
            at--;
            break;
        case '+':
            ++*at;
            break;
        case '-':
            --*at;
            break;
        case '.':
            out = out * 256 + *at;
            break;
        case '[':
            if (*at == 0)
                for (int depth = 1; depth > 0;)
                    depth += *++pc == '[' ? 1 : -(*pc == ']');
            break;
        case ']':
            if (*at != 0)
                for (int depth = 1; depth > 0;)
                    depth += *--pc == ']' ? 1 : -(*pc == '[');
            break;
        }
    USE(out);
}

/* Values with a tag, in registers; a word has a code and three operands. */
struct tagged {
    int is_double;
    union {
        long i;
        double d;
    } u;
};

CALLEE double as_double(const struct tagged *v)
{
    return v->is_double ? v->u.d : (double)v->u.i;
}

WHOLE(tagged_registers)
{
#define WORD(op, a, b, c) ((op) | (a) << 8 | (b) << 16 | (uint32_t)(c) << 24)
    static const uint32_t code[] = {
        WORD(0, 3, 0, 0), WORD(1, 4, 3, 1), WORD(0, 2, 2, 4), WORD(1, 5, 0, 0),
        WORD(0, 2, 2, 5), WORD(2, 0, 0, 1), WORD(3, 0, 6, 0)};
    struct tagged r[8] = {{0, {.i = 0}}, {1, {.d = 0.5}}, {0, {.i = 0}}};

    r[6].u.i = 60;
    for (const uint32_t *pc = code; pc < code + 7; pc++) {
        struct tagged *a = &r[*pc >> 8 & 7], *b = &r[*pc >> 16 & 7],
                      *c = &r[*pc >> 24];

        switch (*pc & 255) {
        case 0:
        case 1:
            if (b->is_double | c->is_double)
                *a = (struct tagged){1,
                                     {.d = *pc & 1
                                               ? as_double(b) * as_double(c)
                                               : as_double(b) + as_double(c)}};
            else
                *a = (struct tagged){
                    0, {.i = *pc & 1 ? b->u.i * c->u.i : b->u.i + c->u.i}};
            break;
        case 2:
            a->u.i++;
            break;
        case 3:
            if (a->u.i < b->u.i)
                pc = code - 1;
            break;
        }
    }
    USE(r[2].u.d);
}

/* A tree of expressions: each node has the function that evaluates it. */
struct expression {
    long (*eval)(const struct expression *, const long *);
    const struct expression *left, *right;
    long value;
};

CALLEE long eval_constant(const struct expression *e, const long *variables)
{
    (void)variables;
    return e->value;
}

CALLEE long eval_variable(const struct expression *e, const long *variables)
{
    return variables[e->value];
}

CALLEE long eval_sum(const struct expression *e, const long *variables)
{
    return e->left->eval(e->left, variables) +
           e->right->eval(e->right, variables);
}

CALLEE long eval_product(const struct expression *e, const long *variables)
{
    return e->left->eval(e->left, variables) *
           e->right->eval(e->right, variables);
}

CALLEE long eval_choice(const struct expression *e, const long *variables)
{
    return variables[e->value] & 1 ? e->left->eval(e->left, variables)
                                   : e->right->eval(e->right, variables);
}

WHOLE(expressions_by_pointers)
{
    static const struct expression x = {eval_variable, 0, 0, 0},
                                   y = {eval_variable, 0, 0, 1},
                                   three = {eval_constant, 0, 0, 3},
                                   a = {eval_product, &x, &three, 0},
                                   b = {eval_sum, &a, &y, 0},
                                   c = {eval_product, &b, &b, 0},
                                   d = {eval_choice, &c, &a, 1},
                                   all = {eval_sum, &d, &x, 0};
    long sum = 0;

    for (int i = 0; i < 64; i++) {
        long variables[2] = {sum & 1023, EIGHTH(i)};

        sum += all.eval(&all, variables);
    }
    USE(sum);
}

/* A filter of packets: bytes are loaded, masked and compared. */
struct filter_step {
    uint8_t op, yes, no;
    uint32_t k;
};

WHOLE(packets_filtered)
{
    enum { LOAD_BYTE, LOAD_HALF, MASK, EQUAL, GREATER, ANSWER };
    static const struct filter_step filter[] = {
        {LOAD_HALF, 0, 0, 2},  {MASK, 0, 0, 0x0f0f},    {GREATER, 0, 5, 0x0400},
        {LOAD_BYTE, 0, 0, 9},  {MASK, 0, 0, 3},         {EQUAL, 0, 2, 1},
        {LOAD_HALF, 0, 0, 12}, {GREATER, 1, 0, 0x8000}, {ANSWER, 0, 0, 0},
        {ANSWER, 0, 0, 1}};
    uint8_t packet[16];
    unsigned accepted = 0;

    for (int i = 0; i < 50; i++) {
        uint32_t a = 0;

        for (int j = 0; j < 16; j++)
            packet[j] = (uint8_t)FRESH(i * 16 + j);
        for (const struct filter_step *pc = filter;; pc++) {
            if (pc->op == ANSWER) {
                accepted += pc->k;
                break;
            }
            switch (pc->op) {
            case LOAD_BYTE:
                a = packet[pc->k];
                break;
            case LOAD_HALF:
                a = (uint32_t)packet[pc->k] << 8 | packet[pc->k + 1];
                break;
            case MASK:
                a &= pc->k;
                break;
            case EQUAL:
                pc += a == pc->k ? pc->yes : pc->no;
                break;
            case GREATER:
                pc += a > pc->k ? pc->yes : pc->no;
                break;
            }
        }
    }
    USE(accepted);
}

/* Patterns of letters, dots and stars, tried at each place of a text. */
CALLEE int matches_here(const char *pattern, const char *text)
{
    if (pattern[0] == 0)
        return 1;
    if (pattern[1] == '*') {
        do
            if (matches_here(pattern + 2, text))
                return 1;
        while (*text != 0 && (*text++ == pattern[0] || pattern[0] == '.'));
        return 0;
    }
    if (*text != 0 && (pattern[0] == '.' || pattern[0] == *text))
        return matches_here(pattern + 1, text + 1);
    return 0;
}

WHOLE(pattern_by_recursion)
{
    char *text = SLOT(0);
    int found = 0;

    for (int i = 0; i < 150; i++)
        text[i] = (char)('a' + (EIGHTH(i) & 3));
    text[150] = 0;
    for (const char *at = text; *at != 0; at++)
        found += matches_here("ab*c.d", at);
    USE(found);
}

/* A pattern by a machine that follows all ways at once: a list of the places in
   its program, ab*c*(dc)*b, that are alive. */
static const struct {
    char c;
    uint8_t to, also;
} program[] = {{'a', 0, 0}, {0, 2, 4},   {'b', 0, 0}, {0, 1, 1},   {0, 5, 7},
               {'c', 0, 0}, {0, 4, 4},   {0, 8, 11},  {'d', 0, 0}, {'c', 0, 0},
               {0, 7, 7},   {'b', 0, 0}, {'!', 0, 0}};

CALLEE void add_thread(uint8_t *list, int *n, unsigned *seen, int pc)
{
    if (*seen >> pc & 1)
        return;
    *seen |= 1U << pc;
    if (program[pc].c != 0) {
        list[(*n)++] = (uint8_t)pc;
        return;
    }
    add_thread(list, n, seen, program[pc].to);
    add_thread(list, n, seen, program[pc].also);
}

WHOLE(pattern_by_threads)
{
    uint8_t lists[2][16];
    int n = 0, found = 0;

    for (int i = 0; i < 120; i++) {
        const uint8_t *now = lists[i & 1];
        uint8_t *next = lists[~i & 1];
        int c = 'a' + (EIGHTH(i) & 3), n_next = 0;
        unsigned seen = 0;

        for (int t = 0; t < n; t++)
            if (program[now[t]].c == '!')
                found++;
            else if (program[now[t]].c == c)
                add_thread(next, &n_next, &seen, now[t] + 1);
        add_thread(next, &n_next, &seen, 0);
        n = n_next;
    }
    USE(found);
}
