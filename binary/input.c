/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "binary/input.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "process.h"
#include "binary/disasm.h"
#include "binary/objfile.h"

void regions_add(struct regions *r, uint64_t start, uint64_t end,
                 const char *name)
{
    char number[32];

    if (name[0] == '\0') {
        snprintf(number, sizeof number, "region %zu", r->n + 1);
        name = number;
    }
    array_push(r->regions, r->n, r->room,
               (struct region){start, end, memory_text(name)});
}

void regions_fini(struct regions *r)
{
    for (size_t i = 0; i < r->n; i++)
        free(r->regions[i].name);
    free(r->regions);
    *r = (struct regions){0};
}

static int sort(struct input *input, struct diag *d)
{
    struct regions *r = &input->regions;

    array_sort(r->regions, r->n, array_by_number);
    for (size_t i = 1; i < r->n; i++)
        if (r->regions[i].start < r->regions[i - 1].end)
            return diag_set(d, "%s: %s and %s overlap", input->subject,
                            r->regions[i - 1].name, r->regions[i].name);
    return 0;
}

static int make_directory(struct input *input, struct diag *d)
{
    const char *parent = getenv("TMPDIR");
    sigset_t old;

    if (parent == NULL || parent[0] == '\0')
        parent = "/tmp";
    input->directory = memory_printf("%s/code-XXXXXX", parent);
    early_hold(&old);
    bool is_made = mkdtemp(input->directory) != NULL;
    early_remove(is_made ? input->directory : NULL);
    early_release(&old);
    if (is_made)
        return 0;
    diag_set(d, "%s: %s", input->directory, strerror(errno));
    free(input->directory);
    input->directory = NULL;
    return -1;
}

char *input_temporary(struct input *input, const char *name, struct diag *d)
{
    if (input->directory == NULL && make_directory(input, d) != 0)
        return NULL;
    return memory_printf("%s/%s", input->directory, name);
}

static int take_code(struct input *input, const uint8_t *bytes, size_t n,
                     struct diag *d)
{
    input->path = input_temporary(input, "code", d);
    return input->path != NULL
               ? hexcode_write(input->path, input->arch, bytes, n, d)
               : -1;
}

/* Makes a region of each line of a file that is code. */
static int take_lines(struct input *input, const char *path, struct diag *d)
{
    struct hexcode code;

    free(input->subject);
    input->subject = memory_text(path);
    input->has_lines = true;
    if (hexcode_read(&code, path, path, d) != 0)
        return -1;
    for (size_t i = 0; i < code.n_lines; i++) {
        const struct hexcode_line *line = &code.lines[i];
        struct diag refused;

        if (line->bytes != NULL) {
            uint64_t start = (uint64_t)(line->bytes - code.bytes);

            assert(start + line->n <= code.n);
            regions_add(&input->regions, start, start + line->n, line->name);
            continue;
        }
        diag_set(&refused, "%s: %s: %s", path, line->name, line->fault);
        array_append(input, refused, memory_text(refused.text));
    }
    int rc = take_code(input, code.bytes, code.n, d);
    hexcode_fini(&code);
    return rc;
}

/* Takes the argument of --hex: a text that is no code names a file. */
static int take_hex(struct input *input, const char *hex, struct diag *d)
{
    size_t n;
    struct diag why;
    AUTO_FREE uint8_t *bytes = hexcode_parse(hex, &n, &why);

    if (bytes == NULL)
        return strcmp(hex, "-") != 0 && access(hex, F_OK) != 0
                   ? diag_set(d, "--hex: %s", why.text)
                   : take_lines(input, hex, d);
    regions_add(&input->regions, 0, n, "--hex");
    return take_code(input, bytes, n, d);
}

/* Does a source need the C preprocessor, by its name, as GCC decides it? */
static bool is_for_cpp(const char *program)
{
    return text_ends(program, ".S") || text_ends(program, ".sx");
}

static int take_source(struct input *input, const char *path, struct diag *d)
{
    input->text = file_text(path, FILE_MOST_TEXT, &input->n_text, d);
    if (input->text != NULL && is_for_cpp(path)) {
        free(input->text);
        input->text = preprocess(input->arch, path, &input->n_text, d);
    }
    if (input->text == NULL)
        return -1;
    assert(input->path == NULL);
    input->is_source = true;
    input->path = input_temporary(input, "code.o", d);
    if (input->path == NULL || assemble(input->arch, input->text, input->n_text,
                                        input->subject, input->path, d) != 0)
        return -1;
    return input_marks(input, input->text, input->n_text, &input->regions, d);
}

