/*
 * How values flow through instructions: a table of instructions with the
 * results of each, and what each result is made of.
 *
 * Expected is one text for each instruction, with these parts:
 *
 *     rax=rcx        rcx is moved to rax
 *     rax=*rax,L0    rax is computed of rax and load 0
 *     rax=~rax       rax keeps its value, at no cost
 *     L0:8[rdi]      load 0 is of 8 bytes, its address made of rdi
 *     S0:8[rsp]=rax  store 0, and what it stores
 *     xmm0.1         bytes 8 to 15 of a vector register, ymm0.2 those after it
 *     flags          any part of the flags
 *     v0.1           AArch64: bytes 8 to 15 of a vector register
 *     base x1        AArch64: the access moves the register of its address
 *     jump TARGET    a direct jump; away: another one; back: a return
 *     call TARGET    a call, with its target if that is known
 *     on             control may continue after a jump or call
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "unit.h"

#include <libvex_guest_amd64.h>
#include <libvex_guest_arm64.h>

#include "lift/flow.h"
#include "staticdeps/hex.h"

#define AT(field) (offsetof(VexGuestAMD64State, guest_##field) / 8)

#define ADDRESS 0x401000

static const char *word_name_x86(unsigned w)
{
    static const char *const names[] = {
        "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
        "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15"};
    static char text[16];

    if (w >= AT(RAX) && w <= AT(R15))
        return names[w - AT(RAX)];
    if (w >= AT(CC_OP) && w <= AT(CC_NDEP))
        return "flags";
    if (w >= AT(YMM0) && w <= AT(YMM15) + 3) {
        snprintf(text, sizeof text, "%cmm%u.%u",
                 (w - AT(YMM0)) % 4 < 2 ? 'x' : 'y',
                 (unsigned)(w - AT(YMM0)) / 4, (unsigned)(w - AT(YMM0)) % 4);
        return text;
    }
    if (w == AT(FTOP))
        return "top";
    if (w >= AT(FPREG[0]) && w < AT(FPREG[0]) + 8)
        return "st";
    if (w >= AT(FPTAG[0]) && w <= AT(FPTAG[7]))
        return "tags";
    if (w == AT(FS_CONST))
        return "fs";
    if (w == AT(DFLAG))
        return "direction";
    if (w == AT(SSEROUND))
        return "rounding";
    if (w == AT(FPROUND))
        return "fprounding";
    snprintf(text, sizeof text, "word%u", w);
    return text;
}

#define A64(field) (offsetof(VexGuestARM64State, guest_##field) / 8)

static const char *word_name_a64(unsigned w)
{
    static char text[16];

    if (w >= A64(X0) && w <= A64(X30))
        snprintf(text, sizeof text, "x%u", (unsigned)(w - A64(X0)));
    else if (w == A64(XSP))
        return "sp";
    else if (w >= A64(CC_OP) && w <= A64(CC_NDEP))
        return "flags";
    else if (w >= A64(Q0) && w <= A64(Q31) + 1)
        snprintf(text, sizeof text, "v%u.%u", (unsigned)(w - A64(Q0)) / 2,
                 (unsigned)(w - A64(Q0)) % 2);
    else if (w == A64(FPCR))
        return "fpcr";
    else
        snprintf(text, sizeof text, "word%u", w);
    return text;
}

static enum arch arch;

static const char *word_name(unsigned w)
{
    return arch == ARCH_AARCH64 ? word_name_a64(w) : word_name_x86(w);
}

static char found[2000];
static size_t used;

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    used += (size_t)vsnprintf(found + used, sizeof found - used, format, args);
    va_end(args);
    assert_true(used < sizeof found);
}

static void say_sources(const struct flow_sources *s)
{
    const char *comma = "";
    char last[16] = "";

    if (s->is_computed)
        say("*");
    for (unsigned w = 0; w < FLOW_WORDS; w++)
        if (flow_sources_has(s, w) && strcmp(word_name(w), last) != 0) {
            say("%s%s", comma, word_name(w));
            snprintf(last, sizeof last, "%s", word_name(w));
            comma = ",";
        }
    for (unsigned i = 0; i < 8; i++)
        if (s->loads >> i & 1) {
            say("%sL%u", comma, i);
            comma = ",";
        }
}

/* Prints what any word is made of; a name may stand for several words. */
static void say_puts(const struct flow *flow)
{
    for (unsigned w = 0; w < FLOW_WORDS; w++) {
        struct flow_sources all = {0};
        bool is_put = false, is_free = true;
        char name[16];

        snprintf(name, sizeof name, "%s", word_name(w));
        if (w > 0 && strcmp(word_name(w - 1), name) == 0)
            continue;
        for (unsigned i = 0; i < flow->n_puts; i++) {
            const struct flow_put *put = &flow->puts[i];

            if (strcmp(word_name(put->word), name) != 0)
                continue;
            is_put = true;
            is_free &= put->is_free;
            flow_sources_join(&all, &put->value);
        }
        if (!is_put)
            continue;
        say(" %s=%s", name, is_free ? "~" : "");
        say_sources(&all);
    }
}

