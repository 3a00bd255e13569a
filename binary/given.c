/*
 * Code that is given as a text: machine code in hexadecimal becomes an ELF
 * file; assembly source an object file, by the C preprocessor, if the source
 * needs it, and GNU as: those of Debian's packages for the architecture.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "binary/input.h"

#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <unistd.h>

#include "process.h"
#include "binary/objfile.h"

/* --- Hexadecimal code --- */

#define BLANK   " \t\r"
#define BETWEEN BLANK "\n,"

/* The value of a hexadecimal digit; -1 for any other character. */
static int digit(char c)
{
    if (!isxdigit((unsigned char)c))
        return -1;
    return (c & 15) + (c > '9' ? 9 : 0);
}

/* Appends the code of a text to `bytes`; -1 if the text has no code, or has
   other characters. */
static int parse(const char *text, uint8_t *bytes, size_t *n, struct diag *d)
{
    const char *at = text + strspn(text, BETWEEN), *digits;
    const size_t before = *n;

    for (; *at != '\0'; at = digits + 2 + strspn(digits + 2, BETWEEN)) {
        bool has_prefix =
            (at[0] == '0' || at[0] == '\\') && (at[1] == 'x' || at[1] == 'X');

        digits = has_prefix ? at + 2 : at;
        int high = digit(digits[0]);
        int low = high >= 0 ? digit(digits[1]) : -1;
        if (low < 0)
            return high >= 0 ? diag_set(d, "half a byte at \"%.8s\"", at)
                             : diag_set(d, "not hexadecimal at \"%.8s\"", at);
        bytes[(*n)++] = (uint8_t)(high << 4 | low);
    }
    return *n > before ? 0 : diag_set(d, "no code");
}

uint8_t *hexcode_parse(const char *text, size_t *n, struct diag *d)
{
    uint8_t *bytes = memory_new(strlen(text) / 2 + 1, 1);

    *n = 0;
    if (parse(text, bytes, n, d) == 0) {
        assert(*n > 0 && *n <= strlen(text) / 2);
        return bytes;
    }
    free(bytes);
    return NULL;
}

/* Adds a line of code, whose text has `size` bytes and then a zero byte. */
static void add_line(struct hexcode *code, size_t number, const char *text,
                     size_t size)
{
    struct hexcode_line line = {.number = number,
                                .bytes = code->bytes + code->n};
    const size_t before = code->n;
    struct diag why;
    int rc = strlen(text) == size
                 ? parse(text, code->bytes, &code->n, &why)
                 : diag_set(&why, "not hexadecimal: a byte of 0");

    snprintf(line.name, sizeof line.name, "line %zu", number);
    if (rc != 0) {
        code->n = before;
        line.bytes = NULL;
        line.fault = memory_text(why.text);
    }
    line.n = code->n - before;
    assert((line.n > 0) == (line.bytes != NULL) && (rc != 0) == (line.n == 0));
    array_append(code, lines, line);
}

/* Ends each line of the text by a zero byte. */
static void split(struct hexcode *code, char *text, size_t size)
{
    char *end = text + size;

    code->bytes = memory_new(size / 2 + 1, 1);
    for (size_t number = 1; text < end; number++) {
        char *newline = memchr(text, '\n', (size_t)(end - text));
        size_t length = (size_t)((newline != NULL ? newline : end) - text);

        text[length] = '\0';
        if (strspn(text, BLANK) < length)
            add_line(code, number, text, length);
        text += length + 1;
    }
    assert(code->n <= size / 2);
}

int hexcode_read(struct hexcode *code, const char *path, const char *subject,
                 struct diag *d)
{
    size_t size;
    AUTO_FREE char *text = file_text(path, FILE_MOST_TEXT, &size, d);

    *code = (struct hexcode){.lines = NULL};
    if (text == NULL)
        return -1;
    objid_hash_bytes(code->id, text, size);
    split(code, text, size);
    if (code->n > 0)
        return 0;
    if (code->n_lines > 0)
        diag_set(d, "%s: %s: %s", subject, code->lines[0].name,
                 code->lines[0].fault);
    else
        diag_set(d, "%s: no code", subject);
    hexcode_fini(code);
    return -1;
}

void hexcode_fini(struct hexcode *code)
{
    for (size_t i = 0; i < code->n_lines; i++)
        free(code->lines[i].fault);
    free(code->lines);
    free(code->bytes);
    *code = (struct hexcode){.lines = NULL};
}

