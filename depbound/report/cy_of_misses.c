/* cy_of_misses: where the program waits for caches, memory and pages. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/internal.h"

/* Percent of the cycles; the least that a row for people has, and that the
   short report shows. */
#define SEEN  0.05
#define SHORT 1.0

static const char *const level_names[CY_N_MISSING] = {"L2", "L3", "memory",
                                                      "pages", "code"};
TEXT_NAMES(cy_missing_name, cy_missing, "load", "store", "code")

/* What most of a miss's cycles wait for. */
static const char *level_of(const struct cy_miss *miss)
{
    return level_names[cy_miss_cause(miss) - CY_CAUSE_L2];
}

/* "3.1 MiB". */
static char *size_text(double bytes)
{
    double kib = bytes / 1024;

    return kib < 1000          ? memory_printf("%.3g KiB", kib)
           : kib < 1000 * 1024 ? memory_printf("%.3g MiB", kib / 1024)
                               : memory_printf("%.3g GiB", kib / 1024 / 1024);
}

double cy_miss_percent(const struct cy_windowed *w, const struct cy_miss *miss,
                       double n)
{
    double all = w->outcome.weighed[miss->insn];

    return all > 0 ? fmin(100, 100 * n / all) : 0;
}

/* The variable that an instruction accesses; NULL if it is not known. */
static char *accessed(const struct cy_report *r, uint32_t insn, bool is_store)
{
    const struct cy_windowed *w = r->windowed;
    const struct cy_simulated_insn *i = &w->simulated[insn];
    uint32_t object = w->in_data[i->object];

    assert(insn < w->n_insns);
    return object != UINT32_MAX
               ? cy_code_accessed(r->code, object, i->address, is_store)
               : cy_code_accessed(w->code, i->object, i->address, is_store);
}

static char *variable_of(const struct cy_report *r, const struct cy_miss *miss)
{
    return miss->kind != CY_MISSING_CODE
               ? accessed(r, miss->insn, miss->kind == CY_MISSING_STORE)
               : NULL;
}

/* Where the address comes from, for people; NULL: from no load. */
static char *origin_text(const struct cy_report *r, const struct cy_miss *miss)
{
    if (miss->is_chased)
        return memory_text("its own value before");
    if (miss->origin == CY_NO_INSN)
        return NULL;
    AUTO_FREE char *variable = accessed(r, miss->origin, false);
    return memory_printf(
        "%s%s%s", cy_windowed_place(r->windowed, miss->origin).text,
        variable != NULL ? " " : "", variable != NULL ? variable : "");
}

/* --- The table --- */

static void put_data(struct report_row *row, const struct cy_report *r,
                     const struct cy_miss *miss)
{
    static const char *const cycles_keys[CY_N_MISSING] = {
        "waits.l2", "waits.l3", "waits.memory", "waits.pages", "waits.code"};
    static const char *const from_keys[CY_BEYOND] = {"from.l2", "from.l3",
                                                     "from.memory"};
    const struct cy_windowed *w = r->windowed;
    const struct cy_simulated_insn *insn = &w->simulated[miss->insn];

    report_text(row, R_KEY("access"), cy_missing_name(miss->kind));
    report_text(row, R_KEY("level"), level_of(miss));
    report_text(row, R_KEY("object"), w->objects.objects[insn->object].path);
    report_count(row, R_KEY("address"), insn->address);
    report_text(row, R_KEY("function"), w->names[miss->insn]);
    cy_put_line(row, R_KEY("line"), w->code, insn->object, insn->address);
    report_text(row, R_KEY("instruction"), cy_windowed_text(w, miss->insn));
    report_real(row, R_KEY("cycles"), miss->cycles);
    for (unsigned i = 0; i < CY_N_MISSING; i++)
        report_real(row, R_KEY(cycles_keys[i]),
                    cy_windowed_share(w, miss->by[i]));
    report_real(row, R_KEY("executions"), w->outcome.weighed[miss->insn]);
    report_real(row, R_KEY("missed"), cy_miss_percent(w, miss, miss->n));
    for (unsigned i = 0; i < CY_BEYOND; i++)
        report_real(row, R_KEY(from_keys[i]),
                    cy_miss_percent(w, miss, miss->from[i]));
    report_real(row, R_KEY("pages_missed"),
                cy_miss_percent(w, miss, miss->n_pages));
    report_real(row, R_KEY("never_touched"),
                cy_miss_percent(w, miss, miss->n_new));
    cy_put_real(row, R_KEY("lines_since"), !isnan(miss->distance),
                miss->distance);
    cy_put_real(row, R_KEY("bytes_since"), !isnan(miss->distance),
                miss->distance * CY_CACHE_LINE);
    cy_put_real(row, R_KEY("gain_cached"), miss->cached >= 0,
                cy_windowed_share(w, miss->cached));
    cy_put_real(row, R_KEY("gain_prefetched"), miss->early >= 0,
                cy_windowed_share(w, miss->early));
    report_bool(row, R_KEY("is_chased"), miss->is_chased);
    if (miss->origin == CY_NO_INSN)
        return;
    insn = &w->simulated[miss->origin];
    report_text(row, R_KEY("origin.object"),
                w->objects.objects[insn->object].path);
    report_count(row, R_KEY("origin.address"), insn->address);
    cy_put_line(row, R_KEY("origin.line"), w->code, insn->object,
                insn->address);
    report_text(row, R_KEY("origin.instruction"),
                cy_windowed_text(w, miss->origin));
}

