/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "code/internal.h"

#include <fnmatch.h>

struct cy_code *cy_code_new(const struct cy_data *data,
                            enum disasm_syntax syntax)
{
    struct cy_code *code = memory_new(1, sizeof *code);

    code->data = data;
    code->syntax = syntax;
    code->disasm = disasm_new(arch_name(data->arch));
    assert(code->disasm != NULL);
    code->files = memory_new(data->n_objects, sizeof *code->files);
    return code;
}

void cy_code_free(struct cy_code *code)
{
    if (code == NULL)
        return;
    for (size_t i = 0; i < code->data->n_objects; i++)
        objfile_close(code->files[i]);
    cy_origins_fini(&code->origins);
    free(code->callees.list);
    free(code->files);
    disasm_free(code->disasm);
    free(code);
}

struct objfile *cy_code_file(struct cy_code *code, uint32_t object,
                             struct diag *d)
{
    const struct cy_object *o = &code->data->objects[object];
    struct objfile **file = &code->files[object];

    assert(object < code->data->n_objects);
    if (*file == NULL)
        *file = objfile_open(o->path, o->build_id, d);
    return *file;
}

/* An object's code from `address` on: *n bytes, and at least `least`; else
   NULL. */
static const uint8_t *bytes_at(struct cy_code *code, uint32_t object,
                               uint64_t address, size_t least, size_t *n,
                               struct diag *d)
{
    struct objfile *file = cy_code_file(code, object, d);

    assert(least > 0);
    if (file == NULL)
        return NULL;
    const uint8_t *bytes = objfile_code(file, address, n);
    if (bytes != NULL && *n >= least)
        return bytes;
    diag_set(d, "%s: no code at %#llx", code->data->objects[object].path,
             (unsigned long long)address);
    return NULL;
}

/* A block's code; *n: the bytes from there on, of which it has the first. */
static const uint8_t *bytes_of(struct cy_code *code,
                               const struct cy_block *block, size_t *n,
                               struct diag *d)
{
    assert(block->start < block->end);
    return bytes_at(code, block->object, block->start,
                    block->end - block->start, n, d);
}

/* --- Halves of vector registers --- */

static bool merges(const struct cy_code_insn *insn)
{
    static const char *const names[] = {"cvtsi2s", "cvtss2sd", "cvtsd2ss",
                                        "sqrts",   "rcpss",    "rsqrtss",
                                        "rounds",  NULL};

    if (strcmp(insn->name, "movsd") == 0 || strcmp(insn->name, "movss") == 0)
        return insn->flow.n_loads + insn->flow.n_stores == 0;
    return insn->arch == ARCH_X86_64 && text_begins_any(insn->name, names) > 0;
}

/* Is the source of an instruction the register that it writes? */
static bool is_of_itself(const struct cy_code_insn *insn)
{
    const struct disasm_operand *first = &insn->operands[0],
                                *last = &insn->operands[insn->n_operands - 1];

    assert(insn->n_operands > 0);
    for (; first < last && first->kind != DISASM_REGISTER; first++)
        ;
    return first < last && last->kind == DISASM_REGISTER &&
           strcmp(first->base, last->base) == 0;
}

static void wait_for(struct flow_put *put, unsigned upper, bool for_lower)
{
    put->value.words[upper / 64] |= UINT64_C(1) << upper % 64;
    if (!for_lower)
        put->value.words[(upper - 1) / 64] &=
            ~(UINT64_C(1) << (upper - 1) % 64);
    put->value.is_computed = true;
    put->is_free = false;
}

unsigned cy_insn_upper(const struct cy_code_insn *insn)
{
    unsigned first = FLOW_WORDS - 1;

    if (!merges(insn))
        return FLOW_WORDS;
    for (unsigned i = 0; i < insn->flow.n_puts; i++)
        first =
            insn->flow.puts[i].word < first ? insn->flow.puts[i].word : first;
    return first + 1;
}

