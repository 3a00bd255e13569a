/*
 * sd_lift: machine code -> flat operations, through VEX.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "lift/sd_lift.h"

#include "config.h"

#include <assert.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libvex.h>

#include "memory.h"
#include "lift/sd_flat.h"
#include "lift/sd_guest.h"
#include "lift/sd_operands.h"
#include "x86.h"

/* The logarithm of the cache's size, at first and at most. */
#define FIRST_BITS 9
#define LAST_BITS  15

struct entry {
    uint8_t key[16]; /* the bytes, zeros, and at the end length and
                        architecture */
    struct sd_insn insn;
};

struct cache {
    struct entry **entries; /* NULL: a free place */
    unsigned bits;
    size_t n; /* entries */
};

/* VEX's own state is global, and so is what belongs to it. */
static struct {
    bool is_ready;
    sigjmp_buf on_panic;
    char *text; /* what VEX prints; NULL: not kept */
    size_t text_size;
    VexTranslateArgs args;
    VexGuestExtents extents;
    struct sd_insn scratch;
    struct cache cache;
} vex;

static void cache_init(struct cache *cache, unsigned bits)
{
    *cache = (struct cache){
        .entries = memory_new((size_t)1 << bits, sizeof *cache->entries),
        .bits = bits};
}

static struct entry **cache_place(const struct cache *cache,
                                  const uint8_t key[16])
{
    uint64_t half[2];

    memcpy(half, key, sizeof half);
    return &cache->entries[sd_random(half[0], half[1]) >> (64 - cache->bits)];
}

/* What was in different places stays so: a place becomes two. */
static void cache_grow(struct cache *cache)
{
    struct cache old = *cache;

    assert(old.bits < LAST_BITS);
    cache_init(cache, old.bits + 1);
    cache->n = old.n;
    for (size_t i = 0; i < (size_t)1 << old.bits; i++)
        if (old.entries[i] != NULL)
            *cache_place(cache, old.entries[i]->key) = old.entries[i];
    free(old.entries);
}

/* Takes the entry over. */
static void cache_put(struct cache *cache, struct entry *new)
{
    struct entry **place;

    if (cache->n >= (size_t)1 << (cache->bits - 1) && cache->bits < LAST_BITS)
        cache_grow(cache);
    place = cache_place(cache, new->key);
    assert(*place == NULL || memcmp((*place)->key, new->key, 16) != 0);
    if (*place == NULL) {
        cache->n++;
    } else {
        sd_insn_fini(&(*place)->insn);
        free(*place);
    }
    *place = new;
    assert(cache->n <= (size_t)1 << cache->bits);
}

__attribute__((noreturn)) static void vex_panics(void)
{
    siglongjmp(vex.on_panic, 1);
}

static void vex_says(const HChar *text, SizeT n)
{
    size_t used;

    if (vex.text == NULL)
        return;
    used = strlen(vex.text);
    snprintf(vex.text + used, vex.text_size - used, "%.*s", (int)n, text);
}

static Bool never_chase(void *opaque, Addr address)
{
    (void)opaque, (void)address;
    return False;
}

static UInt no_self_check(void *opaque, VexRegisterUpdates *updates,
                          const VexGuestExtents *extents)
{
    (void)opaque, (void)updates, (void)extents;
    return 0;
}

static VexArchInfo archinfo(const struct sd_guest *guest)
{
    VexArchInfo info;

    LibVEX_default_VexArchInfo(&info);
    info.endness = VexEndnessLE;
    info.hwcaps = guest->hwcaps;
    /* Cache lines of 64 bytes, for what AArch64 does to whole ones. */
    info.arm64_dMinLine_lg2_szB = info.arm64_iMinLine_lg2_szB = 6;
#ifdef HAVE_VEXARCHINFO_ARM64_CACHE_BLOCK_SIZE
    info.arm64_cache_block_size = 4; /* log2 of words, as in DCZID_EL0 */
#endif
    return info;
}