static void fill_miss(struct report_row *row, const void *from, size_t i)
{
    const struct cy_report *r = from;
    const struct cy_windowed *w = r->windowed;
    const struct cy_miss *miss = &w->misses.list[i];
    AUTO_FREE char *variable = variable_of(r, miss),
                   *origin = origin_text(r, miss),
                   *since = !isnan(miss->distance)
                                ? size_text(miss->distance * CY_CACHE_LINE)
                                : NULL;

    assert(i < w->misses.n && miss->insn < w->n_insns);
    if (i >= r->n_shown || cy_windowed_share(w, miss->cycles) < SEEN)
        report_hide(row);
    put_data(row, r, miss);
    report_real(row,
                R_SEEN("share", .key = "share", .width = 8, .format = "%.1f%%"),
                cy_windowed_share(w, miss->cycles));
    report_text(row, R_SEEN("from", .width = 6, .flags = R_LEFT),
                level_of(miss));
    report_real(row,
                R_SEEN("missed", .unit = "of executions", .width = 13,
                       .flags = R_EXTRA, .format = "%.1f%%"),
                cy_miss_percent(w, miss, fmax(miss->n, miss->n_pages)));
    report_text(row,
                R_SEEN("touched since", .unit = "other lines", .width = 13,
                       .flags = R_EXTRA),
                since != NULL ? since : "-");
    /* What was not simulated is "-". */
    cy_put_real(row,
                R_SEEN("cached", .unit = "saved, if", .width = 9,
                       .flags = R_EXTRA, .format = "%.1f%%"),
                miss->cached >= 0, cy_windowed_share(w, miss->cached));
    cy_put_real(row,
                R_SEEN("prefetched", .unit = "saved, if", .width = 10,
                       .flags = R_CLOSE | R_EXTRA, .format = "%.1f%%"),
                miss->early >= 0 && !miss->is_chased,
                cy_windowed_share(w, miss->early));
    report_text(row, R_SEEN("access", .flags = R_LEFT | R_EXTRA),
                cy_missing_name(miss->kind));
    report_code(row, R_SEEN("at", .flags = R_LEFT),
                cy_windowed_place(w, miss->insn).text, NULL);
    report_text(row, R_SEEN("of", .key = "variable", .flags = R_LEFT | R_EXTRA),
                variable);
    report_text(row,
                R_SEEN("address from", .flags = R_LEFT | R_RAGGED | R_EXTRA),
                origin);
}

/* The misses that cost at least a share, in percent. */
static size_t n_misses(const struct cy_windowed *w, double least)
{
    size_t n = 0;

    while (n < w->misses.n &&
           cy_windowed_share(w, w->misses.list[n].cycles) >= least)
        n++;
    return n;
}

/* --- The size of the last cache --- */

static void fill_point(struct report_row *row, const void *from, size_t i)
{
    const struct cy_windowed *w = from;
    const struct cy_curve_point *point =
        &w->curve.points[w->curve.is_flat ? i * (CY_SIZES - 1) : i];

    report_real(row, R_KEY("kib"), point->kib);
    report_real(row, R_KEY("cycles"), point->cycles);
}

static void write_curve(struct report *out, const struct cy_windowed *w)
{
    if (w->curve.level == 0)
        return;
    if (w->curve.is_flat) {
        report_paragraph(out,
                         "an L%u of 1 to 64 MiB: the same cycles within 1 %%",
                         w->curve.level);
        return;
    }
    struct memory_stream text = memory_stream_open(&text);
    fprintf(text.out, "cycles by the size of the L%u%s:", w->curve.level,
            cy_machine_facts(w->machine)->memory.l3_lifetime > 0
                ? ", if others used none of it"
                : "");
    for (unsigned i = 0; i < CY_SIZES; i++)
        fprintf(text.out, "%s %.0f MiB %+.1f %%", i > 0 ? "," : "",
                w->curve.points[i].kib / 1024,
                cy_windowed_share(w, w->curve.points[i].cycles) - 100 + 1e-3);
    report_add_paragraph(out, memory_stream_close(&text));
}

