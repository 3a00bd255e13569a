/*
 * The operands of instructions agree with VEX, for all instructions in this
 * program's libraries that VEX knows.
 *
 * The test compares the bytes of memory that are read and written, from equal
 * registers, whether a condition holds or not; which registers are written; and
 * which bytes of general registers.  It does not compare values.
 *
 * With AGREE=FILE in the environment it prints each instruction in the file
 * that accesses other bytes in VEX than by its operands, or whose operands do
 * not tell, as "MNEMONIC|READ|WRITTEN|READ|WRITTEN|TEXT": bytes in VEX, and by
 * the operands ("-" if these do not tell).  research/run vex makes a table of
 * it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include <link.h>

#include <libvex_guest_amd64.h>

#include "binary/disasm.h"
#include "lift/sd_operands.h"
#include "decoder.h"

#define AT(field) offsetof(VexGuestAMD64State, guest_##field)

/* Registers: the general ones, those of vectors, and all flags as one. */
#define N_GENERAL 16u
#define FLAGS     (UINT64_C(1) << 32)

#define MAX_BYTES 1024u /* most bytes that one instruction accesses */

struct access {
    uint64_t address;
    bool is_store;
    bool is_known; /* is the address known? */
};

/* The effects of an instruction, as VEX or its operands describe them. */
struct effects {
    uint64_t written;         /* registers, one bit each */
    uint8_t parts[N_GENERAL]; /* bytes of general registers */
    struct access bytes[MAX_BYTES];
    size_t n_bytes;
};

static struct sd_value state[SD_N_WORDS];

static uint64_t register_bit(uint64_t offset)
{
    if (offset >= AT(RAX) && offset < AT(RAX) + 8 * N_GENERAL)
        return UINT64_C(1) << (offset - AT(RAX)) / 8;
    if (offset >= AT(YMM0) && offset < AT(YMM0) + 16 * 32)
        return UINT64_C(1) << (16 + (offset - AT(YMM0)) / 32);
    if (offset >= AT(CC_OP) && offset <= AT(CC_NDEP))
        return FLAGS;
    return 0;
}

static void note_register(struct effects *e, uint64_t offset, unsigned n_bytes)
{
    uint64_t bit = register_bit(offset), number = (offset - AT(RAX)) / 8;

    e->written |= bit;
    if (bit != 0 && number < N_GENERAL)
        e->parts[number] |=
            (uint8_t)(((1u << n_bytes) - 1) << (offset - AT(RAX)) % 8);
}

static void note(struct effects *e, struct sd_value address, int64_t disp,
                 uint64_t n_bytes, bool is_store)
{
    for (uint64_t i = 0; i < n_bytes && e->n_bytes < MAX_BYTES; i++)
        e->bytes[e->n_bytes++] = (struct access){
            address.bits + (uint64_t)disp + i, is_store, sd_is_known(address)};
}

static struct sd_value get(const struct sd_op *op)
{
    struct sd_op extract = {
        .code = SD_EXTRACT, .width = op->width, .imm = op->imm % 8 * 8};

    return sd_op_eval(&extract, state[op->imm / 8], sd_known(0), sd_known(0));
}

static void put(const struct sd_op *op, struct sd_value value)
{
    struct sd_op deposit = {
        .code = SD_DEPOSIT, .width = op->width, .imm = op->imm % 8 * 8};

    state[op->imm / 8] =
        sd_op_eval(&deposit, state[op->imm / 8], value, sd_known(0));
}

/* The value loaded from an address: equal addresses give equal values. */
static struct sd_value contents(struct sd_value address, const struct sd_op *op)
{
    if (!sd_is_known(address))
        return sd_bottom(op->width);
    return sd_known(sd_random(address.bits, (uint64_t)op->disp) &
                    sd_mask(op->width));
}

static void step(struct effects *e, const struct sd_insn *insn,
                 const struct sd_op *op, struct sd_value *t)
{
    switch ((enum sd_opcode)op->code) {
    case SD_CONST:
    case SD_CONST_PC:
    case SD_CONST_PAGE:
        t[op->dst] = sd_known(op->imm);
        break;
    case SD_GET:
        t[op->dst] = get(op);
        break;
    case SD_PUT:
        note_register(e, op->imm, op->width / 8u);
        put(op, t[op->a]);
        break;
    case SD_CALL:
        t[op->dst] = sd_call_eval(&insn->calls[op->imm], t);
        break;
    case SD_LOADIF:
    case SD_LOAD:
        t[op->dst] = contents(t[op->a], op);
        note(e, t[op->a], op->disp, op->width / 8u, false);
        break;
    case SD_STOREIF:
    case SD_STORE:
        note(e, t[op->a], op->disp, op->width / 8u, true);
        break;
    case SD_READ:
    case SD_WRITE:
        note(e, t[op->a], 0, op->c, op->code == SD_WRITE);
        break;
    case SD_GETI:
        t[op->dst] = sd_bottom(op->width);
        break;
    case SD_PUTI:
    case SD_LOOP:
    case SD_LEAVE:
    case SD_AGAIN:
        break;
    default:
        t[op->dst] = sd_op_eval(op, t[op->a], t[op->b], t[op->c]);
    }
}