static const char *flow_text(const struct flow *flow)
{
    used = 0;
    found[0] = '\0';
    for (unsigned i = 0; i < flow->n_loads; i++) {
        say(" L%u:%u[", i, flow->loads[i].size);
        say_sources(&flow->loads[i].address);
        say("]");
    }
    say_puts(flow);
    for (unsigned i = 0; i < flow->n_stores; i++) {
        say(" S%u:%u[", i, flow->stores[i].size);
        say_sources(&flow->stores[i].address);
        say("]=");
        say_sources(&flow->stores[i].data);
    }
    for (unsigned i = 0; i < flow->n_puts; i++)
        if (flow->puts[i].is_base)
            say(" base %s", word_name(flow->puts[i].word));
    if (flow->leave == FLOW_CALL)
        say(" call");
    if (flow->called != FLOW_NOWHERE)
        say(" %#llx", (unsigned long long)flow->called);
    if (flow->leave == FLOW_TO_CALLER)
        say(" back");
    if (flow->leave == FLOW_AWAY)
        say(" away");
    if (flow->taken != FLOW_NOWHERE)
        say(" jump %#llx", (unsigned long long)flow->taken);
    if (flow->falls_through &&
        (flow->taken != FLOW_NOWHERE || flow->leave != FLOW_GOES_ON))
        say(" on");
    if (flow->leave == FLOW_GOES_ON && flow->taken == FLOW_NOWHERE &&
        !flow->falls_through)
        say(" nowhere");
    if (flow->is_cut)
        say(" cut");
    return used > 0 ? found + 1 : found;
}

/* What both words of register 0, or all four, are made of; and the words of
   others. */
#define XMM_0(of)  "xmm0.0=" of " xmm0.1=" of
#define YMM_0(of)  XMM_0(of) " ymm0.2=" of " ymm0.3=" of
#define V_0(of)    "v0.0=" of " v0.1=" of
#define ZERO_ABOVE " ymm0.2= ymm0.3="
#define X0         "xmm0.0,xmm0.1"
#define X1         "xmm1.0,xmm1.1"
#define V12        "v1.0,v1.1,v2.0,v2.1"