/* Takes IACA's marks.  The analysis reports a file that cannot be opened. */
static int take_iaca(struct input *input, struct diag *d)
{
    struct objfile *file = objfile_open(input->path, NULL, NULL);
    const uint8_t *code;
    uint64_t address;
    size_t n;
    int rc = 0;

    for (size_t i = 0; rc == 0 && file != NULL &&
                       (code = objfile_section(file, i, &address, &n)) != NULL;
         i++)
        rc = marks_iaca(code, n, address, input->subject, &input->regions, d);
    objfile_close(file);
    return rc;
}

/* Does a regular file begin as ELF files do? */
static bool is_elf(const char *path)
{
    uint64_t size;
    int fd = file_open(path, &size, NULL);
    char magic[SELFMAG];
    bool is_elf = fd >= 0 && read(fd, magic, SELFMAG) == SELFMAG &&
                  memcmp(magic, ELFMAG, SELFMAG) == 0;

    if (fd >= 0)
        close(fd);
    return is_elf;
}

bool input_is_source(const char *program)
{
    /* Compiler Explorer gives the last two names to llvm-mca and OSACA. */
    return strcmp(program, "-") == 0 ||
           ((text_ends(program, ".s") || is_for_cpp(program) ||
             text_ends(program, ".mca") || text_ends(program, ".osaca")) &&
            !is_elf(program));
}

int input_rename(const struct input *input, struct diag *d)
{
    struct diag old = *d;
    size_t n = strlen(input->path);

    if (strncmp(old.text, input->path, n) == 0)
        diag_set(d, "%s%s", input->subject, old.text + n);
    return -1;
}

static int take_program(struct input *input, const char *program,
                        bool looks_for_marks, struct diag *d)
{
    if (input_is_source(program)) {
        if (take_source(input, program, d) != 0)
            return -1;
    } else {
        input->path = memory_text(program);
    }
    return looks_for_marks && input->regions.n == 0 ? take_iaca(input, d) : 0;
}

int input_open(struct input *input, const struct input_choice *choice,
               struct diag *d)
{
    const char *program = choice->program;

    *input =
        (struct input){.arch = choice->arch != NULL ? choice->arch : "x86-64"};
    input->subject = memory_text(program == NULL             ? "--hex"
                                 : strcmp(program, "-") == 0 ? "standard input"
                                                             : program);
    for (size_t i = 0; i < choice->ranges->n; i++) {
        const struct region *r = &choice->ranges->regions[i];

        regions_add(&input->regions, r->start, r->end, r->name);
    }
    int rc = program == NULL
                 ? take_hex(input, choice->hex, d)
                 : take_program(input, program, choice->looks_for_marks, d);
    return rc == 0 ? sort(input, d) : -1;
}

void input_close(struct input *input)
{
    if (input->directory != NULL) {
        /* A file outside the directory is the user's own. */
        if (input->path != NULL && strncmp(input->path, input->directory,
                                           strlen(input->directory)) == 0)
            unlink(input->path);
        rmdir(input->directory);
    }
    regions_fini(&input->regions);
    for (size_t i = 0; i < input->n_refused; i++)
        free(input->refused[i]);
    free(input->refused);
    free(input->directory);
    free(input->subject);
    free(input->path);
    free(input->text);
    *input = (struct input){0};
}

int input_take_all(struct input *input, struct diag *d)
{
    struct objfile *file = objfile_open(input->path, NULL, d);
    uint64_t address;
    size_t n;

    if (file == NULL)
        return -1;
    for (size_t i = 0; objfile_section(file, i, &address, &n) != NULL; i++)
        regions_add(&input->regions, address, address + n, "");
    objfile_close(file);
    return 0;
}

int input_check(const struct input *input, struct diag *d)
{
    struct objfile *file = NULL;
    int rc = 0;

    if (input->regions.n > 0 &&
        (file = objfile_open(input->path, NULL, d)) == NULL)
        return -1;
    for (size_t i = 0; i < input->regions.n && rc == 0; i++) {
        const struct region *r = &input->regions.regions[i];
        size_t n = 0;

        if (objfile_code(file, r->start, &n) == NULL)
            n = 0;
        if (n < r->end - r->start)
            rc = diag_set(d, "%s: %s: no code at %#" PRIx64, input->subject,
                          r->name, r->start + n);
    }
    objfile_close(file);
    return rc;
}

/* The first address in a region where no instruction of it begins; `end` if
   there is none. */
