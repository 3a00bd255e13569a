/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "program/sd_program.h"

struct builder {
    struct sd_cfg *cfg;
    const struct sd_image *image;
    struct sd_sections sections;
    uint64_t *starts;
    size_t n_starts; /* number of starts of functions; sorted */
    size_t n_blocks;
    uint8_t *traits; /* of each block, the bits below */
};

enum {
    IS_REACHED = 1, /* a known edge leads to the block */
    IS_JUMP = 2,    /* the block ends with an indirect jump */
    IS_CODE = 4,    /* the end of the block shows that it is no padding */
    IS_START = 8,   /* a function begins here */
    IS_NOPS = 16    /* only nops: padding, unless an edge leads here */
};

static void find_starts(struct builder *b)
{
    const struct sd_image *image = b->image;

    b->starts =
        memory_new(image->n_symbols + image->n_starts, sizeof *b->starts);
    for (size_t i = 0; i < image->n_symbols; i++)
        if (image->symbols[i].is_function)
            b->starts[b->n_starts++] = image->symbols[i].address;
    for (size_t i = 0; i < image->n_starts; i++)
        b->starts[b->n_starts++] = image->starts[i];
    array_sort(b->starts, b->n_starts, array_by_number);
}

/* Marks the blocks of a section where functions begin.  Returns their number.
 */
static size_t mark_starts(struct builder *b, const struct sd_block *blocks,
                          size_t first, size_t end)
{
    size_t n = 0, next = 0;

    if (first < end)
        next = array_bisect(0, b->n_starts, i,
                            b->starts[i] < blocks[first].address);
    for (size_t i = first; i < end; i++) {
        while (next < b->n_starts && b->starts[next] < blocks[i].address)
            next++;
        if (blocks[i].is_referred ||
            (next < b->n_starts && b->starts[next] == blocks[i].address)) {
            b->traits[i] |= IS_START;
            n++;
        }
    }
    return n;
}

/* Finds the first block of each section; blocks cover all bytes of sections. */
static void find_firsts(struct builder *b, const struct sd_blocks *blocks)
{
    size_t *first = memory_new(b->image->n_sections + 1, sizeof *first);
    size_t block = 0;

    b->cfg->first = first;
    for (size_t i = 0; i < b->image->n_sections; i++) {
        first[i] = block;
        for (uint64_t done = 0; done < b->image->sections[i].size; block++)
            done = blocks->blocks[block].address + blocks->blocks[block].size -
                   b->image->sections[i].address;
        assert(block == 0 ||
               blocks->blocks[block - 1].address +
                       blocks->blocks[block - 1].size ==
                   b->image->sections[i].address + b->image->sections[i].size);
    }
    assert(block == blocks->n_blocks);
    first[b->image->n_sections] = block;
}

/* Notes the block of every GRAIN bytes, so that a block is found at once: a
   search through all of them would read another part of memory at each step. */
#define GRAIN 16
static void find_grains(struct sd_cfg *cfg, const struct sd_image *image)
{
    size_t n = 0;

    cfg->first_grain = memory_new(image->n_sections, sizeof *cfg->first_grain);
    for (size_t s = 0; s < image->n_sections; s++) {
        cfg->first_grain[s] = n;
        n += image->sections[s].size / GRAIN + 1;
    }
    cfg->grains = memory_new(n, sizeof *cfg->grains);
    for (size_t s = 0; s < image->n_sections; s++) {
        uint32_t block = (uint32_t)cfg->first[s];

        for (uint64_t at = 0; at < image->sections[s].size; at += GRAIN) {
            uint64_t address = image->sections[s].address + at;

            while (block + 1 < cfg->first[s + 1] &&
                   cfg->nodes[block + 1].address <= address)
                block++;
            cfg->grains[cfg->first_grain[s] + at / GRAIN] = block;
        }
    }
}

uint32_t sd_cfg_block(const struct sd_cfg *cfg, size_t section,
                      uint64_t address)
{
    uint64_t start = cfg->nodes[cfg->first[section]].address;
    uint32_t block =
        cfg->grains[cfg->first_grain[section] + (address - start) / GRAIN];

    assert(cfg->nodes[block].address <= address);
    while (block + 1 < cfg->first[section + 1] &&
           cfg->nodes[block + 1].address <= address)
        block++;
    return block;
}

/* The node of the block that begins at an address; NULL if there is none. */
static struct sd_node *find(const struct builder *b, uint64_t address)
{
    size_t section = sd_sections_find(&b->sections, address);

    if (section == SD_NO_SECTION)
        return NULL;
    struct sd_node *node =
        &b->cfg->nodes[sd_cfg_block(b->cfg, section, address)];
    return node->address == address ? node : NULL;
}

/* The node if it has instructions; otherwise NULL. */
static struct sd_node *usable(struct sd_node *node)
{
    return node != NULL && node->n_insns > 0 ? node : NULL;
}

static void connect(struct builder *b, const struct sd_block *block,
                    struct sd_node *node, struct sd_node *after)
{
    struct sd_decoded last = block->last;

    assert(last.length > 0 && block->node == node);

