/*
 * cc_source: lines of source files.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "html/cc_source.h"

#include <ctype.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"

#define MAX_SIZE (16 << 20)

struct file {
    char *path;
    char *text;   /* each line ended by a zero byte */
    char **lines; /* into the text */
    size_t n, capacity;
};

struct cc_source_files {
    struct file *list;
    size_t n, capacity;
};

struct cc_source_files *cc_source_new(void)
{
    return memory_new(1, sizeof(struct cc_source_files));
}

void cc_source_free(struct cc_source_files *files)
{
    if (files == NULL)
        return;
    for (size_t i = 0; i < files->n; i++) {
        free(files->list[i].path);
        free(files->list[i].text);
        free(files->list[i].lines);
    }
    free(files->list);
    free(files);
}

/* The file's bytes and a zero byte, or NULL; the caller frees. */
static char *read_text(const char *path, size_t *n)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    FILE *in = NULL;
    char *text = NULL;
    struct stat st;

    if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
        st.st_size <= MAX_SIZE)
        in = fdopen(fd, "r");
    if (in == NULL) {
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    text = memory_new((size_t)st.st_size + 1, 1);
    *n = fread(text, 1, (size_t)st.st_size, in);
    fclose(in);
    return text;
}

static char *trim(char *line, char *end)
{
    while (end > line && isspace((unsigned char)end[-1]))
        end--;
    *end = '\0';
    while (isspace((unsigned char)*line))
        line++;
    return line;
}

static void split(struct file *f, size_t n)
{
    char *line = f->text, *end = f->text + n;

    while (line < end) {
        char *newline = memchr(line, '\n', (size_t)(end - line));
        char *next = newline != NULL ? newline : end;

        f->lines = memory_grow(f->lines, &f->capacity, f->n, sizeof *f->lines);
        f->lines[f->n++] = trim(line, next);
        line = next + 1;
    }
}

static struct file *find_file(struct cc_source_files *files, const char *path)
{
    struct file *f;
    size_t n;

    for (size_t i = 0; i < files->n; i++)
        if (strcmp(files->list[i].path, path) == 0)
            return &files->list[i];
    files->list = memory_grow(files->list, &files->capacity, files->n,
                              sizeof *files->list);
    f = &files->list[files->n++];
    *f = (struct file){.path = memory_text(path)};
    f->text = read_text(path, &n);
    if (f->text != NULL)
        split(f, n);
    return f;
}

const char *cc_source_line(struct cc_source_files *files, const char *path,
                           int line)
{
    struct file *f = find_file(files, path);

    return line >= 1 && (size_t)line <= f->n ? f->lines[line - 1] : NULL;
}
