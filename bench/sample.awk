# Makes tables of samples, for bench/sample.  Variables: file, that of the tool, and top,
# how many functions to name.  Input, a line each:
#     code FIRST SIZE                     where the tool's file has its code
#     from OBJECT NAME                    a symbol of an object file that the tool is made of
#     symbol ADDRESS TYPE NAME            one of the tool, in order of addresses
#     sample PROGRAM NANOSECONDS ADDRESS FILE
#     sample PROGRAM NANOSECONDS KERNEL   all of the program's CPU time, and the system's
#
# SPDX-License-Identifier: GPL-2.0-or-later

# What the functions of an object file are for: the first line that fits.
function part_of(object) {
    return object ~ /\/instrument\// ? "translation: instrumentation" : \
        object ~ /\/count\// ? "slow path" : \
        object ~ /\/window\// ? "windows" : \
        object ~ /ds_alone/ ? "dispatch and scheduler" : \
        object ~ /ds_memory/ ? "depsim: tables" : \
        object ~ /^[.]/ ? "depsim: objects, run, system calls" : \
        object ~ /dispatch|sched|m_transtab/ ? "dispatch and scheduler" : \
        object ~ /vex.*(_helpers|x87|simd|maddf)/ ? "helpers of VEX" : \
        object ~ /vex.*guest_/ ? "translation: decoding" : \
        object ~ /vex.*ir_/ ? "translation: optimising" : \
        object ~ /vex.*reg_alloc/ ? "translation: registers" : \
        object ~ /vex|m_translate/ ? "translation: code" : \
        object ~ /m_(malloc|libcbase|hash|oset|wordfm|xarray)|pool/ ? \
            "core: memory and tables" : \
        object ~ /sysc|sysw|signal|m_libc(file|proc)/ ? "core: system calls" : \
        "core: start, debug information"
}

# The symbol of an address in the tool's file, by bisection; 0: it has none.
function symbol_of(address,    least, most, middle) {
    most = n_symbols
    while (least < most) {
        middle = int((least + most + 1) / 2)
        if (first[middle] <= address)
            least = middle
        else
            most = middle - 1
    }
    return least
}

function add(program, what, time) {
    if (!(what in all))
        order[++n_whats] = what
    all[what] += time / total[program]
    taken[what, program] += time
}

# A row of shares of the programs' time.
function row(what, shown,    i) {
    printf "| %s |", shown
    for (i = 1; i <= n_programs; i++)
        printf " %.1f |", 100 * taken[what, program[i]] / total[program[i]]
    if (n_programs > 1)
        printf " %.1f |", 100 * all[what] / n_programs
    print ""
}

function head(what,    i) {
    printf "\n| %s |", what
    for (i = 1; i <= n_programs; i++)
        printf " %s |", program[i]
    print (n_programs > 1 ? " mean |" : "")
    printf "|%s", what ~ /[|]/ ? "---|---|" : "---|"
    for (i = 1; i <= n_programs + (n_programs > 1); i++)
        printf "--:|"
    print ""
}

# The rows whose names begin with a mark, those of most time first, at most n.
function rows(mark, n,    i, largest, what) {
    while (n-- > 0) {
        largest = ""
        for (i = 1; i <= n_whats; i++) {
            what = order[i]
            if (substr(what, 1, 1) == mark && !(what in shown) &&
                (largest == "" || all[what] > all[largest]))
                largest = what
        }
        if (largest == "")
            return
        shown[largest]
        row(largest, substr(largest, 2))
    }
}

# Adds a sample to its part, and to its function.  What is before the first translation
# is the start.
function place(program, time, address, path,    s, part) {
    if (path != file)
        add(program, path ~ /depsim-import$/ ? "=import" : "=other programs", time)
    else if (address < code || address >= code_end) {
        is_running[program]
        add(program, "=translated code", time)
    } else if (s = symbol_of(address)) {
        part = part_of(object_of[s])
        if (part ~ /^translation/)
            is_running[program]
        if (!(program in is_running))
            part = "start"
        add(program, "=" part, time)
        add(program, ":" name[s] " | " part, time)
    } else
        add(program, "=the tool, whose file has no symbols", time)
}

$1 == "code" { code = $2; code_end = $2 + $3 }
$1 == "from" { from[$NF, ++n_from[$NF]] = $2 }
# Static functions of two files may have one name: that of the file of the symbol before.
$1 == "symbol" && $3 ~ /[tTwW]/ {
    first[++n_symbols] = $2
    name[n_symbols] = $4
    object_of[n_symbols] = from[$4, 1]
    for (i = 1; i <= n_from[$4]; i++)
        if (from[$4, i] == object_of[n_symbols - 1])
            object_of[n_symbols] = object_of[n_symbols - 1]
}
$1 == "sample" && NF == 4 {
    if (!($2 in total))
        program[++n_programs] = $2
    total[$2] = $3
    kernel[$2] = $4
}
$1 == "sample" && NF > 4 { sample[++n_samples] = $0 }

END {
    for (i = 1; i <= n_samples; i++) {
        split(sample[i], field, " ")
        path = sample[i]
        sub(/^[^ ]* [^ ]* [^ ]* [^ ]* /, "", path)
        place(field[2], field[3], field[4], path)
        sampled[field[2]] += field[3]
    }
    for (i = 1; i <= n_programs; i++)
        add(program[i], "=the end of processes, in the kernel",
            total[program[i]] - sampled[program[i]])
    head("share of the time, %")
    rows("=", 99)
    printf "| *seconds* |"
    for (i = 1; i <= n_programs; i++)
        printf " %.2f |", total[program[i]] / 1e9
    print (n_programs > 1 ? " |" : "")
    printf "| *in the kernel, %%* |"
    for (i = 1; i <= n_programs; i++)
        printf " %.1f |", 100 * kernel[program[i]] / total[program[i]]
    print (n_programs > 1 ? " |" : "")
    if (top > 0)
        head("function | part")
    rows(":", top)
}
