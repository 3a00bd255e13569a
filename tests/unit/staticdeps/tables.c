/*
 * Tables of functions are found in data
 * (staticdeps/program/sd_program.c).
 *
 * Functions begin at 0x1000, 0x1010, ..., and data at 0x2000.  Code refers to
 * the addresses in `refer`.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include "graph.h"

#define F(n)        (0x1000u + 16u * (n))
#define N_FUNCTIONS 4
#define N_WORDS     64

static struct sd_program program;
static uint64_t words[N_WORDS];
static bool has_addresses;

/* Makes functions that return; the last one refers to the data first. */
static void analyse(const uint64_t *refer, size_t n)
{
    static uint8_t code[16 * N_FUNCTIONS + 8 * 7];
    static const size_t starts[] = {0, 16, 32, 48};
    static uint8_t unknown[N_WORDS];
    static struct sd_part part;
    static struct sd_contents contents;
    static struct sd_section section;
    static struct sd_symbol symbols[N_FUNCTIONS];
    static struct sd_image image;
    uint8_t *end = code + 48;

    assert_true(n <= 8);
    memset(code, 0x90, sizeof code);
    for (size_t i = 0; i + 1 < N_FUNCTIONS; i++)
        code[starts[i]] = 0xc3;
    for (size_t i = 0; i < n; i++, end += 5) {
        end[0] = 0xb8; /* mov $N, %eax */
        for (unsigned k = 0; k < 4; k++)
            end[1 + k] = (uint8_t)(refer[i] >> 8 * k);
    }
    *end = 0xc3;
    section = (struct sd_section){
        .address = 0x1000, .bytes = code, .size = sizeof code};
    for (size_t i = 0; i < N_FUNCTIONS; i++)
        symbols[i] = (struct sd_symbol){
            .name = "f", .address = F(i), .is_function = true};
    image = (struct sd_image){.sections = &section,
                              .n_sections = 1,
                              .symbols = symbols,
                              .n_symbols = N_FUNCTIONS};
    part = (struct sd_part){.first = 0x2000 / 8,
                            .n = N_WORDS,
                            .words = words,
                            .unknown = unknown,
                            .end = has_addresses ? N_WORDS : 0};
    contents = (struct sd_contents){.parts = &part, .n = 1};
    sd_program_fini(&program);
    make_image(&image);
    sd_program_init(&program, &image, &blocks, cfg, &contents, NULL);
}

BEFORE_EACH()
{
    memset(words, 0, sizeof words);
    has_addresses = true;
}

/* The tables with a function at an offset, as "TABLE:FUNCTION ...". */
static const char *tables_at(int64_t offset)
{
    static char text[256];
    size_t first, n = sd_tables_at(&program.tables, offset, &first), used = 0;

    text[0] = '\0';
    for (size_t i = first; i < first + n; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%x:%x",
                                 i > first ? " " : "",
                                 (unsigned)program.tables.list[i].table,
                                 (unsigned)program.tables.list[i].function);
    return text;
}

#define ANALYSE(...)                         \
    analyse((const uint64_t[]){__VA_ARGS__}, \
            sizeof(const uint64_t[]){__VA_ARGS__} / sizeof(uint64_t))

TEST(a_table_begins_where_code_refers_to)
{
    words[1] = F(0);
    words[5] = F(1);
    ANALYSE(0x2000, 0x2020);
    assert_string_equal(tables_at(8), "2000:1000 2020:1010");
    assert_string_equal(tables_at(0), "");
    assert_string_equal(tables_at(0x28), "");
    assert_string_equal(tables_at(-8), "");
}

TEST(a_table_begins_where_data_refer_to)
{
    words[1] = F(0);
    words[4] = 0x2008;
    ANALYSE(0x2000);
    assert_string_equal(tables_at(0), "2008:1000");
}

TEST(an_entry_before_all_references_is_in_no_table)
{
    words[1] = F(0);
    words[2] = 1;
    words[4] = F(1);
    ANALYSE(0x2010);
    assert_string_equal(tables_at(8), "");
    assert_string_equal(tables_at(0x10), "2010:1010");
}

TEST(the_middle_of_a_function_is_no_entry)
{
    words[1] = F(0) + 1;
    ANALYSE(0x2000);
    assert_string_equal(tables_at(8), "");
}

TEST(functions_of_a_virtual_table_begin_after_two_words)
{
    words[1] = 0x2100;
    words[2] = F(0);
    words[3] = F(1);
    ANALYSE(0x2000);
    assert_string_equal(tables_at(0), "2010:1000");
    assert_string_equal(tables_at(8), "2010:1010");
    words[0] = 1; /* no offset to the complete object */
    ANALYSE(0x2000);
    assert_string_equal(tables_at(0x10), "2000:1000");
}

TEST(structures_that_are_alike_are_tables)
{
    for (unsigned i = 0; i < 3; i++)
        words[1 + 3 * i] = F(i);
    ANALYSE(0x2000);
    assert_string_equal(tables_at(8), "2000:1000 2018:1010 2030:1020");
    words[2] = F(3); /* a second table in the first */
    ANALYSE(0x2000);
    assert_string_equal(tables_at(8), "2000:1000");
    assert_string_equal(tables_at(0x20), "2000:1010");
}

TEST(data_that_cannot_have_addresses_have_no_tables)
{
    words[1] = F(0);
    has_addresses = false;
    ANALYSE(0x2000);
    assert_string_equal(tables_at(8), "");
}
