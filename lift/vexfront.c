/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lift/vexfront.h"

#include "config.h"

#include <assert.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

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

static void init(void)
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
    const IRSB *irsb;

    assert(arch < N_ARCHES);
    if (!vex.is_ready)
        init();
    if (sigsetjmp(vex.on_panic, 0) != 0)
        return VEXFRONT_PANIC;
    vex.args.arch_guest = guest;
    vex.args.archinfo_guest = archinfo(guest);
    vex.args.guest_bytes = code;
    vex.args.guest_bytes_addr = address;
    irsb = LibVEX_FrontEnd(&vex.args, &result, &updates);
    /* A misaligned constant operand gives length 0 without NoDecode. */
    if (irsb->jumpkind == Ijk_NoDecode || vex.extents.len[0] == 0)
        return VEXFRONT_UNKNOWN;
    assert(vex.extents.n_used == 1 && vex.extents.base[0] == address);
    use(context, irsb, vex.extents.len[0]);
    return VEXFRONT_OK;
}

void vexfront_operation_name(IROp operation, char *name, size_t size)
{
    if (!vex.is_ready)
        init();
    name[0] = '\0';
    vex.text = name;
    vex.text_size = size;
    if (sigsetjmp(vex.on_panic, 0) == 0)
        ppIROp(operation);
    vex.text = NULL;
}
