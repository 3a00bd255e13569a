/*
 * sd_report: prints dependencies as text, JSON or addresses.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "out/sd_report.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "json.h"
#include "text.h"

#define INDENT "    "

#define COLUMNS 16 /* of arrows; further dependencies have none */

void sd_report_escaped(FILE *out, const char *text)
{
    while (*text != '\0') {
        size_t n = text_control_length(text);

        for (size_t i = 0; i < n; i++)
            fprintf(out, "\\x%02x", (unsigned char)*text++);
        if (n > 0)
            continue;
        n = utf8_length(text);
        n = n > 0 ? n : 1;
        fwrite(text, 1, n, out);
        text += n;
    }
}

/* A member whose number may be unknown. */
static void put_number(FILE *out, const char *name, bool is_known, uint64_t n)
{
    if (is_known)
        fprintf(out, ", \"%s\": %" PRIu64, name, n);
    else
        fprintf(out, ", \"%s\": null", name);
}

static void text_overlap(FILE *out, struct sd_overlap overlap)
{
    if (overlap.relation != SD_UNKNOWN_RELATION)
        fprintf(out, "  %s", sd_relation_name(overlap));
    if (sd_overlap_has_offset(overlap) && overlap.offset != 0)
        fprintf(out, " at %d", overlap.offset);
}

static void json_overlap(FILE *out, struct sd_overlap overlap)
{
    fprintf(out, ", \"relation\": \"%s\"", sd_relation_name(overlap));
    if (sd_overlap_has_offset(overlap))
        fprintf(out, ", \"offset\": %d", overlap.offset);
    else
        fputs(", \"offset\": null", out);
}

static void put_field(FILE *out, const char *name, const char *text)
{
    fprintf(out, "\"%s\": ", name);
    json_text(out, text);
}

void sd_report_begin(struct sd_report *r)
{
    if (r->format == SD_FORMAT_JSON)
        fputs("{\"objects\": [", r->out);
    else if (r->format == SD_FORMAT_DEP)
        fputs("# store load\n", r->out);
}

static void end_object(struct sd_report *r)
{
    if (r->has_object && r->format == SD_FORMAT_JSON)
        fputs("]}", r->out);
    else if (r->format == SD_FORMAT_DEP)
        sd_report_dep_end(r);
}

static void name_object(FILE *out, const char *path, const char *build_id)
{
    sd_report_escaped(out, path);
    fprintf(out, " (build-id %s)\n", build_id);
}

void sd_report_object(struct sd_report *r, const char *path,
                      const char *build_id, const char *arch)
{
    end_object(r);
    if (r->format == SD_FORMAT_TEXT) {
        name_object(r->out, path, build_id);
    } else if (r->format == SD_FORMAT_JSON) {
        fputs(r->has_object ? ",\n{" : "\n{", r->out);
        put_field(r->out, "path", path);
        fputs(", ", r->out);
        put_field(r->out, "build_id", build_id);
        fputs(", ", r->out);
        put_field(r->out, "arch", arch);
        fputs(r->has_functions ? ", \"functions\": [" : ", \"blocks\": [",
              r->out);
    } else if (r->format == SD_FORMAT_DEP) {
        fputs("# ", r->out);
        name_object(r->out, path, build_id);
        sd_report_dep_object(r, path);
    }
    r->has_object = true;
    r->has_block = false;
}

/* The character of a dependency's arrow beside instruction `row`. */
static char arrow(const struct sd_dep *dep, uint32_t row)
{
    bool is_below_src = row > dep->src, is_above_dst = row < dep->dst;

    if (row == dep->src)
        return row == dep->dst ? '@' : 'o';
    if (row == dep->dst)
        return '>';
    if (dep->delta_k > 0)
        return is_below_src || is_above_dst ? '|' : ' ';
    return is_below_src && is_above_dst ? '|' : ' ';
}

/* The width of a dependency's column: its number and a space, at least 2. */
static int width_of(const struct sd_dep *dep)
{
    int width = 2;

    for (uint32_t n = dep->delta_k; n >= 10; n /= 10)
        width++;
    return width;
}

static int address_width(const struct sd_block *block)
{
    char text[20];
    int n =
        snprintf(text, sizeof text, "%" PRIx64, block->address + block->size);

    return n < 7 ? 7 : n; /* "delta_k" */
}

