/*
 * place: a layout of a program, as a linker script.
 *
 *     place SEED <SECTIONS >SCRIPT
 *
 * SECTIONS has a line "OBJECT SECTION" for each section of the program's
 * objects that holds a function or a variable (.text.NAME, .data.NAME,
 * .bss.NAME).  The script is for GNU ld's -T, and adds to ld's own: it links
 * the objects in an order that the seed decides; orders functions likewise,
 * with up to 1,008 bytes between two, and variables, with up to 4,080; and sets
 * layout_stack to the place of the stack's end in its page, and
 * layout_environment to a number of bytes, both below 4,096.  All other code,
 * above all the clock, stays where it is, as long as functions take the same
 * multiple of 64 KiB.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"

#define MOST 65536 /* sections */

struct section {
    char *object, *name;
};

static struct section sections[MOST];
static size_t n_sections;
static uint64_t seed, n_drawn;

static _Noreturn void fail(const char *subject, const char *what)
{
    fprintf(stderr, "place: %s: %s\n", subject, what);
    exit(2);
}

static uint64_t next(uint64_t range)
{
    /* Other indices than those of the heap, which has the same seed. */
    return draw(seed, ((uint64_t)1 << 32) + n_drawn++, range);
}

static char *copy(const char *text)
{
    char *new = strdup(text);

    if (new == NULL)
        fail("memory", "there is none left");
    return new;
}

static void read_sections(void)
{
    char line[1024];

    while (fgets(line, sizeof line, stdin) != NULL) {
        char *space = strchr(line, ' ');
        size_t n = strlen(line);

        if (space == NULL || line[n - 1] != '\n' || n_sections == MOST)
            fail(line, "not a section, or one too many");
        line[n - 1] = *space = '\0';
        sections[n_sections++] = (struct section){copy(line), copy(space + 1)};
    }
    if (ferror(stdin))
        fail("standard input", "it cannot be read");
}

/* Shuffles by Fisher and Yates. */
static void shuffle(struct section *list, size_t n)
{
    for (size_t i = n; i > 1; i--) {
        size_t j = next(i);
        struct section s = list[i - 1];

        list[i - 1] = list[j];
        list[j] = s;
    }
}

static bool begins(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static void print_objects(void)
{
    struct section objects[MOST];
    size_t n = 0;

    for (size_t i = 0; i < n_sections; i++) {
        bool is_new = true;

        for (size_t j = 0; j < n; j++)
            is_new &= strcmp(objects[j].object, sections[i].object) != 0;
        if (is_new)
            objects[n++] = sections[i];
    }
    shuffle(objects, n);
    printf("INPUT(");
    for (size_t i = 0; i < n; i++)
        printf(" %s", objects[i].object);
    puts(" )");
}

/* Prints the sections whose names begin with `start`, with up to `most` gaps of
 * 16 bytes between two. */
static void print_sections(const char *start, uint64_t most)
{
    for (size_t i = 0; i < n_sections; i++)
        if (begins(sections[i].name, start))
            printf("    . += %u;\n    *%s(%s)\n", (unsigned)(16 * next(most)),
                   sections[i].object, sections[i].name);
}

int main(int argc, char **argv)
{
    char *end = NULL;

    if (argc == 2)
        seed = strtoull(argv[1], &end, 10);
    if (argc != 2 || end == argv[1] || *end != '\0')
        fail("usage", "place SEED <SECTIONS");
    read_sections();
    print_objects();
    shuffle(sections, n_sections);
    printf("layout_stack = %u;\n", (unsigned)(16 * next(256)));
    printf("layout_environment = %u;\n", (unsigned)next(4096));
    puts("SECTIONS\n{\n  .text.layout : ALIGN(4096)\n  {");
    print_sections(".text.", 64);
    puts("    . = ALIGN(0x10000);\n  }\n}\nINSERT BEFORE .text;");
    puts("SECTIONS\n{\n  .data.layout : ALIGN(4096)\n  {");
    print_sections(".data.", 256);
    puts("    . = ALIGN(4096);\n  }\n}\nINSERT AFTER .data;");
    puts("SECTIONS\n{\n  .bss.layout (NOLOAD) : ALIGN(4096)\n  {");
    print_sections(".bss.", 256);
    puts("  }\n}\nINSERT AFTER .bss;");
    return fflush(stdout) == 0 ? 0 : 2;
}
