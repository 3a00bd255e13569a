/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "staticdeps.h"

#define PIECE ((size_t)1 << 17) /* the blocks of a piece of an image */

/* An image with more blocks than NODES_FREE + size / BYTES_PER_NODE is analysed
   without its loops, for which all blocks and their graph must be in memory at
   once.  Real code has fewer blocks for its size. */
#define BYTES_PER_NODE 12
#define NODES_FREE     ((size_t)1 << 17)

static struct sd_decoder *decoder(struct sd_intake *a, enum arch arch)
{
    if (a->decoders[arch] == NULL)
        a->decoders[arch] = sd_decoder_new(arch);
    return a->decoders[arch];
}

static int take_results(struct sd_intake *a, struct diag *d)
{
    struct sd_settings settings = a->options->settings;

    if (a->batch.n_objects == 0)
        return 0;
    settings.arch = a->batch.objects[0].image.arch;
    assert(settings.arch < N_ARCHES);
    return sd_results_add(a->results, &a->batch, &settings, a->options->jobs,
                          d);
}

static int analyse_batch(struct sd_intake *a, struct diag *d)
{
    int rc = take_results(a, d);

    sd_batch_fini(&a->batch);
    assert(a->batch.n_objects == 0 && a->batch.blocks.n_blocks == 0);
    return rc;
}

static bool is_duplicate(struct sd_intake *a, const char *build_id)
{
    for (size_t i = 0; i < a->n_identities; i++)
        if (strcmp(a->identities[i], build_id) == 0)
            return true;
    array_append(a, identities, memory_text(build_id));
    return false;
}

/* Adds an image and all its blocks, with their graph; returns 1 if the blocks
   are too many for a graph. */
static int add_graph(struct sd_intake *a, struct sd_image *image,
                     struct diag *d)
{
    struct sd_decoder *its = decoder(a, image->arch);
    struct sd_cutter *cutter = sd_cutter_new(its, image);
    struct sd_cfg *cfg = NULL;
    AUTO_FINI(sd_blocks_fini) struct sd_blocks blocks = {0};
    size_t size = 0;
    int rc = 1;

    for (size_t i = 0; i < image->n_sections; i++)
        size += image->sections[i].size;
    if (!sd_cutter_next(cutter, &blocks, NODES_FREE + size / BYTES_PER_NODE)) {
        cfg = sd_cfg_new(&blocks, image);
        rc = sd_select_apply(&a->select, image, &blocks, d);
    }
    sd_cutter_free(cutter);
    if (rc == 0) {
        sd_batch_add(&a->batch, image, &blocks, cfg);
        return 0;
    }
    sd_cfg_free(cfg);
    return rc;
}

/* Adds an image, and its blocks piece by piece: all pieces but the last are
   analysed immediately, so that memory does not grow with their number. */
static int add_pieces(struct sd_intake *a, struct sd_image *image,
                      struct sd_cutter *cutter, struct diag *d)
{
    struct sd_image view = *image;
    bool is_first = true, has_more;

    do {
        struct sd_blocks blocks = {0};

        has_more = sd_cutter_next(cutter, &blocks, PIECE);
        if ((is_first && has_more && analyse_batch(a, d) != 0) ||
            sd_select_apply(&a->select, &view, &blocks, d) != 0) {
            sd_blocks_fini(&blocks);
            return -1;
        }
        if (is_first)
            sd_batch_add(&a->batch, image, &blocks, NULL);
        else
            sd_batch_continue(&a->batch, &blocks);
        is_first = false;
        if (has_more && take_results(a, d) != 0)
            return -1;
    } while (has_more);
    return 0;
}

/* Adds the regions marked in a source file, with the names of their marks. */
static void add_marked(struct sd_intake *a, const struct sd_image *image,
                       struct sd_blocks *blocks)
{
    for (size_t i = 0; i < a->regions->n; i++) {
        const struct region *r = &a->regions->regions[i];

        if (!sd_blocks_add_region(blocks, decoder(a, image->arch), image,
                                  (struct sd_range){r->start, r->end}))
            continue;
        assert(blocks->n_blocks > 0);
        array_append(a, names, memory_text(r->name));
        blocks->blocks[blocks->n_blocks - 1].function =
            a->names[a->n_names - 1];
    }
}