static void init(void)
{
    static const char dispatcher; /* VEX wants an address, not code */
    VexControl control;

    LibVEX_default_VexControl(&control);
    /* No optimisation: it deletes loads, and sd_trace does better. */
    control.iropt_level = 0;
    control.iropt_register_updates_default = VexRegUpdAllregsAtEachInsn;
    control.iropt_unroll_thresh = 0;
    control.guest_max_insns = 1;
    control.guest_chase = False;
    LibVEX_Init(vex_panics, vex_says, 0, &control);

    vex.args.arch_host = sd_guest(SD_X86_64)->arch;
    vex.args.archinfo_host = archinfo(sd_guest(SD_X86_64));
    LibVEX_default_VexAbiInfo(&vex.args.abiinfo_both);
    vex.args.abiinfo_both.guest_stack_redzone_size = 128;
    vex.args.abiinfo_both.guest_amd64_assume_fs_is_const = True;
    vex.args.abiinfo_both.guest_amd64_assume_gs_is_const = True;
    vex.args.guest_extents = &vex.extents;
    vex.args.chase_into_ok = never_chase;
    vex.args.needs_self_check = no_self_check;
    vex.args.disp_cp_xassisted = &dispatcher;
    cache_init(&vex.cache, FIRST_BITS);
    vex.is_ready = true;
}

/* Is it AArch64's ADRP?  Of all instructions only this one computes an address
   from the number of its own page.  (Arm ARM, C6.2.) */
static bool is_page_address(const struct sd_guest *guest, const uint8_t *code)
{
    return guest->arch == VexArchARM64 && (code[3] & 0x9f) == 0x90;
}

/* What VEX makes of `code`, which has bytes to spare behind its end; NULL if it
   does not know the instruction. */
static const IRSB *front_end(const struct sd_guest *guest, const uint8_t *code)
{
    VexTranslateResult result;
    VexRegisterUpdates updates;
    const IRSB *irsb;

    vex.args.arch_guest = guest->arch;
    vex.args.archinfo_guest = archinfo(guest);
    vex.args.guest_bytes = code;
    vex.args.guest_bytes_addr = SD_LIFT_BASE;
    irsb = LibVEX_FrontEnd(&vex.args, &result, &updates);
    /* A misaligned constant operand gives length 0 without NoDecode. */
    if (irsb->jumpkind == Ijk_NoDecode || vex.extents.len[0] == 0)
        return NULL;
    return irsb;
}

static void flatten(struct sd_insn *out, const struct sd_guest *guest,
                    const uint8_t *code, const IRSB *irsb)
{
    assert(vex.extents.n_used == 1 && vex.extents.base[0] == SD_LIFT_BASE);
    out->length = vex.extents.len[0];
    sd_flatten(out, irsb, guest, is_page_address(guest, code),
               guest->arch == VexArchAMD64 &&
                   x86_tests_bit_of_register(code, out->length));
    /* VEX takes AArch64's B for a call, as BL is. */
    if (guest->arch == VexArchARM64 && (code[3] & 0xfc) == 0x14)
        out->exit.flow = SD_FLOW_JUMP;
}

/* One of AArch64 that VEX does not know. */
static bool lift_by_word(struct sd_insn *out, const struct sd_guest *guest,
                         const uint8_t *code)
{
    uint8_t bytes[20] = {0};
    uint32_t word, alias;
    const IRSB *irsb;

    memcpy(&word, code, sizeof word);
    if (!sd_alias_a64(word, &alias))
        return sd_operands_a64(out, word);
    memcpy(bytes, &alias, sizeof alias);
    irsb = front_end(guest, bytes);
    if (irsb == NULL)
        return false;
    flatten(out, guest, bytes, irsb);
    return true;
}