static const struct instruction {
    const char *text, *hex, *expected;
} instructions[] = {
    {"mov %rcx,%rax", "4889c8", "rax=rcx"},
    {"mov %ecx,%eax", "89c8", "rax=rcx"},
    {"mov $7,%eax", "b807000000", "rax="},
    {"mov 8(%rdi,%rsi,4),%rax", "488b44b708", "L0:8[*rsi,rdi] rax=L0"},
    {"mov (%rdi),%eax", "8b07", "L0:4[rdi] rax=L0"},
    {"movzbl (%rdi),%eax", "0fb607", "L0:1[rdi] rax=L0"},
    {"movslq (%rdi),%rax", "486307", "L0:4[rdi] rax=L0"},
    {"mov %rax,(%rdi)", "488907", "S0:8[rdi]=rax"},
    {"mov %al,(%rdi)", "8807", "S0:1[rdi]=rax"},
    {"mov %cl,%al", "88c8", "rax=*rax,rcx"},
    {"mov %cx,%ax", "6689c8", "rax=*rax,rcx"},
    {"mov %ch,%ah", "88ec", "rax=*rax,rcx"},
    {"mov (%rdi),%al", "8a07", "L0:1[rdi] rax=*rax,L0"},
    {"movzbl %cl,%eax", "0fb6c1", "rax=rcx"},
    {"movslq %ecx,%rax", "4863c1", "rax=rcx"},
    {"xchg %rcx,%rax", "4891", "rax=rcx rcx=rax"},
    {"xchg %rax,(%rdi)", "488707", "L0:8[rdi] rax=L0 S0:8[rdi]=rax"},
    {"add %rcx,%rax", "4801c8", "rax=*rax,rcx flags=*rax,rcx"},
    {"add (%rdi),%rax", "480307", "L0:8[rdi] rax=*rax,L0 flags=*rax,L0"},
    {"add %rax,(%rdi)", "480107", "L0:8[rdi] flags=*rax,L0 S0:8[rdi]=*rax,L0"},
    {"add %cl,%al", "00c8", "rax=*rax,rcx flags=*rax,rcx"},
    {"adc %rcx,%rax", "4811c8", "rax=*rax,rcx,flags flags=*rax,rcx,flags"},
    {"xor %eax,%eax", "31c0", "rax=* flags=*"},
    {"inc %rax", "48ffc0", "rax=*rax flags=*rax,flags"},
    {"dec %rcx", "48ffc9", "rcx=*rcx flags=*rcx,flags"},
    {"neg %rax", "48f7d8", "rax=*rax flags=*rax"},
    {"not %rax", "48f7d0", "rax=*rax"},
    {"cmp %rcx,%rax", "4839c8", "flags=*rax,rcx"},
    {"test %rax,%rax", "4885c0", "flags=*rax"},
    {"imul %rcx,%rax", "480fafc1", "rax=*rax,rcx flags=*rax,rcx"},
    {"mul %rcx", "48f7e1", "rax=*rax,rcx rdx=*rax,rcx flags=*rax,rcx"},
    {"div %rcx", "48f7f1", "rax=*rax,rcx,rdx rdx=*rax,rcx,rdx"},
    {"shl $3,%rax", "48c1e003", "rax=*rax flags=*rax"},
    {"shl %cl,%rax", "48d3e0", "rax=*rax,rcx flags=*rax,rcx,flags"},
    {"ror $3,%rax", "48c1c803", "rax=*rax flags=*rax,flags"},
    {"bsf %rcx,%rax", "480fbcc1", "rax=*rax,rcx flags=*rcx"},
    {"lea 8(%rdi,%rsi,4),%rax", "488d44b708", "rax=*rsi,rdi"},
    {"lea (%rdi),%rax", "488d07", "rax=rdi"},
    {"sete %al", "0f94c0", "rax=*rax,flags"},
    {"cmove %rcx,%rax", "480f44c1", "rax=*rax,rcx,flags"},
    {"cmove (%rdi),%rax", "480f4407", "L0:8[rdi] rax=*rax,flags,L0"},
    {"cmovb %rcx,%rax", "480f42c1", "rax=*rax,rcx,flags"},
    {"cltq", "4898", "rax=rax"},
    {"bt %rcx,%rax", "480fa3c8", "flags=*rax,rcx"},
    {"bts %rcx,%rax", "480fabc8", "rax=*rax,rcx flags=*rax,rcx"},
    {"bt $3,%rax", "480fbae003", "flags=*rax"},
    {"bt %rcx,(%rdi)", "480fa30f", "L0:1[*rcx,rdi] flags=*rcx,L0"},
    {"bswap %rax", "480fc8", "rax=*rax"},
    {"clc", "f8", "flags=*"},
    {"cmc", "f5", "flags=*flags"},
    {"push %rax", "50", "rsp=*rsp S0:8[*rsp]=rax"},
    {"push (%rdi)", "ff37", "L0:8[rdi] rsp=*rsp S0:8[*rsp]=L0"},
    {"pop %rax", "58", "L0:8[rsp] rax=L0 rsp=*rsp"},
    {"leave", "c9", "L0:8[rbp] rsp=*rbp rbp=L0"},
    {"call 0x401010", "e80b000000", "rsp=*rsp S0:8[*rsp]= call 0x401010 on"},
    {"call 0, in an object file", "e800000000", "rsp=*rsp S0:8[*rsp]= call on"},
    {"call *%rax", "ffd0", "rsp=*rsp S0:8[*rsp]= call on"},
    {"call *(%rax)", "ff10", "L0:8[rax] rsp=*rsp S0:8[*rsp]= call on"},
    {"ret", "c3", "L0:8[rsp] rsp=*rsp back"},
    {"syscall", "0f05", "rax= rcx="},
    {"je 0x401010", "740e", "jump 0x401010 on"},
    {"jne 0x401000", "75fe", "jump 0x401000 on"},
    {"jne 0x401081", "757f", "jump 0x401081 on"},
    {"jne, with a long distance", "0f85f0ffffff", "jump 0x400ff6 on"},
    {"jne, with a longer one", "0f857f7f7f7f", "jump 0x7fbf8f85 on"},
    {"jmp, with a long distance", "e97e7f7f7f", "jump 0x7fbf8f83"},
    {"je 0x401002", "7400", ""},
    {"jb 0x401010", "720e", "jump 0x401010 on"},
    {"jrcxz 0x401010", "e30e", "jump 0x401010 on"},
    {"loop 0x401000", "e2fe", "rcx=*rcx jump 0x401000 on"},
    {"jmp 0x401010", "eb0e", "jump 0x401010"},
    {"jmp 0x401000", "ebfe", "jump 0x401000"},
    {"jmp 0x401002", "eb00", ""},
    {"jmp *%rax", "ffe0", "away"},
    {"jmp *(%rax)", "ff20", "L0:8[rax] away"},
    {"int3", "cc", "away"},
    {"nop", "90", ""},
    {"pause", "f390", ""},
    {"nopl (%rax)", "0f1f00", ""},
    {"endbr64", "f30f1efa", ""},
    {"prefetcht0 (%rdi)", "0f180f", ""},
    {"mfence", "0faef0", ""},
    {"cmpxchg %rcx,(%rdi)", "480fb10f",
     "L0:8[rdi] rax=*rax,L0 flags=*rax,L0 S0:8[rdi]=*rax,rcx,L0"},
    {"lock cmpxchg %rcx,(%rdi)", "f0480fb10f",
     "L0:8[rdi] rax=*rax,L0 flags=*rax,L0 S0:8[rdi]=*rax,rcx,L0"},
    {"cmpxchg %rcx,%rdx", "480fb1ca",
     "rax=*rax,rdx rdx=*rax,rcx,rdx flags=*rax,rdx"},
    {"xadd %rax,(%rdi)", "480fc107",
     "L0:8[rdi] rax=L0 flags=*rax,L0 S0:8[rdi]=*rax,L0"},
    {"lock xadd %rax,(%rdi)", "f0480fc107",
     "L0:8[rdi] rax=L0 flags=*rax,L0 S0:8[rdi]=*rax,L0"},
    {"lock add %rax,(%rdi)", "f0480107",
     "L0:8[rdi] flags=*rax,L0 S0:8[rdi]=*rax,L0"},
    {"rep movsb", "f3a4",
     "L0:1[rsi] rcx=*rcx rsi=*rsi,direction rdi=*rdi,direction "
     "S0:1[rdi]=L0"},
    {"rep movsq", "f348a5",
     "L0:8[rsi] rcx=*rcx rsi=*rsi,direction rdi=*rdi,direction "
     "S0:8[rdi]=L0"},
    {"rep stosq", "f348ab", "rcx=*rcx rdi=*rdi,direction S0:8[rdi]=rax"},
    {"movsq", "48a5",
     "L0:8[rsi] rsi=*rsi,direction rdi=*rdi,direction S0:8[rdi]=L0"},
    {"stosq", "48ab", "rdi=*rdi,direction S0:8[rdi]=rax"},
    {"lodsq", "48ad", "L0:8[rsi] rax=L0 rsi=*rsi,direction"},
    {"repne scasb", "f2ae",
     "L0:1[rdi] rcx=*rcx rdi=*rdi,direction flags=*rax,L0"},
    {"repe cmpsb", "f3a6",
     "L0:1[rdi] L1:1[rsi] rcx=*rcx rsi=*rsi,direction "
     "rdi=*rdi,direction flags=*L0,L1"},
    {"movsd (%rdi),%xmm0", "f20f1007", "L0:8[rdi] xmm0.0=L0 xmm0.1="},
    {"movsd %xmm1,%xmm0", "f20f10c1", "xmm0.0=xmm1.0"},
    {"movss %xmm1,%xmm0", "f30f10c1", "xmm0.0=xmm1.0"},
    {"movss (%rdi),%xmm0", "f30f1007", "L0:4[rdi] xmm0.0=L0 xmm0.1="},
    {"movsd %xmm0,(%rdi)", "f20f1107", "S0:8[rdi]=xmm0.0"},
    {"movapd %xmm1,%xmm0", "660f28c1", XMM_0(X1)},
    {"movaps (%rdi),%xmm0", "0f2807", "L0:16[rdi] xmm0.0=L0 xmm0.1=L0"},
    {"movq %rax,%xmm0", "66480f6ec0", "xmm0.0=rax xmm0.1=rax"},
    {"movq %xmm0,%rax", "66480f7ec0", "rax=xmm0.0"},
    {"movd %eax,%xmm0", "660f6ec0", "xmm0.0=rax xmm0.1=rax"},
    {"movlpd (%rdi),%xmm0", "660f1207", "L0:8[rdi] xmm0.0=L0"},
    {"movhpd (%rdi),%xmm0", "660f1607", "L0:8[rdi] xmm0.1=L0"},
    {"movhpd %xmm0,(%rdi)", "660f1707", "S0:8[rdi]=xmm0.1"},
    {"unpcklpd %xmm1,%xmm0", "660f14c1", XMM_0(X0 "," X1)},
    {"unpckhpd %xmm1,%xmm0", "660f15c1", XMM_0(X0 "," X1)},
    {"unpckhpd %xmm0,%xmm0", "660f15c0", XMM_0(X0)},
    {"shufpd $1,%xmm1,%xmm0", "660fc6c101", XMM_0(X0 "," X1)},
    {"movhlps %xmm1,%xmm0", "0f12c1", "xmm0.0=xmm1.1"},
    {"movddup (%rdi),%xmm0", "f20f1207", "L0:8[rdi] xmm0.0=L0 xmm0.1=L0"},
    {"addsd %xmm1,%xmm0", "f20f58c1", XMM_0("*" X0 "," X1)},
    {"addss %xmm1,%xmm0", "f30f58c1", XMM_0("*" X0 "," X1)},
    {"addsd (%rdi),%xmm0", "f20f5807", "L0:8[rdi] " XMM_0("*" X0 ",L0")},
    {"addpd %xmm1,%xmm0", "660f58c1", XMM_0("*" X0 "," X1)},
    {"mulpd (%rdi),%xmm0", "660f5907", "L0:16[rdi] " XMM_0("*" X0 ",L0")},
    {"sqrtsd %xmm1,%xmm0", "f20f51c1", XMM_0("*" X0 ",xmm1.0")},
    {"sqrtpd %xmm1,%xmm0", "660f51c1", XMM_0("*" X1)},
    {"cvtsi2sd %eax,%xmm0", "f20f2ac0", "xmm0.0=*rax"},
    {"cvtsi2sd (%rdi),%xmm0", "f20f2a07", "L0:4[rdi] xmm0.0=*L0"},
    {"cvttsd2si %xmm0,%eax", "f20f2cc0", "rax=*xmm0.0"},
    {"cvtss2sd %xmm1,%xmm0", "f30f5ac1", "xmm0.0=*xmm1.0"},
    {"cvtdq2pd %xmm1,%xmm0", "f30fe6c1", "xmm0.0=*xmm1.0 xmm0.1=*xmm1.0"},
    {"comisd %xmm1,%xmm0", "660f2fc1", "flags=*xmm0.0,xmm1.0"},
    {"maxsd %xmm1,%xmm0", "f20f5fc1", XMM_0("*" X0 "," X1)},
    {"pxor %xmm0,%xmm0", "660fefc0", XMM_0("*" X0)},
    {"pxor %xmm1,%xmm0", "660fefc1", XMM_0("*" X0 "," X1)},
    {"pshufd $0,%xmm1,%xmm0", "660f70c100", XMM_0(X1)},
    {"paddd %xmm1,%xmm0", "660ffec1", XMM_0("*" X0 "," X1)},
    {"pinsrd $1,%eax,%xmm0", "660f3a22c001", XMM_0("*rax," X0)},
    {"pextrw $1,%xmm0,%eax", "660fc5c001", "rax=*xmm0.0,xmm0.1"},
    {"aesenc %xmm1,%xmm0", "660f38dcc1", XMM_0("*" X0 "," X1)},
    {"lock cmpxchg16b (%rdi)", "f0480fc70f",
     "L0:16[rdi] rax=*rax,rdx,L0 rdx=*rax,rdx,L0 flags=*rax,rdx,L0 "
     "S0:16[rdi]=*rax,rcx,rdx,rbx,L0"},
    {"movnti %rax,(%rdi)", "480fc307", "S0:8[rdi]=rax"},
    {"vaddpd %ymm2,%ymm1,%ymm0", "c5f558c2",
     YMM_0("*" X1 ",ymm1.2,ymm1.3,xmm2.0,xmm2.1,ymm2.2,ymm2.3")},
    {"vaddsd %xmm2,%xmm1,%xmm0", "c5f358c2",
     XMM_0("*" X1 ",xmm2.0,xmm2.1") ZERO_ABOVE},
    {"vmovupd (%rdi),%ymm0", "c5fd1007", "L0:32[rdi] " YMM_0("L0")},
    {"vmovupd %ymm0,(%rdi)", "c5fd1107",
     "S0:32[rdi]=xmm0.0,xmm0.1,ymm0.2,ymm0.3"},
    {"vmovsd (%rdi),%xmm0", "c5fb1007",
     "L0:8[rdi] xmm0.0=L0 xmm0.1=" ZERO_ABOVE},
    {"vxorps %xmm0,%xmm0,%xmm0", "c5f857c0", XMM_0("*" X0) ZERO_ABOVE},
    {"vbroadcastsd (%rdi),%ymm0", "c4e27d1907", "L0:8[rdi] " YMM_0("*L0")},
    {"vinsertf128 $1,%xmm2,%ymm1,%ymm0", "c4e37518c201",
     XMM_0(X1) " ymm0.2=xmm2.0,xmm2.1 ymm0.3=xmm2.0,xmm2.1"},
    {"vextractf128 $1,%ymm1,%xmm0", "c4e37d19c801",
     XMM_0("ymm1.2,ymm1.3") ZERO_ABOVE},
    {"vperm2f128 $1,%ymm2,%ymm1,%ymm0", "c4e37506c201",
     XMM_0("ymm1.2,ymm1.3") " ymm0.2=xmm1.0,xmm1.1 ymm0.3=xmm1.0,xmm1.1"},
    {"vfmadd231pd %ymm2,%ymm1,%ymm0", "c4e2f5b8c2",
     "xmm0.0=*xmm0.0,xmm1.0,xmm2.0 xmm0.1=*xmm0.1,xmm1.1,xmm2.1 "
     "ymm0.2=*ymm0.2,ymm1.2,ymm2.2 ymm0.3=*ymm0.3,ymm1.3,ymm2.3"},
    {"vfmadd231pd (%rdi),%ymm1,%ymm0", "c4e2f5b807",
     "L0:32[*rdi] xmm0.0=*xmm0.0,xmm1.0,L0 xmm0.1=*xmm0.1,xmm1.1,L0 "
     "ymm0.2=*ymm0.2,ymm1.2,L0 ymm0.3=*ymm0.3,ymm1.3,L0"},
    {"vfmadd231ps 8(%rip),%ymm1,%ymm0", "c4e275b80508000000",
     "L0:32[*] xmm0.0=*xmm0.0,xmm1.0,L0 xmm0.1=*xmm0.1,xmm1.1,L0 "
     "ymm0.2=*ymm0.2,ymm1.2,L0 ymm0.3=*ymm0.3,ymm1.3,L0"},
    {"vfmadd231ss %xmm2,%xmm1,%xmm0", "c4e271b9c2",
     "xmm0.0=*xmm0.0,xmm1.0,xmm2.0 xmm0.1=" ZERO_ABOVE},
    {"vmaskmovpd (%rdi),%ymm1,%ymm0", "c4e2752d07",
     "L0:8[*rdi,xmm1.0] L1:8[*rdi,xmm1.1] L2:8[*rdi,ymm1.2] "
     "L3:8[*rdi,ymm1.3] xmm0.0=L0 xmm0.1=L1 ymm0.2=L2 ymm0.3=L3"},
    {"vmaskmovpd %ymm0,%ymm1,(%rdi)", "c4e2752f07",
     "S0:8[*rdi]=xmm0.0 S1:8[*rdi]=xmm0.1 S2:8[*rdi]=ymm0.2 "
     "S3:8[*rdi]=ymm0.3"},
    {"fldl (%rdi)", "dd07", "L0:8[rdi] top=*top st=*st,tags,L0 tags=*tags"},
    {"fstpl (%rdi)", "dd1f", "top=*top tags=*tags S0:8[rdi]=*st,tags"},
    {"faddp", "dec1", "top=*top st=*st,tags tags=*tags"},
    {"fadd %st(1),%st", "d8c1", "st=*st,tags tags=*tags"},
    {"fmull (%rdi)", "dc0f", "L0:8[rdi] st=*st,tags,L0 tags=*tags"},
    {"fxch", "d9c9", "st=*st,tags tags=*tags"},
    {"fildl (%rdi)", "db07", "L0:4[rdi] top=*top st=*st,tags,L0 tags=*tags"},
    {"andn %rdx,%rcx,%rax", "c4e2f0f2c2", "rax=*rcx,rdx flags=*rcx,rdx"},
    {"popcnt %rcx,%rax", "f3480fb8c1", "rax=*rcx flags=*rcx"},
    {"lzcnt %rcx,%rax", "f3480fbdc1", "rax=*rcx flags=*rcx"},
    {"tzcnt %rcx,%rax", "f3480fbcc1", "rax=*rcx flags=*rcx"},
    {"shlx %rdx,%rcx,%rax", "c4e2e9f7c1", "rax=*rcx,rdx"},
    {"mulx %rdx,%rcx,%rax", "c4e2f3f6c2", "rax=*rdx rcx=*rdx"},
    {"shld $3,%rcx,%rax", "480fa4c803", "rax=*rax,rcx flags=*rax,rcx"},
    {"mov %fs:0x28,%rax", "64488b042528000000", "L0:8[*fs] rax=L0"},
    {"mov 0x10(%rip),%rax", "488b0510000000", "L0:8[*] rax=L0"},
};

