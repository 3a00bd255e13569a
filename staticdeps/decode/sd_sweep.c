/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "decode/sd_blocks.h"

/* So many zero bytes in a row are padding or data, though they decode. */
#define ZEROS 8

/* Constants from here on may be addresses: executables with fixed addresses lie
   higher up, and no other file has addresses as constants. */
#define LEAST_CONSTANT UINT64_C(0x100000)

#define LONGEST_RUN 256 /* instructions in which a transfer is looked for */

struct place {
    size_t section, offset;
};

struct sweeper {
    struct sd_sweep *sweep;
    struct sd_decoder *decoder;
    const struct sd_image *image;
    struct sd_sections sections;
    unsigned unit;
    /* Queues of places from which code is still to be followed. */
    struct place *starts, *targets, *after_calls, *referred;
    size_t n_starts, n_targets, n_after_calls, n_referred;
    size_t starts_room, targets_room, after_calls_room, referred_room;
    struct place *stopped; /* where earlier instructions were in the way */
    size_t n_stopped, stopped_room;
    struct sd_extents extents;
    bool is_sure;     /* what is followed is surely code */
    bool may_overlap; /* what is followed may contain other instructions */
};

ARRAY_ORDER(place_order, struct place,
            array_order(a->section, b->section)
                ?: array_order(a->offset, b->offset))

/* Finds the section of an address; false if no section contains the address. */
static bool find(const struct sweeper *s, uint64_t address, size_t guess,
                 struct place *place)
{
    const struct sd_section *list = s->image->sections;

    place->section = guess;
    if (address - list[guess].address >= list[guess].size)
        place->section = sd_sections_find(&s->sections, address);
    if (place->section == SD_NO_SECTION || address % s->unit != 0)
        return false;
    place->offset = address - list[place->section].address;
    assert(place->offset < list[place->section].size);
    return true;
}

/* Are an instruction's bytes, from the second on, still unmarked? */
static bool is_free(const uint8_t *marks, unsigned length)
{
    for (unsigned i = 1; i < length; i++)
        if (marks[i] & (SD_LENGTH | SD_COVERED | SD_FIXED))
            return false;
    return true;
}

static void mark(struct sd_sweep *sweep, struct place at,
                 const struct sd_decoded *insn)
{
    uint8_t *marks = sweep->marks[at.section] + at.offset;

    assert(!(marks[0] & SD_LENGTH));
    marks[0] |= (uint8_t)(insn->length | SD_COVERED |
                          (insn->has_no_effect || insn->is_nop ? SD_QUIET : 0));
    for (unsigned i = 1; i < insn->length; i++)
        marks[i] |= SD_COVERED;
    if (insn->ends_block)
        marks[insn->length] |= SD_LEADER;
}

struct sd_decoded sd_sweep_insn(const struct sd_sweep *sweep, size_t section,
                                size_t offset)
{
    const struct sd_section *s = &sweep->image->sections[section];
    struct sd_decoded insn = {0};

    sd_decode(sweep->decoder, s->bytes + offset, s->size - offset,
              s->address + offset, &insn);
    insn.length = sweep->marks[section][offset] & SD_LENGTH;
    assert(insn.length > 0);
    return insn;
}

/* Notes the address that an instruction refers to, if no function holds it. */
static void note_referred(struct sweeper *s, struct sd_referring *referring,
                          struct place at, unsigned length)
{
    const struct sd_section *section = &s->image->sections[at.section];
    struct place referred;
    uint64_t made;

    if (sd_refer(referring, section->bytes + at.offset, length,
                 section->address + at.offset, &made) &&
        (!referring->is_constant || made >= LEAST_CONSTANT) &&
        find(s, made, at.section, &referred) &&
        !sd_extents_hold(&s->extents, made))
        array_append(s, referred, referred);
}

unsigned sd_sweep_inside(const uint8_t *marks)
{
    unsigned length = marks[0] & SD_LENGTH, at = 1;

    while (at < length && !(marks[at] & SD_LENGTH))
        at++;
    return at < length ? at : 0;
}

/* Do instructions follow each other from one place up to another, without a
   transfer of control or an entry between them? */
