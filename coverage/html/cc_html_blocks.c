/*
 * cc_html_blocks: the kept blocks, and the functions with pairs between their
 * blocks.
 *
 * The first are there as they are.  Of the others the page has an index, which
 * page.js unpacks when it is opened, and parts with what is in them, which it
 * unpacks when one of them is.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "html/cc_html.h"

#include <inttypes.h>
#include <stdlib.h>

#include "html/cc_html_text.h"
#include "html/cc_pack.h"

#define OPEN         12     /* blocks that are open at first */
#define PLAIN_BYTES  70000  /* of those that are not packed, about */
#define PART_BYTES   100000 /* before it is packed, about */
#define MOST         3000   /* in the index */
#define BLOCKS_BYTES 520000 /* of the parts of blocks, about */

/* A section with blocks, or functions. */
struct section {
    FILE *page;
    const struct cc_report *report;
    const char *kind; /* "block" or "function" */
    size_t most;      /* bytes of its parts, about */
    struct memory_stream index, part;
    size_t n_parts, n_in_part; /* the part that is open, if it has any */
    size_t n_plain, n_packed;  /* bytes */
    size_t n_without;          /* for which there was no room */
};

/* Without dependencies there is little to see at first. */
static bool is_open(const struct cc_arc_block *b, size_t number)
{
    return number <= OPEN && b->n > 0;
}

static void begin_details(FILE *out, const struct section *s,
                          const struct cc_arc_block *b, size_t number)
{
    fprintf(out, "<details class=block id=%s-%zu%s", s->kind, number,
            is_open(b, number) ? " open" : "");
}

static void close_part(struct section *s)
{
    char id[64];

    if (s->n_in_part == 0)
        return;
    snprintf(id, sizeof id, "%s-part-%zu", s->kind, s->n_parts++);
    s->n_packed += cc_pack_close(&s->part, s->page, id, "");
    s->n_in_part = 0;
}

/* The index has the heading, and where the rest is. */
static void pack(struct section *s, const struct cc_arc_block *b, size_t number)
{
    FILE *index = s->index.out;

    begin_details(index, s, b, number);
    if (s->n_packed < s->most) {
        fprintf(index, " data-part=%s-part-%zu data-at=%zu>", s->kind,
                s->n_parts, s->n_in_part);
        cc_html_block_heading(index, s->report, b);
        if (s->n_in_part++ == 0)
            memory_stream_open(&s->part);
        fputs("<div>", s->part.out);
        cc_html_block_body(s->part.out, s->report, b);
        fputs("</div>", s->part.out);
        if (memory_stream_size(&s->part) > PART_BYTES)
            close_part(s);
    } else {
        fputc('>', index);
        cc_html_block_heading(index, s->report, b);
        fputs("<p class=note>There was no room for it in this page.</p>",
              index);
        s->n_without++;
    }
    fputs("</details>\n", index);
}

static void write_plain(struct section *s, const struct cc_arc_block *b,
                        size_t number)
{
    struct memory_stream plain;
    char *text;

    memory_stream_open(&plain);
    begin_details(plain.out, s, b, number);
    fputc('>', plain.out);
    cc_html_block_heading(plain.out, s->report, b);
    cc_html_block_body(plain.out, s->report, b);
    fputs("</details>\n", plain.out);
    text = memory_stream_close(&plain);
    fwrite(text, 1, plain.size, s->page);
    s->n_plain += plain.size;
    free(text);
}

static void write_legend(FILE *out)
{
    static const char *const texts[CC_ARC_KINDS] = {
        [CC_ARC_FOUND] = "found: predicted, and it occurred",
        [CC_ARC_MISSED] = "missed: it occurred, and was not predicted",
        [CC_ARC_FALSE] = "false: predicted, and it did not occur",
    };

    fputs("<p class=legend>", out);
    for (int kind = 0; kind < CC_ARC_KINDS; kind++) {
        fputs("<span>", out);
        cc_html_arc_key(out, (enum cc_arc_kind)kind);
        fprintf(out, " %s</span> ", texts[kind]);
    }
    fputs("</p>\n", out);
}

/* What was found, the first of it as it is. */
static void write_all(struct section *s, const struct cc_arc_blocks *found)
{
    size_t n = found->n < MOST ? found->n : MOST;
    char id[64];

    write_legend(s->page);
    memory_stream_open(&s->index);
    for (size_t i = 0; i < n; i++)
        if (is_open(&found->blocks[i], i + 1) && s->n_plain < PLAIN_BYTES)
            write_plain(s, &found->blocks[i], i + 1);
        else
            pack(s, &found->blocks[i], i + 1);
    close_part(s);
    snprintf(id, sizeof id, "%s-index", s->kind);
    cc_pack_close(&s->index, s->page, id, "data-unpack");
    if (n < found->n || s->n_without > 0)
        fprintf(s->page,
                "<p class=note id=more-%ss>Of %zu this page has the heading"
                " alone, and %zu not at all.  A larger --min-share keeps"
                " fewer.</p>\n",
                s->kind, s->n_without, found->n - n);
}

/* `none` is what the section says if nothing was found; frees *found. */
static void write_section(struct section *s, struct cc_arc_blocks *found,
                          const char *id, const char *title, const char *none)
{
    fprintf(s->page, "<section id=%s><h2>%s</h2>\n", id, title);
    if (found->n > 0)
        write_all(s, found);
    else
        fprintf(s->page, "<p class=note>%s</p>\n", none);
    fputs("</section>\n", s->page);
    cc_arcs_free(found);
}

size_t cc_html_blocks(FILE *out, const struct cc_report *report)
{
    struct cc_arc_blocks found = cc_arcs_find(report->data);
    struct section s = {
        .page = out, .report = report, .kind = "block", .most = BLOCKS_BYTES};

    write_section(&s, &found, "blocks", "The hottest blocks",
                  "No block was kept.");
    return s.n_packed;
}

void cc_html_between(FILE *out, const struct cc_report *report, size_t room)
{
    struct cc_arc_blocks found = cc_arcs_find_between(report->data);
    struct section s = {
        .page = out, .report = report, .kind = "function", .most = room};

    write_section(&s, &found, "between", "Between blocks, by function",
                  "No dependency leads from one kept block to another.");
}
