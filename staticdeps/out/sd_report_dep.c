/*
 * sd_report_dep: prints pairs as two addresses per line, for other tools.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "out/sd_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "text.h"

/* Prints a name; blanks and # in it are escaped, so that it neither ends a
   field nor begins a comment. */
static void put_name(FILE *out, const char *name)
{
    while (*name != '\0') {
        bool is_control;
        size_t n = text_next(name, &is_control);

        if (is_control || strchr(" \\#", *name) != NULL)
            for (size_t i = 0; i < n; i++)
                fprintf(out, "\\x%02x", (unsigned char)name[i]);
        else
            fwrite(name, 1, n, out);
        name += n;
    }
}

static void put_address(const struct sd_report *r, const char *name,
                        uint64_t address)
{
    if (r->has_names) {
        put_name(r->out, name);
        putc(':', r->out);
    }
    fprintf(r->out, "%" PRIx64, address);
}

static int compare(const void *a, const void *b)
{
    const struct sd_report_pair *x = a, *y = b;

    return strcmp(x->src_name, y->src_name)
               ?: array_order(x->src, y->src)
               ?: array_order(x->dst, y->dst);
}

/* Prints the gathered pairs, each once; `name` is the object of their loads. */
static void print(struct sd_report *r, const char *name)
{
    const struct sd_report_pair *p = r->pairs;

    array_sort(r->pairs, r->n_pairs, compare);
    for (size_t i = 0; i < r->n_pairs; i++) {
        if (i > 0 && compare(&p[i - 1], &p[i]) == 0)
            continue;
        put_address(r, p[i].src_name, p[i].src);
        putc(' ', r->out);
        put_address(r, name, p[i].dst);
        putc('\n', r->out);
    }
    r->n_pairs = 0;
}

void sd_report_dep_object(struct sd_report *r, const char *path)
{
    free(r->path);
    r->path = memory_text(path);
}

void sd_report_dep_block(struct sd_report *r, const struct sd_block *block,
                         const struct sd_db_dep *deps, size_t n_deps)
{
    /* "line N" */
    const char *line = r->has_lines ? strchr(block->function, ' ') + 1 : NULL;
    const char *name = line != NULL ? line : r->path;

    for (size_t i = 0; i < n_deps; i++)
        array_append(r, pairs,
                     (struct sd_report_pair){name, deps[i].src, deps[i].dst});
    if (line != NULL)
        print(r, line);
}

void sd_report_dep_found(struct sd_report *r, const struct sd_found *found,
                         size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct sd_found *f = &found[i];

        array_append(
            r, pairs,
            (struct sd_report_pair){f->src_path != NULL ? f->src_path : r->path,
                                    f->pair.src, f->pair.dst});
    }
    print(r, r->path);
}

void sd_report_dep_end(struct sd_report *r)
{
    if (r->path != NULL)
        print(r, r->path);
}