/* --- All of it --- */

void cy_put_misses(struct report_row *row, const struct cy_report *r)
{
    const struct cy_windowed *w = r->windowed;
    bool is_known = cy_windowed_is_known(w) && w->has_caches;

    report_bool(row, R_KEY("has_caches"), w->has_caches);
    cy_put_real(row, R_KEY("cached_gain"), is_known,
                cy_windowed_share(w, w->cached_gain));
    report_rows(row, R_KEY("misses"),
                &REPORT_TABLE(is_known ? w->misses.n : 0, fill_miss, r));
    if (!is_known || w->curve.level == 0)
        return;
    report_count(row, R_KEY("last_cache"), w->curve.level);
    report_rows(row, R_KEY("last_cache_sizes"),
                &REPORT_TABLE(w->curve.is_flat ? 2 : CY_SIZES, fill_point, w));
}

void cy_report_misses(struct report *out, const struct cy_report *r,
                      bool is_short)
{
    const struct cy_windowed *w = r->windowed;
    const struct report_table table = REPORT_TABLE(
        n_misses(w, is_short ? SHORT : SEEN), fill_miss, r, .id = "misses",
        .caption = "  waits for caches, memory and pages");
    double gain = cy_windowed_share(w, w->cached_gain);

    if (!w->has_caches)
        return;
    if (gain >= SEEN)
        report_paragraph(out, "with all in the first caches: %.1f%% less",
                         gain);
    if (!is_short || (gain >= SHORT && !w->curve.is_flat))
        write_curve(out, w);
    if (table.n_rows > 0)
        report_table(out, &table);
}

/* --- Sentences --- */

/* Writes how often an access misses, and what for. */
static void write_why(FILE *out, const struct cy_report *r,
                      const struct cy_miss *miss)
{
    const struct cy_windowed *w = r->windowed;
    AUTO_FREE char *origin = origin_text(r, miss);

    fprintf(out, "%.3g of 100 executions miss, most of the wait is for %s",
            cy_miss_percent(w, miss, fmax(miss->n, miss->n_pages)),
            level_of(miss));
    if (!isnan(miss->distance)) {
        AUTO_FREE char *size = size_text(miss->distance * CY_CACHE_LINE);

        fprintf(out,
                "; since their last touch, other lines of %s were (median)",
                size);
    }
    if (origin != NULL)
        fprintf(out, "; the address comes from %s%s",
                miss->is_chased ? "" : "the load at ", origin);
}

void cy_miss_write(FILE *out, const struct cy_report *r,
                   const struct cy_miss *miss)
{
    fprintf(out, "the %s at %s", cy_missing_name(miss->kind),
            cy_windowed_place(r->windowed, miss->insn).text);
    cy_report_through(out, variable_of(r, miss));
    fputs(": ", out);
    write_why(out, r, miss);
}

void cy_miss_write_all(FILE *out, const struct cy_report *r)
{
    const struct cy_windowed *w = r->windowed;
    const double *causes = &w->outcome.causes[CY_CAUSE_L2];
    const char *between = ": ";
    double all = 0;

    for (unsigned i = 0; i < CY_N_MISSING; i++)
        all += causes[i];
    fprintf(out,
            "Waits for caches, memory and pages, %.0f %% of the program's "
            "cycles",
            cy_windowed_share(w, all));
    for (unsigned i = 0; i < CY_N_MISSING; i++)
        if (cy_windowed_share(w, causes[i]) >= SHORT / 2) {
            fprintf(out, "%s%s %.0f %%", between, level_names[i],
                    cy_windowed_share(w, causes[i]));
            between = ", ";
        }
}

void cy_miss_write_gain(FILE *out, const struct cy_report *r,
                        const struct cy_miss *miss)
{
    const struct cy_windowed *w = r->windowed;

    fprintf(out, "all in the first caches: -%.0f %% of the program's cycles",
            cy_windowed_share(w, w->cached_gain));
    if (miss == NULL || miss->cached < 0)
        return;
    fprintf(out, "; only this %s: -%.0f %%", cy_missing_name(miss->kind),
            cy_windowed_share(w, miss->cached));
    if (!miss->is_chased)
        fprintf(out, ", prefetched early enough -%.0f %%",
                cy_windowed_share(w, miss->early));
}