static int compare(const void *x, const void *y)
{
    const struct access *a = x, *b = y;

    if (a->is_store != b->is_store)
        return a->is_store ? 1 : -1;
    if (a->is_known != b->is_known)
        return a->is_known ? 1 : -1;
    return a->address < b->address ? -1 : a->address > b->address;
}

static void evaluate(struct effects *e, const struct sd_insn *insn)
{
    struct sd_value *temps = memory_new(insn->n_temps, sizeof *temps);
    size_t n = 0;

    *e = (struct effects){.written = 0};
    for (unsigned i = 0; i < SD_N_WORDS; i++)
        state[i] = sd_known(sd_random(1, i));
    state[AT(DFLAG) / 8] = sd_known(1);
    temps[SD_BOTTOM] = sd_bottom(64);
    for (size_t i = 0; i < insn->n_ops; i++)
        step(e, insn, &insn->ops[i], temps);
    free(temps);
    /* Drops bytes that are listed twice. */
    qsort(e->bytes, e->n_bytes, sizeof *e->bytes, compare);
    for (size_t i = 0; i < e->n_bytes; i++)
        if (n == 0 || compare(&e->bytes[n - 1], &e->bytes[i]) != 0)
            e->bytes[n++] = e->bytes[i];
    e->n_bytes = n;
}

static bool same_bytes(const struct effects *a, const struct effects *b)
{
    if (a->n_bytes != b->n_bytes)
        return false;
    for (size_t i = 0; i < a->n_bytes; i++)
        if (compare(&a->bytes[i], &b->bytes[i]) != 0)
            return false;
    return true;
}

static size_t n_stored(const struct effects *e)
{
    size_t n = 0;

    for (size_t i = 0; i < e->n_bytes; i++)
        n += e->bytes[i].is_store;
    return n;
}

static void show(const char *what, const struct effects *e)
{
    printf("#   %s: registers %llx, bytes read %zu, written %zu, from %llx\n",
           what, (unsigned long long)e->written, e->n_bytes - n_stored(e),
           n_stored(e),
           e->n_bytes > 0 ? (unsigned long long)e->bytes[0].address : 0);
}

/* Is a known difference not the fault of the operands? */
static bool is_excused(const char *text, const struct effects *by_vex,
                       const struct effects *by_operands)
{
    static const struct {
        const char *start;
        uint64_t more; /* registers that the operands name and VEX does not */
    } excuses[] = {
        {"lahf", 0},                     /* VEX differs in the bytes */
        {"xchgw", 0},                    /* VEX errs, see sd_lift */
        {"div", FLAGS}, {"idiv", FLAGS}, /* undefined; VEX keeps them */
        {"std", FLAGS}, {"cld", FLAGS},  /* set the direction flag */
        {"cltd", 1},    {"cqto", 1},
        {"cwtd", 1}, /* capstone adds the register that is extended */
    };

    /* VEX reads a vector for a scalar of FMA4; the operands do not tell the
       addresses of a gather. */
    if (strncmp(text, "vfm", 3) == 0 || strncmp(text, "vfnm", 4) == 0 ||
        strncmp(text, "vpgather", 8) == 0 || strncmp(text, "vgather", 7) == 0)
        return true;
    /* VEX writes the tested register back, and capstone 4 does not say that
       BTS, BTR and BTC change it. */
    if (strncmp(text, "bt", 2) == 0)
        return same_bytes(by_vex, by_operands) &&
               (by_operands->written & ~by_vex->written) == 0;
    for (size_t i = 0; i < sizeof excuses / sizeof excuses[0]; i++)
        if (strncmp(text, excuses[i].start, strlen(excuses[i].start)) == 0)
            return same_bytes(by_vex, by_operands) &&
                   (by_vex->written | excuses[i].more) == by_operands->written;
    return false;
}

/* Is a REX prefix not directly before the opcode?  Such a prefix must be
   ignored, which capstone does not do.  Compilers never write one, but data may
   look like it. */
static bool has_stray_prefix(const uint8_t *code, unsigned length)
{
    static const uint8_t prefixes[] = {0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65,
                                       0x66, 0x67, 0xf0, 0xf2, 0xf3};
    bool after_rex = false;

    for (unsigned i = 0; i < length; i++) {
        bool is_rex = (code[i] & 0xf0) == 0x40;

        if (!is_rex && memchr(prefixes, code[i], sizeof prefixes) == NULL)
            return false;
        if (after_rex)
            return true;
        after_rex = is_rex;
    }
    return false;
}

