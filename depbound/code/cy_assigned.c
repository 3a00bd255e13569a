/*
 * cy_assigned: what an assignment in C stores to.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <assert.h>
#include <ctype.h>
#include <string.h>

#include "code/cy_code.h"

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The length of the operator "=", "+=" and so on that begins here; 0 if there
   is none. */
static size_t operator_at(const char *at)
{
    size_t n = strspn(at, "+-*/%&|^<>");

    if (n > 2 || at[n] != '=' || at[n + 1] == '=')
        return 0;
    if (n == 1 && strchr("<>", at[0]) != NULL) /* a comparison */
        return 0;
    if (n == 2 && (at[0] != at[1] || strchr("<>", at[0]) == NULL))
        return 0;
    return n + 1;
}

/* The beginning of the operand that ends before `end`: a name with subscripts
   and members, perhaps after "*"; `end` if there is none. */
static size_t operand(const char *line, size_t end)
{
    size_t at = end, name;

    assert(end <= strlen(line));
    for (;;) {
        int depth = 0;

        while (at > 0 && (depth > 0 || line[at - 1] == ']')) {
            at--;
            depth += line[at] == ']' ? 1 : line[at] == '[' ? -1 : 0;
        }
        if (depth > 0)
            return end;
        for (name = at; at > 0 && is_name(line[at - 1]); at--)
            ;
        if (at == name || isdigit((unsigned char)line[at]))
            return end;
        if (at > 0 && line[at - 1] == '.')
            at--;
        else if (at > 1 && line[at - 1] == '>' && line[at - 2] == '-')
            at -= 2;
        else
            break;
    }
    while (at > 0 && line[at - 1] == '*')
        at--;
    return at;
}

bool cy_assigned(const char *line, int column, char *text, size_t size)
{
    size_t n = strlen(line), end, start;

    if (column < 1 || (size_t)column > n)
        return false;
    end = (size_t)column - 1;
    if (operator_at(line + end) == 0 ||
        (end > 0 && strchr("=!<>+-*/%&|^", line[end - 1]) != NULL))
        return false;
    while (end > 0 && strchr(" \t", line[end - 1]) != NULL)
        end--;
    start = operand(line, end);
    /* After another operator, it is only the end of an expression. */
    if (start == end || end - start >= size ||
        (start > 0 && strchr(" \t;{},)", line[start - 1]) == NULL))
        return false;
    assert(start < end);
    memcpy(text, line + start, end - start);
    text[end - start] = '\0';
    return true;
}