/* --- The scopes function and program --- */

static int walk_link(struct sd_intake *a, struct sd_link *link, struct diag *d)
{
    int rc = sd_results_walk(a->results, link, &a->options->settings,
                             a->options->jobs, d);

    sd_link_fini(link);
    return rc;
}

/* Is an image joined with others into one program, not analysed alone? */
static bool is_joined(const struct sd_intake *a, const struct sd_image *image,
                      const struct sd_dynamic *dynamic)
{
    if (a->options->settings.scope != SD_SCOPE_PROGRAM)
        return false;
    if (sd_link_takes(&a->link, image, dynamic))
        return true;
    if (a->link.n_objects > 0 && dynamic->is_linked)
        a->note(image->path, "not part of the program; analysed alone");
    return false;
}

/* Analyses an image by walks, and takes it over. */
static int walk_image(struct sd_intake *a, struct sd_image *image,
                      struct diag *d)
{
    AUTO_FINI(sd_link_fini) struct sd_link alone = {.library = &a->library};
    struct sd_blocks blocks = {0};
    struct sd_dynamic dynamic;
    AUTO_FREE bool *wanted = NULL;

    sd_dynamic_read(&dynamic, image->path, NULL); /* empty on failure */
    assert(sd_scope_walks(a->options->settings.scope));
    bool joined = is_joined(a, image, &dynamic);
    sd_blocks_of_image(&blocks, decoder(a, image->arch), image);
    int rc = sd_select_among(&a->select, image, &blocks, &wanted, d);
    if (rc == 0)
        rc = sd_select_weigh(&a->select, image, &blocks, &alone.executed,
                             &alone.least_executed, d);
    sd_link_add(joined ? &a->link : &alone, image, &dynamic, &blocks, wanted);
    if (joined)
        return rc;
    if (rc == 0)
        return walk_link(a, &alone, d);
    return rc;
}

/* Adds an image; on success, the image belongs to *a. */
static int add_image(struct sd_intake *a, struct sd_image *image,
                     struct diag *d)
{
    struct sd_decoder *its = decoder(a, image->arch);
    int rc = 1;

    assert(image->build_id[0] != '\0');
    if (is_duplicate(a, image->build_id)) {
        a->results->n_duplicates++;
        return 0;
    }
    if (!sd_batch_has_room(&a->batch, image->arch) && analyse_batch(a, d) != 0)
        return -1;
    a->results->n_unknown_relocations += image->n_unknown_relocations;
    a->results->n_large_debugdata += image->has_large_debugdata;
    if (sd_scope_walks(a->options->settings.scope))
        return walk_image(a, image, d);
    if (a->options->settings.scope == SD_SCOPE_LOOP) {
        rc = add_graph(a, image, d);
        a->results->n_without_loops += rc == 1;
        if (rc == 1)
            a->note(
                image->path,
                "too many blocks for its size; analysed as with --scope=block");
    }
    if (a->options->n_regions > 0 || a->regions != NULL) {
        struct sd_blocks blocks = {0};

        if (a->regions != NULL)
            add_marked(a, image, &blocks);
        else
            sd_select_regions(&a->select, image, its, &blocks);
        sd_batch_add(&a->batch, image, &blocks, NULL);
        return 0;
    }
    if (rc == 1) {
        struct sd_cutter *cutter = sd_cutter_new(its, image);

        rc = add_pieces(a, image, cutter, d);
        sd_cutter_free(cutter);
    }
    return rc;
}

static int add_member(void *argument, struct sd_image *image, struct diag *d)
{
    struct sd_intake *a = argument;

    if (image != NULL)
        return add_image(a, image, d);
    a->results->n_foreign_members++;
    return 0;
}

/* Adds the object file of an assembly source, under the source's name. */
static int add_assembled(struct sd_intake *a, const struct input *input,
                         struct diag *d)
{
    const struct sd_options *o = a->options;
    struct sd_image image;

