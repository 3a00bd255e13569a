/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "elf/sd_image.h"

#include "elf/sd_elf.h"

struct reader {
    const struct sd_elf *elf;
    struct sd_dynamic *dynamic;
    struct sd_strings strings; /* a copy of the names */
    size_t table;              /* section of the symbol table; 0: none */
    bool has_interpreter;
    uint64_t flags_1;
    const char **versions; /* names of versions, by their number in the file */
    bool *are_hidden;
};

#define N_VERSIONS 0x8000u

/* The contents of the first section of a type; NULL if there is none. */
static Elf_Data *data_of(const struct sd_elf *elf, uint32_t type)
{
    size_t i = 1;
    GElf_Shdr h;

    return sd_elf_section(elf, type, &i, &h) ? sd_elf_data(elf, i, false)
                                             : NULL;
}

static const char *text(const struct reader *r, uint64_t offset)
{
    return sd_strings_at(&r->strings, offset);
}

/* --- The versions of symbols: SHT_GNU_verdef and SHT_GNU_verneed --- */

static void set_version(struct reader *r, unsigned number, const char *name,
                        bool is_hidden)
{
    r->versions[number % N_VERSIONS] = name;
    r->are_hidden[number % N_VERSIONS] = is_hidden;
}

static void read_defined(struct reader *r)
{
    size_t at = 0;
    GElf_Verdef def;
    GElf_Verdaux aux;
    Elf_Data *data = data_of(r->elf, SHT_GNU_verdef);

    while (data != NULL && at < data->d_size &&
           gelf_getverdef(data, (int)at, &def) != NULL) {
        if (!(def.vd_flags & VER_FLG_BASE) &&
            gelf_getverdaux(data, (int)(at + def.vd_aux), &aux) != NULL)
            set_version(r, def.vd_ndx, text(r, aux.vda_name), false);
        if (def.vd_next == 0)
            return;
        at += def.vd_next;
    }
}

static void read_needed(struct reader *r)
{
    size_t at = 0;
    GElf_Verneed need;
    GElf_Vernaux aux;
    Elf_Data *data = data_of(r->elf, SHT_GNU_verneed);

    while (data != NULL && at < data->d_size &&
           gelf_getverneed(data, (int)at, &need) != NULL) {
        size_t next = at + need.vn_aux;

        for (unsigned i = 0; i < need.vn_cnt && next < data->d_size; i++) {
            if (gelf_getvernaux(data, (int)next, &aux) == NULL)
                break;
            set_version(r, aux.vna_other, text(r, aux.vna_name),
                        (aux.vna_other & 0x8000) != 0);
            if (aux.vna_next == 0)
                break;
            next += aux.vna_next;
        }
        if (need.vn_next == 0)
            return;
        at += need.vn_next;
    }
}

/* --- The symbols of the dynamic symbol table --- */

static enum sd_dyntype type_of(const GElf_Sym *sym)
{
    switch (GELF_ST_TYPE(sym->st_info)) {
    case STT_FUNC:
        return SD_DYN_FUNCTION;
    case STT_GNU_IFUNC:
        return SD_DYN_IFUNC;
    default:
        return SD_DYN_OTHER;
    }
}

/* May other objects bind to a symbol?  As in glibc (elf/dl-lookup.c,
   check_match), but not to thread-local symbols, which have no address. */
static bool is_offered(const GElf_Sym *sym)
{
    switch (GELF_ST_TYPE(sym->st_info)) {
    case STT_NOTYPE:
    case STT_OBJECT:
    case STT_FUNC:
    case STT_COMMON:
    case STT_GNU_IFUNC:
        return GELF_ST_BIND(sym->st_info) != STB_LOCAL &&
               (sym->st_value != 0 || sym->st_shndx == SHN_ABS);
    default:
        return false;
    }
}

static void add_symbol(struct reader *r, size_t i, const GElf_Sym *sym,
                       uint16_t version)
{
    struct sd_dynsym *s = &r->dynamic->symbols[i];
    const char *name = text(r, sym->st_name);
    unsigned number = version & (N_VERSIONS - 1);

    if (name == NULL || name[0] == '\0')
        return;
    *s = (struct sd_dynsym){.name = name,
                            .version = number > 1 ? r->versions[number] : NULL,
                            .value = sym->st_value,
                            .size = sym->st_size,
                            .type = type_of(sym),
                            .is_defined = sym->st_shndx != SHN_UNDEF,
                            .is_offered = is_offered(sym),
                            .is_own = GELF_ST_BIND(sym->st_info) == STB_LOCAL ||
                                      GELF_ST_VISIBILITY(sym->st_other) !=
                                          STV_DEFAULT,
                            .is_weak = GELF_ST_BIND(sym->st_info) == STB_WEAK,
                            .version_id = (uint16_t)number};
    assert(name >= r->strings.bytes &&
           name < r->strings.bytes + r->strings.size);
    s->has_hidden = s->is_defined ? (version & 0x8000) != 0
                                  : number > 1 && r->are_hidden[number];
}

