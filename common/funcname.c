/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "funcname.h"

#include <stddef.h>

#include "text.h"

/* --- Texts --- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Can the character be part of an identifier?  Bytes of UTF-8 can. */
static bool is_word(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           c == '_' || c == '$' || (c & 0x80) != 0;
}

static char *end_of(char *text)
{
    while (*text != '\0')
        text++;
    return text;
}

static void copy(char *to, const char *from)
{
    while ((*to++ = *from++) != '\0')
        ;
}

/* --- What is added to symbols --- */

/* Is a part of a symbol, of n characters, one that compilers add?  (GCC, LLVM:
   clones, parts, and versions for several processors.) */
static bool is_added(const char *part, size_t n)
{
    static const char *const words[] = {
        "abi0", "cold",     "constprop",   "default",
        "isra", "llvm",     "localalias",  "lto_priv",
        "part", "resolver", "specialized", "__uniq"};
    static const char *const processors[] = {"arch_", "avx", "sse", NULL};
    size_t digits = 0;

    while (digits < n && is_digit(part[digits]))
        digits++;
    if (digits == n)
        return n > 0;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (text_begins(part, words[i]) && words[i][n] == '\0')
            return true;
    return text_begins_any(part, processors) > 0;
}

/* Drops the end of a symbol that compilers added: parts after its last dots. */
static void drop_added(char *symbol)
{
    char *end = end_of(symbol);

    for (char *at = end; at-- > symbol + 1;) {
        if (*at != '.')
            continue;
        if (!is_added(at + 1, (size_t)(end - at - 1)))
            return;
        *at = '\0';
        end = at;
    }
}

/* Ends a name before "::h" and sixteen hexadecimal digits. */
static void drop_hash(char *name)
{
    char *end = end_of(name), *at = end;

    while (at > name && (is_digit(at[-1]) || (at[-1] >= 'a' && at[-1] <= 'f')))
        at--;
    if (end - at == 16 && at - name > 3 && at[-1] == 'h' && at[-2] == ':' &&
        at[-3] == ':')
        at[-3] = '\0';
}

static void drop_clone(char *name)
{
    char *at;

    for (at = name + 1; *name != '\0' && *at != '\0'; at++)
        if (*at == '@' || text_begins(at, " [clone ")) {
            *at = '\0';
            break;
        }
    drop_added(name);
    drop_hash(name);
}

/* --- The parts of a name --- */

/* The position after the operator of C++ that begins at `at`, or `at` if none
   does.  Of a conversion operator, only the word "operator" is skipped. */
static char *after_operator(const char *name, char *at)
{
    static const char *const signs[] = {"()",  "[]",  "->*", "->", "<=>",
                                        "<<=", ">>=", "<<",  ">>", "<=",
                                        ">=",  "<",   ">",   NULL};
    char *end = at + sizeof "operator" - 1;

    if (!text_begins(at, "operator") || (at > name && is_word(at[-1])) ||
        is_word(*end))
        return at;
    return end + text_begins_any(end, signs);
}

/* The position after the group of brackets that begins at `at`.  In round
   brackets, "<" and ">" are comparisons, and ">" may be part of "->". */
static char *after_group(const char *name, char *at)
{
    unsigned round = 0, angle = 0, other = 0;

    do {
        char *next = after_operator(name, at);

        if (next > at) {
            at = next;
            continue;
        }
        round += *at == '(';
        round -= *at == ')' && round > 0;
        other += *at == '[' || *at == '{';
        other -= (*at == ']' || *at == '}') && other > 0;
        angle += *at == '<' && round == 0;
        angle -= *at == '>' && round == 0 && angle > 0 && at[-1] != '-';
        at++;
    } while (*at != '\0' && round + angle + other > 0);
    return at;
}

/* The position after the qualifiers of a member function, such as " const". */
static char *after_qualifiers(char *at)
{
    static const char *const words[] = {" const", " volatile", " noexcept",
                                        " &&",    " &",        NULL};

    for (size_t n; (n = text_begins_any(at, words)) > 0;)
        at += n;
    return at;
}

#define ANONYMOUS "(anonymous namespace)"

/* Where scanning is, and what was kept up to there. */
struct scan {
    char *name; /* where the name begins, after types */
    char *at, *to;
    bool has_operator; /* one was read: blanks belong to the name */
    enum funcname_form form;
};

