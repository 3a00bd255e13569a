/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "out/sd_results.h"

#include "output.h"

#define INDENT "    "

#define COLUMNS 16 /* columns of arrows; further pairs have no arrow */

/* A line of addresses: a pair, and the name printed before the store's. */
struct sd_report_line {
    const char *src_name;
    uint64_t src, dst;
};

/* Prints a name from a file as text; the characters in `special` are escaped
   like controls. */
static void put_name(FILE *out, const char *name, const char *special)
{
    while (*name != '\0') {
        bool is_control;
        size_t n = text_next(name, &is_control);

        if (is_control || strchr(special, *name) != NULL)
            for (size_t i = 0; i < n; i++)
                fprintf(out, "\\x%02x", (unsigned char)name[i]);
        else
            fwrite(name, 1, n, out);
        name += n;
    }
}

/* Prints the name of a function and where it is. */
static void put_range(FILE *out, const char *name, uint64_t start, uint64_t end)
{
    if (name != NULL) {
        put_name(out, name, "");
        putc(' ', out);
    }
    fprintf(out, "0x%" PRIx64 "-0x%" PRIx64, start, end);
}

static void put_member(FILE *out, const char *name, const char *text)
{
    fprintf(out, "\"%s\": ", name);
    json_text(out, text);
}

/* Prints a further JSON member whose value is a number, or null if unknown. */
static void put_number(FILE *out, const char *name, bool is_known, uint64_t n)
{
    if (is_known)
        fprintf(out, ", \"%s\": %" PRIu64, name, n);
    else
        fprintf(out, ", \"%s\": null", name);
}

/* --- The format of addresses --- */

static void put_address(const struct sd_report *r, const char *name,
                        uint64_t address)
{
    if (r->has_names) {
        /* Blanks end a field, and # begins a comment. */
        put_name(r->out, name, " \\#");
        putc(':', r->out);
    }
    fprintf(r->out, "%" PRIx64, address);
}

ARRAY_ORDER(compare, struct sd_report_line,
            strcmp(a->src_name, b->src_name)
                ?: array_order(a->src, b->src)
                ?: array_order(a->dst, b->dst))

/* Prints the gathered lines, each once; `name` is the object of their loads. */
static void print_lines(struct sd_report *r, const char *name)
{
    const struct sd_report_line *l = r->lines;

    array_sort(r->lines, r->n_lines, compare);
    for (size_t i = 0; i < r->n_lines; i++) {
        if (i > 0 && compare(&l[i - 1], &l[i]) == 0)
            continue;
        put_address(r, l[i].src_name, l[i].src);
        putc(' ', r->out);
        put_address(r, name, l[i].dst);
        putc('\n', r->out);
    }
    r->n_lines = 0;
}

/* Gathers the addresses of pairs; `name` is the object of their loads. */
static void gather(struct sd_report *r, const char *name,
                   const struct sd_predicted *pairs, size_t n)
{
    for (size_t i = 0; i < n; i++)
        array_append(r, lines,
                     (struct sd_report_line){
                         pairs[i].src_path != NULL ? pairs[i].src_path : name,
                         pairs[i].src, pairs[i].dst});
}

/* --- The beginning and the end of each object --- */

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
    if (r->path != NULL)
        print_lines(r, r->path);
}

void sd_report_object(struct sd_report *r, const char *path,
                      const char *build_id, const char *arch)
{
    end_object(r);
    if (r->format == SD_FORMAT_TEXT && !r->has_functions && r->arch != arch) {
        disasm_free(r->disasm);
        r->disasm = disasm_new(arch);
        disasm_set_syntax(r->disasm, r->syntax);
        r->arch = arch;
    }
    if (r->format == SD_FORMAT_TEXT || r->format == SD_FORMAT_DEP) {
        fputs(r->format == SD_FORMAT_DEP ? "# " : "", r->out);
        put_name(r->out, path, "");
        fprintf(r->out, " (build-id %s)\n", build_id);
    } else if (r->format == SD_FORMAT_JSON) {
        fputs(r->has_object ? ",\n{" : "\n{", r->out);
        put_member(r->out, "path", path);
        fputs(", ", r->out);
        put_member(r->out, "build_id", build_id);
        fputs(", ", r->out);
        put_member(r->out, "arch", arch);
        fputs(r->has_functions ? ", \"functions\": [" : ", \"blocks\": [",
              r->out);
    }
    if (r->format == SD_FORMAT_DEP) {
        free(r->path);
        r->path = memory_text(path);
    }
    r->has_object = true;
    r->has_block = false;
}

/* --- The listing of a block --- */

/* The character of a pair's arrow beside instruction `row`. */
static char arrow(const struct sd_predicted *p, uint32_t row)
{
    bool is_below_src = row > p->src_index, is_above_dst = row < p->dst_index;

    if (row == p->src_index)
        return row == p->dst_index ? '@' : 'o';
    if (row == p->dst_index)
        return '>';
    if (p->delta_k > 0)
        return is_below_src || is_above_dst ? '|' : ' ';
    return is_below_src && is_above_dst ? '|' : ' ';
}

