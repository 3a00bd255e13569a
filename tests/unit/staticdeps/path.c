/*
 * Where control may go, and the back path of a block.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include <stdio.h>

#include "flow/sd_path.h"

static struct sd_decoder *decoder;
static struct sd_blocks blocks;
static struct sd_cfg *cfg;
static struct sd_path path;

/* Makes the graph of code at 0x1000, in which functions begin at
   these offsets. */
static void make(const uint8_t *code, size_t size, const size_t *functions,
                 size_t n_functions)
{
    struct sd_section section = {
        .address = 0x1000, .bytes = (uint8_t *)(uintptr_t)code, .size = size};
    struct sd_symbol symbols[4] = {{0}};
    struct sd_image image = {.sections = &section,
                             .n_sections = 1,
                             .symbols = symbols,
                             .n_symbols = n_functions};

    for (size_t i = 0; i < n_functions; i++)
        symbols[i] = (struct sd_symbol){.name = (char *)(uintptr_t) "f",
                                        .address = 0x1000 + functions[i],
                                        .is_function = true};
    sd_cfg_free(cfg);
    sd_blocks_fini(&blocks);
    sd_blocks_init(&blocks);
    sd_blocks_of_image(&blocks, decoder, &image);
    cfg = sd_cfg_new(&blocks, &image);
}

#define BYTES(...)                                          \
    (const uint8_t[]){__VA_ARGS__}, sizeof(const uint8_t[]) \
    {                                                       \
        __VA_ARGS__                                         \
    }
#define NO_FUNCTION NULL, 0
#define FUNCTIONS(...)             \
    (const size_t[]){__VA_ARGS__}, \
        sizeof(const size_t[]){__VA_ARGS__} / sizeof(size_t)

static struct sd_node *at(unsigned offset)
{
    for (size_t i = 0; i < blocks.n_blocks; i++)
        if (blocks.blocks[i].address == 0x1000 + offset)
            return blocks.blocks[i].node;
    fail();
    return NULL;
}

/* The offsets of the blocks on the path; behind "(" those of another loop, and
   "again" where the function is called. */
static const char *path_to(unsigned offset)
{
    static char text[200];
    int n = 0;

    text[0] = '\0';
    if (!sd_path_find(&path, at(offset)))
        return "none";
    for (size_t i = 0; i < path.n_steps; i++) {
        const struct sd_step *step = &path.steps[i];
        const char *blank = i > 0 ? " " : "";

        if (step->node == NULL)
            n += snprintf(text + n, sizeof text - (size_t)n, "%sagain", blank);
        else
            n += snprintf(text + n, sizeof text - (size_t)n, "%s%s%x", blank,
                          step->inner != 0 ? "(" : "",
                          (unsigned)(step->node->address - 0x1000));
    }
    return text;
}

TEST(of_two_paths_the_shorter_one_is_taken)
{
    /* jne 5; nop; jmp 5; jmp 0 */
    make(BYTES(0x75, 3, 0x90, 0xeb, 0, 0xeb, 0xf9), NO_FUNCTION);
    assert_string_equal(path_to(0), "5");
    assert_string_equal(path_to(2), "5 0");
    assert_string_equal(path_to(5), "0");
}

TEST(of_two_equal_paths_the_one_that_falls_through_is_taken)
{
    /* nop; jne 5; jmp 0; jmp 0 */
    make(BYTES(0x90, 0x75, 2, 0xeb, 0xfb, 0xeb, 0xf9), NO_FUNCTION);
    assert_string_equal(path_to(0), "3");
}

TEST(a_block_that_follows_itself_has_an_empty_path)
{
    /* nop; jne 0; jmp 0 */
    make(BYTES(0x90, 0x75, 0xfd, 0xeb, 0xfb), NO_FUNCTION);
    assert_true(sd_node_follows_itself(at(0)));
    assert_string_equal(path_to(0), "");
    assert_false(sd_node_follows_itself(at(3)));
    assert_string_equal(path_to(3), "0");
}

TEST(a_call_goes_on_behind_it_unless_a_function_begins_there)
{
    const uint8_t code[] = {0xe8, 0, 1, 0, 0, 0xeb, 0xf9}; /* jmp 0 */

    make(code, sizeof code, NO_FUNCTION);
    assert_string_equal(path_to(0), "5");
    assert_true(at(0)->calls);
    make(code, sizeof code, FUNCTIONS(0, 5));
    assert_string_equal(path_to(0), "none");
}

TEST(what_leads_to_no_instruction_leads_nowhere)
{
    /* jne 3; 06; jmp 0 */
    make(BYTES(0x75, 1, 0x06, 0xeb, 0xfb), NO_FUNCTION);
    assert_null(at(0)->next[0]);
    assert_string_equal(path_to(0), "3");
    /* nop; 06 */
    make(BYTES(0x90, 0x06), NO_FUNCTION);
    assert_string_equal(path_to(0), "none");
}

TEST(the_path_stays_in_the_innermost_loop)
{
    /* nop; 1: je 0; jne 5; jmp 1 */
    make(BYTES(0x90, 0x74, 0xfd, 0x75, 0, 0xeb, 0xfa), NO_FUNCTION);
    assert_string_equal(path_to(1), "3 5");
    assert_string_equal(path_to(0), "(1");
}