static void keep(struct scan *s, const char *end)
{
    while (s->at < end)
        *s->to++ = *s->at++;
}

/* Takes round brackets; false: the name ends before them. */
static bool take_round(struct scan *s)
{
    char *end = after_group(s->name, s->at), *rest;

    if (text_begins(s->at, ANONYMOUS)) {
        keep(s, end);
    } else if (s->at == s->name && *end == '(') { /* the function returns one */
        s->name = s->to = s->at += 1 + (s->at[1] == '*' || s->at[1] == '&');
    } else if (s->at == s->name) { /* the type "decltype (...)" */
        s->name = s->at = s->to = end;
    } else {
        rest = after_qualifiers(end);
        if (!text_begins(rest, "::"))
            return false;
        if (s->form == FUNCNAME_NO_ARGUMENTS)
            s->at = rest;
        else
            keep(s, rest);
    }
    return true;
}

/* Takes angle brackets: those of "<T as Trait>::f" and "<impl T>::f", which
   Rust has, are no arguments, and those of "f::<T>" are. */
static void take_angle(struct scan *s)
{
    char *end = after_group(s->name, s->at);
    bool is_after = s->at - s->name >= 2 && s->at[-1] == ':';
    bool has_as = text_begins(s->at, "<impl ");

    for (const char *c = s->at; c < end && !has_as; c++)
        has_as = text_begins(c, " as ");
    if (s->form != FUNCNAME_NO_TEMPLATES || s->at == s->name ||
        (is_after && has_as)) {
        keep(s, end);
        return;
    }
    if (is_after && s->to - s->name >= 2)
        s->to -= 2;
    s->at = end;
}

/* Takes the next part of the name; false: it ends here. */
static bool take(struct scan *s)
{
    char *end = after_operator(s->name, s->at);

    if (end > s->at) {
        s->has_operator = true;
        keep(s, end);
        return true;
    }
    switch (*s->at) {
    case '(':
        return take_round(s);
    case '<':
        take_angle(s);
        return true;
    case '{':
        keep(s, after_group(s->name, s->at));
        return true;
    case '[':
        end = after_group(s->name, s->at);
        if (s->form == FUNCNAME_NO_ARGUMENTS && text_begins(s->at, "[abi:"))
            s->at = end;
        else
            keep(s, end);
        return true;
    case ' ':
        if (!s->has_operator) {
            s->name = s->to = ++s->at;
            return true;
        }
        break;
    case ')': /* ends the type that the function returns */
        return false;
    default:
        break;
    }
    keep(s, s->at + 1);
    return true;
}

/* Changes a demangled name into one of its forms, in place. */
static void reduce(char *name, enum funcname_form form)
{
    struct scan s = {.name = name, .at = name, .to = name, .form = form};

    while (*s.at != '\0' && take(&s))
        ;
    while (s.to > s.name && s.to[-1] == ' ') /* as in "operator< <int>" */
        s.to--;
    if (s.to == s.name)
        return; /* the text is no name */
    if (form == FUNCNAME_NO_RETURN)
        while (*s.at != '\0')
            keep(&s, s.at + 1);
    *s.to = '\0';
    copy(name, s.name);
}

/* Drops what is in square brackets, as Go's type arguments are. */
static void drop_square(char *name)
{
    char *to = name;

    for (char *at = name; *at != '\0';)
        if (*at == '[' && at > name)
            at = after_group(name, at);
        else
            *to++ = *at++;
    *to = '\0';
}

void funcname_reduce(char *name, enum funcname_form form, bool was_mangled)
{
    if (form == FUNCNAME_NO_CLONE)
        drop_clone(name);
    else if (form != FUNCNAME_WHOLE && was_mangled)
        reduce(name, form);
    else if (form == FUNCNAME_NO_TEMPLATES)
        drop_square(name);
}

bool funcname_fortran(char *symbol)
{
    static const char middle[] = "_MOD_";
    char *to = symbol, *at = symbol + 2;

    if (!text_begins(symbol, "__"))
        return false;
    while (*at != '\0' && !text_begins(at, middle))
        at++;
    if (at < symbol + 3 || *at == '\0' || at[sizeof middle - 1] == '\0')
        return false;
    for (const char *c = symbol + 2; c < at; c++)
        *to++ = *c;
    *to++ = ':';
    *to++ = ':';
    copy(to, at + sizeof middle - 1);
    return true;
}
