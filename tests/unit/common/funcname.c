/* Unit tests of funcname and funcfind: by which names a user may ask for a
   function. */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include <cmocka.h>

#include "demangle.h"
#include "funcname.h"

/* Checks the forms of a name from FUNCNAME_NO_CLONE on. */
TEST(a_name_has_shorter_forms)
{
    static const struct {
        const char *name, *forms[FUNCNAME_FORMS - 1];
        bool was_mangled;
    } cases[] = {
        {"void ns::f<int>(int) [clone .constprop.0]",
         {"void ns::f<int>(int)", "ns::f<int>(int)", "ns::f<int>", "ns::f"},
         true},
        {"f(int) const::{lambda(std::vector<int>)#1}::operator()(int) const",
         {"f(int) const::{lambda(std::vector<int>)#1}::operator()(int) const",
          "f(int) const::{lambda(std::vector<int>)#1}::operator()(int) const",
          "f::{lambda(std::vector<int>)#1}::operator()",
          "f::{lambda(std::vector<int>)#1}::operator()"},
         true},
        {"(anonymous namespace)::g(std::map<int, A>)",
         {"(anonymous namespace)::g(std::map<int, A>)",
          "(anonymous namespace)::g(std::map<int, A>)",
          "(anonymous namespace)::g", "(anonymous namespace)::g"},
         true},
        {"void (*pick<int>(int))(double)",
         {"void (*pick<int>(int))(double)", "pick<int>(int))(double)",
          "pick<int>", "pick"},
         true},
        {"std::enable_if<(1>2), int>::type q<int>(A const&)",
         {"std::enable_if<(1>2), int>::type q<int>(A const&)",
          "q<int>(A const&)", "q<int>", "q"},
         true},
        {"decltype ((x)+(y)) add<int>(int)",
         {"decltype ((x)+(y)) add<int>(int)", "add<int>(int)", "add<int>",
          "add"},
         true},
        {"bool operator< <int>(A<int> const&)",
         {"bool operator< <int>(A<int> const&)",
          "operator< <int>(A<int> const&)", "operator< <int>", "operator<"},
         true},
        {"A::operator unsigned long() const",
         {"A::operator unsigned long() const",
          "A::operator unsigned long() const", "A::operator unsigned long",
          "A::operator unsigned long"},
         true},
        {"A<&(B::operator<(C))>::operator->()",
         {"A<&(B::operator<(C))>::operator->()",
          "A<&(B::operator<(C))>::operator->()",
          "A<&(B::operator<(C))>::operator->", "A::operator->"},
         true},
        {"name[abi:cxx11](int)",
         {"name[abi:cxx11](int)", "name[abi:cxx11](int)", "name", "name"},
         true},
        {"<bench::Peak as bench::Stage>::step::h0123456789abcdef",
         {"<bench::Peak as bench::Stage>::step",
          "<bench::Peak as bench::Stage>::step",
          "<bench::Peak as bench::Stage>::step",
          "<bench::Peak as bench::Stage>::step"},
         true},
        {"core::drop::<alloc::String>",
         {"core::drop::<alloc::String>", "core::drop::<alloc::String>",
          "core::drop::<alloc::String>", "core::drop"},
         true},
        {"kern.part.0.cold", {"kern", "kern", "kern", "kern"}, false},
        {"kern.arch_x86_64_v3@@V1", {"kern", "kern", "kern", "kern"}, false},
        {"main.(*node).ins",
         {"main.(*node).ins", "main.(*node).ins", "main.(*node).ins",
          "main.(*node).ins"},
         false},
        {"main.Sum[go.shape.int]",
         {"main.Sum[go.shape.int]", "main.Sum[go.shape.int]",
          "main.Sum[go.shape.int]", "main.Sum"},
         false},
        {"f(", {"f(", "f(", "f", "f"}, true},
        {"", {"", "", "", ""}, true},
    };
    char name[200];

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        strcpy(name, cases[i].name);
        for (int form = FUNCNAME_NO_CLONE; form < FUNCNAME_FORMS; form++) {
            funcname_reduce(name, form, cases[i].was_mangled);
            assert_string_equal(name, cases[i].forms[form - 1]);
        }
    }
}