static void merge(struct cy_code_insn *insn)
{
    unsigned word = cy_insn_upper(insn);

    if (word >= FLOW_WORDS)
        return;
    bool for_lower = is_of_itself(insn);
    struct flow_put *lower = flow_put_of(&insn->flow, word - 1);
    struct flow_put *upper = flow_put_of(&insn->flow, word);
    if (upper == NULL && insn->flow.n_puts < FLOW_MOST_PUTS) {
        upper = &insn->flow.puts[insn->flow.n_puts++];
        *upper = *lower;
        upper->word = (uint8_t)word;
    }
    wait_for(lower, word, for_lower);
    if (upper != NULL)
        wait_for(upper, word, for_lower);
}

/* --- Decoding --- */

static void show(struct cy_code *code, struct cy_code_insn *insn)
{
    struct disasm_insn text;

    if (code->syntax == DISASM_ATT) {
        memcpy(insn->shown, insn->text, sizeof insn->shown);
        return;
    }
    disasm_set_syntax(code->disasm, code->syntax);
    disasm_insn(code->disasm, insn->bytes, insn->length, insn->address, &text);
    disasm_set_syntax(code->disasm, DISASM_ATT);
    snprintf(insn->shown, sizeof insn->shown, "%s", text.text);
}

/* Takes what the disassembler says of the instruction at an address. */
static void take(struct cy_code *code, struct cy_code_insn *insn,
                 const struct disasm_insn *text, const uint8_t *bytes,
                 uint64_t address)
{
    size_t length =
        text->length < sizeof insn->bytes ? text->length : sizeof insn->bytes;

    *insn = (struct cy_code_insn){.arch = code->data->arch,
                                  .address = address,
                                  .length = (uint8_t)length};
    memcpy(insn->bytes, bytes, length);
    snprintf(insn->text, sizeof insn->text, "%s", text->text);
    snprintf(insn->name, sizeof insn->name, "%s", text->name);
    show(code, insn);
}

static void decode(struct cy_code *code, struct cy_code_insn *insn,
                   const uint8_t *bytes, size_t n, uint64_t address)
{
    struct disasm_insn text;

    disasm_insn(code->disasm, bytes, n, address, &text);
    assert(text.length > 0 && text.length <= n);
    take(code, insn, &text, bytes, address);
}

/* Adds the operands and the flow of a decoded instruction. */
static void complete(struct cy_code *code, struct cy_code_insn *insn)
{
    insn->n_operands = disasm_operands(code->disasm, insn->bytes, insn->length,
                                       insn->operands);
    flow_of_insn(&insn->flow, insn->arch, insn->bytes, insn->length,
                 insn->address);
    merge(insn);
}

const uint8_t *cy_code_bytes(struct cy_code *code, uint32_t object,
                             uint64_t address, size_t n)
{
    return bytes_at(code, object, address, n, &n, NULL);
}

unsigned cy_code_length(struct cy_code *code, uint32_t object, uint64_t address,
                        const uint8_t **bytes)
{
    size_t n;

    *bytes = bytes_at(code, object, address, 1, &n, NULL);
    return *bytes != NULL ? disasm_length(code->disasm, *bytes, n) : 0;
}

int cy_code_at(struct cy_code *code, uint32_t object, uint64_t address,
               struct cy_code_insn *insn, struct diag *d)
{
    size_t n;
    const uint8_t *bytes = bytes_at(code, object, address, 1, &n, d);

    if (bytes == NULL)
        return -1;
    decode(code, insn, bytes, n, address);
    complete(code, insn);
    return 0;
}

int cy_code_block(struct cy_code *code, const struct cy_block *block,
                  struct cy_code_insn **insns, size_t *n, size_t *room,
                  struct diag *d)
{
    size_t ignored;
    const uint8_t *bytes = bytes_of(code, block, &ignored, d);
    uint64_t address = block->start;

