/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lift/sd_insn.h"

#include <setjmp.h>

#include "config.h"
#include "lift/sd_flat.h"
#include "lift/sd_operands.h"
#include "x86.h"

/* --- VEX's front end --- */

/* Global, because VEX's own state is. */
static struct {
    bool is_ready;
    sigjmp_buf on_panic;
    char *text; /* what VEX prints; NULL: not kept */
    size_t text_size;
    VexTranslateArgs args;
    VexGuestExtents extents;
} vex;

__attribute__((noreturn)) static void vex_panics(void)
{
    siglongjmp(vex.on_panic, 1);
}

static void vex_says(const HChar *text, SizeT n)
{
    if (vex.text == NULL)
        return;
    size_t used = strlen(vex.text);
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

static VexArchInfo archinfo(VexArch arch)
{
    VexArchInfo info;

    assert(arch == VexArchAMD64 || arch == VexArchARM64);
    LibVEX_default_VexArchInfo(&info);
    info.endness = VexEndnessLE;
    info.hwcaps = arch == VexArchAMD64 ? VEXFRONT_AMD64 : VEXFRONT_ARM64;
    /* Cache lines of 64 bytes, for AArch64's instructions on whole lines. */
    info.arm64_dMinLine_lg2_szB = info.arm64_iMinLine_lg2_szB = 6;
#ifdef HAVE_VEXARCHINFO_ARM64_CACHE_BLOCK_SIZE
    info.arm64_cache_block_size = 4; /* log2 of words, as in DCZID_EL0 */
#endif
    return info;
}

static void vex_init(void)
{
    static const char dispatcher; /* VEX wants an address, not code */
    VexControl control;

    LibVEX_default_VexControl(&control);
    /* No optimisation: it deletes loads. */
    control.iropt_level = 0;
    control.iropt_register_updates_default = VexRegUpdAllregsAtEachInsn;
    control.iropt_unroll_thresh = 0;
    control.guest_max_insns = 1;
    control.guest_chase = False;
    LibVEX_Init(vex_panics, vex_says, 0, &control);

    vex.args.arch_host = VexArchAMD64;
    vex.args.archinfo_host = archinfo(VexArchAMD64);
    LibVEX_default_VexAbiInfo(&vex.args.abiinfo_both);
    vex.args.abiinfo_both.guest_stack_redzone_size = 128;
    vex.args.abiinfo_both.guest_amd64_assume_fs_is_const = True;
    vex.args.abiinfo_both.guest_amd64_assume_gs_is_const = True;
    vex.args.guest_extents = &vex.extents;
    vex.args.chase_into_ok = never_chase;
    vex.args.needs_self_check = no_self_check;
    vex.args.disp_cp_xassisted = &dispatcher;
    vex.is_ready = true;
}

enum vexfront_result
vexfront(enum arch arch, const uint8_t *code, uint64_t address,
         void (*use)(void *context, const IRSB *irsb, unsigned length),
         void *context)
{
    VexTranslateResult result;
    VexRegisterUpdates updates;
    VexArch guest = arch == ARCH_X86_64 ? VexArchAMD64 : VexArchARM64;

    assert(arch < N_ARCHES);
    if (!vex.is_ready)
        vex_init();
    if (sigsetjmp(vex.on_panic, 0) != 0)
        return VEXFRONT_PANIC;
    vex.args.arch_guest = guest;
    vex.args.archinfo_guest = archinfo(guest);
    vex.args.guest_bytes = code;
    vex.args.guest_bytes_addr = address;
    const IRSB *irsb = LibVEX_FrontEnd(&vex.args, &result, &updates);
    /* A misaligned constant operand gives length 0 without NoDecode. */
    if (irsb->jumpkind == Ijk_NoDecode || vex.extents.len[0] == 0)
        return VEXFRONT_UNKNOWN;
    assert(vex.extents.n_used == 1 && vex.extents.base[0] == address);
    use(context, irsb, vex.extents.len[0]);
    return VEXFRONT_OK;
}

void sd_lift_operation_name(uint16_t operation, char *name, size_t size)
{
    if (!vex.is_ready)
        vex_init();
    name[0] = '\0';
    vex.text = name;
    vex.text_size = size;
    if (sigsetjmp(vex.on_panic, 0) == 0)
        ppIROp((IROp)(Iop_INVALID + operation));
    vex.text = NULL;
}

/* --- The cache --- */

/* The logarithm of the cache's size, at first and at most. */
#define FIRST_BITS 9
#define LAST_BITS  15

struct entry {
    uint8_t key[16]; /* the bytes, zeros, and at the end length, architecture
                        and form */
    struct sd_insn insn;
};

struct cache {
    struct entry **entries; /* NULL: a free place */
    unsigned bits;
    size_t n; /* the number of entries */
};

/* Global, because VEX's own state is. */
static struct sd_insn scratch;
static struct cache lifted;

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

/* Adds an entry, which the cache then owns, instead of the one in its place. */
static void cache_put(struct cache *cache, struct entry *new)
{
    if (cache->n >= (size_t)1 << (cache->bits - 1) && cache->bits < LAST_BITS) {
        struct cache old = *cache;

        /* Entries in different places stay in different places. */
        assert(old.bits < LAST_BITS);
        cache_init(cache, old.bits + 1);
        cache->n = old.n;
        for (size_t i = 0; i < (size_t)1 << old.bits; i++)
            if (old.entries[i] != NULL)
                *cache_place(cache, old.entries[i]->key) = old.entries[i];
        free(old.entries);
    }
    struct entry **place = cache_place(cache, new->key);
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

/* --- Lifting --- */

/* What VEX's callback needs to flatten an instruction. */
struct lifting {
    struct sd_flat flat;
    const uint8_t *code;
};

static void flatten(void *context, const IRSB *irsb, unsigned length)
{
    struct lifting *l = context;
    struct sd_flat *f = &l->flat;
    enum arch arch = f->guest->arch;

    f->out->length = length;
    /* AArch64's ADRP alone computes an address from the number of its own page.
       (Arm ARM, C6.2.) */
    f->is_page = arch == ARCH_AARCH64 && (l->code[3] & 0x9f) == 0x90;
    f->is_in_registers =
        arch == ARCH_X86_64 && x86_tests_bit_of_register(l->code, length);
    sd_flatten(f, irsb);
    /* VEX reports AArch64's B as a call, although only BL is one. */
    if (arch == ARCH_AARCH64 && (l->code[3] & 0xfc) == 0x14)
        f->out->exit.flow = SD_FLOW_JUMP;
}

/* Lifts through VEX, which may read some bytes after the instruction. */
static enum sd_status by_vex(struct sd_insn *out, const struct guest *guest,
                             const uint8_t *code, bool is_whole)
{
    struct lifting l = {
        .flat = {.out = out, .guest = guest, .is_whole = is_whole},
        .code = code};

    switch (vexfront(guest->arch, code, SD_LIFT_BASE, flatten, &l)) {
    case VEXFRONT_OK:
        return SD_OK;
    case VEXFRONT_UNKNOWN:
        return SD_UNDECODABLE;
    default:
        sd_insn_reset(out);
        return SD_PANIC;
    }
}

/* Lifts an AArch64 instruction that VEX knows.  A register that stands for the
   zero register gets its value back. */
static enum sd_status by_vex_a64(struct sd_insn *out, const struct guest *guest,
                                 const uint8_t *code)
{
    uint8_t bytes[20] = {0};
    uint32_t word;
    unsigned place;

    memcpy(&word, code, sizeof word);
    if (!sd_zero_load_a64(&word, &place))
        return by_vex(out, guest, code, false);
    memcpy(bytes, &word, sizeof word);
    uint32_t value = sd_insn_get(out, place, 64);
    enum sd_status status = by_vex(out, guest, bytes, false);
    if (status == SD_OK)
        sd_insn_put(out, place, 64, value);
    else
        sd_insn_reset(out);
    return status;
}

/* Lifts an AArch64 instruction that VEX does not know. */
static enum sd_status by_word(struct sd_insn *out, const struct guest *guest,
                              const uint8_t *code)
{
    uint8_t bytes[20] = {0};
    uint32_t word, alias;

    memcpy(&word, code, sizeof word);
    if (!sd_alias_a64(word, &alias))
        return sd_operands_a64(out, word) ? SD_OK : SD_UNDECODABLE;
    memcpy(bytes, &alias, sizeof alias);
    return by_vex_a64(out, guest, bytes);
}

static enum sd_status lift(struct sd_insn *out, const struct guest *guest,
                           const uint8_t *code, unsigned length)
{
    enum sd_status status = guest->arch == ARCH_AARCH64
                                ? by_vex_a64(out, guest, code)
                                : by_vex(out, guest, code, false);

    if (status != SD_UNDECODABLE)
        return status;
    if (guest->arch == ARCH_AARCH64)
        status = by_word(out, guest, code);
    else if (sd_operands(out, code, length))
        status = SD_OK;
    if (status != SD_OK)
        return status;
    out->length = length;
    out->exit.next = length;
    out->by_operands = true;
    return SD_OK;
}

static const struct sd_insn *cached(enum arch arch, const uint8_t *code,
                                    unsigned length, bool is_whole)
{
    uint8_t bytes[SD_INSN_MAX + 17] = {0};

    assert(length >= 1 && length <= SD_INSN_MAX);
    if (lifted.entries == NULL)
        cache_init(&lifted, FIRST_BITS);
    memcpy(bytes, code, length);
    bytes[15] = (uint8_t)(length | (unsigned)arch << 4 | is_whole << 7);
    struct entry **place = cache_place(&lifted, bytes);
    if (*place != NULL && memcmp((*place)->key, bytes, 16) == 0)
        return &(*place)->insn;
    struct entry *new = memory_new(1, sizeof *new);
    memcpy(new->key, bytes, 16);
    bytes[15] = 0;
    sd_insn_reset(&scratch);
    assert(scratch.n_ops == 0 && scratch.n_temps == SD_N_FIXED);
    scratch.status = is_whole ? by_vex(&scratch, guest_of(arch), bytes, true)
                              : lift(&scratch, guest_of(arch), bytes, length);
    assert(scratch.status != SD_PANIC || scratch.n_ops == 0);
    sd_insn_copy(&new->insn, &scratch);
    cache_put(&lifted, new);
    return &new->insn;
}

const struct sd_insn *sd_lift(enum arch arch, const uint8_t *code,
                              unsigned length)
{
    return cached(arch, code, length, false);
}

const struct sd_insn *sd_lift_whole(enum arch arch, const uint8_t *code,
                                    unsigned length)
{
    return cached(arch, code, length, true);
}

const struct sd_insn *sd_lift_next(enum arch arch,
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