/* The width of a pair's column in a listing: its delta_k and a space. */
static int width_of(const struct sd_predicted *pair)
{
    int width = 2;

    for (int64_t n = pair->delta_k; n >= 10; n /= 10)
        width++;
    return width;
}

static void print_listing(const struct sd_report *r,
                          const struct sd_block *block, const uint8_t *insns,
                          const struct sd_predicted *pairs, size_t n_pairs)
{
    size_t n_columns = n_pairs < COLUMNS ? n_pairs : COLUMNS;
    FILE *out = r->out;
    const char title[] = "delta_k";
    uint64_t offset = 0;
    int margin = snprintf(NULL, 0, "%" PRIx64, block->address + block->size);

    if (margin < (int)strlen(title))
        margin = (int)strlen(title);
    fprintf(out, INDENT "%-*s ", margin, title);
    for (size_t i = 0; i < n_columns; i++)
        fprintf(out, "%*" PRId64, width_of(&pairs[i]), pairs[i].delta_k);
    putc('\n', out);
    for (uint32_t row = 0; row < block->n_insns; row++) {
        unsigned length = insns[row] & (SD_NO_EFFECT - 1u);
        const uint8_t *bytes = block->bytes + offset;
        struct disasm_insn insn;

        disasm_insn(r->disasm, bytes, length, block->address + offset, &insn);
        fprintf(out, INDENT "%-*" PRIx64 " ", margin, block->address + offset);
        for (size_t i = 0; i < n_columns; i++)
            fprintf(out, "%*c", width_of(&pairs[i]), arrow(&pairs[i], row));
        if (strcmp(insn.text, "(bad)") != 0)
            fprintf(out, "  %s", insn.text);
        else /* the disassembler does not know the instruction */
            for (unsigned i = 0; i < length; i++)
                fprintf(out, i > 0 ? ", 0x%02x" : "  .byte 0x%02x", bytes[i]);
        putc('\n', out);
        offset += length;
    }
}

/* --- How pairs are printed as text and as JSON --- */

static void put_routine(FILE *out, const struct sd_routine *routines,
                        uint32_t routine)
{
    const struct sd_routine *r = &routines[routine];

    if (routine == SD_NO_ROUTINE)
        fputs("code of no function", out);
    else
        put_range(out, r->name, r->start, r->end);
}

static void text_pair(FILE *out, const struct sd_routine *routines,
                      const struct sd_predicted *p)
{
    fprintf(out, INDENT "0x%" PRIx64 " -> 0x%" PRIx64, p->src, p->dst);
    if (p->scope != NULL)
        fprintf(out, "  %s  distance %" PRIu32, p->scope, p->distance);
    if (p->delta_k >= 0)
        fprintf(out, "  delta_k %" PRId64, p->delta_k);
    if (p->has_loop)
        fprintf(out, "  loop 0x%" PRIx64, p->header);
    fprintf(out, "  support %.1f %%", 100 * p->support);
    if (p->overlap.relation != SD_UNKNOWN_RELATION)
        fprintf(out, "  %s", sd_relation_name(p->overlap));
    if (sd_overlap_has_offset(p->overlap) && p->overlap.offset != 0)
        fprintf(out, " at %d", p->overlap.offset);
    for (uint32_t i = 0; i < p->n_levels; i++)
        fprintf(out, "%s%" PRId32, i == 0 ? "  vector (" : ", ",
                p->levels[i].rounds);
    for (uint32_t i = 0; i < p->n_levels; i++)
        fprintf(out, "%s0x%" PRIx64, i == 0 ? ") of " : ", ",
                p->levels[i].header);
    if (p->src_routine != p->dst_routine || p->src_path != NULL) {
        fputs("  from ", out);
        put_routine(out, routines, p->src_routine);
    }
    if (p->src_path != NULL) {
        fputs(" of ", out);
        put_name(out, p->src_path, "");
    }
    putc('\n', out);
}

static const char *name_of(const struct sd_routine *routines, uint32_t routine)
{
    return routine == SD_NO_ROUTINE ? NULL : routines[routine].name;
}

static void json_pair(FILE *out, const struct sd_routine *routines,
                      const struct sd_predicted *p)
{
    fprintf(out,
            "\n  {\"src\": %" PRIu64 ", \"dst\": %" PRIu64
            ", \"src_index\": %" PRIu32 ", \"dst_index\": %" PRIu32,
            p->src, p->dst, p->src_index, p->dst_index);
    if (p->scope != NULL)
        fprintf(out, ", \"scope\": \"%s\", \"distance\": %" PRIu32, p->scope,
                p->distance);
    put_number(out, "delta_k", p->delta_k >= 0, (uint64_t)p->delta_k);
    if (p->scope != NULL) {
        put_number(out, "loop", p->has_loop, p->header);
        fputs(p->n_levels > 0 ? ", \"vector\": [" : ", \"vector\": null", out);
        for (uint32_t i = 0; i < p->n_levels; i++)
            fprintf(out, "%s{\"loop\": %" PRIu64 ", \"rounds\": %" PRId32 "}%s",
                    i == 0 ? "" : ", ", p->levels[i].header,
                    p->levels[i].rounds, i + 1 == p->n_levels ? "]" : "");
    }
    fprintf(out, ", \"support\": %.17g, \"relation\": \"%s\"", p->support,
            sd_relation_name(p->overlap));
    if (sd_overlap_has_offset(p->overlap))
        fprintf(out, ", \"offset\": %d", p->overlap.offset);
    else
        fputs(", \"offset\": null", out);
    if (p->scope != NULL) {
        fputs(", ", out);
        put_member(out, "src_function", name_of(routines, p->src_routine));
    }
    if (p->src_path != NULL) {
        fputs(", ", out);
        put_member(out, "src_file", p->src_path);
    }
    putc('}', out);
}