    if (bytes == NULL)
        return -1;
    while (address < block->end) {
        *insns = memory_grow(*insns, room, *n, sizeof **insns);
        struct cy_code_insn *insn = &(*insns)[(*n)++];
        decode(code, insn, bytes + (address - block->start),
               block->end - address, address);
        complete(code, insn);
        address += insn->length;
    }
    assert(address == block->end);
    return 0;
}

int cy_code_last(struct cy_code *code, const struct cy_block *block,
                 struct flow *flow, struct diag *d)
{
    unsigned length = 0, unit = arch_unit(code->data->arch);
    size_t at = 0, n = block->end - block->start, room;
    const uint8_t *bytes = bytes_of(code, block, &room, d);

    if (bytes == NULL)
        return -1;
    while (at + length < n) {
        at += length;
        length = disasm_length(code->disasm, bytes + at, room - at);
        if (length == 0 || length > n - at)
            length = n - at < unit ? (unsigned)(n - at) : unit;
    }
    flow_of_insn(flow, code->data->arch, bytes + at, length, block->start + at);
    return 0;
}

/* --- Source lines --- */

/* Finds the user's line of an address and, if code from a header was inlined
   there, the line in the header.  Returns false if the line is not known. */
static bool find_lines(const struct cy_code *code, uint32_t object,
                       uint64_t address, struct source_frame *frame,
                       struct source_frame *header)
{
    assert(object < code->data->n_objects);
    if (code->files[object] == NULL)
        return false;
    *frame = objfile_own_line(code->files[object], address, header);
    return frame->file != NULL && frame->line > 0;
}

static bool find_line(const struct cy_code *code, uint32_t object,
                      uint64_t address, struct source_frame *frame)
{
    struct source_frame ignored;

    return find_lines(code, object, address, frame, &ignored);
}

struct cy_line cy_code_line(const struct cy_code *code, uint32_t object,
                            uint64_t address)
{
    struct source_frame frame, header;
    struct cy_line line = {""};

    if (!find_lines(code, object, address, &frame, &header))
        return line;
    if (header.line > 0)
        snprintf(line.text, sizeof line.text, "%s:%d (%s:%d)",
                 text_base_name(frame.file), frame.line,
                 text_base_name(header.file), header.line);
    else
        snprintf(line.text, sizeof line.text, "%s:%d",
                 text_base_name(frame.file), frame.line);
    text_make_safe(line.text);
    return line;
}

/* More functions than any compiler inlines into each other. */
#define MOST_INLINED 32

char *cy_code_inlined(struct cy_code *code, uint32_t object, uint64_t address)
{
    struct source_frame frames[MOST_INLINED];
    size_t n = 0;

    assert(object < code->data->n_objects);
    if (code->files[object] != NULL)
        n = objfile_frames(code->files[object], address, frames, MOST_INLINED);
    if (n < 2)
        return NULL;
    struct memory_stream text = memory_stream_open(&text);
    for (size_t i = n; i-- > 0;)
        fprintf(text.out, "%s %s:%d%s",
                frames[i].function != NULL ? frames[i].function : "?",
                frames[i].file != NULL ? text_base_name(frames[i].file) : "?",
                frames[i].line, i > 0 ? " > " : "");
    return text_make_safe(memory_stream_close(&text));
}

char *cy_code_unread(const struct cy_code *code, uint32_t object)
{
    assert(object < code->data->n_objects);
    return code->files[object] != NULL
               ? text_make_safe(objfile_unread(code->files[object]))
               : NULL;
}

char *cy_code_where(struct cy_code *code, uint32_t object, uint64_t address,
                    int *line)
{
    struct source_frame frame;

    if (!find_line(code, object, address, &frame))
        return NULL;
    *line = frame.line;
    return frame.file[0] != '/' && frame.directory != NULL
               ? memory_printf("%s/%s", frame.directory, frame.file)
               : memory_text(frame.file);
}

static bool matches(struct cy_code *code, uint32_t object, uint64_t address,
                    const char *pattern, uint64_t line)
{
    struct source_frame frame;

    return find_line(code, object, address, &frame) &&
           (line == 0 || (uint64_t)frame.line == line) &&
           fnmatch(pattern,
                   strchr(pattern, '/') != NULL ? frame.file
                                                : text_base_name(frame.file),
                   0) == 0;
}

