# What the program of accesses.c did, and what it should have done:
#
#     awk -f accesses.awk SYMBOLS CASES DEPENDENCIES
#
# SYMBOLS is of nm -t d; CASES are lines "case_KIND N, SIZE, LOADS, STORES, CODE # TEXT";
# DEPENDENCIES are lines "SRC DST OCCURRENCES SAME".  For each case that differs it
# prints "MNEMONIC: RIGHT, not SEEN: CODE".  What is loaded or stored reads
# "load 0-15", which bytes; "x2", how often; "in 2", in how many accesses, where the
# operand has at most 32 bytes.
# SPDX-License-Identifier: GPL-2.0-or-later
FILENAME == ARGV[1] {
    address[$3] = $1 + 0
    if ($3 ~ /^([cd][0-9]+|load_[0-9]+|whole|registers|first_(stored|loaded))$/)
        name[$1 + 0] = $3
    next
}
FILENAME == ARGV[2] {
    n = $2 + 0
    size[n] = $3 + 0
    loads[n] = $4 + 0
    stores[n] = $5 + 0
    text[n] = substr($0, index($0, "\"") + 1)
    next
}
{
    from = name[$1]
    to = name[$2]
    stored = ($1 - address["first_stored"]) / 7
    loaded = ($2 - address["first_loaded"]) / 6
    if (to ~ /^c/ && stored >= 0 && stored < 128)
        span("load", substr(to, 2), stored, $3)
    else if (from ~ /^c/ && loaded >= 0 && loaded < 128)
        span("store", substr(from, 2), loaded, 1)
    else if (to ~ /^d/ && $1 >= address["whole"] && $1 < address["registers"])
        accesses[substr(to, 2)] = $3
    else if (from ~ /^d/ && to ~ /^load/)
        stored_at_once[substr(from, 2)] = $4 > 0
}
# Notes that a byte was accessed, `times` times.
function span(what, n, byte, times) {
    if (!((what, n) in least) || byte < least[what, n]) least[what, n] = byte
    if (!((what, n) in most) || byte > most[what, n]) most[what, n] = byte
    if (times > often[what, n]) often[what, n] = times
    n_bytes[what, n]++
    sum[what, n] += times
}
function spanned(what, n,    all, result) {
    if (!((what, n) in least)) return ""
    all = most[what, n] - least[what, n] + 1
    result = what " " least[what, n] "-" most[what, n]
    if (sum[what, n] != all * often[what, n]) result = result " in part"
    return result (often[what, n] > 1 ? " x" often[what, n] : "")
}
function is_size_of_load(n) { return ("load_" n) in address }
function seen(n,    load, store) {
    load = spanned("load", n)
    if (load != "" && size[n] <= 32 && accesses[n] != 1)
        load = load " in " accesses[n] + 0
    store = spanned("store", n)
    if (store != "" && is_size_of_load(size[n]) && !stored_at_once[n])
        store = store " in several"
    return joined(load, store)
}
function right(n) {
    return joined(size[n] && loads[n] ? "load 0-" size[n] - 1 : "",
                  size[n] && stores[n] ? "store 0-" size[n] - 1 : "")
}
function joined(load, store) {
    return load == "" && store == "" ? "nothing" \
        : load (load != "" && store != "" ? ", " : "") store
}
END {
    for (n = 0; n in size; n++) {
        if (right(n) == seen(n)) continue
        mnemonic = text[n]
        sub(/^.*# /, "", mnemonic)
        sub(/ .*$/, "", mnemonic)
        print mnemonic ": " right(n) ", not " seen(n) ": " text[n]
    }
}
