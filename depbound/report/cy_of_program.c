/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/internal.h"

size_t cy_report_n(const struct cy_report *report)
{
    size_t n = report->prediction->n_shown;

    return n < report->n_shown ? n : report->n_shown;
}

/* --- Instructions of the windows --- */

struct cy_line cy_windowed_place(const struct cy_windowed *w, uint32_t insn)
{
    const struct cy_simulated_insn *i = &w->simulated[insn];
    struct cy_line place = cy_code_line(w->code, i->object, i->address);

    assert(insn < w->n_insns && i->object < w->objects.n_objects);
    if (place.text[0] == '\0')
        snprintf(place.text, sizeof place.text, "%s+%#" PRIx64,
                 text_base_name(w->objects.objects[i->object].path),
                 i->address);
    return place;
}

bool cy_windowed_is_behind_call(const struct cy_report *r,
                                const struct cy_windowed_pair *p)
{
    const char *store = r->windowed->names[p->store],
               *load = r->windowed->names[p->load];

    return store != NULL && load != NULL && strcmp(store, load) != 0;
}

char *cy_windowed_variable(const struct cy_report *r,
                           const struct cy_windowed_pair *p)
{
    const struct cy_windowed *w = r->windowed;
    const struct cy_simulated_insn *store = &w->simulated[p->store];
    const struct cy_simulated_insn *load = &w->simulated[p->load];
    uint32_t from = w->in_data[store->object], to = w->in_data[load->object];

    assert(p->store < w->n_insns && p->load < w->n_insns);
    /* Prefer the analysed code, of which more is known. */
    return from != UINT32_MAX && to != UINT32_MAX
               ? cy_code_variable(r->code, from, store->address, to,
                                  load->address)
               : cy_code_variable(w->code, store->object, store->address,
                                  load->object, load->address);
}

const char *cy_windowed_text(const struct cy_windowed *w, uint32_t insn)
{
    const struct cy_simulated_insn *i = &w->simulated[insn];
    struct cy_code_insn code;

    assert(insn < w->n_insns);
    if (w->texts[insn] == NULL &&
        cy_code_at(w->code, i->object, i->address, &code, NULL) == 0 &&
        code.length == i->length)
        w->texts[insn] = memory_text(code.shown);
    return w->texts[insn];
}

const char *cy_windowed_source(const struct cy_report *r, uint32_t insn)
{
    const struct cy_windowed *w = r->windowed;
    const struct cy_simulated_insn *at = &w->simulated[insn];

    assert(insn < w->n_insns);
    return w->in_data[at->object] != UINT32_MAX
               ? cy_code_source(r->code, w->in_data[at->object], at->address)
               : cy_code_source(w->code, at->object, at->address);
}

double cy_windowed_share(const struct cy_windowed *w, double cycles)
{
    return w->outcome.cycles > 0 ? 100 * cycles / w->outcome.cycles : 0;
}

/* The names of the causes, as keys for programs and in texts. */
static const struct {
    const char *key, *text;
} causes[CY_N_CAUSES] = {
    [CY_CAUSE_REGISTERS] = {"causes.registers", "chains through registers"},
    [CY_CAUSE_LOADS] = {"causes.loads", "loads from the cache"},
    [CY_CAUSE_FORWARDED] = {"causes.forwarded", "stores that forward to loads"},
    [CY_CAUSE_FAILED] = {"causes.failed", "forwards that fail"},
    [CY_CAUSE_ADDRESSES] =
        {"causes.addresses",
         "loads that wait for other stores than was predicted"},
    [CY_CAUSE_UNITS] = {"causes.units", "busy units and schedulers"},
    [CY_CAUSE_DISPATCH] = {"causes.dispatch",
                           "the width of dispatch and retirement"},
    [CY_CAUSE_FETCH] = {"causes.fetch", "taken branches"},
    [CY_CAUSE_MISPREDICTION] = {"causes.misprediction",
                                "mispredicted branches"},
    [CY_CAUSE_RETIREMENT] = {"causes.store_buffer",
                             "stores that leave their buffer"},
    [CY_CAUSE_ORDER] = {"causes.order", "atomics and fences"},
    [CY_CAUSE_L2] = {"causes.l2", "data from the second cache"},
    [CY_CAUSE_L3] = {"causes.l3", "data from the third cache"},
    [CY_CAUSE_MEMORY] = {"causes.memory", "data from memory"},
    [CY_CAUSE_PAGES] = {"causes.pages", "pages"},
    [CY_CAUSE_CODE] = {"causes.code", "code that is not in the first cache"},
};

