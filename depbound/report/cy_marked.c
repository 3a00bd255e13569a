/* cy_marked: loops as assembly source, with the marks of llvm-mca and OSACA. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <unistd.h>

#include "binary/input.h"
#include "report/internal.h"
#include "output.h"

static char *name_of(const struct cy_report *r, const struct cy_cost_of_loop *c)
{
    const char *name = c->name != NULL ? c->name : c->function;

    /* A foreign name cannot end the comment that it is written into. */
    return text_make_safe(memory_printf("%s%s%s", name != NULL ? name : "",
                                        name != NULL ? " " : "",
                                        cy_report_place(r, c, 0).text));
}

/* The string that begins a comment of the assembler. */
static const char *comment_of(enum arch arch)
{
    return arch == ARCH_AARCH64 ? "//" : "#";
}

/* The marks of a loop, which reaches from its first block to its last. */
static struct annotation annotation_of(const struct cy_report *r,
                                       const struct cy_cost_of_loop *c)
{
    struct annotation a = {.start = UINT64_MAX,
                           .name = name_of(r, c),
                           .comment = comment_of(r->data->arch)};
    AUTO_FREE char *round = cy_report_round_text(r, c);
    uint64_t size = 0;

    for (size_t i = 0; i < c->loop->n_blocks; i++) {
        const struct cy_block *b = &r->data->blocks[c->loop->blocks[i]];

        a.start = b->start < a.start ? b->start : a.start;
        a.end = b->end > a.end ? b->end : a.end;
        size += b->end - b->start;
    }
    assert(a.start < a.end);
    a.remark = memory_printf(
        "%s%s", round,
        size < a.end - a.start ? "; other code lies between" : "");
    return a;
}

struct listing {
    const struct cy_cost_of_loop *loop;
    size_t number;       /* the loop's number, to make its labels unique */
    struct input *input; /* has the temporary files */
    bool *is_text;       /* by instruction: does the assembler take its text? */
};

/* Is an instruction a direct jump or call?  Sets its target, and the length of
   its text before the target. */
static bool leads_to(const struct cy_code_insn *insn, uint64_t *address,
                     int *before)
{
    const char *operand = strchr(insn->text, ' ');

    if (insn->arch == ARCH_AARCH64) {
        operand = strrchr(insn->text, '#');
        if ((insn->flow.taken == FLOW_NOWHERE &&
             strcmp(insn->name, "bl") != 0) ||
            operand == NULL)
            return false;
        *before = (int)(operand - insn->text);
    } else {
        if ((insn->name[0] != 'j' && strncmp(insn->name, "loop", 4) != 0 &&
             strcmp(insn->name, "call") != 0) ||
            operand == NULL || !isdigit((unsigned char)operand[1]))
            return false;
        *before = (int)strcspn(insn->shown, " ") + 1;
    }
    *address = strtoull(operand + 1, NULL, 0);
    return true;
}

/* The instruction of the loop that a jump leads to; n if it leaves the loop. */
static uint32_t target_of(const struct listing *l, uint32_t i)
{
    uint32_t target = 0;
    uint64_t address;
    int before;

    if (!leads_to(&l->loop->insns[i], &address, &before))
        return l->loop->n;
    while (target < l->loop->n && l->loop->insns[target].address != address)
        target++;
    return target;
}

static void write_insn(FILE *out, const struct listing *l, uint32_t i)
{
    const struct cy_code_insn *insn = &l->loop->insns[i];
    uint32_t target = target_of(l, i);
    uint64_t address;
    int before;

    if (!l->is_text[i]) {
        for (unsigned j = 0; j < insn->length; j++)
            fprintf(out, "%s0x%02x", j > 0 ? ", " : "\t.byte ", insn->bytes[j]);
        fprintf(out, " %s %s\n", comment_of(insn->arch), insn->shown);
    } else if (!leads_to(insn, &address, &before))
        fprintf(out, "\t%s\n", insn->shown);
    else if (target < l->loop->n)
        fprintf(out, "\t%.*s.Lloop%zu.%" PRIu32 "\n", before, insn->shown,
                l->number, target);
    else /* llvm-mca wants a name as the target */
        fprintf(out, "\t%.*saddress_%" PRIx64 "\n", before, insn->shown,
                address);
}