static const struct instruction instructions_a64[] = {
    {"add x0, x1, x2", "2000028b", "x0=*x1,x2"},
    {"add x0, x1, #8", "20200091", "x0=*x1"},
    {"add x0, x1, x2, lsl #3", "200c028b", "x0=*x1,x2"},
    {"mov x0, x1", "e00301aa", "x0=*x1"},
    {"mov x0, #5", "a00080d2", "x0="},
    {"movk x0, #5, lsl #16", "a000a0f2", "x0=*x0"},
    {"mov w0, w1", "e003012a", "x0=*x1"},
    {"sxtw x0, w1", "207c4093", "x0=x1"},
    {"neg x0, x1", "e00301cb", "x0=*x1"},
    {"madd x0, x1, x2, x3", "200c029b", "x0=*x1,x2,x3"},
    {"umulh x0, x1, x2", "207cc29b", "x0=*x1,x2"},
    {"udiv x0, x1, x2", "2008c29a", "x0=*x1,x2"},
    {"lsl x0, x1, #3", "20f07dd3", "x0=*x1"},
    {"bfi x0, x1, #8, #4", "200c78b3", "x0=*x0,x1"},
    {"cmp x0, x1", "1f0001eb", "flags=*x0,x1"},
    {"cmp x0, #0", "1f0000f1", "flags=*x0"},
    {"subs x0, x0, #1", "000400f1", "x0=*x0 flags=*x0"},
    {"adds x0, x1, x2", "200002ab", "x0=*x1,x2 flags=*x1,x2"},
    {"adcs x0, x1, x2", "200002ba", "x0=*x1,x2,flags flags=*x1,x2,flags"},
    {"tst x0, x1", "1f0001ea", "flags=*x0,x1"},
    {"ccmp x0, x1, #0, ne", "001041fa", "flags=*x0,x1,flags"},
    {"csel x0, x1, x2, eq", "2000829a", "x0=*x1,x2,flags"},
    {"cset x0, ne", "e0079f9a", "x0=*flags"},
    {"b.ne .+16", "81000054", "jump 0x401010 on"},
    {"b.eq .-16", "80ffff54", "jump 0x400ff0 on"},
    {"cbz x0, .+16", "800000b4", "jump 0x401010 on"},
    {"cbnz w0, .-16", "80ffff35", "jump 0x400ff0 on"},
    {"tbz x0, #3, .+16", "80001836", "jump 0x401010 on"},
    {"tbnz x0, #63, .-16", "80ffffb7", "jump 0x400ff0 on"},
    {"b .+16", "04000014", "jump 0x401010"},
    {"bl .+16", "04000094", "x30= call 0x401010 on"},
    {"bl 0, in an object file", "00000094", "x30= call on"},
    {"svc #0", "010000d4", "x0="},
    {"br x0", "00001fd6", "away"},
    {"blr x0", "00003fd6", "x30= call on"},
    {"ret", "c0035fd6", "back"},
    {"ldr x0, [x1]", "200040f9", "L0:8[*x1] x0=L0"},
    {"ldr x0, [x1, #8]", "200440f9", "L0:8[*x1] x0=L0"},
    {"ldr w0, [x1]", "200040b9", "L0:4[*x1] x0=L0"},
    {"ldrb w0, [x1]", "20004039", "L0:1[*x1] x0=L0"},
    {"ldrsw x0, [x1]", "200080b9", "L0:4[*x1] x0=L0"},
    {"ldr x0, [x1, x2, lsl #3]", "207862f8", "L0:8[*x1,x2] x0=L0"},
    {"ldr x0, [x1, w2, sxtw #3]", "20d862f8", "L0:8[*x1,x2] x0=L0"},
    {"ldr x0, [x1], #8", "208440f8", "L0:8[x1] x0=L0 x1=*x1 base x1"},
    {"ldr x0, [x1, #8]!", "208c40f8", "L0:8[*x1] x0=L0 x1=*x1 base x1"},
    {"ldr x0, .+16", "80000058", "L0:8[] x0=L0"},
    {"str x0, [x1]", "200000f9", "S0:8[*x1]=x0"},
    {"strb w0, [x1]", "20000039", "S0:1[*x1]=x0"},
    {"str xzr, [x1]", "3f0000f9", "S0:8[*x1]="},
    {"str x0, [x1], #8", "208400f8", "x1=*x1 S0:8[x1]=x0 base x1"},
    {"str x0, [sp, #-16]!", "e00f1ff8", "sp=*sp S0:8[*sp]=x0 base sp"},
    {"ldp x0, x1, [x2]", "400440a9", "L0:8[*x2] L1:8[*x2] x0=L0 x1=L1"},
    {"ldp x0, x1, [x2], #16", "4004c1a8",
     "L0:8[*x2] L1:8[*x2] x0=L0 x1=L1 x2=*x2 base x2"},
    {"ldp w0, w1, [x2]", "40044029", "L0:4[*x2] L1:4[*x2] x0=L0 x1=L1"},
    {"stp x0, x1, [x2]", "400400a9", "S0:8[*x2]=x0 S1:8[*x2]=x1"},
    {"stp x29, x30, [sp, #-32]!", "fd7bbea9",
     "sp=*sp S0:8[*sp]=x29 S1:8[*sp]=x30 base sp"},
    {"ldp q0, q1, [x2]", "400440ad",
     "L0:16[*x2] L1:16[*x2] " V_0("L0") " v1.0=L1 v1.1=L1"},
    {"ldr d0, [x1]", "200040fd", "L0:8[*x1] v0.0=L0 v0.1="},
    {"ldr s0, [x1]", "200040bd", "L0:4[*x1] v0.0=L0 v0.1="},
    {"ldr q0, [x1], #16", "2004c13c", "L0:16[x1] x1=*x1 " V_0("L0") " base x1"},
    {"str d0, [x1], #8", "208400fc", "x1=*x1 S0:8[x1]=v0.0 base x1"},
    {"str q0, [x1]", "2000803d", "S0:16[*x1]=v0.0,v0.1"},
    {"str s0, [x1]", "200000bd", "S0:4[*x1]=v0.0"},
    {"fadd d0, d1, d2", "2028621e", "v0.0=*v1.0,v2.0,fpcr v0.1="},
    {"fadd s0, s1, s2", "2028221e", "v0.0=*v1.0,v2.0,fpcr v0.1="},
    {"fadd v0.2d, v1.2d, v2.2d", "20d4624e", V_0("*" V12 ",fpcr")},
    {"fmadd d0, d1, d2, d3", "200c421f", "v0.0=*v1.0,v2.0,v3.0,fpcr v0.1="},
    {"fmla v0.2d, v1.2d, v2.2d", "20cc624e", V_0("*v0.0,v0.1," V12 ",fpcr")},
    {"fmov d0, d1", "2040601e", "v0.0=v1.0 v0.1="},
    {"fmov d0, x1", "2000679e", "v0.0=x1 v0.1="},
    {"fmov x0, d1", "2000669e", "x0=v1.0"},
    {"mov v0.16b, v1.16b", "201ca14e", "v0.0=*v1.0,v1.1 v0.1=*v1.0,v1.1"},
    {"fcmp d0, d1", "0020611e", "flags=*v0.0,v1.0"},
    {"fcsel d0, d1, d2, ne", "201c621e", "v0.0=*flags,v1.0,v2.0 v0.1="},
    {"scvtf d0, x1", "2000629e", "v0.0=*x1,fpcr v0.1="},
    {"fcvtzs x0, d1", "2000789e", "x0=*v1.0"},
    {"sqrdmulh v0.4s, v1.4s, v2.4s", "20b4a26e", V_0("*" V12)},
    {"sqadd v0.4s, v1.4s, v2.4s", "200ca24e", V_0("*" V12)},
    {"mov v0.s[1], w1", "201c0c4e", "v0.0=*x1,v0.0"},
    {"ld1 {v0.2d}, [x1]", "207c404c", "L0:16[*x1] v0.0=L0 v0.1=L0"},
    {"ld1 {v0.2d, v1.2d}, [x1], #32", "20acdf4c",
     "L0:16[*x1] L1:16[*x1] x1=*x1 " V_0("L1") " v1.0=L0 v1.1=L0 base x1"},
    {"ld1 {v0.s}[1], [x1], #4", "2090df0d",
     "L0:4[*x1] x1=*x1 v0.0=*v0.0,L0 base x1"},
    {"ld1r {v0.2d}, [x1]", "20cc404d", "L0:8[*x1] v0.0=L0 v0.1=L0"},
    {"ld2 {v0.2d, v1.2d}, [x1]", "208c404c",
     "L0:16[*x1] L1:16[*x1] " V_0("*L0,L1") " v1.0=*L0,L1 v1.1=*L0,L1"},
    {"st1 {v0.2d, v1.2d}, [x1]", "20ac004c",
     "S0:16[*x1]=v1.0,v1.1 S1:16[*x1]=v0.0,v0.1"},
    {"ldxr x0, [x1]", "207c5fc8", "L0:8[x1] x0=L0"},
    {"stxr w2, x0, [x1]", "207c02c8", "x2=* S0:8[x1]=x0"},
    {"ldadd x0, x2, [x1]", "220020f8", "L0:8[x1] x2=L0 S0:8[x1]=*x0,L0"},
    {"cas x0, x2, [x1]", "227ca0c8", "L0:8[x1] x0=L0 S0:8[x1]=*x0,x2,L0"},
    {"swp x0, x2, [x1]", "228020f8", "L0:8[x1] x2=L0 S0:8[x1]=x0"},
    {"ldar x0, [x1]", "20fcdfc8", "L0:8[x1] x0=L0"},
    {"nop", "1f2003d5", ""},
    {"prfm pldl1keep, [x0]", "000080f9", ""},
    {"adrp x0, .", "00000090", "x0="},
    {"adr x0, .+8", "40000010", "x0="},
    {"faddp d0, v1.2d", "20d8707e", V_0("*v1.0,v1.1,fpcr")},
    {"dup v0.2d, x1", "200c084e", "v0.0=x1 v0.1=x1"},
    {"umov x0, v1.d[1]", "203c184e", "x0=v1.1"},
    {"ext v0.16b, v1.16b, v2.16b, #8", "2040026e", V_0("*" V12)},
    {"mrs x0, fpcr", "00443bd5", "x0=fpcr"},
    {"dmb ish", "bf3b03d5", ""},
};

