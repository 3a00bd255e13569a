/* schedule: reads the words of a program. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "schedule.h"

#include <unistd.h>

#include "unit.h"

static struct cy_machine *machine_of(const char *keys)
{
    char path[] = "/tmp/machine.XXXXXX";
    FILE *out = fdopen(mkstemp(path), "w");
    struct cy_machine *machine;
    struct diag d;

    assert_non_null(out);
    unit_put_json(out, "{'name': 'm', 'source': 's', 'llvm_mca_cpu': 'c'");
    if (strstr(keys, "'dispatch'") == NULL)
        unit_put_json(out, ", 'dispatch': {'width': 1000}");
    if (strstr(keys, "'load'") == NULL)
        unit_put_json(out, ", 'load': [{'cycles': 4}]");
    if (strstr(keys, "'forward'") == NULL)
        unit_put_json(out, ", 'forward': [{'relation': ['several', 'partial'], "
                           "'how': 'failed', 'cycles': 13}, {'cycles': 5}]");
    unit_put_json(out, *keys != '\0' ? ", " : "");
    unit_put_json(out, keys);
    unit_put_json(out, "}");
    assert_int_equal(fclose(out), 0);
    machine = cy_machine_read(path, &d);
    unlink(path);
    assert_non_null(machine);
    return machine;
}

static unsigned word_of(char name)
{
    assert_true(name >= 'a' && name <= 'z');
    return (unsigned)(name - 'a') + 4;
}

static void add_word(struct flow_sources *from, char name)
{
    unsigned word = word_of(name);

    from->words[word / 64] |= UINT64_C(1) << word % 64;
}

/* Reads a place: @40.4+8. */
static unsigned take_place(struct schedule *s, size_t i, const char **at)
{
    char *end;
    unsigned size = 8;

    assert_int_equal(**at, '@');
    ++*at;
    if (**at == '-') {
        ++*at;
        s->places[i] = -1;
        return size;
    }
    s->places[i] = strtoll(*at, &end, 16);
    if (*end == '.')
        size = (unsigned)strtoul(end + 1, &end, 10);
    if (*end == '+' || *end == '-')
        s->steps[i] = strtoll(end, &end, 10);
    *at = end;
    return size;
}

static void take_load(struct schedule *s, size_t i, const char **at)
{
    struct flow *flow = &s->code[i].flow;
    struct flow_access load = {0};
    unsigned n = 1;
    char *end;

    ++*at;
    while (**at != '@')
        add_word(&load.address, *(*at)++);
    load.size = (uint8_t)take_place(s, i, at);
    if (**at == 'x') {
        n = (unsigned)strtoul(*at + 1, &end, 10);
        *at = end;
    }
    assert_in_range(n, 1, 2);
    for (unsigned k = 0; k < n; k++)
        s->accesses[i][k] = (struct cy_window_access){false, load.size};
    load.size = (uint8_t)(n * load.size);
    flow->loads[flow->n_loads++] = load;
    s->insns[i].n_accesses = (uint8_t)n;
    s->code_steps[i].operands.load.bits = load.size * 8u;
}

static void take_store(struct schedule *s, size_t i, char name, const char *at)
{
    struct flow *flow = &s->code[i].flow;
    struct flow_access store = {0};

    at++;
    while (*at != '@')
        add_word(&store.address, *at++);
    store.size = (uint8_t)take_place(s, i, &at);
    add_word(&store.data, name);
    flow->stores[flow->n_stores++] = store;
    s->accesses[i][0] = (struct cy_window_access){true, store.size};
    s->code_steps[i].operands.insn.stores = true;
    s->insns[i].n_accesses = 1;
    s->code_steps[i].operands.store.bits = store.size * 8u;
}