static void write_loop(FILE *out, const struct listing *l)
{
    uint32_t n = l->loop->n;
    AUTO_FREE bool *is_target = memory_new(n + 1, sizeof *is_target);

    for (uint32_t i = 0; i < n; i++)
        is_target[target_of(l, i)] = true;
    for (uint32_t i = 0; i < n; i++) {
        if (is_target[i])
            fprintf(out, ".Lloop%zu.%" PRIu32 ":\n", l->number, i);
        write_insn(out, l, i);
    }
}

static void write_syntax(FILE *out, const struct cy_report *r)
{
    fputs("\t.text\n", out);
    if (r->syntax == DISASM_INTEL)
        fputs("\t.intel_syntax noprefix\n", out);
}

/* Does the assembler take the texts of n instructions from `first` on? */
static bool assembles(const struct listing *l, const struct cy_report *r,
                      uint32_t first, uint32_t n, struct diag *d)
{
    AUTO_FREE char *object = input_temporary(l->input, "text.o", d);

    if (object == NULL)
        return false;
    struct memory_stream text = memory_stream_open(&text);
    write_syntax(text.out, r);
    for (uint32_t i = first; i < first + n; i++)
        fprintf(text.out, "%s\n", l->loop->insns[i].shown);
    memory_stream_close(&text);
    int rc = assemble(arch_name(r->data->arch), text.text, text.size, "text",
                      object, d);
    unlink(object);
    free(text.text);
    return rc == 0;
}

/* Finds the instructions whose text the assembler takes, by bisection. */
static void find_texts(const struct listing *l, const struct cy_report *r,
                       uint32_t first, uint32_t n)
{
    assert(n > 0 && first + n <= l->loop->n);
    bool is_good = assembles(l, r, first, n, NULL);
    if (is_good || n == 1) {
        for (uint32_t i = first; i < first + n; i++)
            l->is_text[i] = is_good;
        return;
    }
    find_texts(l, r, first, n / 2);
    find_texts(l, r, first + n / 2, n - n / 2);
}

/* Writes the instructions of each loop, where the input is no assembly
   source. */
static int list_loops(FILE *out, struct input *input, struct annotation *list,
                      const struct cy_report *r, struct diag *d)
{
    struct listing none = {.input = input};

    /* If an empty text fails, there is no assembler. */
    if (!assembles(&none, r, 0, 0, d))
        return -1;
    write_syntax(out, r);
    for (size_t i = 0; i < cy_report_n(r); i++) {
        const struct cy_cost_of_loop *c = &r->prediction->loops[i];
        struct listing l = {.loop = c, .number = i, .input = input};

        l.is_text = memory_new(c->n, sizeof *l.is_text);
        find_texts(&l, r, 0, c->n);
        input_mark_begin(out, &list[i]);
        write_loop(out, &l);
        input_mark_end(out, &list[i]);
        list[i].is_marked = true;
        free(l.is_text);
    }
    return 0;
}

static int write_source(FILE *out, struct input *input,
                        const struct cy_report *r, struct diag *d)
{
    size_t n = cy_report_n(r);
    AUTO_FREE struct annotation *list = memory_new(n, sizeof *list);

    for (size_t i = 0; i < n; i++)
        list[i] = annotation_of(r, &r->prediction->loops[i]);
    int rc = input->text != NULL ? input_annotate(input, list, n, out, d)
                                 : list_loops(out, input, list, r, d);
    for (size_t i = 0; i < n; i++) {
        if (rc == 0 && !list[i].is_marked)
            fprintf(out, "# not marked: %s\n", list[i].name);
        free((char *)list[i].name);
        free((char *)list[i].remark);
    }
    return rc;
}

/* An assembler gets the source as it is, a terminal without control
   characters. */
int cy_marked_write(FILE *out, struct input *input, const struct cy_report *r,
                    struct diag *d)
{
    if (r->width == 0)
        return write_source(out, input, r, d);
    struct memory_stream source = memory_stream_open(&source);
    int rc = write_source(source.out, input, r, d);
    AUTO_FREE char *text = memory_stream_close(&source);
    if (rc == 0)
        terminal_write_lines(out, text);
    return rc;
}
