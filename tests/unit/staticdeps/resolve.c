/* Symbols are bound to definitions as the dynamic linker does. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "link/sd_link.h"

#define MOST 4

/* Objects 0 to 3; symbol 1 of each is `f`, which a case may undefine. */
static struct sd_dynsym symbols[MOST][4];
static struct sd_dynamic objects[MOST];
static const char *needed[MOST][MOST];

static void need(size_t object, const char *soname)
{
    objects[object].needed = needed[object];
    needed[object][objects[object].n_needed++] = soname;
}

BEFORE_EACH()
{
    static const char *const sonames[MOST] = {NULL, "a", "b", "c"};

    for (size_t i = 0; i < MOST; i++) {
        objects[i] = (struct sd_dynamic){.is_linked = true,
                                         .is_program = i == 0,
                                         .has_versions = true,
                                         .soname = sonames[i],
                                         .symbols = symbols[i],
                                         .n_symbols = 2};
        symbols[i][1] = (struct sd_dynsym){.name = "f",
                                           .value = 0x1000 + i,
                                           .is_defined = true,
                                           .is_offered = true};
    }
}

static void undefine(size_t object)
{
    symbols[object][1].is_defined = symbols[object][1].is_offered = false;
    symbols[object][1].value = 0;
}

/* The object that defines symbol 1 of `object`; *symbol: its number there. */
static uint32_t meant(uint32_t object, enum sd_purpose purpose,
                      uint32_t *symbol)
{
    const struct sd_dynamic *list[MOST] = {&objects[0], &objects[1],
                                           &objects[2], &objects[3]};
    struct sd_resolver resolver;
    struct sd_definition d;

    sd_resolver_init(&resolver, list, MOST);
    d = sd_resolve(&resolver, object, 1, purpose);
    sd_resolver_fini(&resolver);
    *symbol = d.symbol;
    return d.object;
}

static uint32_t object_of(uint32_t object, enum sd_purpose purpose)
{
    uint32_t symbol;

    return meant(object, purpose, &symbol);
}

TEST(the_executable_comes_first)
{
    assert_int_equal(object_of(2, SD_FOR_CALL), 0);
    assert_int_equal(object_of(2, SD_FOR_COPY), 1);
}

TEST(needed_libraries_follow_the_executable_breadth_first)
{
    undefine(0);
    assert_int_equal(object_of(0, SD_FOR_CALL),
                     1); /* in the order of the command line */
    need(0, "c");
    assert_int_equal(object_of(0, SD_FOR_CALL), 3);
    undefine(3);
    assert_int_equal(object_of(0, SD_FOR_CALL), 1);
    need(3, "b"); /* a is last, because no object needs it */
    assert_int_equal(object_of(0, SD_FOR_CALL), 2);
    need(0, "a");
    assert_int_equal(object_of(0, SD_FOR_CALL), 1);
}

TEST(hidden_and_symbolic_symbols_bind_to_their_own_object)
{
    symbols[2][1].is_own = true;
    assert_int_equal(object_of(2, SD_FOR_ADDRESS), 2);
    symbols[2][1].is_own = false;
    objects[2].is_symbolic = true;
    assert_int_equal(object_of(2, SD_FOR_ADDRESS), 2);
    undefine(2);
    assert_int_equal(object_of(2, SD_FOR_ADDRESS), 0);
}

TEST(an_entry_of_the_executable_is_no_callee)
{
    symbols[0][1].is_defined = false; /* undefined, but it has a value */
    assert_int_equal(object_of(2, SD_FOR_ADDRESS), 0);
    assert_int_equal(object_of(2, SD_FOR_CALL), 1);
}

/* Object 1 offers version V1, hidden, as symbol 1, and V2 as symbol 2. */
static void offer_versions(void)
{
    undefine(0);
    objects[1].n_symbols = 3;
    symbols[1][1].version = "V1";
    symbols[1][1].version_id = 2;
    symbols[1][1].has_hidden = true;
    symbols[1][2] = symbols[1][1];
    symbols[1][2].version = "V2";
    symbols[1][2].version_id = 3;
    symbols[1][2].has_hidden = false;
}

TEST(versions_are_told_apart)
{
    uint32_t symbol;

    offer_versions();
    symbols[0][1].version = "V1";
    assert_int_equal(meant(0, SD_FOR_CALL, &symbol), 1);
    assert_int_equal(symbol, 1);
    symbols[0][1].version = "V2";
    assert_int_equal(meant(0, SD_FOR_CALL, &symbol), 1);
    assert_int_equal(symbol, 2);
    /* Without a version, the symbol in objects 2 and 3 matches any. */
    symbols[0][1].version = "V3";
    assert_int_equal(object_of(0, SD_FOR_CALL), 2);
    symbols[0][1].has_hidden = true;
    assert_int_equal(object_of(0, SD_FOR_CALL), SD_NO_OBJECT);
    /* An object without any versions matches every reference. */
    objects[3].has_versions = false;
    assert_int_equal(object_of(0, SD_FOR_CALL), 3);
}

TEST(a_reference_without_a_version_binds_to_the_oldest_or_the_default)
{
    uint32_t symbol;

    offer_versions();
    assert_int_equal(meant(0, SD_FOR_CALL, &symbol), 1);
    assert_int_equal(symbol, 1); /* version 2 is the oldest of a file */
    symbols[1][1].version_id = 4;
    assert_int_equal(meant(0, SD_FOR_CALL, &symbol), 1);
    assert_int_equal(symbol, 2);
    symbols[1][2].has_hidden = true;
    assert_int_equal(object_of(0, SD_FOR_CALL), 2);
}

TEST(unusable_symbols_bind_to_nothing)
{
    for (size_t i = 0; i < MOST; i++)
        undefine(i);
    assert_int_equal(object_of(0, SD_FOR_CALL), SD_NO_OBJECT);
    symbols[0][1].name = NULL;
    assert_int_equal(object_of(0, SD_FOR_CALL), SD_NO_OBJECT);
}