static void print_listing(const struct sd_report *r,
                          const struct sd_block *block, const uint8_t *insns,
                          const struct sd_db_dep *deps, size_t n_deps)
{
    size_t n_columns = n_deps < COLUMNS ? n_deps : COLUMNS;
    FILE *out = r->out;
    int margin = address_width(block);
    uint64_t offset = 0;

    fprintf(out, INDENT "%-*s ", margin, "delta_k");
    for (size_t i = 0; i < n_columns; i++)
        fprintf(out, "%*" PRIu32, width_of(&deps[i].dep), deps[i].dep.delta_k);
    putc('\n', out);
    for (uint32_t row = 0; row < block->n_insns; row++) {
        unsigned length = insns[row] & (SD_NO_EFFECT - 1u);
        char text[160];

        sd_decode_text(r->decoder, r->syntax, block->bytes + offset, length,
                       block->address + offset, text, sizeof text);
        fprintf(out, INDENT "%-*" PRIx64 " ", margin, block->address + offset);
        for (size_t i = 0; i < n_columns; i++)
            fprintf(out, "%*c", width_of(&deps[i].dep),
                    arrow(&deps[i].dep, row));
        fprintf(out, "  %s\n", text);
        offset += length;
    }
}

static void text_block(const struct sd_report *r, const struct sd_block *b,
                       const uint8_t *insns, enum sd_status status,
                       const struct sd_db_dep *deps, size_t n_deps)
{
    FILE *out = r->out;

    fputs("  ", out);
    if (b->function != NULL) {
        sd_report_escaped(out, b->function);
        putc(' ', out);
    }
    fprintf(out, "0x%" PRIx64 "-0x%" PRIx64 ": ", b->address,
            b->address + b->size);
    if (status == SD_OK)
        fprintf(out, "%" PRIu32 " instructions\n", b->n_insns);
    else
        fprintf(out, "%s\n", sd_status_name(status));
    if (n_deps > 0)
        print_listing(r, b, insns, deps, n_deps);
    for (size_t i = 0; i < n_deps; i++) {
        fprintf(out,
                "    0x%" PRIx64 " -> 0x%" PRIx64 "  delta_k %" PRIu32
                "  support %.1f %%",
                deps[i].src, deps[i].dst, deps[i].dep.delta_k,
                100 * deps[i].dep.support);
        text_overlap(out, deps[i].dep.overlap);
        putc('\n', out);
    }
}

static void json_block(FILE *out, const struct sd_block *b,
                       enum sd_status status, const struct sd_db_dep *deps,
                       size_t n_deps)
{
    fputs("\n {", out);
    put_field(out, "function", b->function);
    fprintf(out,
            ", \"start\": %" PRIu64 ", \"end\": %" PRIu64
            ", \"instructions\": %" PRIu32 ", \"status\": \"%s\", \"deps\": [",
            b->address, b->address + b->size, b->n_insns,
            sd_status_name(status));
    for (size_t i = 0; i < n_deps; i++) {
        fprintf(out,
                "%s\n  {\"src\": %" PRIu64 ", \"dst\": %" PRIu64
                ", \"src_index\": %" PRIu32 ", \"dst_index\": %" PRIu32
                ", \"delta_k\": %" PRIu32 ", \"support\": %.17g",
                i > 0 ? "," : "", deps[i].src, deps[i].dst, deps[i].dep.src,
                deps[i].dep.dst, deps[i].dep.delta_k, deps[i].dep.support);
        json_overlap(out, deps[i].dep.overlap);
        putc('}', out);
    }
    fputs("]}", out);
}

void sd_report_block(struct sd_report *r, const struct sd_block *block,
                     const uint8_t *insns, enum sd_status status,
                     const struct sd_db_dep *deps, size_t n_deps)
{
    assert(r->format == SD_FORMAT_NONE || r->has_object);
    if (r->format == SD_FORMAT_NONE || (n_deps == 0 && status == SD_OK))
        return;
    if (r->format == SD_FORMAT_TEXT) {
        text_block(r, block, insns, status, deps, n_deps);
        return;
    }
    if (r->format == SD_FORMAT_DEP) {
        sd_report_dep_block(r, block, deps, n_deps);
        return;
    }
    if (r->has_block)
        putc(',', r->out);
    json_block(r->out, block, status, deps, n_deps);
    r->has_block = true;
}

/* Pairs of functions. */

static const char *name_of(const struct sd_routine *routines, uint32_t routine)
{
    return routine == SD_NO_ROUTINE ? NULL : routines[routine].name;
}

static void put_range(FILE *out, const struct sd_routine *routines,
                      uint32_t routine)
{
    const char *name = name_of(routines, routine);

    if (name != NULL) {
        sd_report_escaped(out, name);
        putc(' ', out);
    }
    if (routine == SD_NO_ROUTINE)
        fputs("code of no function", out);
    else
        fprintf(out, "0x%" PRIx64 "-0x%" PRIx64, routines[routine].start,
                routines[routine].end);
}