static struct flow flow_of(const char *hex)
{
    uint8_t bytes[15];
    size_t n = from_hex(hex, bytes, sizeof bytes);
    struct flow flow;

    flow_of_insn(&flow, arch, bytes, (unsigned)n, ADDRESS);
    assert_int_equal(flow.length, n);
    return flow;
}

/* Compares the flow of n instructions with what is expected. */
static void check(const struct instruction *tests, size_t n)
{
    unsigned n_wrong = 0;

    for (size_t i = 0; i < n; i++) {
        const struct instruction *test = &tests[i];
        struct flow flow = flow_of(test->hex);

        assert_true(flow.is_known);
        if (strcmp(flow_text(&flow), test->expected) == 0)
            continue;
        printf("# %s: %s, not %s\n", test->text, flow_text(&flow),
               test->expected);
        n_wrong++;
    }
    assert_int_equal(n_wrong, 0);
}

TEST(values_flow_as_the_manuals_say)
{
    check(instructions, sizeof instructions / sizeof instructions[0]);
}

/* xrstor reads in memory what else it loads. */
TEST(no_load_waits_for_another_one_of_its_instruction)
{
    struct flow flow = flow_of("0fae6c2440");

    assert_int_equal(flow.n_loads, FLOW_MOST_LOADS);
    for (unsigned i = 0; i < flow.n_loads; i++)
        assert_int_equal(flow.loads[i].address.loads, 0);
}