static const char *const full_keys[CY_N_FULL] = {
    [CY_FULL_REORDER] = "full.reorder_buffer",
    [CY_FULL_SCHEDULER] = "full.scheduler",
    [CY_FULL_LOADS] = "full.load_buffer",
    [CY_FULL_STORES] = "full.store_buffer",
};

const char *cy_cause_key(enum cy_cause cause)
{
    assert(cause < CY_N_CAUSES && causes[cause].key != NULL);
    return causes[cause].key;
}

const char *cy_cause_text(enum cy_cause cause)
{
    assert(cause < CY_N_CAUSES && causes[cause].text != NULL);
    return causes[cause].text;
}

const char *cy_full_key(enum cy_full full)
{
    assert(full < CY_N_FULL && full_keys[full] != NULL);
    return full_keys[full];
}

/* --- The program --- */

/* "executed", or "recorded" if only some executed instructions are counted. */
static const char *executed(const struct cy_report *report)
{
    return report->data->recorded < report->data->instructions ? "recorded"
                                                               : "executed";
}

void cy_report_scope(FILE *out, const struct cy_report *report)
{
    const struct cy_prediction *p = report->prediction;
    const struct cy_data *data = report->data;

    assert(p->n_shown <= p->n);
    fprintf(out, "%zu %s%s", p->n_shown,
            p->n > 0 && p->loops[0].name != NULL ? "region" : "loop",
            p->n_shown == 1 ? "" : "s");
    if (data->has_executions)
        fprintf(out, " with %.1f %% of %" PRIu64 " %s instructions", p->share,
                data->recorded, executed(report));
    if (data->recorded < data->instructions)
        fprintf(out, ", %.3g %% of those executed",
                100 * (double)data->recorded / (double)data->instructions);
    if (p->n_shown > cy_report_n(report))
        fprintf(out, "; %zu of them listed", cy_report_n(report));
    if (p->n > p->n_shown)
        fprintf(out, "; %zu other%s left out", p->n - p->n_shown,
                p->n - p->n_shown == 1 ? "" : "s");
}

char *cy_report_objects(const struct cy_report *r)
{
    const struct cy_wish *wish = &r->choice->wish;
    struct memory_stream text = memory_stream_open(&text);

    for (size_t i = 0; i < wish->n_objects; i++)
        fprintf(text.out, "%s%s", i > 0 ? "," : "", wish->objects[i]);
    return memory_stream_close(&text);
}

/* Follows figures of a machine file that were not measured. */
#define UNCHECKED                                                          \
    "; they are published ones or guesses, and no prediction by them was " \
    "compared with measured cycles"

char *cy_report_strange(const struct cy_report *report)
{
    const struct cy_facts *machine = report->machine;

    if (machine == NULL)
        return memory_text("No machine file: what goes through memory has "
                           "latencies of llvm-mca, or guessed ones, and no "
                           "forward fails.");
    if (machine->is_forced)
        return memory_printf(
            "The machine file (%s) was made on a busy machine, "
            "by force: its figures may be wrong.",
            machine->name);
    if (machine->is_elsewhere)
        return memory_printf("The code is of %s, and this processor (%s) is "
                             "not: the figures are those of %s, unless --cpu "
                             "names another%s.",
                             arch_title(machine->arch), machine->stands_for,
                             machine->name,
                             machine->is_published ? UNCHECKED : "");
    if (machine->stands_for == NULL)
        return machine->is_published
                   ? memory_printf("The figures are those of %s" UNCHECKED ".",
                                   machine->name)
                   : NULL;
    return memory_printf("No machine file for this processor (%s): the figures "
                         "are %s%s%s.",
                         machine->stands_for,
                         machine->is_typical
                             ? "typical ones, of no processor"
                             : "those of its nearest relative, ",
                         machine->is_typical ? "" : machine->name,
                         machine->is_published ? UNCHECKED : "");
}

