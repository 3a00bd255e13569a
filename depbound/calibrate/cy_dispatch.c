/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "calibrate/cy_calibrate.h"

#include "output.h"

/* --- What fuses, and rounds --- */

#define LINE_JUMP 1.2 /* cycles: more than one cycle of dispatch */

/* Fused rounds take less than this share of unfused ones (40 of 48 places). */
#define FUSED_BELOW 0.92

double cy_fused_below(const struct cy_results *r)
{
    return FUSED_BELOW * cy_result_named(r, "dispatch");
}

/* The places of the two instructions that jump back to a loop's start. */
static unsigned n_jump(const struct cy_results *r)
{
    return cy_result_named(r, "fused_dec") < cy_fused_below(r) ? 1 : 2;
}

/* Copies the cycles of rounds with 1, 2 and more places, up to the first that
   could not be measured.  The shortest loop has two or three places; rounds
   of fewer take as long.  Returns the number of rounds. */
#define MOST_PLACES 32
static unsigned rounds_of(const struct cy_results *r,
                          double rounds[MOST_PLACES])
{
    unsigned n = 0, jump = n_jump(r);

    for (size_t i = 0; i < cy_n_cases; i++) {
        if (cy_cases[i].kind != CY_ROUND)
            continue;
        if (isnan(r->cases[i][CY_COPY].cycles))
            break;
        for (unsigned k = n == 0 ? jump : 1; k > 0; k--) {
            assert(n < MOST_PLACES);
            rounds[n++] = cy_rounded(r->cases[i][CY_COPY].cycles);
        }
    }
    return n;
}

/* The most places of a line of code (line_places of the machine file): those of
   the last round before rounds get longer by more than a cycle, if lines cause
   that: then a round of long instructions takes less.  0: none. */
static unsigned line_places(const struct cy_results *r, const double *rounds,
                            unsigned n)
{
    unsigned long_one = 16 + n_jump(r);

    assert(n <= MOST_PLACES);
    for (unsigned i = 1; i < n; i++)
        if (rounds[i] > rounds[i - 1] + LINE_JUMP)
            return long_one <= n && cy_result_named(r, "round_long") <
                                        rounds[long_one - 1] - LINE_JUMP / 2
                       ? i
                       : 0;
    return 0;
}

/* The most instructions of a line of code that are fetched in a cycle
   (line_most of the machine file), if each line takes a cycle: then the three
   lines of a case take three, and the two jumps alone two.  0: lines do not
   count, or even the longest is not too long. */
#define LINES_LEAST 2.5 /* cycles of the case, if lines count */
#define LINES_MOST  3.5 /* if also no line takes two */
#define LONGEST     16
static unsigned line_most(const struct cy_results *r)
{
    const struct cy_result(*lines)[CY_N_OPS] =
        &r->cases[cy_case_named("line_6")];
    unsigned n = 6;

    if (!(lines[0][CY_COPY].cycles > LINES_LEAST))
        return 0;
    while (n <= LONGEST && lines[n - 6][CY_COPY].cycles < LINES_MOST)
        n++;
    assert(n <= LONGEST + 1);
    return n > 6 && n <= LONGEST ? n - 1 : 0;
}

/* The number in a case's name after `prefix`; 0: it begins otherwise. */
static double number_in(size_t i, const char *prefix)
{
    size_t n = strlen(prefix);

    return strncmp(cy_cases[i].name, prefix, n) == 0
               ? atof(cy_cases[i].name + n)
               : 0;
}

/* The last number in the names of cases from `prefix`1 on that take no more
   than `most` cycles, as all before them; 0: none does, or one was not
   measured. */
static int last_within(const struct cy_results *r, const char *prefix,
                       double most)
{
    double last = 0;
    bool is_within = true;

    for (size_t i = 0; i < cy_n_cases; i++) {
        double number = number_in(i, prefix), cycles;

        if (number <= 0)
            continue;
        cycles = r->cases[i][CY_COPY].cycles;
        if (isnan(cycles))
            return 0;
        is_within &= cycles <= most;
        last = is_within ? number : last;
    }
    assert(last >= 0);
    return (int)last;
}

/* Writes what an entry of the cache of decoded instructions has room for:
   rounds of more take two cycles at least. */