/* Prints the pairs of a block or function, whose name was printed before. */
static void put_pairs(const struct sd_report *r,
                      const struct sd_routine *routines,
                      const struct sd_predicted *pairs, size_t n)
{
    bool is_text = r->format == SD_FORMAT_TEXT;

    fputs(is_text ? "" : ", \"deps\": [", r->out);
    for (size_t i = 0; i < n; i++) {
        if (is_text) {
            text_pair(r->out, routines, &pairs[i]);
            continue;
        }
        fputs(i > 0 ? "," : "", r->out);
        json_pair(r->out, routines, &pairs[i]);
    }
    fputs(is_text ? "" : "]}", r->out);
}

/* Begins the JSON object of a block or a function. */
static void open_member(struct sd_report *r, const char *function)
{
    fputs(r->has_block ? ",\n {" : "\n {", r->out);
    put_member(r->out, "function", function);
    r->has_block = true;
}

void sd_report_block(struct sd_report *r, const struct sd_block *b,
                     const uint8_t *insns, enum sd_status status,
                     const struct sd_predicted *pairs, size_t n)
{
    assert(r->format == SD_FORMAT_NONE || r->has_object);
    if (r->format == SD_FORMAT_NONE || (n == 0 && status == SD_OK))
        return;
    if (r->format == SD_FORMAT_DEP && r->has_lines) {
        const char *line = strchr(b->function, ' ') + 1; /* N of "line N" */

        gather(r, line, pairs, n);
        print_lines(r, line);
        return;
    }
    if (r->format == SD_FORMAT_DEP) {
        gather(r, r->path, pairs, n);
        return;
    }
    if (r->format == SD_FORMAT_TEXT) {
        fputs("  ", r->out);
        put_range(r->out, b->function, b->address, b->address + b->size);
        if (status == SD_OK)
            fprintf(r->out, ": %" PRIu32 " instructions\n", b->n_insns);
        else
            fprintf(r->out, ": %s\n", sd_status_name(status));
        if (n > 0)
            print_listing(r, b, insns, pairs, n);
    } else {
        open_member(r, b->function);
        fprintf(r->out,
                ", \"start\": %" PRIu64 ", \"end\": %" PRIu64
                ", \"instructions\": %" PRIu32 ", \"status\": \"%s\"",
                b->address, b->address + b->size, b->n_insns,
                sd_status_name(status));
    }
    put_pairs(r, NULL, pairs, n);
}

/* Begins the pairs whose loads are in a function. */
static void begin_function(struct sd_report *r,
                           const struct sd_routine *routines, uint32_t routine)
{
    if (r->format == SD_FORMAT_TEXT) {
        fputs("  ", r->out);
        put_routine(r->out, routines, routine);
        putc('\n', r->out);
        return;
    }
    open_member(r, name_of(routines, routine));
    if (routine != SD_NO_ROUTINE)
        fprintf(r->out, ", \"start\": %" PRIu64 ", \"end\": %" PRIu64,
                routines[routine].start, routines[routine].end);
}

void sd_report_functions(struct sd_report *r, const struct sd_routine *routines,
                         const struct sd_predicted *pairs, size_t n)
{
    assert(r->format == SD_FORMAT_NONE || r->has_object);
    if (r->format == SD_FORMAT_DEP) {
        gather(r, r->path, pairs, n);
        print_lines(r, r->path);
        return;
    }
    for (size_t i = 0, end; i < n && r->format != SD_FORMAT_NONE; i = end) {
        uint32_t routine = pairs[i].dst_routine;

        for (end = i + 1; end < n && pairs[end].dst_routine == routine;)
            end++;
        assert(end == n || pairs[end].dst_routine > routine);
        begin_function(r, routines, routine);
        put_pairs(r, routines, &pairs[i], end - i);
    }
}

void sd_report_end(struct sd_report *r)
{
    end_object(r);
    if (r->format == SD_FORMAT_JSON)
        fputs("\n]}\n", r->out);
}

void sd_report_fini(struct sd_report *r)
{
    disasm_free(r->disasm);
    free(r->path);
    free(r->lines);
    *r = (struct sd_report){.format = SD_FORMAT_NONE};
}
