/*
 * disasm: machine code as text.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "object/disasm.h"

#include <assert.h>
#include <capstone/capstone.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

struct disasm {
    csh handle;
    cs_insn *insn;
    bool has_syntaxes;
};

static const struct {
    const char *arch;
    cs_arch capstone;
    cs_mode mode;
} archs[] = {
    {"x86-64", CS_ARCH_X86, CS_MODE_64},
    {"aarch64", CS_ARCH_ARM64, CS_MODE_ARM},
};

static const char *const syntaxes[] = {
    [DISASM_ATT] = "att",
    [DISASM_INTEL] = "intel",
};

bool disasm_syntax_parse(const char *name, enum disasm_syntax *syntax)
{
    for (enum disasm_syntax s = DISASM_ATT; s <= DISASM_INTEL; s++)
        if (strcmp(syntaxes[s], name) == 0) {
            *syntax = s;
            return true;
        }
    return false;
}

const char *disasm_syntax_name(enum disasm_syntax syntax)
{
    return syntaxes[syntax];
}

struct disasm *disasm_new(const char *arch)
{
    for (size_t i = 0; i < sizeof archs / sizeof archs[0]; i++) {
        struct disasm *disasm;

        if (strcmp(arch, archs[i].arch) != 0)
            continue;
        disasm = memory_new(1, sizeof *disasm);
        if (cs_open(archs[i].capstone, archs[i].mode, &disasm->handle) !=
                CS_ERR_OK ||
            (disasm->insn = cs_malloc(disasm->handle)) == NULL)
            memory_exhausted();
        disasm->has_syntaxes = archs[i].capstone == CS_ARCH_X86;
        disasm_set_syntax(disasm, DISASM_ATT);
        return disasm;
    }
    return NULL;
}

void disasm_free(struct disasm *disasm)
{
    if (disasm == NULL)
        return;
    cs_free(disasm->insn, 1);
    cs_close(&disasm->handle);
    free(disasm);
}

void disasm_set_syntax(struct disasm *disasm, enum disasm_syntax syntax)
{
    if (disasm->has_syntaxes)
        cs_option(disasm->handle, CS_OPT_SYNTAX,
                  syntax == DISASM_INTEL ? CS_OPT_SYNTAX_INTEL
                                         : CS_OPT_SYNTAX_ATT);
}

void disasm_insn(struct disasm *disasm, const uint8_t *code, size_t n,
                 uint64_t address, struct disasm_insn *insn)
{
    const cs_insn *i = disasm->insn;
    const char *name;
    const size_t length __attribute__((unused)) = n; /* n changes */

    assert(n > 0);
    if (!cs_disasm_iter(disasm->handle, &code, &n, &address, disasm->insn)) {
        *insn = (struct disasm_insn){1, "(bad)", ""};
        return;
    }
    insn->length = i->size;
    assert(insn->length > 0 && insn->length <= length);
    snprintf(insn->text, sizeof insn->text, "%s%s%s", i->mnemonic,
             i->op_str[0] != '\0' ? " " : "", i->op_str);
    name = cs_insn_name(disasm->handle, i->id);
    snprintf(insn->name, sizeof insn->name, "%s", name != NULL ? name : "");
}