    if (!last.is_nop && !(last.has_no_effect && !last.has_target))
        b->traits[node->number] |= IS_CODE;
    if (last.is_indirect)
        b->traits[node->number] |= IS_JUMP;
    node->calls = last.is_call;
    node->returns = last.is_last && !last.has_target && !last.has_no_effect;
    if (!last.is_last && after != NULL &&
        !(last.is_call && b->traits[after->number] & IS_START))
        node->next[0] = usable(after);
    if (last.has_target && !last.is_call)
        node->next[1] = usable(find(b, last.target));
    for (unsigned i = 0; i < 2; i++)
        if (node->next[i] != NULL)
            b->traits[node->next[i]->number] |= IS_REACHED;
}

/* Adds a node for each block, and room for a hub for each function. */
static void add_nodes(struct sd_cfg *cfg, struct sd_blocks *blocks,
                      size_t n_functions)
{
    cfg->n_nodes = blocks->n_blocks;
    cfg->nodes = memory_new(cfg->n_nodes + n_functions, sizeof *cfg->nodes);
    cfg->indirect_targets =
        memory_new(cfg->n_nodes, sizeof *cfg->indirect_targets);
    cfg->insns = memory_new(blocks->n_insns, 1);
    if (blocks->n_insns > 0)
        memcpy(cfg->insns, blocks->insns, blocks->n_insns);
    for (size_t i = 0; i < cfg->n_nodes; i++) {
        struct sd_block *block = &blocks->blocks[i];

        cfg->nodes[i] = (struct sd_node){
            .cfg = cfg,
            .address = block->address,
            .bytes = block->bytes,
            .insns = cfg->insns + block->first,
            .n_insns = block->status == SD_OK ? block->n_insns : 0,
            .number = (uint32_t)i};
        block->node = &cfg->nodes[i];
    }
}

/* Does the block consist of nops? */
static bool is_nops(const struct sd_block *block, const struct sd_node *node)
{
    if (node->n_insns == 0 || !block->last.is_nop)
        return false;
    for (uint32_t i = 0; i < node->n_insns; i++)
        if (!(node->insns[i] & SD_NO_EFFECT))
            return false;
    return true;
}

/* The block that begins where a block ends; NULL if none before block `end`
   does.  A block may lie inside the last instruction of the block before. */
static struct sd_node *after(const struct builder *b,
                             const struct sd_blocks *blocks, size_t block,
                             size_t end)
{
    const struct sd_block *list = blocks->blocks;
    size_t next = block + 1;

    while (next < end &&
           list[next].address < list[block].address + list[block].size)
        next++;
    return next < end ? &b->cfg->nodes[next] : NULL;
}

/* Connects the blocks of one section, `first` up to `end`, except those of
   nops. */
static void connect_all(struct builder *b, const struct sd_blocks *blocks,
                        size_t first, size_t end)
{
    struct sd_node *nodes = b->cfg->nodes, *entry = NULL;

    for (size_t i = first; i < end; i++) {
        if (b->traits[i] & IS_START)
            entry = usable(&nodes[i]);
        nodes[i].entry = entry;
        if (is_nops(&blocks->blocks[i], &nodes[i]))
            b->traits[i] |= IS_NOPS;
        else if (nodes[i].n_insns > 0)
            connect(b, &blocks->blocks[i], &nodes[i], after(b, blocks, i, end));
    }
}

/* Lets the indirect jumps of a function, whose blocks are `first` up to `end`,
   lead to its indirect targets. */
static void connect_jumps(struct builder *b, size_t first, size_t end)
{
    struct sd_cfg *cfg = b->cfg;
    struct sd_node *hub = &cfg->nodes[cfg->n_nodes];
    struct sd_node **indirect_targets =
        cfg->indirect_targets + cfg->n_indirect_targets;
    uint32_t n = 0;

    for (size_t i = first + 1; i < end; i++)
        if ((b->traits[i] & (IS_REACHED | IS_CODE)) == IS_CODE)
            indirect_targets[n++] = &cfg->nodes[i];
    if (n == 0)
        return;
    *hub = (struct sd_node){.cfg = cfg,
                            .number = (uint32_t)cfg->n_nodes,
                            .more = indirect_targets,
                            .n_more = n};
    cfg->n_nodes++;
    assert(cfg->n_indirect_targets + n <= b->n_blocks);
    cfg->n_indirect_targets += n;
    for (size_t i = first; i < end; i++)
        if (b->traits[i] & IS_JUMP) {
            cfg->nodes[i].next[0] = hub;
            cfg->nodes[i].returns = false;
        }
}

static void connect_functions(struct builder *b, size_t n_blocks)
{
    const struct sd_node *nodes = b->cfg->nodes;
    size_t end;

    for (size_t first = 0; first < n_blocks; first = end) {
        bool has_jumps = false;

        for (end = first; end < n_blocks; end++) {
            if (nodes[end].entry != nodes[first].entry)
                break;
            has_jumps |= (b->traits[end] & IS_JUMP) != 0;
        }
        if (has_jumps && nodes[first].entry != NULL)
            connect_jumps(b, first, end);
    }
}

/* --- What blocks and loops write --- */

