/* functions: a program of one or two functions at 0x1000, ready to be walked,
   and the names of the places that they access. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "flow/sd_flows.h"
#include "walk/sd_walk.h"
#include "graph.h"
#include "hex.h"

static struct sd_program program;
static struct sd_chunks chunks;

/* Makes the program.  Function 0 is at the beginning, function 1 at offset
   `second`, if that is not 0. */
static void analyse(const char *hex, unsigned second)
{
    static uint8_t code[256];
    static struct sd_section section;
    static struct sd_symbol symbols[2];
    static struct sd_image image;
    static struct sd_contents contents;

    sd_chunks_fini(&chunks);
    sd_program_fini(&program);
    section = (struct sd_section){.address = 0x1000,
                                  .bytes = code,
                                  .size = from_hex(hex, code, sizeof code)};
    symbols[0] =
        (struct sd_symbol){.name = "f", .address = 0x1000, .is_function = true};
    symbols[1] = (struct sd_symbol){
        .name = "g", .address = 0x1000 + second, .is_function = true};
    image = (struct sd_image){.arch = ARCH_X86_64,
                              .sections = &section,
                              .n_sections = 1,
                              .symbols = symbols,
                              .n_symbols = second != 0 ? 2 : 1};
    make_image(&image);
    sd_program_init(&program, &image, &blocks, cfg, &contents, NULL);
    sd_chunks_init(&chunks, &program);
}

/* The name of the general register at that place in VEX's state. */
static inline const char *register_name(uint32_t variable)
{
    static const char *const names[] = {"rax", "rcx", "rdx", "rbx",
                                        "rsp", "rbp", "rsi", "rdi"};

    return variable < 8 ? names[variable] : "other";
}