#define ONE_ENTRY 1.75 /* cycles: longer rounds have two */
static void write_entries(FILE *out, const struct cy_results *r)
{
    int places = last_within(r, "entry_", ONE_ENTRY),
        numbers = last_within(r, "number_", ONE_ENTRY);

    /* The jump has a number, too.  Eight places were filled: in larger entries
       two numbers take one. */
    if (numbers > 0)
        numbers += 1 - 2 * (places - 8);
    if (places >= 8 && places < 12 && numbers > 0 && n_jump(r) == 1)
        fprintf(out, ", \"entry_places\": %d, \"entry_numbers\": %d", places,
                numbers);
}

#define DECODED_BY 1.06 /* times: code that is decoded takes as much longer */
#define CODE_BYTES (18 / 5.0) /* bytes of an instruction of code_KIB */

/* Writes the size of the cache of decoded instructions, and what is decoded in
   a cycle, if code takes longer from some size on, below that of the first
   cache of code, and all was measured. */
static void write_decoding(FILE *out, const struct cy_results *r)
{
    double least = cy_result_named(r, "code_6") / 6, kib = 0, largest = 0,
           last = cy_result_named(r, "code_28") - cy_result_named(r, "code_24"),
           longest =
               cy_result_named(r, "long_28") - cy_result_named(r, "long_22");
    bool has_room = true;

    for (size_t i = 0; i < cy_n_cases; i++) {
        double size = number_in(i, "code_");

        if (size <= 0)
            continue;
        if (isnan(r->cases[i][CY_COPY].cycles))
            return;
        has_room &= r->cases[i][CY_COPY].cycles < DECODED_BY * least * size;
        kib = has_room ? size : kib;
        largest = size;
    }
    if (kib > 0 && kib < largest - 8 && last > 0 && longest > 0)
        fprintf(out,
                ", \"decoded_kib\": %.0f, \"decode_width\": %.0f,"
                " \"decode_bytes\": %.0f",
                kib, round(4 * 1024 / CODE_BYTES / last),
                round(6 * 1024 / longest));
}

static void write_rounds(FILE *out, const struct cy_results *r)
{
    double rounds[MOST_PLACES];
    unsigned n = rounds_of(r, rounds), places = line_places(r, rounds, n);
    unsigned most = line_most(r);

    if (places > 0) {
        fprintf(out, ", \"line_places\": %u", places);
        cy_write_number(out, "line_cycles", rounds[places]);
        return;
    }
    if (most > 0) {
        fprintf(out, ", \"line_most\": %u", most);
        write_entries(out, r);
        return;
    }
    for (unsigned i = 0; i < n; i++) {
        fputs(i > 0 ? ", " : ", \"rounds\": [", out);
        json_number(out, rounds[i]);
    }
    fputs(n > 0 ? "]" : "", out);
}

/* --- Branches --- */

#define MISSED                                                         \
    8.0 /* cycles: less than a misprediction takes, and more than what \
           else differs */

/* Writes how many taken branches a predictor's history has.  Jumps by turns to
   two places, from which other jumps lead back that lie 68 bytes apart, are
   predicted unless too many further jumps follow.  If such jumps to four places
   are mispredicted where they lie 64 bytes apart, the history has bits 2 and 3
   of addresses alone. */
static void write_history(FILE *out, const struct cy_results *r)
{
    double alike = cy_result_named(r, "targets_alike"), before = NAN, last = 0;
    bool is_short = alike - cy_result_named(r, "targets_4") > MISSED,
         all = !isnan(alike);

    for (size_t i = cy_case_named("taken_0");
         all && strncmp(cy_cases[i].name, "taken_", 6) == 0; i++) {
        double n = number_in(i, "taken_"), cycles = r->cases[i][CY_COPY].cycles;

        if (isnan(cycles))
            return;
        all = !(cycles > before + 2 * (n - last) + MISSED);
        before = cycles;
        last = all ? n : last;
    }
    /* The jump before them and the one that ends the round are in it, too. */
    if (!isnan(alike) && !(is_short && all))
        fprintf(out, ",\n  \"%s_history\": %.0f", is_short ? "taken" : "path",
                last + 2);
}

#define ALIKE 0.25 /* cycles */