int hexcode_write(const char *path, const char *arch, const uint8_t *bytes,
                  size_t n, struct diag *d)
{
    Elf64_Ehdr header = {.e_ident = ELFMAG,
                         .e_type = ET_EXEC,
                         .e_machine = strcmp(arch, "aarch64") == 0 ? EM_AARCH64
                                                                   : EM_X86_64,
                         .e_version = EV_CURRENT,
                         .e_phoff = sizeof header,
                         .e_ehsize = sizeof header,
                         .e_phentsize = sizeof(Elf64_Phdr),
                         .e_phnum = 1};
    Elf64_Phdr segment = {.p_type = PT_LOAD,
                          .p_flags = PF_R | PF_X,
                          .p_offset = sizeof header + sizeof segment,
                          .p_filesz = n,
                          .p_memsz = n,
                          .p_align = 1};
    FILE *out = fopen(path, "wb");

    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    if (out == NULL)
        return diag_set(d, "%s: %s", path, strerror(errno));
    bool is_written = fwrite(&header, sizeof header, 1, out) == 1 &&
                      fwrite(&segment, sizeof segment, 1, out) == 1 &&
                      fwrite(bytes, 1, n, out) == n;
    if (fclose(out) != 0 || !is_written)
        return diag_set(d, "%s: %s", path, strerror(errno));
    return 0;
}

/* --- Assembly source --- */

struct tools {
    const char *arch;
    const char *as, *as_option, *as_package;
    const char *cc, *cc_package;
};

/* The tools for an architecture as static.db names it; x86-64's for any other.
 */
static const struct tools *tools_of(const char *arch)
{
    static const struct tools all[] = {
        {"x86-64", "as", "--64", "binutils", "cc", "gcc"},
        {"aarch64", "aarch64-linux-gnu-as", "-mcpu=all",
         "binutils-aarch64-linux-gnu", "aarch64-linux-gnu-gcc",
         "gcc-aarch64-linux-gnu"},
    };
    size_t i = sizeof all / sizeof all[0] - 1;

    while (i > 0 && strcmp(arch, all[i].arch) != 0)
        i--;
    return &all[i];
}

#define NO_NAME \
    "{standard input}" /* what `as` calls input without line markers */

#define SECONDS 60 /* enough for megabytes of source */
#define ASLEEP  10 /* seconds without work; an assembler never waits */

/* Is a text source for x86-64 with brackets around addresses, and without a
   register in the form of AT&T syntax? */
static bool may_be_intel(const struct tools *tools, const char *text)
{
    return strcmp(tools->arch, "x86-64") == 0 && strchr(text, '%') == NULL &&
           strchr(text, '[') != NULL && strstr(text, ".intel_syntax") == NULL;
}

/* Reports the first error of as: "FILE:LINE: Error: WHAT", where errors may be
   fatal; or else the last line of its output, "as: WHAT", since the first only
   names the file. */
static int say(const char *errors, const struct tools *tools, const char *text,
               const char *subject, struct diag *d)
{
    static const char error[] = ": Error: ", fatal[] = ": Fatal error: ";
    const char *word = error, *what = strstr(errors, error), *line;

    if (what == NULL)
        what = strstr(errors, word = fatal);
    line = what;
    if (what == NULL) {
        int n = (int)strlen(errors);

        while (n > 0 && errors[n - 1] == '\n')
            n--;
        line = memrchr(errors, '\n', (size_t)n);
        line = line != NULL ? line + 1 : errors;
        return diag_set(d, "%s: %.*s", subject, (int)(errors + n - line), line);
    }
    while (line > errors && line[-1] != '\n')
        line--;
    if (strncmp(line, NO_NAME, strlen(NO_NAME)) == 0)
        line += strlen(NO_NAME);
    else
        subject = "";
    what += strlen(word);
    return diag_set(d, "%s%.*s: %.*s%s", subject,
                    (int)(what - strlen(word) - line), line,
                    (int)strcspn(what, "\n"), what,
                    may_be_intel(tools, text)
                        ? "; before Intel syntax: .intel_syntax noprefix"
                        : "");
}

/* Reports the first error of the compiler's driver: "FILE:LINE:COLUMN: fatal
   error: WHAT", or "PROGRAM: fatal error: WHAT". */
static int say_of_cc(const char *errors, const char *cc, struct diag *d)
{
    static const char word[] = "error: ";
    const char *what = strstr(errors, word), *line = what;
    int n;

    if (what == NULL)
        return diag_set(d, "%s: %.*s", cc, (int)strcspn(errors, "\n"), errors);
    while (line > errors && line[-1] != '\n')
        line--;
    n = (int)(strstr(line, ": ") - line);
    what += strlen(word);
    return diag_set(d, "%.*s: %.*s", n, line, (int)strcspn(what, "\n"), what);
}