    if (sd_image_open(&image, input->path, o->debug_directory, d) != 0)
        return input_rename(input, d);
    free(image.path);
    image.path = memory_text(input->subject);
    /* Marked regions are analysed, unless the user chooses blocks or another
       scope. */
    if (o->settings.scope == SD_SCOPE_BLOCK && o->n_functions == 0 &&
        o->n_regions == 0 && !o->has_range && o->executed == NULL &&
        input->regions.n > 0)
        a->regions = &input->regions;
    int rc = add_image(a, &image, d);
    a->regions = NULL;
    sd_image_close(&image);
    return rc;
}

static int add_source(struct sd_intake *a, const char *path, struct diag *d)
{
    static const struct regions none;
    struct input_choice choice = {
        .program = path, .ranges = &none, .looks_for_marks = true};
    struct input input;
    int rc = input_open(&input, &choice, d);

    if (rc == 0)
        rc = add_assembled(a, &input, d);
    input_close(&input);
    return rc;
}

int sd_intake_file(struct sd_intake *a, const char *path, struct diag *d)
{
    struct sd_image image;

    if (input_is_source(path))
        return add_source(a, path, d);
    if (sd_image_is_archive(path)) {
        a->results->report.has_names = true;
        a->last_archive = path;
        return sd_image_members(path, add_member, a, d);
    }
    if (sd_image_open(&image, path, a->options->debug_directory, d) != 0)
        return -1;
    int rc = add_image(a, &image, d);
    sd_image_close(&image);
    return rc;
}

/* Returns -1.  With --untrusted, the message shows nothing of the file, because
   anyone may have chosen which file the option names. */
static int hide(const struct sd_intake *a, const char *path, struct diag *d)
{
    return a->options->is_untrusted
               ? diag_set(d, "%s: cannot be used; --untrusted does not say why",
                          path)
               : -1;
}

int sd_intake_hex(struct sd_intake *a, struct diag *d)
{
    const char *path = a->options->hex;
    struct sd_image image = {.arch = a->options->settings.arch};
    struct sd_blocks blocks = {0};
    struct hexcode code;

    if (hexcode_read(&code, path,
                     strcmp(path, "-") == 0 ? "standard input" : path, d) != 0)
        return hide(a, path, d);
    assert(a->batch.n_objects == 0); /* --hex excludes files */
    sd_blocks_of_lines(&blocks, decoder(a, image.arch), &code);
    image.path = memory_text(path);
    memcpy(image.build_id, code.id, sizeof image.build_id);
    sd_batch_add(&a->batch, &image, &blocks, NULL);
    int rc = analyse_batch(a, d);
    hexcode_fini(&code);
    return rc;
}

int sd_intake_init(struct sd_intake *a, const struct sd_options *options,
                   struct sd_results *results, sd_intake_note *note,
                   struct diag *d)
{
    const char *table = options->library_table;

    *a = (struct sd_intake){
        .options = options, .results = results, .note = note};
    if (sd_scope_walks(options->settings.scope)) {
        sd_library_init(&a->library);
        a->link.library = &a->library;
        if (table != NULL && sd_library_read(&a->library, table, d) != 0)
            return hide(a, table, d);
    }
    return sd_select_init(&a->select, options, d);
}

int sd_intake_end(struct sd_intake *a, struct diag *d)
{
    if (analyse_batch(a, d) != 0)
        return -1;
    /* A file without code that is no archive was an error before. */
    if (a->n_identities == 0 && a->last_archive != NULL)
        return diag_set(d, "%s: no ELF file in it", a->last_archive);
    return a->link.n_objects > 0 ? walk_link(a, &a->link, d) : 0;
}

void sd_intake_fini(struct sd_intake *a)
{
    for (size_t i = 0; i < a->n_identities; i++)
        free(a->identities[i]);
    free(a->identities);
    for (size_t i = 0; i < a->n_names; i++)
        free(a->names[i]);
    free(a->names);
    for (int i = 0; i < N_ARCHES; i++)
        sd_decoder_free(a->decoders[i]);
    sd_batch_fini(&a->batch);
    sd_link_fini(&a->link);
    sd_library_fini(&a->library);
    sd_select_fini(&a->select);
}