static struct disasm *disasm;
static unsigned n_compared, n_different;

/* The text of an instruction; valid until the next call. */
static const char *text_of(const uint8_t *code, unsigned length)
{
    static struct disasm_insn insn;

    disasm_insn(disasm, code, length, 0, &insn);
    return insn.text;
}

/* Lifts the instruction by VEX; NULL if it is not to be compared. */
static const struct sd_insn *lift(const uint8_t *code, unsigned length)
{
    const struct sd_insn *lifted = sd_lift(ARCH_X86_64, code, length);

    if (lifted->status != SD_OK || lifted->by_operands ||
        has_stray_prefix(code, length))
        return NULL;
    return lifted;
}

/* The instruction as its operands describe it; NULL if they do not suffice, as
   for accesses through the stack. */
static const struct sd_insn *describe(const uint8_t *code, unsigned length)
{
    static struct sd_insn described;
    uint8_t bytes[32] = {0};

    memcpy(bytes, code, length);
    sd_insn_reset(&described);
    return sd_operands(&described, bytes, length) ? &described : NULL;
}

static void agree(const uint8_t *code, unsigned length)
{
    static struct effects by_vex, by_operands;
    const struct sd_insn *lifted = lift(code, length), *described;
    const char *text;

    if (lifted == NULL || (described = describe(code, length)) == NULL)
        return;
    n_compared++;
    evaluate(&by_vex, lifted);
    evaluate(&by_operands, described);
    if (by_vex.written == by_operands.written &&
        memcmp(by_vex.parts, by_operands.parts, N_GENERAL) == 0 &&
        same_bytes(&by_vex, &by_operands))
        return;
    text = text_of(code, length);
    if (is_excused(text, &by_vex, &by_operands))
        return;
    n_different++;
    printf("# %s\n", text);
    show("VEX", &by_vex);
    show("operands", &by_operands);
}

/* Prints the instruction if VEX and operands differ in memory. */
static void tell(const uint8_t *code, unsigned length)
{
    static struct effects by_vex, by_operands;
    const struct sd_insn *lifted = lift(code, length), *described;
    const char *text;

    if (lifted == NULL)
        return;
    described = describe(code, length);
    evaluate(&by_vex, lifted);
    if (described != NULL)
        evaluate(&by_operands, described);
    if (described != NULL ? same_bytes(&by_vex, &by_operands)
                          : by_vex.n_bytes == 0)
        return;
    text = text_of(code, length);
    printf("%.*s|%zu|%zu|", (int)strcspn(text, " "), text,
           by_vex.n_bytes - n_stored(&by_vex), n_stored(&by_vex));
    if (described != NULL)
        printf("%zu|%zu|", by_operands.n_bytes - n_stored(&by_operands),
               n_stored(&by_operands));
    else
        printf("-|-|");
    printf("%s\n", text);
}

static void (*look)(const uint8_t *code, unsigned length) = agree;

static void look_at_block(const struct sd_blocks *blocks,
                          const struct sd_block *b)
{
    const uint8_t *at = b->bytes;

    for (uint32_t i = 0; i < b->n_insns; i++) {
        uint8_t insn = blocks->insns[b->first + i];
        unsigned length = insn & (SD_NO_EFFECT - 1u);

        if (!(insn & SD_NO_EFFECT))
            look(at, length);
        at += length;
    }
}

/* Compares the instructions of a file; -1 if it cannot be analysed. */
static int look_at_file(const char *path)
{
    struct sd_image image;
    struct sd_blocks blocks = {0};
    struct diag d;

    if (sd_image_open(&image, path, "", &d) != 0)
        return -1;
    if (image.arch == ARCH_X86_64)
        sd_blocks_of_image(&blocks, decoder(), &image);
    for (size_t i = 0; i < blocks.n_blocks; i++)
        look_at_block(&blocks, &blocks.blocks[i]);
    sd_blocks_fini(&blocks);
    sd_image_close(&image);
    return 0;
}

static int look_at_library(struct dl_phdr_info *info, size_t size,
                           void *argument)
{
    (void)size, (void)argument;
    if (info->dlpi_name[0] == '/')
        assert_int_equal(look_at_file(info->dlpi_name), 0);
    return 0;
}

TEST(operands_agree_with_vex)
{
    const char *file = getenv("AGREE");

    if (file != NULL) {
        look = tell;
        assert_int_equal(look_at_file(file), 0);
        return;
    }
    dl_iterate_phdr(look_at_library, NULL);
    printf("# %u compared\n", n_compared);
    assert_true(n_compared > 100000);
    assert_int_equal(n_different, 0);
}

BEFORE_ALL()
{
    disasm = disasm_new(arch_name(ARCH_X86_64));
}

AFTER_ALL()
{
    disasm_free(disasm);
}