/* Reports that a program cannot be started. */
static int missing(const char *program, const char *package,
                   const struct diag *why, struct diag *d)
{
    const char *colon = strchr(why->text, ':');

    return diag_set(d, "%s: %s (the Debian package %s has it)", program,
                    colon != NULL ? colon + 2 : why->text, package);
}

char *preprocess(const char *arch, const char *path, size_t *n, struct diag *d)
{
    const struct tools *tools = tools_of(arch);
    /* Marks are comments, so -C keeps comments. */
    char *argv[] = {(char *)tools->cc,    "-E",         "-C", "-x",
                    "assembler-with-cpp", (char *)path, NULL};
    struct subprocess_output out;
    struct diag why;
    char *text = NULL;
    const struct subprocess_limits limits = {.seconds = SECONDS};

    if (access(path, R_OK) != 0) {
        diag_set(d, "%s: %s", path, strerror(errno));
        return NULL;
    }
    if (subprocess_run(argv, "", 0, &limits, &out, &why) != 0) {
        missing(tools->cc, tools->cc_package, &why, d);
        return NULL;
    }
    if (out.status < 0) {
        diag_set(d, "%s: %s", tools->cc, out.end);
    } else if (out.status != 0) {
        say_of_cc(out.errors, tools->cc, d);
    } else {
        text = out.text;
        *n = out.n;
        out.text = NULL;
    }
    subprocess_fini(&out);
    return text;
}

/* Where a directive first begins a line, after blanks; NULL: nowhere. */
static char *find_directive(char *text, const char *name)
{
    for (char *line = text; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        line += strspn(line, " \t");
        if (strncmp(line, name, strlen(name)) == 0 &&
            strchr(" \t", line[strlen(name)]) != NULL)
            return line;
    }
    return NULL;
}

int assemble(const char *arch, const char *text, size_t n, const char *subject,
             const char *object, struct diag *d)
{
    const struct tools *tools = tools_of(arch);
    char *argv[] = {(char *)tools->as,
                    (char *)tools->as_option,
                    "-g",
                    "-o",
                    (char *)object,
                    "-",
                    NULL};
    struct subprocess_output out;
    struct diag why;
    const struct subprocess_limits limits = {SECONDS, ASLEEP};
    int rc = 0;
    struct memory_stream input = memory_stream_open(&input);

    if (strpbrk(subject, "\"\\\n") == NULL)
        fprintf(input.out, "# 1 \"%s\"\n", subject);
    fwrite(text, 1, n, input.out);
    /* .file becomes a comment.  Without .loc, lines are those of the text, but
       .file would name a compiler's source as their file. */
    char *at = memory_stream_close(&input);
    if (find_directive(at, ".loc") == NULL)
        while ((at = find_directive(at, ".file")) != NULL)
            *at = '#';
    if (subprocess_run(argv, input.text, input.size, &limits, &out, &why) !=
        0) {
        rc = missing(tools->as, tools->as_package, &why, d);
    } else {
        if (out.status < 0)
            rc = diag_set(d, "%s: %s: %s", subject, tools->as, out.end);
        else if (out.status != 0)
            rc = say(out.errors, tools, input.text, subject, d);
        subprocess_fini(&out);
    }
    free(input.text);
    return rc;
}

/* --- Labels --- */

/* Labels whose addresses are looked for. */
struct labels {
    const char *prefix;
    uint64_t *addresses;
    size_t n;
};

static void take_label(void *argument, const char *name, uint64_t address)
{
    const struct labels *l = argument;
    size_t length = strlen(l->prefix);
    uint64_t i;

    assert(length > 0);
    if (strncmp(name, l->prefix, length) == 0 && num_parse(name + length, &i) &&
        i < l->n)
        l->addresses[i] = address;
}

int input_labels(struct input *input, const char *text, size_t n_text,
                 const char *prefix, uint64_t *addresses, size_t n,
                 struct diag *d)
{
    struct labels labels = {prefix, addresses, n};
    AUTO_FREE char *object = input_temporary(input, "labels.o", d);
    struct objfile *file = NULL;
    int rc = -1;

    if (object == NULL)
        return -1;
    if (assemble(input->arch, text, n_text, input->subject, object, d) == 0 &&
        (file = objfile_open(object, NULL, d)) != NULL) {
        objfile_symbols(file, take_label, &labels);
        rc = 0;
    }
    objfile_close(file);
    unlink(object);
    return rc;
}
