/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "basics.h"

#include <errno.h>

void memory_exhausted(void)
{
    fprintf(stderr, "%s: memory: out of memory\n",
            program_invocation_short_name);
    exit(2);
}

void *memory_new(size_t n, size_t size)
{
    void *p = calloc(n > 0 ? n : 1, size > 0 ? size : 1);

    if (p == NULL)
        memory_exhausted();
    return p;
}

void *memory_enlarge(void *array, size_t *capacity, size_t n, size_t size)
{
    size_t wanted = *capacity < 16 ? 16 : *capacity;

    assert(size > 0 && (array == NULL) == (*capacity == 0));
    while (wanted <= n)
        if (__builtin_mul_overflow(wanted, 2, &wanted))
            memory_exhausted();
    array = reallocarray(array, wanted, size);
    if (array == NULL)
        memory_exhausted();
    assert(wanted > n);
    *capacity = wanted;
    return array;
}

char *memory_text(const char *text)
{
    char *copy = strdup(text);

    if (copy == NULL)
        memory_exhausted();
    return copy;
}

char *memory_vprintf(const char *format, va_list args)
{
    char *text;

    if (vasprintf(&text, format, args) < 0)
        memory_exhausted();
    return text;
}

char *memory_printf(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    char *text = memory_vprintf(format, args);
    va_end(args);
    return text;
}

struct memory_stream memory_stream_open(struct memory_stream *stream)
{
    FILE *out = open_memstream(&stream->text, &stream->size);

    if (out == NULL)
        memory_exhausted();
    return (struct memory_stream){.out = out};
}

size_t memory_stream_size(struct memory_stream *stream)
{
    if (fflush(stream->out) != 0)
        memory_exhausted();
    return stream->size;
}

char *memory_stream_close(struct memory_stream *stream)
{
    if (fclose(stream->out) != 0)
        memory_exhausted();
    assert(stream->text[stream->size] == '\0');
    return stream->text;
}

char *memory_contents(FILE *in, size_t most, size_t *n)
{
    char *text = NULL;
    size_t room = 0, got;
    *n = 0;
    do {
        text = memory_grow(text, &room, *n + 65536, 1);
        got = fread(text + *n, 1, 65536, in);
        *n += got;
    } while (got > 0 && *n <= most);
    text[*n] = '\0';
    return text;
}

int diag_set(struct diag *d, const char *format, ...)
{
    va_list args;

    if (d == NULL)
        return -1;
    va_start(args, format);
    vsnprintf(d->text, sizeof d->text, format, args);
    va_end(args);
    text_make_safe(d->text);
    assert(strchr(d->text, '\n') == NULL);
    return -1;
}