TEST(fortran_has_modules)
{
    char add[] = "__statistics_MOD_add", none[] = "__statistics_MOD_";

    assert_true(funcname_fortran(add));
    assert_string_equal(add, "statistics::add");
    assert_false(funcname_fortran(none));
}

static const char *const symbols[] = {
    "_ZN6solver4stepEi",       /* solver::step(int) */
    "_ZN6solver4stepEd.cold",  /* solver::step(double) [clone .cold] */
    "_ZN6filter4stepEv",       /* filter::step() */
    "kernel_gemm",             /* */
    "kernel_gemm.constprop.0", /* */
    NULL,
    "_RNvCs4fqI2P2rA04_5bench3run", /* bench::run */
    "__statistics_MOD_add",
};
#define N (sizeof symbols / sizeof symbols[0])

/* Writes the numbers of the functions that are meant, or what is wrong. */
static void find(const char *asked, char *found, size_t size)
{
    struct funcfind f = {.asked = asked};
    bool is_meant[N] = {false};
    struct diag d;
    size_t n = 0;

    funcfind_among(&f, symbols, N, is_meant);
    found[0] = '\0';
    if (funcfind_check(&f, "--function", &d) != 0)
        snprintf(found, size, "%s", d.text);
    else
        for (size_t i = 0; i < N; i++)
            if (is_meant[i])
                found[n++] = (char)('0' + i), found[n] = '\0';
    funcfind_fini(&f);
}

TEST(a_name_means_all_functions_that_have_it)
{
    static const struct {
        const char *asked, *found;
    } cases[] = {
        {"_ZN6solver4stepEi", "0"},
        {"solver::step(int)", "0"},
        {"solver::step", "01"},
        {"solver::step(double) [clone .cold]", "1"},
        {"kernel_gemm", "34"},
        {"kernel_gemm.constprop.0", "4"},
        {"bench::run", "6"},
        {"run", "6"},   /* the end of one name */
        {"gemm", "34"}, /* a part of one name, and of its clone's */
        {"olver", "01"},
        {"statistics::add", "7"},
        {"step", "--function=step: part of several names: solver::step, "
                 "filter::step"},
        {"solver:stop", "--function=solver:stop: there is no such function; "
                        "the nearest is solver::step"},
        {"kernel_gem\033", "--function=kernel_gem?: there is no such function; "
                           "the nearest is kernel_gemm"},
    };
    char found[1024];

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        find(cases[i].asked, found, sizeof found);
        assert_string_equal(found, cases[i].found);
    }
}

TEST(a_whole_name_in_one_file_rules_out_parts_of_others)
{
    static const char *const first[] = {"run_all"}, *const second[] = {"run"};
    struct funcfind f = {.asked = "run"};
    bool is_meant = false;
    struct diag d;

    funcfind_among(&f, second, 1, &is_meant);
    assert_true(is_meant);
    is_meant = false;
    funcfind_among(&f, first, 1, &is_meant);
    assert_false(is_meant);
    assert_int_equal(funcfind_check(&f, "--function", &d), 0);
    funcfind_fini(&f);

    /* The first file matched a part of a name, the later one the whole. */
    f = (struct funcfind){.asked = "run"};
    funcfind_among(&f, first, 1, &is_meant);
    assert_true(is_meant);
    funcfind_among(&f, second, 1, &is_meant);
    assert_int_equal(funcfind_check(&f, "--function", &d), -1);
    assert_string_equal(d.text,
                        "--function=run: part of several names: run_all, run");
    funcfind_fini(&f);
}

TEST(names_that_the_c_library_keeps_for_itself_are_no_other_names)
{
    char *name = demangle_names("malloc", "__libc_malloc,__malloc,allocate");

    assert_string_equal(name, "malloc (also allocate)");
    free(name);
}

AFTER_ALL()
{
    demangle_fini();
}
