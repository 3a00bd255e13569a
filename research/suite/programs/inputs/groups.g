# Groups of permutations: orders, classes, a subgroup and its cosets.
# SPDX-License-Identifier: GPL-2.0-or-later
g := Group((1,2,3,4,5,6,7,8,9,10,11), (3,7,11,8)(4,10,5,6));;
Print(Size(g), " ", IsSimple(g), "\n");
Print(SortedList(List(ConjugacyClasses(g), Size)), "\n");
s := SylowSubgroup(g, 2);;
Print(Size(s), " ", Index(g, Normalizer(g, s)), " ", Length(RightCosets(s, Center(s))),
    "\n");
Print(List(DerivedSeries(SymmetricGroup(5)), Size), "\n");
QUIT;