/* Writes what an indirect jump with several targets takes longer than one with
   a single target, to the first of them and to the others, if that explains
   two, three and four targets by turns, all of which are predicted. */
static void write_targets(FILE *out, const struct cy_results *r)
{
    double least = cy_result_named(r, "targets_1"), more[5];

    for (unsigned n = 2; n <= 4; n++) {
        char name[16];

        snprintf(name, sizeof name, "targets_%u", n);
        more[n] = cy_result_named(r, name) - least;
    }
    double other = 2 * more[4] - more[2];
    double first = 2 * more[2] - other;
    if (first >= -ALIKE && other >= first - ALIKE && other > ALIKE &&
        fabs((first + 2 * other) / 3 - more[3]) < ALIKE && other < MISSED)
        fprintf(out, ", \"first_target\": %.0f, \"other_target\": %.0f",
                fmax(0, round(first)), round(other));
}

#define RETURN_LOST 1.5 /* times: what each call takes then */

/* Writes how many calls the stack of returns has, if calls take longer from
   some depth on. */
static void write_returns(FILE *out, const struct cy_results *r)
{
    double least = cy_result_named(r, "returns_8") / 8, depth = 0;

    for (size_t i = 0; i < cy_n_cases; i++) {
        double n = number_in(i, "returns_"), cycles;

        if (n <= 0)
            continue;
        cycles = r->cases[i][CY_COPY].cycles;
        if (isnan(cycles) || isnan(least))
            return;
        if (cycles > RETURN_LOST * least * n) {
            if (depth > 0)
                fprintf(out, ",\n  \"return_stack\": %.0f", depth);
            return;
        }
        depth = n;
    }
}

#define KNOWN 0.1 /* times a misprediction, for each branch */

/* The longest of the cases from `shortest` on, rows of as many branches as
   their names say after a prefix, of which nearly all are predicted; 0: not
   known, as if all are. */
static double known_row(const struct cy_results *r, const char *prefix,
                        const char *shortest)
{
    size_t i = cy_case_named(shortest);
    double lost = cy_result_named(r, "mispredicted") -
                  cy_result_named(r, "predicted"); /* by half of them */
    double n = number_in(i, prefix), least = r->cases[i][CY_COPY].cycles / n;

    for (double longer; (longer = number_in(++i, prefix)) > 0; n = longer) {
        double more = r->cases[i][CY_COPY].cycles / longer - least;

        if (!(more <= 2 * KNOWN * lost))
            return more > 0 ? n : 0;
    }
    return 0;
}

/* Writes the sizes of the predictor's tables. */
static void write_tables(FILE *out, const struct cy_results *r)
{
    double branches = known_row(r, "row_", "row_512"),
           targets = known_row(r, "trow_", "trow_128");

    if (branches > 0)
        fprintf(out, ",\n  \"branch_counters\": %.0f", branches);
    /* What is known of a target takes entries of several tables. */
    if (targets > 0)
        fprintf(out, ",\n  \"target_entries\": %.0f", 2 * targets);
}

#define JUMPS 48.0 /* in the case crowd_6, besides the one back */

/* Writes what a taken branch costs in a line of code with many, if it is more
   than in one with three. */
static void write_crowd(FILE *out, const struct cy_results *r)
{
    double few = cy_result_named(r, "crowd_3") / (JUMPS / 2 + 1),
           many = cy_result_named(r, "crowd_6") / (JUMPS + 1);

    if (many > few + ALIKE && many > 1 + ALIKE)
        fprintf(out, ", \"line_branches\": 3, \"crowded_branch\": %.0f",
                round(many));
}

#define SPLIT 8.0 /* jumps in the case split_63 that lie in two lines */

/* Writes what a taken branch costs that lies in two lines of code, if it is
   more. */
static void write_split(FILE *out, const struct cy_results *r)
{
    double more =
        (cy_result_named(r, "split_63") - cy_result_named(r, "split_61")) /
        SPLIT;

    if (more > 2 * ALIKE)
        fprintf(out, ", \"split_branch\": %.0f", 1 + round(more));
}

#define TURN 4 /* rounds of which one is against the counter, in turn_3 */

/* Writes how much longer a branch takes that a counter of two bits does not
   foretell, if it does. */