static void read_symbols(struct reader *r)
{
    Elf_Data *data, *versions = data_of(r->elf, SHT_GNU_versym);
    size_t table = 1, n;
    GElf_Shdr h;

    if (!sd_elf_section(r->elf, SHT_DYNSYM, &table, &h) ||
        (data = sd_elf_data(r->elf, table, false)) == NULL)
        return;
    r->table = table;
    r->dynamic->has_versions = versions != NULL;
    n = data->d_size / sizeof(Elf64_Sym);
    r->dynamic->symbols = memory_new(n + 1, sizeof *r->dynamic->symbols);
    for (size_t i = 1; i < n; i++) {
        GElf_Versym version = 1;
        GElf_Sym sym;

        if (gelf_getsym(data, (int)i, &sym) == NULL)
            break;
        if (versions != NULL)
            gelf_getversym(versions, (int)i, &version);
        assert(i == 1 || r->dynamic->n_symbols == i);
        add_symbol(r, i, &sym, version);
        r->dynamic->n_symbols = i + 1;
    }
}

/* --- What the dynamic section says about the object --- */

static void read_dynamic(struct reader *r)
{
    GElf_Dyn dyn;
    Elf_Data *data = data_of(r->elf, SHT_DYNAMIC);
    const char *name;

    for (int i = 0; data != NULL && gelf_getdyn(data, i, &dyn) != NULL; i++)
        switch (dyn.d_tag) {
        case DT_NEEDED:
            name = text(r, dyn.d_un.d_val);
            if (name != NULL)
                array_append(r->dynamic, needed, name);
            break;
        case DT_SONAME:
            r->dynamic->soname = text(r, dyn.d_un.d_val);
            break;
        case DT_SYMBOLIC:
            r->dynamic->is_symbolic = true;
            break;
        case DT_FLAGS:
            r->dynamic->is_symbolic |= (dyn.d_un.d_val & DF_SYMBOLIC) != 0;
            break;
        case DT_FLAGS_1:
            r->flags_1 = dyn.d_un.d_val;
            break;
        default:
            break;
        }
}

/* --- The relocations of the dynamic linker --- */

static enum sd_dynkind kind_of(const struct sd_elf *elf, uint32_t type)
{
    static const uint32_t types[N_ARCHES][7] = {
        [ARCH_X86_64] = {R_X86_64_RELATIVE, R_X86_64_64, R_X86_64_GLOB_DAT,
                         R_X86_64_JUMP_SLOT, R_X86_64_IRELATIVE, R_X86_64_COPY,
                         R_X86_64_RELATIVE64},
        [ARCH_AARCH64] = {R_AARCH64_RELATIVE, R_AARCH64_ABS64,
                          R_AARCH64_GLOB_DAT, R_AARCH64_JUMP_SLOT,
                          R_AARCH64_IRELATIVE, R_AARCH64_COPY,
                          R_AARCH64_RELATIVE}};
    static const enum sd_dynkind kinds[7] = {
        SD_DYN_RELATIVE, SD_DYN_ADDRESS, SD_DYN_ADDRESS, SD_DYN_CALLED,
        SD_DYN_RESOLVED, SD_DYN_COPY,    SD_DYN_RELATIVE};

    for (unsigned i = 0; i < 7; i++)
        if (types[elf->arch][i] == type)
            return kinds[i];
    return SD_DYN_UNKNOWN;
}

static void read_relocations(struct reader *r, size_t number,
                             const GElf_Shdr *h)
{
    Elf_Data *data = sd_elf_data(r->elf, number, false);
    GElf_Rela rela;

    for (int i = 0; data != NULL && gelf_getrela(data, i, &rela) != NULL; i++) {
        uint32_t type = (uint32_t)GELF_R_TYPE(rela.r_info);
        uint64_t symbol = GELF_R_SYM(rela.r_info);
        struct sd_dynrel rel = {.place = rela.r_offset,
                                .addend = rela.r_addend,
                                .kind = kind_of(r->elf, type)};

        if (type == R_X86_64_GLOB_DAT || type == R_X86_64_JUMP_SLOT)
            rel.addend = r->elf->arch == ARCH_X86_64 ? 0 : rel.addend;
        if (h->sh_link == r->table && symbol < r->dynamic->n_symbols)
            rel.symbol = (uint32_t)symbol;
        assert(rel.symbol == 0 || rel.symbol < r->dynamic->n_symbols);
        array_append(r->dynamic, relocations, rel);
    }
}