static bool is_run(const uint8_t *marks, unsigned at, unsigned end)
{
    do {
        if (!(marks[at] & SD_LENGTH) || sd_sweep_inside(marks + at) != 0)
            return false;
        at += marks[at] & SD_LENGTH;
    } while (at < end && !(marks[at] & SD_LEADER));
    return at == end;
}

/* Begins a block, which is no padding, where two paths meet. */
static void meet(uint8_t *mark)
{
    if (!(*mark & SD_LEADER))
        *mark |= SD_LEADER | SD_FIXED;
}

/* Does an instruction that is not marked yet contain others, to which a jump
   leads, and which end where it ends?  If so, begins blocks at both places. */
static bool is_around(const struct sweeper *s, struct place at, unsigned length)
{
    uint8_t *marks = s->sweep->marks[at.section] + at.offset;
    struct place inner = at;
    unsigned i = 1;

    if (!s->may_overlap ||
        at.offset + length >= s->image->sections[at.section].size)
        return false;
    while (i < length && !(marks[i] & SD_LENGTH))
        i++;
    inner.offset += i;
    if (i == length || !is_free(marks, i) || !is_run(marks, i, length) ||
        array_find(&inner, s->starts, s->n_starts, place_order) != NULL)
        return false;
    marks[i] |= SD_LEADER;
    meet(marks + length);
    return true;
}

/* Queues the places to which an instruction leads; `end` is where it ends. */
static void note_ways(struct sweeper *s, struct place end,
                      const struct sd_decoded *insn)
{
    struct place target;

    if (insn->has_target && find(s, insn->target, end.section, &target))
        array_append(s, targets, target);
    if (insn->is_call)
        array_append(s, after_calls, end);
}

/* Follows the code straight ahead from a place.  False if an undecodable or
   overlapping instruction comes first. */
static bool follow(struct sweeper *s, struct place at)
{
    const struct sd_section *section = &s->image->sections[at.section];
    uint8_t *marks = s->sweep->marks[at.section];
    struct sd_referring referring = {.arch = s->image->arch};

    while (at.offset < section->size) {
        uint8_t *m = marks + at.offset;
        struct sd_decoded insn;

        if (*m & (SD_LENGTH | SD_COVERED))
            return (*m & SD_LENGTH) != 0;
        if (!sd_decode(s->decoder, section->bytes + at.offset,
                       section->size - at.offset, section->address + at.offset,
                       &insn))
            return false;
        if (!is_free(m, insn.length) && !is_around(s, at, insn.length)) {
            if (s->may_overlap)
                array_append(s, stopped, at);
            return false;
        }
        mark(s->sweep, at, &insn);
        if (s->is_sure)
            note_referred(s, &referring, at, insn.length);
        at.offset += insn.length;
        note_ways(s, at, &insn);
        if (insn.is_call || insn.is_last)
            return true;
    }
    return true;
}

/* The start of the instruction that begins before offset `at` and extends
   beyond it; `at` if there is none. */
static size_t start_around(const uint8_t *marks, size_t at)
{
    for (size_t n = 1; n < SD_LENGTH && n <= at; n++)
        if ((marks[at - n] & SD_LENGTH) > n)
            return at - n;
    return at;
}

/* Follows a jump into an instruction, if straight code leads from there to the
   end of the instruction, and no other code begins in the instruction. */
static void follow_inside(struct sweeper *s, struct place at)
{
    const struct sd_section *section = &s->image->sections[at.section];
    uint8_t *marks = s->sweep->marks[at.section];
    struct sd_decoded insns[SD_LENGTH];
    unsigned n = 0;
    size_t next = at.offset, around = start_around(marks, next), end;

    if (marks[next] & SD_LENGTH || around == next ||
        sd_sweep_inside(marks + around) != 0 ||
        start_around(marks, around) != around)
        return;
    end = around + (marks[around] & SD_LENGTH);
    while (next < end) {
        if (end == section->size || (n > 0 && insns[n - 1].ends_block) ||
            !sd_decode(s->decoder, section->bytes + next, end - next,
                       section->address + next, &insns[n]))
            return;
        next += insns[n++].length;
    }
    marks[at.offset] |= SD_LEADER | SD_FIXED;
    meet(marks + end);
    for (unsigned i = 0; i < n; i++) {
        mark(s->sweep, at, &insns[i]);
        at.offset += insns[i].length;
        note_ways(s, at, &insns[i]);
    }
}

