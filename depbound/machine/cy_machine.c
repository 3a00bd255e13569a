/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine/cy_machine.h"

#include "keys.h"
#include "machine/internal.h"

/* The bit of a value that no rule's set has. */
#define NEVER 63

#define UNKNOWN            \
    {                      \
        NAN, NAN, NAN, NAN \
    }

const struct cy_machine *cy_machine_none(void)
{
    static const char *nothing[] = {NULL};
    static const struct cy_machine none = {
        .facts = {.uncertain = nothing,
                  .rates = {UNKNOWN, UNKNOWN, UNKNOWN, NAN},
                  .dispatch = {.width = NAN}},
        .zero_idioms = nothing,
        .fused = nothing};

    return &none;
}

const struct cy_facts *cy_machine_facts(const struct cy_machine *machine)
{
    assert(machine->facts.uncertain != NULL);
    return &machine->facts;
}

int cy_machine_set_cache(struct cy_machine *machine, unsigned level, double kib,
                         struct diag *d)
{
    struct cy_memory *m = &machine->facts.memory;

    assert(level >= 1 && level <= CY_BEYOND && kib > 0);
    struct cy_cache *cache = level == 1 ? &m->data : &m->beyond[level - 2];
    if (m->misses == 0)
        return diag_set(d,
                        "the machine file %s does not say what caches there "
                        "are",
                        machine->facts.name);
    cache->kib = kib;
    if (cache == &m->beyond[1]) {
        m->l3_least_kib = m->l3_most_kib = kib;
        m->l3_lifetime = 0;
    }
    if (kib * 1024 < CY_CACHE_LINE * cache->ways)
        return diag_set(d, "too small for a cache of %.0f ways", cache->ways);
    if (m->data.kib > m->beyond[0].kib ||
        (m->beyond[1].kib > 0 && m->beyond[0].kib > m->beyond[1].kib))
        return diag_set(d, "a cache would be smaller than the one before it");
    return 0;
}

unsigned cy_width_bit(uint64_t bits)
{
    if (bits == 0 || (bits & (bits - 1)) != 0)
        return NEVER;
    return (unsigned)__builtin_ctzll(bits);
}

/* The bit of a key's value, in what a rule is asked about. */
static unsigned value_of(const struct cy_key *key, const struct cy_through *t)
{
    const void *at = (const char *)t + key->offset;
    unsigned n =
        key->size == sizeof(bool) ? *(const bool *)at : *(const unsigned *)at;

    switch (key->kind) {
    case CY_KEY_WORDS:
        return n;
    case CY_KEY_WIDTHS:
        return cy_width_bit(n);
    case CY_KEY_NUMBERS:
        return (int)n < 0 ? NEVER : n < NEVER ? n : NEVER - 1;
    case CY_KEY_TRUTHS:
        return n != 0;
    }
    assert(false);
    return NEVER;
}

/* The first rule that matches t's first n_keys keys; NULL if none does. */
static const struct cy_rule *first_match(const struct cy_rule *rules, size_t n,
                                         const struct cy_through *t,
                                         size_t n_keys)
{
    unsigned values[CY_N_KEYS];

    assert(n_keys <= CY_N_KEYS);
    for (size_t k = 0; k < n_keys; k++) {
        values[k] = value_of(&cy_keys[k], t);
        assert(values[k] <= NEVER);
    }
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;

        while (k < n_keys && (rules[i].sets[k] == 0 ||
                              (rules[i].sets[k] >> values[k] & 1) != 0))
            k++;
        if (k == n_keys)
            return &rules[i];
    }
    return NULL;
}

bool cy_machine_load(const struct cy_machine *machine,
                     const struct cy_access *load, double *cycles)
{
    const struct cy_through t = {.load = *load};
    const struct cy_rule *rule =
        first_match(machine->loads, machine->n_loads, &t, CY_N_LOAD_KEYS);

    if (rule != NULL)
        *cycles = rule->cost.cycles;
    return rule != NULL;
}

bool cy_machine_forward(const struct cy_machine *machine,
                        const struct cy_through *through, struct cy_cost *cost)
{
    const struct cy_rule *rule =
        first_match(machine->forwards, machine->n_forwards, through, CY_N_KEYS);

    if (rule == NULL)
        return false;
    assert(rule->cost.cycles >= 0 && rule->cost.how <= CY_FAILED);
    *cost = rule->cost;
    return true;
}

uint64_t cy_name_bit(const char *mnemonic)
{
    uint64_t hash = 0;

    for (; *mnemonic != '\0'; mnemonic++)
        hash = 31 * hash + (unsigned char)*mnemonic;
    return UINT64_C(1) << hash_place(hash, 6);
}