/* Reads the places of words that are relative to the base: an even entry is the
   address of such a word, and an odd entry is a bitmap of the next 63 words.
   (gABI, SHT_RELR.) */
static void read_relative(struct reader *r, size_t number)
{
    Elf_Data *data = sd_elf_data(r->elf, number, true);
    uint64_t next = 0, word;

    for (size_t at = 0; data != NULL && at + 8 <= data->d_size; at += 8) {
        memcpy(&word, (const char *)data->d_buf + at, sizeof word);
        if (!(word & 1)) {
            array_append(
                r->dynamic, relocations,
                (struct sd_dynrel){.place = word, .kind = SD_DYN_IN_PLACE});
            next = word + 8;
            continue;
        }
        for (unsigned i = 0; i < 63; i++)
            if (word >> (i + 1) & 1)
                array_append(r->dynamic, relocations,
                             (struct sd_dynrel){.place = next + 8 * i,
                                                .kind = SD_DYN_IN_PLACE});
        next += 8 * 63;
    }
}

static void read_all_relocations(struct reader *r)
{
    uint64_t size = 0;
    GElf_Shdr h;

    for (size_t i = 1;
         size <= r->elf->size && sd_elf_section(r->elf, SHT_NULL, &i, &h);
         i++) {
        if (!(h.sh_flags & SHF_ALLOC) ||
            (h.sh_type != SHT_RELA && h.sh_type != SHT_RELR))
            continue;
        size += h.sh_size; /* more than the file if sections overlap */
        if (h.sh_type == SHT_RELA)
            read_relocations(r, i, &h);
        else
            read_relative(r, i);
    }
}

static void read_segments(struct reader *r)
{
    GElf_Phdr p;
    uint64_t end;

    for (size_t i = 0; sd_elf_segment(r->elf, PT_NULL, &i, &p); i++) {
        r->has_interpreter |= p.p_type == PT_INTERP;
        if (p.p_type != PT_LOAD)
            continue;
        if (__builtin_add_overflow(p.p_vaddr, p.p_memsz, &end))
            end = UINT64_MAX;
        if (end > r->dynamic->end)
            r->dynamic->end = end;
    }
}

static void copy_strings(struct reader *r)
{
    struct sd_strings strings = {NULL, 0};
    size_t symbols = 1, dynamic = 1;
    GElf_Shdr h;

    if (sd_elf_section(r->elf, SHT_DYNSYM, &symbols, &h) ||
        sd_elf_section(r->elf, SHT_DYNAMIC, &dynamic, &h))
        strings = sd_elf_strings(r->elf, h.sh_link);
    r->dynamic->strings = memory_new(strings.size + 1, 1);
    if (strings.size > 0)
        memcpy(r->dynamic->strings, strings.bytes, strings.size);
    r->strings = (struct sd_strings){r->dynamic->strings, strings.size};
}

static void read_all(struct reader *r)
{
    struct sd_dynamic *dynamic = r->dynamic;

    copy_strings(r);
    r->versions = memory_new(N_VERSIONS, sizeof *r->versions);
    r->are_hidden = memory_new(N_VERSIONS, sizeof *r->are_hidden);
    read_defined(r);
    read_needed(r);
    read_symbols(r);
    read_dynamic(r);
    read_all_relocations(r);
    read_segments(r);
    assert(dynamic->n_symbols == 0 || r->table != 0);
    free(r->versions);
    free(r->are_hidden);
    dynamic->is_fixed = r->elf->header.e_type == ET_EXEC;
    /* Libraries may have an interpreter, too: glibc's can be run. */
    dynamic->is_program = dynamic->is_fixed || (r->flags_1 & DF_1_PIE) ||
                          (r->has_interpreter && dynamic->soname == NULL);
}

int sd_dynamic_read(struct sd_dynamic *dynamic, const char *path,
                    struct diag *d)
{
    struct sd_elf elf;
    struct reader r = {.elf = &elf, .dynamic = dynamic};

    *dynamic = (struct sd_dynamic){.end = 0};
    if (sd_elf_open(&elf, path, d) != 0)
        return -1;
    dynamic->arch = elf.arch;
    dynamic->is_linked = !elf.is_relocatable && elf.n_headers > 0;
    if (dynamic->is_linked)
        read_all(&r);
    sd_elf_close(&elf);
    return 0;
}

void sd_dynamic_fini(struct sd_dynamic *dynamic)
{
    free(dynamic->needed);
    free(dynamic->symbols);
    free(dynamic->relocations);
    free(dynamic->strings);
    *dynamic = (struct sd_dynamic){.end = 0};
}
