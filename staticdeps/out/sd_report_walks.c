/*
 * sd_report_walks: prints the pairs of functions as text or JSON.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "out/sd_report.h"

#include <assert.h>
#include <inttypes.h>

#include "json.h"

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

static void put_name(FILE *out, const char *field, const char *name)
{
    fprintf(out, "\"%s\": ", field);
    json_text(out, name);
}

static void json_function(struct sd_report *r,
                          const struct sd_routine *routines, uint32_t routine)
{
    fputs(r->has_block ? "]},\n {" : "\n {", r->out);
    put_name(r->out, "function", name_of(routines, routine));
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
    if (f->pair.delta_k >= 0)
        fprintf(out, ", \"delta_k\": %" PRId64, f->pair.delta_k);
    else
        fputs(", \"delta_k\": null", out);
    if (f->has_loop)
        fprintf(out, ", \"loop\": %" PRIu64, f->loop);
    else
        fputs(", \"loop\": null", out);
    json_vector(out, f);
    fprintf(out, ", \"support\": %.17g, ", f->pair.support);
    put_name(out, "src_function", name_of(routines, f->src_routine));
    if (f->src_path != NULL) {
        fputs(", ", out);
        put_name(out, "src_file", f->src_path);
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