static bool is_for(const struct cy_figure *figure, const struct cy_insn *insn)
{
    assert(insn->mnemonic != NULL);
    if (!text_is_any(insn->mnemonic, (const char *const *)figure->mnemonics) ||
        (figure->locked && !insn->locked) || (figure->loads && !insn->loads) ||
        (figure->stores && !insn->stores))
        return false;
    if (figure->forms[0] != NULL &&
        (insn->form == NULL ||
         !text_is_any(insn->form, (const char *const *)figure->forms)))
        return false;
    return figure->bits == 0 ||
           (figure->bits >> cy_width_bit(insn->bits) & 1) != 0;
}

static const struct cy_figure *find_figure(const struct cy_figure *figures,
                                           size_t n, const struct cy_insn *insn)
{
    uint64_t name = cy_name_bit(insn->mnemonic);

    for (size_t i = 0; i < n; i++)
        if ((figures[i].names & name) != 0 && is_for(&figures[i], insn))
            return &figures[i];
    return NULL;
}

bool cy_machine_latency(const struct cy_machine *machine,
                        const struct cy_insn *insn, const struct cy_insn *from,
                        double *cycles)
{
    const struct cy_figure *figure =
        find_figure(machine->latencies, machine->n_latencies, insn);

    if (figure == NULL)
        return false;
    if (figure->chained >= 0 && from != NULL && is_for(figure, from))
        *cycles = figure->chained;
    else
        *cycles = figure->cycles;
    assert(*cycles >= 0);
    return true;
}

bool cy_machine_accumulates(const struct cy_machine *machine,
                            const struct cy_insn *insn,
                            const struct cy_insn *from, double *cycles)
{
    const struct cy_figure *figure =
        find_figure(machine->latencies, machine->n_latencies, insn);

    if (figure == NULL || figure->accumulated < 0 || !is_for(figure, from))
        return false;
    *cycles = figure->accumulated;
    return true;
}

static bool find_cycles(const struct cy_figure *figures, size_t n,
                        const struct cy_insn *insn, double *cycles)
{
    const struct cy_figure *figure = find_figure(figures, n, insn);

    if (figure != NULL)
        *cycles = figure->cycles;
    return figure != NULL;
}

bool cy_machine_occupancy(const struct cy_machine *machine,
                          const struct cy_insn *insn, double *cycles)
{
    return find_cycles(machine->occupancies, machine->n_occupancies, insn,
                       cycles);
}

bool cy_machine_throughput(const struct cy_machine *machine,
                           const struct cy_insn *insn, double *cycles)
{
    return find_cycles(machine->throughputs, machine->n_throughputs, insn,
                       cycles);
}

bool cy_machine_retiring(const struct cy_machine *machine,
                         const struct cy_insn *insn, double *cycles)
{
    return find_cycles(machine->retirings, machine->n_retirings, insn, cycles);
}

double cy_machine_places(const struct cy_machine *machine,
                         const struct cy_insn *insn)
{
    const struct cy_figure *figure =
        find_figure(machine->throughputs, machine->n_throughputs, insn);

    return figure != NULL ? figure->places : 0;
}

void cy_machine_parts(const struct cy_machine *machine,
                      const struct cy_insn *insn, double *kept, double *high)
{
    const struct cy_figure *figure =
        find_figure(machine->latencies, machine->n_latencies, insn);

    *kept = *high = -1;
    if (figure == NULL)
        return;
    *kept = figure->kept;
    *high = figure->high;
}

/* A file without measurements has none. */
static enum cy_basis basis_in(const struct cy_machine *machine,
                              enum cy_basis basis)
{
    return machine->facts.is_published && basis == CY_MEASURED ? CY_PUBLISHED
                                                               : basis;
}

enum cy_basis cy_machine_basis(const struct cy_machine *machine)
{
    return machine->facts.is_typical ? CY_GUESSED
                                     : basis_in(machine, CY_MEASURED);
}

enum cy_basis cy_machine_latency_basis(const struct cy_machine *machine,
                                       const struct cy_insn *insn)
{
    const struct cy_figure *figure =
        find_figure(machine->latencies, machine->n_latencies, insn);

    return figure == NULL ? CY_PUBLISHED : basis_in(machine, figure->basis);
}