const struct sd_summary *sd_summary_of_block(const struct sd_node *node)
{
    const struct sd_cfg *cfg = node->cfg;
    struct sd_summary *summary = &cfg->block_summaries[node->number];
    struct sd_lift_cursor cursor = sd_node_begin(node);
    const struct sd_insn *insn;

    if (summary->is_known)
        return summary;
    assert(node->number < cfg->n_nodes);
    summary->is_known = summary->is_liftable = true;
    while ((insn = sd_lift_next(cfg->arch, &cursor)) != NULL) {
        for (size_t i = 0; i < insn->n_ops; i++) {
            unsigned word;

            if (!sd_op_is(&insn->ops[i], SD_PUTS))
                continue;
            unsigned end = sd_op_words(&insn->ops[i], &word);
            for (; word < end; word++)
                sd_regset_add(&summary->writes, word);
        }
        if (insn->status != SD_OK)
            summary->is_liftable = false;
    }
    if (node->calls)
        sd_regset_join(&summary->writes, &cfg->abi.caller_saved);
    return summary;
}

const struct sd_summary *sd_summary_of_loop(const struct sd_cfg *cfg,
                                            uint32_t number)
{
    const struct loop *loop = &cfg->loops.list[number];
    struct sd_summary *summary = &cfg->loop_summaries[number];

    assert(number > 0 && number < cfg->loops.n);
    if (summary->is_known)
        return summary;
    summary->is_known = true;
    for (uint32_t i = 0; i < loop->n; i++) {
        const struct sd_summary *block =
            sd_summary_of_block(&cfg->nodes[cfg->loops.nodes[loop->first + i]]);

        sd_regset_join(&summary->writes, &block->writes);
        assert(sd_regset_includes(&summary->writes, &block->writes));
    }
    sd_regset_remove(&summary->writes, cfg->abi.stack_pointer);
    return summary;
}

/* Edges for loops_find(): a jump through a table does not repeat its block. */
static uint32_t successor(const void *of, uint32_t number, uint32_t i)
{
    const struct sd_node *nodes = of, *node = &nodes[number], *next;

    if (i >= sd_node_n_next(node))
        return GRAPH_END;
    next = sd_node_next(node, i);
    if (next == NULL || (next == node && i >= 2))
        return GRAPH_SKIP;
    assert(&nodes[next->number] == next);
    return next->number;
}

void sd_cfg_find_loops(struct loops *loops, struct sd_node *nodes, size_t n)
{
    loops_find(loops, &(struct graph){nodes, (uint32_t)n, successor});
    for (size_t i = 0; i < n; i++) {
        assert(nodes[i].number == i);
        nodes[i].loop = loops->innermost[i];
        nodes[i].is_header = loops->is_header[i];
    }
}

struct sd_cfg *sd_cfg_new(struct sd_blocks *blocks,
                          const struct sd_image *image)
{
    static uint64_t serial;
    struct sd_cfg *cfg = memory_new(1, sizeof *cfg);
    struct builder b = {.cfg = cfg, .image = image};
    size_t n_starts = 0;

    cfg->serial = ++serial;
    cfg->arch = image->arch;
    cfg->abi = guest_abi(image->arch);
    find_starts(&b);
    find_firsts(&b, blocks);
    b.n_blocks = blocks->n_blocks;
    b.traits = memory_new(blocks->n_blocks, 1);
    for (size_t s = 0; s < image->n_sections; s++)
        n_starts +=
            mark_starts(&b, blocks->blocks, cfg->first[s], cfg->first[s + 1]);
    add_nodes(cfg, blocks, n_starts);
    find_grains(cfg, image);
    sd_sections_init(&b.sections, image);
    for (size_t s = 0; s < image->n_sections; s++)
        connect_all(&b, blocks, cfg->first[s], cfg->first[s + 1]);
    for (size_t s = 0; s < image->n_sections; s++)
        for (size_t i = cfg->first[s]; i < cfg->first[s + 1]; i++)
            if (b.traits[i] & IS_NOPS && b.traits[i] & (IS_REACHED | IS_START))
                connect(&b, &blocks->blocks[i], &cfg->nodes[i],
                        after(&b, blocks, i, cfg->first[s + 1]));
    connect_functions(&b, blocks->n_blocks);
    sd_sections_fini(&b.sections);
    free(b.starts);
    free(b.traits);
    sd_cfg_find_loops(&cfg->loops, cfg->nodes, cfg->n_nodes);
    cfg->block_summaries =
        memory_new(cfg->n_nodes, sizeof *cfg->block_summaries);
    cfg->loop_summaries = memory_new(cfg->loops.n, sizeof *cfg->loop_summaries);
    return cfg;
}

void sd_cfg_free(struct sd_cfg *cfg)
{
    if (cfg == NULL)
        return;
    free(cfg->block_summaries);
    free(cfg->loop_summaries);
    loops_fini(&cfg->loops);
    free(cfg->nodes);
    free(cfg->insns);
    free(cfg->first);
    free(cfg->first_grain);
    free(cfg->grains);
    free(cfg->indirect_targets);
    free(cfg);
}
