// Running totals of a slice.
// SPDX-License-Identifier: GPL-2.0-or-later
#[inline(never)]
fn totals(a: &mut [f64]) {
    for i in 1..a.len() {
        a[i] += a[i - 1];
    }
}

fn main() {
    let mut a = vec![1.0; 2000];

    for _ in 0..20 {
        totals(&mut a);
    }
    println!("{:e}", a[a.len() - 1]);
}