TEST(a_loop_on_the_path_is_marked_where_it_begins)
{
    /* nop; 1: nop; jne 1; jmp 0 */
    make(BYTES(0x90, 0x90, 0x75, 0xfd, 0xeb, 0xfa), NO_FUNCTION);
    assert_string_equal(path_to(0), "(1 4");
    assert_string_equal(path_to(4), "0 (1");
    /* nop; 1: nop; 2: nop; jne 2; jne 1; jmp 0 */
    make(BYTES(0x90, 0x90, 0x90, 0x75, 0xfd, 0x75, 0xfa, 0xeb, 0xf7),
         NO_FUNCTION);
    assert_string_equal(path_to(0), "(1 2 5 7");
    assert_string_equal(path_to(1), "(2 5");
    /* two loops, one behind the other */
    make(BYTES(0x90, 0x90, 0x75, 0xfd, 0x90, 0x75, 0xfd, 0xeb, 0xf7),
         NO_FUNCTION);
    assert_string_equal(path_to(0), "(1 (4 7");
}

TEST(rounds_without_the_block_are_no_loop_on_the_path)
{
    /* je 3; nop; 3: jmp 0 */
    make(BYTES(0x74, 1, 0x90, 0xeb, 0xfb), NO_FUNCTION);
    assert_string_equal(path_to(2), "3 0");
}

TEST(a_loop_with_two_entries_is_one)
{
    /* je 4; 2: nop; nop; 4: jmp 2 */
    make(BYTES(0x74, 2, 0x90, 0x90, 0xeb, 0xfc), FUNCTIONS(0));
    assert_string_equal(path_to(2), "4");
    assert_string_equal(path_to(4), "2");
}

TEST(an_indirect_jump_leads_to_what_nothing_else_leads_to)
{
    /* jmp *%rax; nop; jmp 0; nop; nop; int3; nop; nop; 9: jmp 0 */
    const uint8_t code[] = {0xff, 0xe0, 0x90, 0xeb, 0xfb, 0x90,
                            0x90, 0xcc, 0x90, 0xeb, 0xf5};

    make(code, sizeof code, FUNCTIONS(0));
    assert_int_equal(cfg->n_indirect_targets, 2); /* 2 and 8, no padding */
    assert_true(cfg->indirect_targets[0] == at(2) &&
                cfg->indirect_targets[1] == at(8));
    assert_int_equal(at(2)->loop, at(8)->loop);
    assert_true(at(2)->loop != 0);
    /* but not to those of another function */
    make(code, sizeof code, FUNCTIONS(0, 8));
    assert_int_equal(cfg->n_indirect_targets, 1);
    /* jmp *%rax; nop, which is padding; 3: nop; jmp 3 */
    make(BYTES(0xff, 0xe0, 0x90, 0x90, 0xeb, 0xfd), FUNCTIONS(0));
    assert_int_equal(cfg->n_indirect_targets, 0);
}

TEST(a_block_in_no_loop_is_reached_when_its_function_is_called_again)
{
    /* jne 3; ret; nop; ret */
    make(BYTES(0x75, 1, 0xc3, 0x90, 0xc3), FUNCTIONS(0));
    assert_string_equal(path_to(0), "2 again");
    assert_string_equal(path_to(3), "again 0");
    /* the same without a function's start; and one that never returns */
    make(BYTES(0x75, 1, 0xc3, 0x90, 0xc3), NO_FUNCTION);
    assert_string_equal(path_to(3), "none");
    make(BYTES(0x90, 0x90, 0xeb, 0xfe), FUNCTIONS(0));
    assert_string_equal(path_to(0), "none");
    /* nop; 1: nop; jne 1; ret */
    make(BYTES(0x90, 0x90, 0x75, 0xfd, 0xc3), FUNCTIONS(0));
    assert_string_equal(path_to(0), "(1 4 again");
    assert_string_equal(path_to(4), "again 0 (1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_two_paths_the_shorter_one_is_taken),
        cmocka_unit_test(
            of_two_equal_paths_the_one_that_falls_through_is_taken),
        cmocka_unit_test(a_block_that_follows_itself_has_an_empty_path),
        cmocka_unit_test(
            a_call_goes_on_behind_it_unless_a_function_begins_there),
        cmocka_unit_test(what_leads_to_no_instruction_leads_nowhere),
        cmocka_unit_test(the_path_stays_in_the_innermost_loop),
        cmocka_unit_test(a_loop_on_the_path_is_marked_where_it_begins),
        cmocka_unit_test(rounds_without_the_block_are_no_loop_on_the_path),
        cmocka_unit_test(a_loop_with_two_entries_is_one),
        cmocka_unit_test(an_indirect_jump_leads_to_what_nothing_else_leads_to),
        cmocka_unit_test(
            a_block_in_no_loop_is_reached_when_its_function_is_called_again),
    };
    int rc;

    decoder = sd_decoder_new(SD_X86_64);
    sd_path_init(&path);
    rc = cmocka_run_group_tests(tests, NULL, NULL);
    sd_path_fini(&path);
    sd_cfg_free(cfg);
    sd_blocks_fini(&blocks);
    sd_decoder_free(decoder);
    return rc;
}