TEST(values_of_aarch64_flow_as_the_manual_says)
{
    arch = ARCH_AARCH64;
    check(instructions_a64,
          sizeof instructions_a64 / sizeof instructions_a64[0]);
    arch = ARCH_X86_64;
}

/* inc and dec set all flags but the carry. */
TEST(inc_and_dec_pass_the_carry_on_at_no_cost)
{
    static const char *const hexes[] = {"48ffc0", "48ffc9"};

    for (size_t i = 0; i < 2; i++) {
        struct flow flow = flow_of(hexes[i]);
        unsigned n_free = 0;

        for (unsigned p = 0; p < flow.n_puts; p++) {
            bool reads_flags = false;

            for (unsigned w = AT(CC_OP); w <= AT(CC_NDEP); w++)
                reads_flags |= flow_sources_has(&flow.puts[p].value, w);
            assert_int_equal(reads_flags, flow.puts[p].is_free);
            n_free += flow.puts[p].is_free;
        }
        assert_int_equal(n_free, 1);
    }
}

TEST(an_instruction_unknown_to_vex_falls_through)
{
    /* vmovups %zmm0,64(%rdi); ud2 */
    static const char *const hexes[] = {"62f17c48114701", "0f0b"};

    for (size_t i = 0; i < 2; i++) {
        struct flow flow = flow_of(hexes[i]);

        assert_false(flow.is_known);
        assert_true(flow.falls_through);
        assert_int_equal(flow.leave, FLOW_GOES_ON);
        assert_int_equal(flow.n_puts + flow.n_loads + flow.n_stores, 0);
    }
}

TEST(an_instruction_with_too_many_loads_is_cut)
{
    /* vgatherdpd %ymm2,(%rdi,%xmm1,8),%ymm0 has four loads, vgatherdps
       %ymm2,(%rdi,%ymm1,4),%ymm0 eight */
    struct flow four = flow_of("c4e2ed9204cf"), eight = flow_of("c4e26d92048f");

    assert_int_equal(four.n_loads, 4);
    assert_false(four.is_cut);
    assert_int_equal(eight.n_loads, FLOW_MOST_LOADS);
    assert_true(eight.is_cut);
}

TEST(vzeroupper_writes_all_upper_parts)
{
    struct flow flow = flow_of("c5f877");

    assert_int_equal(flow.n_puts, 32);
    assert_false(flow.is_cut);
}