static uint64_t bad_place(struct objfile *file, const char *arch,
                          uint64_t start, uint64_t end)
{
    struct disasm *disasm = disasm_new(arch);
    struct disasm_insn insn = {.text = ""};
    uint64_t address = start;

    while (address < end) {
        size_t n = 0;
        const uint8_t *code = objfile_code(file, address, &n);

        if (code == NULL)
            break;
        disasm_insn(disasm, code, n < end - address ? n : end - address,
                    address, &insn);
        if (strcmp(insn.text, "(bad)") == 0)
            break;
        address += insn.length;
    }
    disasm_free(disasm);
    return address;
}

int input_refuse(const struct input *input, const char *arch,
                 const struct region *region, struct diag *d)
{
    struct objfile *file = objfile_open(input->path, NULL, d);
    bool has_name = strcmp(input->subject, region->name) != 0;
    const char *before = has_name ? input->subject : "",
               *colon = has_name ? ": " : "";

    if (file == NULL)
        return -1;
    uint64_t bad = bad_place(file, arch, region->start, region->end);
    if (bad < region->end)
        diag_set(d, "%s%s%s: no instruction at %#" PRIx64, before, colon,
                 region->name, bad - (input->has_lines ? region->start : 0));
    else
        diag_set(d, "%s%s%s: its code cannot be analysed", before, colon,
                 region->name);
    objfile_close(file);
    return -1;
}

/* --- Input of anyone --- */

#define MOST_SECONDS 60
#ifdef __SANITIZE_ADDRESS__ /* the sanitizer maps terabytes */
#define MOST_MEMORY UINT64_MAX
#else
#define MOST_MEMORY ((uint64_t)2 << 30)
#endif
#define MOST_FILE ((uint64_t)128 << 20)

#define READS_FILES (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE)
#define READS       (READS_FILES | LANDLOCK_ACCESS_FS_READ_DIR)
#define WRITES                                                     \
    (LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG | \
     LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE)
/* Removing directories is not refused, since only empty ones can be removed. */
#define REFUSED                                                    \
    (READS | WRITES | LANDLOCK_ACCESS_FS_MAKE_CHAR |               \
     LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | \
     LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM)

/* Allows access to a file, or to all files in a directory, if it exists. */
static void allow(int rules, const char *path, uint64_t access)
{
    struct landlock_path_beneath_attr beneath = {
        .allowed_access = access, .parent_fd = open(path, O_PATH | O_CLOEXEC)};
    struct stat st;

    if (beneath.parent_fd < 0)
        return;
    if (fstat(beneath.parent_fd, &st) == 0 && !S_ISDIR(st.st_mode))
        beneath.allowed_access &= READS_FILES | LANDLOCK_ACCESS_FS_WRITE_FILE;
    syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath,
            0);
    close(beneath.parent_fd);
}

/* Allows to run the programs in the directories of PATH. */
static void allow_path(int rules)
{
    char *path = memory_text(getenv("PATH") != NULL ? getenv("PATH") : "");
    char *rest = path, *directory;

    while ((directory = strsep(&rest, ":")) != NULL)
        if (directory[0] == '/')
            allow(rules, directory, READS);
    free(path);
}

int input_distrust(struct input *home, const char *const *files, size_t n,
                   struct diag *d)
{
    static const char *const installed[] = {"/usr", "/lib", "/lib64", "/bin",
                                            "/etc/ld.so.cache"};
    struct landlock_ruleset_attr refused = {.handled_access_fs = REFUSED};
    int rules = (int)syscall(SYS_landlock_create_ruleset, &refused,
                             sizeof refused.handled_access_fs, 0),
        rc = 0;
    AUTO_FREE char *directory = input_temporary(home, "", d);

    if (directory == NULL)
        rc = -1;
    else if (rules < 0)
        rc = diag_set(d, "--untrusted: Landlock, a part of Linux: %s",
                      strerror(errno));
    for (size_t i = 0; rc == 0 && i < sizeof installed / sizeof *installed; i++)
        allow(rules, installed[i], READS);
    for (size_t i = 0; rc == 0 && i < n; i++)
        if (files[i] != NULL)
            allow(rules, files[i], READS);
    if (rc == 0) {
        allow_path(rules);
        allow(rules, "/dev/null", READS | WRITES);
        allow(rules, directory, READS | WRITES);
        setenv("TMPDIR", directory, 1);
        subprocess_limit(0, MOST_SECONDS, MOST_MEMORY, MOST_FILE);
        alarm(MOST_SECONDS);
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
            syscall(SYS_landlock_restrict_self, rules, 0) != 0)
            rc = diag_set(d, "--untrusted: Landlock: %s", strerror(errno));
    }
    if (rules >= 0)
        close(rules);
    return rc;
}