/* Begins a block where a jump leads, unless the place is in the middle of a
   block that lies inside an instruction. */
static void cut(struct sweeper *s, struct place at)
{
    uint8_t *marks = s->sweep->marks[at.section];

    if (marks[at.offset] & SD_LENGTH &&
        start_around(marks, at.offset) == at.offset)
        marks[at.offset] |= SD_LEADER | SD_FIXED;
}

static void follow_queues(struct sweeper *s)
{
    bool may_overlap = s->may_overlap;

    for (;;) {
        struct place at;

        if (s->n_targets > 0) {
            at = s->targets[--s->n_targets];
            if (!follow(s, at) && s->may_overlap)
                follow_inside(s, at);
            cut(s, at);
        } else if (s->n_after_calls > 0) {
            s->may_overlap = false;
            follow(s, s->after_calls[--s->n_after_calls]);
            s->may_overlap = may_overlap;
        } else {
            return;
        }
    }
}

/* Does code run from a place to a transfer of control?  Data rarely do. */
static bool runs(const struct sweeper *s, struct place at)
{
    const struct sd_section *section = &s->image->sections[at.section];
    const uint8_t *marks = s->sweep->marks[at.section];
    struct sd_decoded insn;

    for (unsigned n = 0; at.offset < section->size; n++) {
        if (marks[at.offset] & (SD_LENGTH | SD_COVERED))
            return (marks[at.offset] & SD_LENGTH) != 0;
        if (!sd_decode(s->decoder, section->bytes + at.offset,
                       section->size - at.offset, section->address + at.offset,
                       &insn) ||
            !is_free(marks + at.offset, insn.length))
            return false;
        if (insn.has_target || insn.is_call || insn.is_last || n == LONGEST_RUN)
            return true;
        at.offset += insn.length;
    }
    return false;
}

static void follow_referred(struct sweeper *s)
{
    struct sd_sweep *sweep = s->sweep;

    while (s->n_referred > 0) {
        struct place at = s->referred[--s->n_referred];
        uint8_t *marks = &sweep->marks[at.section][at.offset];

        if (!runs(s, at))
            continue;
        array_append(sweep, referred,
                     s->image->sections[at.section].address + at.offset);
        if (!(*marks & SD_LENGTH)) {
            *marks |= SD_FIXED;
            follow(s, at);
            follow_queues(s);
        }
        *marks |= SD_LEADER | SD_FIXED;
    }
    array_sort(sweep->referred, sweep->n_referred, array_by_number);
}

bool sd_sweep_is_referred(const struct sd_sweep *sweep, uint64_t address)
{
    return array_find(&address, sweep->referred, sweep->n_referred,
                      array_by_number) != NULL;
}

/* The number of unmarked zero bytes from offset `at` on; 0 if the bytes are too
   few to be padding. */
static size_t zeros(const struct sd_section *section, const uint8_t *marks,
                    size_t at)
{
    size_t end = at;

    while (end < section->size && section->bytes[end] == 0 &&
           !(marks[end] & SD_COVERED) &&
           (end == at || !(marks[end] & SD_FIXED)))
        end++;
    if (end < section->size && end - at < ZEROS &&
        !(marks[end] & (SD_COVERED | SD_FIXED)))
        return 0;
    return end - at;
}

/* Sweeps gaps between code.  A gap that does not end as code does may be data,
   so its jumps are not followed. */
static void sweep_gaps(struct sweeper *s, size_t number)
{
    const struct sd_section *section = &s->image->sections[number];
    const uint8_t *marks = s->sweep->marks[number];
    size_t at = 0, n;

    while (at < section->size) {
        if (marks[at] & SD_LENGTH) {
            at += marks[at] & SD_LENGTH;
            continue;
        }
        n = zeros(section, marks, at);
        if ((marks[at] & SD_COVERED) ||
            (section->address + at) % s->unit != 0 || n > 0) {
            at += n > 0 ? n : 1;
            continue;
        }
        if (follow(s, (struct place){number, at}))
            follow_queues(s);
        s->n_targets = s->n_after_calls = 0;
        if (!(marks[at] & SD_LENGTH))
            at++;
    }
}