static void take_put(struct schedule *s, size_t i, const char *at)
{
    struct flow *flow = &s->code[i].flow;
    struct flow_put put = {.word = (uint8_t)word_of(*at++)};
    char *end;

    if (*at == '~') {
        add_word(&put.value, at[1]);
        at += 2;
        s->mca[i].latency = 0;
        snprintf(s->code[i].name, sizeof s->code[i].name, "mov");
        snprintf(s->code_steps[i].operands.form, 3, "rr");
    } else if (*at == '=') {
        s->mca[i].latency = strtod(at + 1, &end);
        put.value.is_computed = true;
        assert_int_equal(*end, ':');
        for (at = end + 1; *at >= 'a' && *at <= 'z'; at++)
            add_word(&put.value, *at);
    }
    if (*at == '<') {
        take_load(s, i, &at);
        put.value.loads = 1;
    }
    if (*at == '#') {
        struct cy_mca_use use = {strtoull(at + 1, &end, 16), 1, false};

        if (*end == 'x')
            use.cycles = strtod(end + 1, &end);
        s->uses[i].uses[s->uses[i].n++] = use;
        at = end;
    }
    assert_int_equal(*at, '\0');
    flow->puts[flow->n_puts++] = put;
}

/* Reads an instruction that waits for the next word, and leaves it as it is. */
static void take_merge(struct schedule *s, size_t i, const char *at)
{
    struct flow *flow = &s->code[i].flow;

    snprintf(s->code[i].name, sizeof s->code[i].name, "sqrtsd");
    take_put(s, i, at);
    add_word(&flow->puts[0].value, (char)(at[0] + 1));
    flow->puts[flow->n_puts] = flow->puts[0];
    flow->puts[flow->n_puts++].word++;
}

static size_t take_insn(struct schedule *s, const char *word)
{
    size_t i = s->n_insns++;
    struct cy_code_insn *code = &s->code[i];
    struct cy_simulated_insn *insn = &s->insns[i];
    struct cy_step *step = &s->code_steps[i];

    assert_true(i < SCHEDULE_INSNS);
    snprintf(code->name, sizeof code->name, "op");
    code->address = 4 * i;
    code->length = 4;
    code->bytes[0] = 0x90;
    code->flow = (struct flow){.is_known = true,
                               .length = 4,
                               .falls_through = true,
                               .taken = FLOW_NOWHERE};
    s->mca[i] = (struct cy_mca_insn){.is_known = true, .uops = 1, .latency = 1};
    insn->address = code->address;
    insn->length = 4;
    insn->accesses = s->accesses[i];
    insn->step = step;
    *step = (struct cy_step){.insn = code, .mca = &s->mca[i]};
    step->operands.insn =
        (struct cy_insn){.mnemonic = code->name, .form = "rr", .bits = 64};
    if (word[0] == '%') {
        step->operands.insn.bits = 128;
        word++;
    }
    if (word[0] == '&') {
        step->operands.load.addressing = CY_INDEX;
        word++;
    }
    if (word[0] == '!') {
        step->operands.is_locked = true;
        step->operands.insn.locked = true;
        word++;
    }
    if (strlen(word) == 6 && strcmp(word + 1, "fence") == 0) {
        snprintf(code->name, sizeof code->name, "%s", word);
        step->operands.is_fence = true;
    } else if (word[0] == '+') {
        const char sum[] = {word[1], '=', '1', ':', word[1], '\0'};

        snprintf(code->name, sizeof code->name, "add");
        step->operands.insn.form = "ir";
        snprintf(step->operands.form, sizeof step->operands.form, "ir");
        take_put(s, i, sum);
    } else if (word[0] == '?') {
        code->flow.taken = 0;
        add_word(&code->flow.way, word[1]);
        s->missed[i] = word[2] == '!';
    } else if (word[0] == '^') {
        take_merge(s, i, word + 1);
    } else if (strcmp(word, "/") == 0) {
        code->bytes[0] = 0xeb;
        code->flow.falls_through = false;
        code->flow.taken = 0;
    } else if (strcmp(word, "sys") == 0) {
        memcpy(code->bytes, "\x0f\x05", 2);
    } else if (strcmp(word, "huh") == 0) {
        code->flow.is_known = false;
        s->mca[i].is_known = false;
    } else if (word[1] == '>') {
        take_store(s, i, word[0], word + 1);
    } else if (strcmp(word, "nop") != 0) {
        take_put(s, i, word);
    }
    if (cy_machine_facts(s->machine)->dispatch.micro_fused)
        s->mca[i].uops =
            (uint16_t)(1 + (code->flow.n_stores > 0) +
                       (code->flow.n_loads > 0 && strchr(word, '=') != NULL));
    return i;
}

