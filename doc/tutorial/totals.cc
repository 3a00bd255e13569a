// Running totals, through a class.
// SPDX-License-Identifier: GPL-2.0-or-later
#include <cstdio>
#include <vector>

struct account {
    double balance;
    void carry(const account &before) { balance += before.balance; }
};

__attribute__((noinline)) static void totals(std::vector<account> &a)
{
    for (std::size_t i = 1; i < a.size(); i++)
        a[i].carry(a[i - 1]);
}

int main()
{
    std::vector<account> a(2000, account{1});

    for (int i = 0; i < 20; i++)
        totals(a);
    std::printf("%g\n", a.back().balance);
}