bool cy_code_matches(struct cy_code *code, uint32_t object,
                     const struct cy_code_insn *insns, size_t n,
                     const char *source)
{
    AUTO_FREE char *pattern = memory_text(source);
    char *colon = strrchr(pattern, ':');
    uint64_t line = 0;
    bool found = false;

    assert(n > 0);
    if (colon != NULL && num_parse(colon + 1, &line) && line > 0)
        *colon = '\0';
    for (size_t i = 0; i < n && !found && (i == 0 || line > 0); i++)
        found = matches(code, object, insns[i].address, pattern, line);
    return found;
}

const char *cy_code_text(struct cy_code *code, uint32_t object,
                         uint64_t address, int *column)
{
    struct source_frame frame;

    if (!find_line(code, object, address, &frame))
        return NULL;
    *column = frame.column;
    return objfile_text(code->files[object], &frame);
}

const char *cy_code_source(struct cy_code *code, uint32_t object,
                           uint64_t address)
{
    int column;
    const char *line = cy_code_text(code, object, address, &column);

    return line != NULL ? line + strspn(line, " \t") : NULL;
}

/* --- Which registers a call may overwrite --- */

/* A callee whose code is in the file overwrites what it and its callees write,
   except registers that it saves and the ABI preserves.  Compilers do the same
   (GCC's -fipa-ra).  Of other callees, only the ABI is known.

   Limits: the ABI is that of Linux, or of Go in a file that its compiler made;
   calls of Windows code preserve more registers than are assumed here. */

/* Larger functions are assumed to overwrite what the ABI says. */
#define MOST_INSNS 512

/* A block of a callee, and the state at its start. */
struct place {
    uint32_t block;
    bool has_stack; /* is `stack` known, the bytes that the stack pointer has
                       moved since the entry? */
    int64_t stack;
};

struct reading {
    struct cy_code *code;
    uint32_t object;
    struct place *places; /* blocks in the order of discovery */
    size_t n_places, places_room;
    struct cy_code_insn *insns; /* instructions of one block */
    size_t n_read, insns_room;
    struct flow_sources written, saved; /* sets of registers */
};

/* Adds the block that starts at an address, once; false if none does. */
static bool add_place(struct reading *r, uint64_t address, struct place at)
{
    const struct cy_data *data = r->code->data;

    at.block = cy_data_block(data, r->object, address);
    if (at.block == CY_NO_BLOCK || data->blocks[at.block].start != address)
        return false;
    for (size_t i = 0; i < r->n_places; i++)
        if (r->places[i].block == at.block)
            return true;
    array_append(r, places, at);
    return true;
}

/* Is the sum the stack pointer, moved by a constant? */
static bool is_of_stack(enum arch arch, const struct flow_sum *sum)
{
    return sum->is_known && sum->n == 1 && sum->factors[0] == 1 &&
           guest_is_stack_pointer(arch, sum->words[0]);
}

/* Notes the registers that are copied, since they may be restored later. */
static void note_copy(struct reading *r, const struct flow_sources *value)
{
    if (!value->is_computed && value->loads == 0)
        flow_sources_join(&r->saved, value);
}

/* Takes an instruction; false if it is not known, or changes the return
   address. */
static bool take_insn(struct reading *r, const struct cy_code_insn *insn,
                      struct place *at)
{
    const struct flow *flow = &insn->flow;

