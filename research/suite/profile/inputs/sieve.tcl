# Counts primes.  SPDX-License-Identifier: GPL-2.0-or-later
proc primes {n} {
    set count 0
    set marks [lrepeat [expr {$n + 1}] 0]
    for {set i 2} {$i <= $n} {incr i} {
        if {[lindex $marks $i]} continue
        incr count
        for {set j [expr {2 * $i}]} {$j <= $n} {incr j $i} { lset marks $j 1 }
    }
    return $count
}
puts [primes 1500000]
