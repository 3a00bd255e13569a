/* Unit tests for the indices of walks (staticdeps/interpret/sd_drawn.h). */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "interpret/sd_drawn.h"

enum { BASE = SD_N_FIXED, INDEX, SCALE, SCALED, SUM, THREE, TWICE, VALUE, END };

TEST(a_large_index_becomes_small)
{
    struct sd_value small;

    assert_true(sd_index_fold((struct sd_value){0x12345, UINT32_MAX}, &small));
    assert_int_equal(small.bits, 5);
    assert_int_equal(small.bottom, UINT32_MAX);
    assert_true(sd_index_fold((struct sd_value){64, UINT64_MAX}, &small));
    assert_true(sd_index_fold((struct sd_value){-(uint64_t)65, 1}, &small));
    assert_int_equal(small.bits, 15);
}

TEST(a_small_or_known_index_stays)
{
    struct sd_value small;

    assert_false(sd_index_fold((struct sd_value){63, UINT64_MAX}, &small));
    assert_false(
        sd_index_fold((struct sd_value){-(uint64_t)64, UINT64_MAX}, &small));
    assert_false(sd_index_fold(sd_known(0x12345), &small));
}

TEST(an_index_that_is_not_scaled_has_32_bits)
{
    assert_true(sd_index_is_one((struct sd_value){UINT32_MAX, UINT32_MAX}));
    assert_true(
        sd_index_is_one((struct sd_value){-(uint64_t)1 << 31, UINT64_MAX}));
    assert_false(
        sd_index_is_one((struct sd_value){UINT64_C(1) << 32, UINT64_MAX}));
    assert_false(sd_index_is_one(sd_known(1)));
}

static const struct sd_op get_base = {
    .code = SD_GET, .width = 64, .dst = BASE, .imm = 16};
static const struct sd_op get_index = {
    .code = SD_GET, .width = 64, .dst = INDEX, .imm = 24};

TEST(an_index_that_is_scaled_in_an_address_is_marked)
{
    struct sd_op ops[] = {
        get_base,
        get_index,
        {.code = SD_SHL, .width = 64, .dst = SCALED, .a = INDEX, .b = SCALE},
        {.code = SD_ADD, .width = 64, .dst = SUM, .a = BASE, .b = SCALED},
        {.code = SD_LOAD, .width = 64, .dst = VALUE, .a = SUM}};

    sd_index_mark(ops, 5, END);
    assert_int_equal(ops[2].imm, 1 + BASE);
    assert_int_equal(ops[3].imm, 0);
}

TEST(an_index_that_is_scaled_twice_is_marked_twice)
{
    struct sd_op ops[] = {
        get_base,
        get_index,
        {.code = SD_SHL, .width = 64, .dst = TWICE, .a = INDEX, .b = SCALE},
        {.code = SD_ADD, .width = 64, .dst = THREE, .a = INDEX, .b = TWICE},
        {.code = SD_SHL, .width = 64, .dst = SCALED, .a = THREE, .b = SCALE},
        {.code = SD_ADD, .width = 64, .dst = SUM, .a = SCALED, .b = BASE},
        {.code = SD_STORE, .width = 64, .a = SUM, .b = INDEX}};

    sd_index_mark(ops, 7, END);
    assert_int_equal(ops[2].imm, 1 + BASE);
    assert_int_equal(ops[4].imm, 1 + BASE);
    assert_int_equal(ops[5].imm, 0);
}

TEST(the_base_of_an_index_may_come_later)
{
    struct sd_op ops[] = {
        get_index,
        {.code = SD_SHL, .width = 64, .dst = SCALED, .a = INDEX, .b = SCALE},
        get_base,
        {.code = SD_ADD, .width = 64, .dst = SUM, .a = BASE, .b = SCALED},
        {.code = SD_LOAD, .width = 64, .dst = VALUE, .a = SUM}};

    sd_index_mark(ops, 5, END);
    assert_int_equal(ops[1].imm, 1 + SD_BOTTOM);
}

TEST(a_sum_of_two_registers_is_marked_as_unscaled)
{
    struct sd_op ops[] = {
        get_base,
        get_index,
        {.code = SD_ADD, .width = 64, .dst = SUM, .a = BASE, .b = INDEX},
        {.code = SD_LOAD, .width = 8, .dst = VALUE, .a = SUM}};

    sd_index_mark(ops, 4, END);
    assert_true(ops[2].imm == SD_INDEX_UNSCALED);
}

TEST(an_index_that_is_subtracted_in_an_address_is_marked)
{
    struct sd_op ops[] = {
        get_base,
        get_index,
        {.code = SD_SUB, .width = 64, .dst = TWICE, .a = BASE, .b = INDEX},
        {.code = SD_LOAD, .width = 8, .dst = VALUE, .a = TWICE},
        {.code = SD_SUB, .width = 64, .dst = THREE, .a = BASE, .b = INDEX},
        {.code = SD_ADD, .width = 64, .dst = SUM, .a = THREE, .b = BASE},
        {.code = SD_LOAD, .width = 8, .dst = VALUE, .a = SUM},
        {.code = SD_SUB,
         .width = 64,
         .dst = SCALED,
         .a = BASE,
         .b = INDEX,
         .imm = 7}};

    sd_index_mark(ops, 8, END);
    assert_true(ops[2].imm == SD_INDEX_UNSCALED);
    assert_true(ops[4].imm == SD_INDEX_UNSCALED);
    assert_int_equal(ops[5].imm, 0);
    assert_int_equal(ops[7].imm, 0);
}

TEST(other_sums_and_products_are_not_marked)
{
    struct sd_op ops[] = {
        get_base,
        get_index,
        {.code = SD_MUL,
         .width = 64,
         .dst = SCALED,
         .a = INDEX,
         .b = BASE,
         .imm = 7},
        {.code = SD_ADD,
         .width = 64,
         .dst = SUM,
         .a = BASE,
         .b = SCALED,
         .imm = 7},
        {.code = SD_LOAD, .width = 64, .dst = VALUE, .a = BASE}};

    sd_index_mark(ops, 5, END);
    assert_int_equal(ops[2].imm, 0);
    assert_int_equal(ops[3].imm, 0);
}