double cy_report_part(const struct cy_report *r, double cycles)
{
    double all = r->program->total.cycles;

    return all > 0 ? 100 * cycles / all : 0;
}

double cy_report_share(const struct cy_report *r,
                       const struct cy_cost_of_loop *c)
{
    return r->program == NULL ? c->share : cy_report_part(r, c->cycles.all);
}

bool cy_report_has_called(const struct cy_report *r)
{
    for (size_t i = 0; i < cy_report_n(r); i++)
        if (r->program != NULL && r->prediction->loops[i].cycles.called > 0)
            return true;
    return false;
}

double cy_report_whole_share(const struct cy_report *r,
                             const struct cy_cost_of_loop *c)
{
    double own = c->cycles.predicted - c->cycles.called,
           share = cy_report_share(r, c);

    return own > 0 ? fmin(100, share * c->cycles.predicted / own) : share;
}

double cy_report_unmodelled(const struct cy_total *t)
{
    return t->instructions > 0 ? 100 * t->unmodelled / t->instructions : 0;
}

void cy_report_share_of(FILE *out, const struct cy_report *r)
{
    if (r->program == NULL)
        fprintf(out, "of the %s instructions", executed(r));
    else if (r->program->is_recorded)
        fprintf(out,
                "of the program's cycles%s; the loader, start and end have "
                "%.1f %%",
                cy_report_has_called(r)
                    ? ", of a loop with what it calls (self: without)"
                    : "",
                cy_report_part(r, cy_report_start(r).cycles));
    else
        fprintf(out,
                "of at least %.4g predicted cycles, without %.1f %% of the "
                "instructions, which are not modelled",
                r->program->total.cycles,
                cy_report_unmodelled(&r->program->total));
}

bool cy_report_is_start(const struct cy_total *t)
{
    static const char *const names[] = {"_start",
                                        "_init",
                                        "_fini",
                                        "__libc_start_main",
                                        "__libc_start_call_main",
                                        "__libc_start_main_impl",
                                        "call_init",
                                        "frame_dummy",
                                        "register_tm_clones",
                                        "deregister_tm_clones",
                                        "__do_global_dtors_aux",
                                        NULL};

    return cy_object_is_loader(t->object) ||
           (t->function != NULL && text_is_any(t->function, names));
}

struct cy_total cy_report_start(const struct cy_report *r)
{
    struct cy_total sum = {0};

    for (size_t i = 0; i < r->program->n_all; i++)
        if (cy_report_is_start(&r->program->functions[i]))
            cy_total_add(&sum, &r->program->functions[i]);
    return sum;
}

double cy_report_missed(const struct cy_report *r)
{
    struct cy_total all = r->program->total, start = cy_report_start(r);

    return cy_report_part(r, all.cycles - all.steered -
                                 (start.cycles - start.steered));
}

void cy_report_time(FILE *out, const struct cy_report *r, double cycles,
                    bool tells_clock)
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    double time = r->clock > 0 ? cycles / r->clock : 0;
    unsigned unit = 0;

    if (r->clock <= 0)
        return;
    for (; time >= 999.5 && unit < 3; unit++)
        time /= 1000;
    fprintf(out, " (%.3g %s", time, units[unit]);
    if (tells_clock)
        fprintf(out, " at %.3g GHz", r->clock);
    fputc(')', out);
}
