/*
 * Any file, opened as an ELF file or, if it begins like one, an archive of
 * them; cut into blocks, which are joined to a graph, and the first analysed;
 * then, if it is one, linked with itself, and its first functions walked.
 *
 * Reaches sd_image and all of sd_elf with libelf, libdw, libmd and liblzma,
 * objrel, sd_contents, sd_dynamic, sd_link, sd_sweep, sd_blocks,
 * sd_decode, sd_lookup, sd_cfg, loops, sd_path, and of
 * the rest what the blocks of the seeds reach.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

#include "cfg.h"
#include "walk.h"

#define LIMIT      1.0 /* seconds for a graph, with sanitizers */
#define N_ANALYSED 20

/* Makes a file in memory, and a name to open it by. */
static int make_file(const uint8_t *data, size_t size, char name[40])
{
    int fd = memfd_create("fuzz", MFD_CLOEXEC);

    fuzz_claim(fd >= 0 && write(fd, data, size) == (ssize_t)size,
               "there is memory for the file");
    snprintf(name, 40, "/proc/self/fd/%d", fd);
    return fd;
}

/* Checks that each block begins where the one before ends, or inside it, if
   both end at one address; and that together they are the sections. */
static void check_blocks(const struct sd_blocks *blocks,
                         const struct sd_image *image)
{
    size_t n = 0;

    for (size_t i = 0; i < image->n_sections; i++)
        for (uint64_t done = 0; done < image->sections[i].size; n++) {
            const struct sd_block *b = &blocks->blocks[n];
            uint64_t start;

            fuzz_claim(n < blocks->n_blocks && b->size > 0,
                       "all sections have blocks");
            start = b->address - image->sections[i].address;
            fuzz_claim(start == done ||
                           (start < done && start + b->size == done),
                       "the blocks are as long as the sections");
            done = start + b->size;
        }
    fuzz_claim(n == blocks->n_blocks, "all blocks are of sections");
}

static struct sd_cfg *make_graph(struct sd_blocks *blocks,
                                 const struct sd_image *image)
{
    double start = fuzz_processor_time();
    struct sd_cfg *cfg = sd_cfg_new(blocks, image);

    fuzz_claim(fuzz_processor_time() - start < LIMIT,
               "a graph takes less than a second");
    fuzz_check_cfg(cfg, blocks);
    return cfg;
}

static void analyse(const struct sd_image *image)
{
    struct sd_blocks blocks = {0};
    struct sd_cfg *cfg;

    sd_blocks_of_image(&blocks, fuzz_decoder(image->arch), image);
    check_blocks(&blocks, image);
    cfg = make_graph(&blocks, image);
    for (size_t i = 0; i < blocks.n_blocks && i < N_ANALYSED; i++)
        fuzz_analyse(image->arch, &blocks, i);
    sd_cfg_free(cfg);
    sd_blocks_fini(&blocks);
}

static int analyse_member(void *argument, struct sd_image *image,
                          struct diag *d)
{
    (void)argument;
    (void)d;
    if (image != NULL)
        analyse(image);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sd_image image;
    struct diag d;
    char name[40];
    int fd = make_file(data, size, name);

    if (sd_image_is_archive(name)) {
        sd_image_members(name, analyse_member, NULL, &d);
    } else if (sd_image_open(&image, name, "/usr/lib/debug", &d) == 0) {
        analyse(&image);
        sd_image_close(&image);
        fuzz_walk_file(name);
    }
    close(fd);
    return 0;
}