static void write_overruled(FILE *out, const struct cy_results *r)
{
    double more =
        (cy_result_named(r, "turn_3") - cy_result_named(r, "turn_0")) * TURN;

    if (more > 2 * ALIKE)
        fprintf(out, ", \"overruled_branch\": %.2g", round(2 * more) / 2);
}

/* Writes how many taken branches are predicted at once, and what others cost:
   the longest row of jumps of which each takes less than the mean of the first
   row's and the last's. */
static void write_near(FILE *out, const struct cy_results *r)
{
    size_t i = cy_case_named("jumps_64");
    double least = r->cases[i][CY_COPY].cycles / 64,
           most = cy_result_named(r, "jumps_1024") / 1024, near = 0, n;

    while ((n = number_in(i, "jumps_")) > 0 &&
           r->cases[i++][CY_COPY].cycles / n < (least + most) / 2)
        near = n;
    if (near > 0 && most > 1 + ALIKE && most > least + ALIKE)
        fprintf(out, ", \"near_branches\": %.0f, \"far_branch\": %.1f", near,
                round(2 * most) / 2);
}

#define RETURNS 8.0 /* in the cases return_early and return_late */

/* Writes what a return takes longer whose call is hidden by a jump, besides the
   jump. */
static void write_late(FILE *out, const struct cy_results *r)
{
    double more = (cy_result_named(r, "return_late") -
                   cy_result_named(r, "return_early")) /
                      RETURNS -
                  1;

    if (more > 2 * ALIKE)
        fprintf(out, ", \"late_return\": %.0f", round(more));
}

/* --- Loads that fall apart --- */

/* Writes which loads and stores take no place of their own in the dispatch, as
   on Intel's processors: with an index, loads do, and begin in the first half
   of a cycle's places alone, so that seven places, of which the first falls
   apart, take 1.33 cycles, or else 1.17. */
#define APART 0.5 /* cycles, if eight loads take a place each: 1.33 */
#define EARLY 1.25
static void write_apart(FILE *out, const struct cy_results *r, double width)
{
    double base = cy_result_named(r, "apart_base");

    if (!(cy_result_named(r, "apart_index") > base + APART) ||
        !(base < cy_fused_below(r) / FUSED_BELOW + APART))
        return;
    fputs(", \"micro_fused\": true", out);
    if (cy_result_named(r, "apart_rip") > base + APART)
        fputs(", \"split_rip\": true", out);
    if (cy_result_named(r, "apart_one") > EARLY)
        fprintf(out, ", \"split_places\": %.0f", floor(width / 2));
}

/* --- All of it --- */

/* Cycles between those of the case `turns` if its shifts' two units also do
   half of its additions, 18, and those that its four units need, 12.25. */
#define IN_TURN 15.0

/* Cycles between those of the case `queues` if its additions delay its chain
   of 8 shifts, 10 and more, and if work takes its units in turn or by need, 8
   to 8.8. */
#define BY_QUEUE 9.4

void cy_dispatch_write(FILE *out, const struct cy_results *r)
{
    double width = NAN, jump = cy_result_named(r, "jumps");

    for (size_t i = 0; i < cy_n_cases; i++)
        if (cy_cases[i].kind == CY_WIDTH)
            width = fmax(width, 1 / cy_result_of(r, i, CY_COPY));
    if (isnan(width))
        return;
    fputs(",\n  \"dispatch\": {\"width\": ", out);
    json_number(out, cy_rounded(width));
    write_rounds(out, r);
    write_decoding(out, r);
    if (!isnan(jump))
        fprintf(out, ", \"branches\": %.0f", fmax(1, floor(1.1 / jump)));
    write_targets(out, r);
    write_crowd(out, r);
    write_split(out, r);
    write_overruled(out, r);
    if (!isnan(jump)) {
        write_near(out, r);
        write_late(out, r);
    }
    write_apart(out, r, width);
    fputc('}', out);
    write_history(out, r);
    write_returns(out, r);
    write_tables(out, r);
    if (cy_result_named(r, "queues") > BY_QUEUE)
        fputs(",\n  \"units_by_queue\": true", out);
    else if (cy_result_named(r, "turns") > IN_TURN)
        fputs(",\n  \"units_in_turn\": true", out);
}