static void text_vector(FILE *out, const struct sd_found *f)
{
    for (uint32_t i = 0; i < f->n_levels; i++)
        fprintf(out, "%s%" PRId32, i == 0 ? "  vector (" : ", ",
                f->levels[i].rounds);
    for (uint32_t i = 0; i < f->n_levels; i++)
        fprintf(out, "%s0x%" PRIx64, i == 0 ? ") of " : ", ",
                f->levels[i].header);
}

static void text_pair(FILE *out, const struct sd_routine *routines,
                      const struct sd_found *f)
{
    fprintf(out, "    0x%" PRIx64 " -> 0x%" PRIx64 "  %s  distance %" PRIu32,
            f->pair.src, f->pair.dst, f->pair.scope, f->pair.distance);
    if (f->pair.delta_k >= 0)
        fprintf(out, "  delta_k %" PRId64, f->pair.delta_k);
    if (f->has_loop)
        fprintf(out, "  loop 0x%" PRIx64, f->loop);
    fprintf(out, "  support %.1f %%", 100 * f->pair.support);
    text_overlap(out, f->pair.overlap);
    text_vector(out, f);
    if (f->src_routine != f->dst_routine || f->src_path != NULL) {
        fputs("  from ", out);
        put_range(out, routines, f->src_routine);
    }
    if (f->src_path != NULL) {
        fputs(" of ", out);
        sd_report_escaped(out, f->src_path);
    }
    putc('\n', out);
}

static void json_function(struct sd_report *r,
                          const struct sd_routine *routines, uint32_t routine)
{
    fputs(r->has_block ? "]},\n {" : "\n {", r->out);
    put_field(r->out, "function", name_of(routines, routine));
    if (routine != SD_NO_ROUTINE)
        fprintf(r->out, ", \"start\": %" PRIu64 ", \"end\": %" PRIu64,
                routines[routine].start, routines[routine].end);
    fputs(", \"deps\": [", r->out);
}

static void json_vector(FILE *out, const struct sd_found *f)
{
    fputs(f->n_levels > 0 ? ", \"vector\": [" : ", \"vector\": null", out);
    for (uint32_t i = 0; i < f->n_levels; i++)
        fprintf(out, "%s{\"loop\": %" PRIu64 ", \"rounds\": %" PRId32 "}%s",
                i == 0 ? "" : ", ", f->levels[i].header, f->levels[i].rounds,
                i + 1 == f->n_levels ? "]" : "");
}

static void json_pair(FILE *out, const struct sd_routine *routines,
                      const struct sd_found *f)
{
    fprintf(out,
            "\n  {\"src\": %" PRIu64 ", \"dst\": %" PRIu64
            ", \"src_index\": %" PRIu32 ", \"dst_index\": %" PRIu32
            ", \"scope\": \"%s\", \"distance\": %" PRIu32,
            f->pair.src, f->pair.dst, f->pair.src_index, f->pair.dst_index,
            f->pair.scope, f->pair.distance);
    put_number(out, "delta_k", f->pair.delta_k >= 0, (uint64_t)f->pair.delta_k);
    put_number(out, "loop", f->has_loop, f->loop);
    json_vector(out, f);
    fprintf(out, ", \"support\": %.17g", f->pair.support);
    json_overlap(out, f->pair.overlap);
    fputs(", ", out);
    put_field(out, "src_function", name_of(routines, f->src_routine));
    if (f->src_path != NULL) {
        fputs(", ", out);
        put_field(out, "src_file", f->src_path);
    }
    putc('}', out);
}

void sd_report_found(struct sd_report *r, const struct sd_routine *routines,
                     const struct sd_found *found, size_t n)
{
    assert(r->format == SD_FORMAT_NONE || r->has_object);
    if (r->format == SD_FORMAT_DEP) {
        sd_report_dep_found(r, found, n);
        return;
    }
    for (size_t i = 0; i < n && r->format != SD_FORMAT_NONE; i++) {
        const struct sd_found *f = &found[i];
        bool is_first = i == 0 || f->dst_routine != f[-1].dst_routine;

        if (r->format == SD_FORMAT_TEXT) {
            if (is_first) {
                fputs("  ", r->out);
                put_range(r->out, routines, f->dst_routine);
                putc('\n', r->out);
            }
            text_pair(r->out, routines, f);
            continue;
        }
        if (is_first)
            json_function(r, routines, f->dst_routine);
        else
            putc(',', r->out);
        r->has_block = true;
        json_pair(r->out, routines, f);
    }
    if (r->format == SD_FORMAT_JSON && n > 0)
        fputs("]}", r->out);
}

void sd_report_end(struct sd_report *r)
{
    end_object(r);
    if (r->format == SD_FORMAT_JSON)
        fputs("\n]}\n", r->out);
}

void sd_report_fini(struct sd_report *r)
{
    free(r->path);
    free(r->pairs);
    *r = (struct sd_report){.format = SD_FORMAT_NONE};
}