enum cy_basis cy_machine_rate_basis(const struct cy_machine *machine,
                                    const struct cy_insn *insn)
{
    const struct cy_figure *figure =
        find_figure(machine->throughputs, machine->n_throughputs, insn);

    if (figure == NULL)
        figure =
            find_figure(machine->occupancies, machine->n_occupancies, insn);
    return figure == NULL ? CY_PUBLISHED : basis_in(machine, figure->basis);
}

enum cy_basis cy_machine_load_basis(const struct cy_machine *machine,
                                    const struct cy_access *load)
{
    const struct cy_through t = {.load = *load};
    const struct cy_rule *rule =
        first_match(machine->loads, machine->n_loads, &t, CY_N_LOAD_KEYS);

    return rule == NULL ? CY_PUBLISHED : basis_in(machine, rule->cost.basis);
}

bool cy_machine_is_fused(const struct cy_machine *machine,
                         const struct cy_insn *insn)
{
    return text_is_any(insn->mnemonic, machine->fused);
}

bool cy_machine_is_zero_idiom(const struct cy_machine *machine,
                              const struct cy_insn *insn)
{
    return text_is_any(insn->mnemonic, machine->zero_idioms);
}

/* Ends what a cycle fetches of a line, or decodes of it. */
static void end_line(struct cy_lines *l)
{
    const struct cy_dispatch *d = l->dispatch;
    bool is_dense = l->places > d->line_places,
         is_free = !l->is_begun && l->places <= d->line_places / 2,
         is_entry = !l->is_begun && d->entry_places > 0;

    if (l->is_decoded)
        l->decoding +=
            fmax(l->insns / d->decode_width, l->bytes / d->decode_bytes);
    else if (d->line_most > 0)
        l->cycles += d->entry_places > 0
                         ? ceil(fmax(l->places, 1) /
                                (is_entry ? d->entry_places : d->line_most))
                         : 1;
    else if (is_dense)
        l->cycles += d->line_cycles - l->is_after_sparse;
    else if (!is_free)
        l->cycles++;
    l->is_after_sparse = !is_dense && !is_free;
    l->places = l->numbers = l->insns = l->bytes = 0;
}

unsigned cy_lines_places(const struct cy_dispatch *d, unsigned uops)
{
    return d->line_places > 0 && uops == 2 ? 1 : uops;
}

bool cy_lines_count(const struct cy_dispatch *dispatch)
{
    return dispatch->line_places > 0 || dispatch->line_most > 0;
}

void cy_lines_begin(struct cy_lines *l, const struct cy_dispatch *dispatch)
{
    assert(cy_lines_count(dispatch));
    *l = (struct cy_lines){.dispatch = dispatch};
}

/* Has the entry room for more?  Any instruction has room in an empty one. */
static bool has_room(const struct cy_lines *l, const struct cy_fetched *insn)
{
    const struct cy_dispatch *d = l->dispatch;
    double all = l->numbers + insn->numbers,
           more = ceil(fmax(0, all - d->entry_numbers) / 2);

    return l->places == 0 ||
           (l->places + insn->places + more <= d->entry_places &&
            all <= 2 * d->entry_numbers);
}

static void add_to_line(struct cy_lines *l, uint64_t line,
                        const struct cy_fetched *insn)
{
    bool is_next = l->has_line && line != l->line,
         is_full = l->has_line && !l->is_begun && !l->is_decoded &&
                   l->dispatch->entry_places > 0 && !has_room(l, insn);

    if (is_next || is_full)
        end_line(l);
    if (is_next || !l->has_line)
        l->is_decoded = insn->is_decoded && l->dispatch->decode_width > 0;
    l->is_begun |= is_next;
    l->has_line = true;
    l->line = line;
    l->places += insn->places;
    l->numbers += insn->numbers;
}

void cy_lines_add(struct cy_lines *l, const struct cy_fetched *insn)
{
    uint64_t last = (insn->address + insn->size - 1) / CY_LINE;

    assert(insn->size > 0);
    add_to_line(l, insn->address / CY_LINE, insn);
    l->insns++;
    l->bytes += insn->size;
    l->all += l->is_decoded ? 0 : insn->places;
    if (last != l->line && l->dispatch->line_most > 0)
        add_to_line(l, last, insn);
}

double cy_lines_end(struct cy_lines *l)
{
    if (l->has_line)
        end_line(l);
    if (l->dispatch->line_most > 0 && l->dispatch->entry_places == 0)
        l->cycles = fmax(l->cycles, ceil(l->all / l->dispatch->line_most));
    return l->decoding + (l->dispatch->line_most > 0 && l->decoding <= 0
                              ? l->cycles
                              : fmax(l->cycles, l->all / l->dispatch->width));
}
