# A source file in C, of functions with loops, switches, structures and strings.
#
#     awk -v functions=N -v kind=0|1 -f source.awk
#
# SPDX-License-Identifier: GPL-2.0-or-later
function walk(f) {
    print "int walk" f "(struct node *n, int key)\n{"
    print "    int depth = " f ";"
    print "    while (n) {"
    print "        if (n->key == key + " f % 7 ")"
    print "            return depth + strcmp(n->name, names[" f % 4 "]);"
    print "        n = n->key < key ? n->left : n->right;"
    print "        depth += " f % 3 + 1 ";\n    }"
    print "    return -depth;\n}"
}

function sum(f) {
    print "double sum" f "(double *restrict a, const double *b, int n)\n{"
    print "    double s = 0;"
    print "    for (int i = 0; i < n; i++) {"
    print "        a[i] = a[i] * " f ".5 + b[n - 1 - i];"
    print "        s += a[i] / (1 + b[i] * b[i]);\n    }"
    print "    return s > " f " ? s : sum" (f > 1 ? f - 1 : f) "(a + 1, b, n / 2);\n}"
}

function choose(f) {
    print "unsigned choose" f "(unsigned x, const unsigned char *p)\n{"
    print "    for (;; p++)\n        switch (*p) {"
    for (c = 1; c < 9; c++)
        print "        case " c * (f % 5 + 1) ": x = (x << " c ") ^ (x >> " \
            f % 11 + 1 ") ^ " c * f "u; break;"
    print "        case 0: return x;"
    print "        default: x += p[1] * " f "u;\n        }\n}"
}

BEGIN {
    print "int strcmp(const char *, const char *);"
    print "struct node { struct node *left, *right; int key; const char *name; };"
    print "static const char *const names[] = { \"a\", \"bc\", \"def\", \"ghij\" };"
    print "double sum1(double *restrict, const double *, int);"
    for (f = 1; f <= functions; f++) {
        if (kind != 1 || f % 3 == 0)
            walk(f)
        sum(f)
        if (kind == 1 || f % 3 == 0)
            choose(f)
    }
}