static void execute(struct schedule *s, size_t i)
{
    struct cy_recorded *w = &s->window;
    int64_t at = s->places[i] + s->steps[i] * (int64_t)s->runs[i]++;

    assert_true(w->n < SCHEDULE_MOST);
    if (w->n > 0)
        assert_true(s->executed[w->n].first_access < 2 * SCHEDULE_MOST);
    s->executed[w->n].insn = (uint32_t)i;
    s->turns[w->n].is_missed = s->missed[i];
    s->executed[w->n + 1].first_access = s->executed[w->n].first_access;
    for (unsigned k = 0; k < s->insns[i].n_accesses; k++)
        s->addresses[s->executed[w->n + 1].first_access++] =
            s->places[i] < 0 ? CY_NOT_DONE
                             : (uint64_t)at + k * s->accesses[i][0].size;
    w->n++;
}

/* Reads words up to the end of the program or of a loop. */
static void take(struct schedule *s, char **rest)
{
    char *word;

    while ((word = strsep(rest, " ")) != NULL && word[0] != ']') {
        unsigned long times = 1;

        if (word[0] == '\0')
            continue;
        if (word[0] == '[') {
            size_t first = s->n_insns, last;

            take(s, rest);
            last = s->n_insns;
            times = strtoul(*rest, rest, 10);
            for (unsigned long t = 1; t < times; t++)
                for (size_t i = first; i < last; i++)
                    execute(s, i);
            continue;
        }
        if (strchr(word, '*') != NULL) {
            times = strtoul(word, &word, 10);
            word++;
        }
        for (; times > 0; times--)
            execute(s, take_insn(s, word));
    }
}

/* The program with blanks around its brackets. */
static char *spaced(const char *program)
{
    char *copy = memory_new(3 * strlen(program) + 1, 1), *to = copy;

    for (; *program != '\0'; program++) {
        bool is_bracket = *program == '[' || *program == ']';

        if (is_bracket)
            *to++ = ' ';
        *to++ = *program;
        if (is_bracket)
            *to++ = ' ';
    }
    return copy;
}

struct schedule *schedule_run(const char *keys, const char *program,
                              const struct cy_fix *fix)
{
    static const struct cy_fix none = {.kind = CY_FIX_NONE};
    struct schedule *s = memory_new(1, sizeof *s);
    char *copy = spaced(program), *rest = copy;

    s->machine = machine_of(keys);
    s->model =
        (struct cy_model){.machine = s->machine, .loads = {4, 4, 4, 4, 4}};
    s->window.weight = 1;
    s->window.executed = s->executed;
    s->window.addresses = s->addresses;
    while (rest != NULL)
        take(s, &rest);
    free(copy);
    cy_recipes_init(&s->recipes, s->insns, s->uses, s->n_insns, &s->model);
    s->pipeline = cy_pipeline_new(&s->recipes, &s->model);
    cy_outcome_init(&s->outcome, s->n_insns, 1);
    for (size_t i = 0; i < s->window.n; i++) {
        bool is_missed = s->turns[i].is_missed;

        s->turns[i] = cy_turn_of(&s->recipes, &s->window, i);
        s->turns[i].is_missed = is_missed;
    }
    cy_simulate_window(s->pipeline, &s->window, s->turns,
                       fix != NULL ? fix : &none, NULL, &s->outcome);
    cy_outcome_conclude(&s->outcome);
    return s;
}

void schedule_free(struct schedule *s)
{
    cy_outcome_fini(&s->outcome);
    cy_pipeline_free(s->pipeline);
    cy_recipes_fini(&s->recipes);
    cy_machine_free(s->machine);
    free(s);
}

double schedule_time(const struct schedule *s, char name)
{
    return s->pipeline->words[word_of(name)].at.time;
}

double schedule_end(const struct schedule *s)
{
    return s->pipeline->retired.time;
}