/* Marks the ranges of data.  Ranges may overlap; each byte is marked once. */
static void mark_data(struct sweeper *s)
{
    uint64_t done = 0;

    for (size_t i = 0; i < s->image->n_data; i++) {
        const struct sd_range *data = &s->image->data[i];
        size_t number = sd_sections_find(&s->sections, data->start);
        uint64_t at = data->start > done ? data->start : done, base;

        if (number == SD_NO_SECTION)
            continue;
        base = s->image->sections[number].address;
        uint8_t *marks = s->sweep->marks[number];
        assert(i == 0 || data->start >= s->image->data[i - 1].start);
        assert(data->start - base < s->image->sections[number].size);
        marks[data->start - base] |= SD_FIXED;
        for (; at < data->end && at - base < s->image->sections[number].size;
             at++)
            marks[at - base] |= SD_COVERED;
        done = data->end > done ? data->end : done;
    }
}

/* Marks the symbols: functions are surely code, others only begin blocks. */
static void mark_symbols(struct sweeper *s)
{
    for (size_t i = 0; i < s->image->n_symbols; i++) {
        const struct sd_symbol *symbol = &s->image->symbols[i];
        const struct sd_section *section = &s->image->sections[symbol->section];
        struct place at = {symbol->section, symbol->address - section->address};

        assert(symbol->section < s->image->n_sections);
        assert(at.offset <= section->size);
        if (symbol->address % s->unit != 0)
            continue;
        s->sweep->marks[at.section][at.offset] |= SD_LEADER | SD_FIXED;
        if (symbol->is_function)
            array_append(s, starts, at);
    }
}

static void sweep_all(struct sweeper *s)
{
    mark_data(s);
    mark_symbols(s);
    for (size_t i = 0; i < s->image->n_starts; i++) {
        struct place at;

        if (s->image->n_sections == 0 || !find(s, s->image->starts[i], 0, &at))
            continue;
        s->sweep->marks[at.section][at.offset] |= SD_LEADER | SD_FIXED;
        array_append(s, starts, at);
    }
    s->is_sure = s->may_overlap = true;
    array_sort(s->starts, s->n_starts, place_order);
    for (size_t i = 0; i < s->n_starts; i++)
        follow(s, s->starts[i]);
    follow_queues(s);
    /* What stopped an instruction may lie inside it: try those places again. */
    size_t n_stopped = s->n_stopped;
    for (size_t i = 0; i < n_stopped; i++) {
        follow(s, s->stopped[i]);
        follow_queues(s);
    }
    s->may_overlap = false;
    follow_referred(s);
    s->is_sure = false;
    for (size_t i = 0; i < s->image->n_sections; i++) {
        sweep_gaps(s, i);
        assert(s->n_targets == 0 && s->n_after_calls == 0);
    }
}

void sd_sweep_init(struct sd_sweep *sweep, struct sd_decoder *decoder,
                   const struct sd_image *image)
{
    struct sweeper s = {.sweep = sweep,
                        .decoder = decoder,
                        .image = image,
                        .unit = sd_decoder_unit(decoder)};

    *sweep = (struct sd_sweep){
        .n_sections = image->n_sections,
        .decoder = decoder,
        .image = image,
        .marks = memory_new(image->n_sections, sizeof *sweep->marks)};
    for (size_t i = 0; i < image->n_sections; i++)
        sweep->marks[i] = memory_new(image->sections[i].size + 1, 1);
    sd_sections_init(&s.sections, image);
    sd_extents_init(&s.extents, image);
    sweep_all(&s);
    sd_extents_fini(&s.extents);
    sd_sections_fini(&s.sections);
    free(s.starts);
    free(s.targets);
    free(s.after_calls);
    free(s.referred);
    free(s.stopped);
}

void sd_sweep_fini(struct sd_sweep *sweep)
{
    for (size_t i = 0; i < sweep->n_sections; i++)
        free(sweep->marks[i]);
    free(sweep->marks);
    free(sweep->referred);
    *sweep = (struct sd_sweep){0};
}