    if (!flow->is_known || flow->is_cut)
        return false;
    for (unsigned i = 0; i < flow->n_stores; i++) {
        const struct flow_access *store = &flow->stores[i];

        note_copy(r, &store->data);
        if (at->has_stack && is_of_stack(insn->arch, &store->place) &&
            at->stack + (int64_t)store->place.constant == 0)
            return false;
    }
    if (flow->leave == FLOW_TO_CALLER)
        return !at->has_stack || at->stack == 0;
    for (unsigned i = 0; i < flow->n_puts; i++) {
        const struct flow_put *put = &flow->puts[i];

        note_copy(r, &put->value);
        r->written.words[put->word / 64] |= UINT64_C(1) << put->word % 64;
        /* What a call pushes is popped when it returns. */
        if (!guest_is_stack_pointer(insn->arch, put->word) ||
            flow->leave == FLOW_CALL)
            continue;
        at->has_stack &= is_of_stack(insn->arch, &put->sum);
        at->stack += (int64_t)put->sum.constant;
    }
    return true;
}

/* Takes a block, and adds its successors; false if its code is not known. */
static bool take_block(struct reading *r, struct place at)
{
    const struct cy_block *block = &r->code->data->blocks[at.block];
    size_t n = 0;

    if (cy_code_block(r->code, block, &r->insns, &n, &r->insns_room, NULL) !=
            0 ||
        n == 0 || (r->n_read += n) > MOST_INSNS)
        return false;
    for (size_t i = 0; i < n; i++)
        if (!take_insn(r, &r->insns[i], &at))
            return false;
    const struct flow *last = &r->insns[n - 1].flow;
    if (last->leave == FLOW_AWAY ||
        (last->leave == FLOW_CALL &&
         (last->called == FLOW_NOWHERE ||
          !add_place(r, last->called, (struct place){.has_stack = true}))) ||
        (last->taken != FLOW_NOWHERE && !add_place(r, last->taken, at)))
        return false;
    return !last->falls_through || add_place(r, block->end, at);
}

/* Reads a callee from its entry on; false if part of it is not known. */
static bool read_callee(struct reading *r, uint64_t entry)
{
    bool is_known = entry != FLOW_NOWHERE &&
                    add_place(r, entry, (struct place){.has_stack = true});

    for (size_t i = 0; i < r->n_places && is_known; i++)
        is_known = take_block(r, r->places[i]);
    free(r->places);
    free(r->insns);
    return is_known;
}

static struct flow_sources overwritten(struct cy_code *code, uint32_t object,
                                       uint64_t entry)
{
    struct reading r = {.code = code, .object = object};
    enum arch arch = code->data->arch;
    struct objfile *file = cy_code_file(code, object, NULL);
    /* Go's linker adds this section to each program. */
    bool go = file != NULL && objfile_has_section(file, ".go.buildinfo");
    bool is_known = read_callee(&r, entry);
    struct flow_sources words = {0};

    for (unsigned w = 0; w < FLOW_WORDS; w++) {
        bool is_kept = guest_keeps(arch, w) && !go;

        if (!guest_is_stack_pointer(arch, w) &&
            (is_known ? flow_sources_has(&r.written, w) &&
                            !(is_kept && flow_sources_has(&r.saved, w))
                      : !is_kept))
            words.words[w / 64] |= UINT64_C(1) << w % 64;
    }
    return words;
}

ARRAY_ORDER(callee_order, struct cy_callee,
            array_order(a->object, b->object)
                ?: array_order(a->entry, b->entry))

struct flow_sources cy_code_overwritten(struct cy_code *code, uint32_t object,
                                        const struct cy_code_insn *call)
{
    struct cy_callees *all = &code->callees;
    struct cy_callee callee = {.object = object, .entry = call->flow.called};
    size_t at =
        array_bisect(0, all->n, i, callee_order(&all->list[i], &callee) < 0);

    assert(call->flow.leave == FLOW_CALL && object < code->data->n_objects);
    if (at < all->n && callee_order(&all->list[at], &callee) == 0)
        return all->list[at].overwritten;
    callee.overwritten = overwritten(code, object, callee.entry);
    array_push(all->list, all->n, all->room, callee);
    memmove(&all->list[at + 1], &all->list[at],
            (all->n - 1 - at) * sizeof *all->list);
    all->list[at] = callee;
    assert(at == 0 || callee_order(&all->list[at - 1], &callee) < 0);
    return callee.overwritten;
}