static enum sd_status lift(struct sd_insn *out, const struct sd_guest *guest,
                           const uint8_t *code, unsigned length)
{
    const IRSB *irsb;

    if (sigsetjmp(vex.on_panic, 0) != 0) {
        sd_insn_reset(out);
        return SD_PANIC;
    }
    irsb = front_end(guest, code);
    if (irsb != NULL) {
        flatten(out, guest, code, irsb);
        return SD_OK;
    }
    if (guest->arch == VexArchARM64 ? !lift_by_word(out, guest, code)
                                    : !sd_operands(out, code, length))
        return SD_UNDECODABLE;
    out->length = length;
    out->exit.next = length;
    out->by_operands = true;
    return SD_OK;
}

const struct sd_insn *sd_lift(enum sd_arch arch, const uint8_t *code,
                              unsigned length)
{
    uint8_t bytes[SD_INSN_MAX + 17] = {0};
    struct entry **place, *new;

    assert(length >= 1 && length <= SD_INSN_MAX);
    if (!vex.is_ready)
        init();
    memcpy(bytes, code, length);
    bytes[15] = (uint8_t)(length | (unsigned)arch << 4);
    place = cache_place(&vex.cache, bytes);
    if (*place != NULL && memcmp((*place)->key, bytes, 16) == 0)
        return &(*place)->insn;
    new = memory_new(1, sizeof *new);
    memcpy(new->key, bytes, 16);
    bytes[15] = 0;
    sd_insn_reset(&vex.scratch);
    assert(vex.scratch.n_ops == 0 && vex.scratch.n_temps == SD_N_FIXED);
    vex.scratch.status = lift(&vex.scratch, sd_guest(arch), bytes, length);
    assert(vex.scratch.status != SD_PANIC || vex.scratch.n_ops == 0);
    sd_insn_copy(&new->insn, &vex.scratch);
    cache_put(&vex.cache, new);
    return &new->insn;
}

const struct sd_insn *sd_lift_next(enum sd_arch arch,
                                   struct sd_lift_cursor *cursor)
{
    while (cursor->n_insns > 0) {
        const uint8_t *bytes = cursor->bytes;
        unsigned described = *cursor->insns++;
        unsigned length = described & (SD_NO_EFFECT - 1u);

        cursor->n_insns--;
        cursor->bytes += length;
        cursor->address = cursor->next;
        cursor->next += length;
        if (!(described & SD_NO_EFFECT))
            return sd_lift(arch, bytes, length);
    }
    return NULL;
}

const struct sd_initial *sd_lift_initial(enum sd_arch arch)
{
    return sd_guest(arch)->initial;
}

struct sd_abi sd_lift_abi(enum sd_arch arch)
{
    const struct sd_guest *guest = sd_guest(arch);
    struct sd_abi abi = {.stack_pointer = guest->stack_pointer / 8,
                         .return_address_size = guest->return_address_size,
                         .result = guest->syscall_result / 8,
                         .first = guest->general.first / 8,
                         .end = guest->general.end / 8};

    for (; guest->arguments[abi.n_arguments] != 0; abi.n_arguments++)
        abi.arguments[abi.n_arguments] = guest->arguments[abi.n_arguments] / 8;

    for (const struct sd_span *span = guest->caller_saved; span->end > 0;
         span++) {
        assert(span->first < span->end);
        assert(span->first % 8 == 0 && span->end % 8 == 0);
        for (unsigned i = span->first / 8; i < span->end / 8; i++)
            sd_regset_add(&abi.caller_saved, i);
    }
    assert(!sd_regset_has(&abi.caller_saved, abi.stack_pointer));
    return abi;
}

void sd_lift_operation_name(uint16_t operation, char *name, size_t size)
{
    if (!vex.is_ready)
        init();
    name[0] = '\0';
    vex.text = name;
    vex.text_size = size;
    if (sigsetjmp(vex.on_panic, 0) == 0)
        ppIROp((IROp)(Iop_INVALID + operation));
    vex.text = NULL;
}
