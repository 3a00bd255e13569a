# Makes tables in Markdown, and the goals, of what bench/depsim measured.
#
# Input, a line each (times in seconds of CPU, memory in KiB):
#     machine WHAT: TEXT
#     size KERNEL N REPEATS
#     start|load KERNEL TOOL TIME MEMORY     without, with the repetitions
#     one|two KERNEL lackey TIME MEMORY      one repetition, two
#     program NAME TOOL TIME MEMORY          from its start to its end
#     true TOOL TIME MEMORY
#     touch WIDTH MIB TIME MEMORY
#     import TIME                            of a million dependencies
#
# SPDX-License-Identifier: GPL-2.0-or-later

# What the repetitions took: the median of what is left without the start-up.
function net(kernel, tool) {
    return median("net " kernel " " tool)
}

function most(a, b) {
    return a > b ? a : b
}

# The goals are for the kernels as they are compiled by default; vectors have their own.
function has_goal(kernel) {
    return kernel !~ /^avx2-/
}

# ratio: one cell of a column of ratios; it notes what the last row needs.
function ratio(column, value) {
    if (has_goal(k)) {
        sum_of_logs[column] += log(value)
        worst[column] = most(worst[column], value)
        n_ratios[column]++
    }
    return sprintf(value < 100 ? " %.2f |" : " %.0f |", value)
}

function mean(column) {
    return exp(sum_of_logs[column] / n_ratios[column])
}

function goal(what, is, limit, unit) {
    printf "| %s | %.2f%s | %.2f%s | %s |\n", what, limit, unit, is, unit,
        is <= limit ? "yes" : "**no**"
}

# A row; `k` is not local, since ratio() looks at it.
function print_time(    native) {
    native = net(k, "native")
    printf "| %s | %d | %d | %.3f |", k, size[k], repeats[k], native
    printf "%s", ratio("none", net(k, "none") / native)
    printf "%s", ratio("depsim", net(k, "depsim") / native)
    printf "%s", ratio("memcheck", net(k, "memcheck") / native)
    if (has_lackey)
        printf "%s", ratio("lackey", repeats[k] / native * \
            (median("two " k) - median("one " k)))
    printf "%s", ratio("to none", net(k, "depsim") / net(k, "none"))
    printf "%s\n", ratio("to memcheck", net(k, "depsim") / net(k, "memcheck"))
    if (native < least)
        too_short = too_short " " k
}

function print_means() {
    printf "| geometric mean | | | | %.2f | %.2f | %.2f |", mean("none"),
        mean("depsim"), mean("memcheck")
    if (has_lackey)
        printf " %.0f |", mean("lackey")
    printf " **%.2f** | **%.2f** |\n", mean("to none"), mean("to memcheck")
}

function print_times(    i) {
    print "\nTime: seconds natively, and the ratios of what the tools take"
    print ""
    print "| kernel | N | repeated | native | none / native |" \
        " depsim / native | memcheck / native |" \
        (has_lackey ? " lackey / native |" : "") \
        " depsim / none | depsim / memcheck |"
    print "|---|--:|--:|--:|--:|--:|--:|" (has_lackey ? "--:|" : "") "--:|--:|"
    for (i = 1; i <= n_kernels; i++)
        if (has_goal(k = kernel[i]))
            print_time()
    if (n_ratios["none"])
        print_means()
    for (i = 1; i <= n_kernels; i++)
        if (!has_goal(k = kernel[i]))
            print_time()
    if (too_short != "")
        printf "\nToo short to be exact (less than %s s natively):%s\n",
            least, too_short
}

# How often depsim takes a program's time with another tool, or --windows=512 that
# without; the last row needs the means.
function program_ratio(name, tool,    value) {
    value = median("program " name " depsim") / median("program " name " " tool)
    if (tool == "windows")
        value = 1 / value
    program_logs[tool] += log(value) / n_programs
    program_worst[tool] = most(program_worst[tool], value)
    return value
}

function print_programs(    i, p, native, depsim, memcheck) {
    print "\nPrograms of the system, from start to end: seconds natively, the" \
        " ratios, and peak memory in MiB"
    print ""
    print "| program | native | none / native | depsim / native |" \
        " memcheck / native | depsim / none | depsim / memcheck |" \
        " depsim, MiB | memcheck, MiB | with windows / without |"
    print "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    program_memory = -1e9
    for (i = 1; i <= n_programs; i++) {
        p = "program " program[i] " "
        native = median(p "native")
        depsim = median("memory " p "depsim") / 1024
        memcheck = median("memory " p "memcheck") / 1024
        program_memory = most(program_memory, depsim - 1.25 * memcheck)
        printf "| %s | %.3f | %.2f | %.2f | %.2f | %.2f | %.2f | %.0f | %.0f | %.2f |\n",
            program[i], native, median(p "none") / native,
            median(p "depsim") / native, median(p "memcheck") / native,
            program_ratio(program[i], "none"),
            program_ratio(program[i], "memcheck"), depsim, memcheck,
            program_ratio(program[i], "windows")
    }
    printf "| geometric mean | | | | | **%.2f** | **%.2f** | | | **%.2f** |\n",
        exp(program_logs["none"]), exp(program_logs["memcheck"]),
        exp(program_logs["windows"])
}

# The most that depsim has above memcheck on a kernel, in MiB.
function most_memory(    i, m, is) {
    is = -1e9
    for (i = 1; i <= n_kernels; i++) {
        m = "memory " kernel[i] " "
        is = most(is, (median(m "depsim") - median(m "memcheck")) / 1024)
    }
    return is
}

# Growth is the cost of one more MiB; it is constant if memory grows linearly.
function print_touched(    i, w, mib, has, growth, least_growth, most_growth) {
    print "\nMemory of depsim and a program that stores to all of some MiB"
    print ""
    print "| stores of | MiB stored to | peak MiB |" \
        " growth since the row above |"
    print "|--:|--:|--:|--:|"
    for (i = 1; i <= n_touched; i++) {
        w = width[i]
        mib = touched[i]
        has = median("touch " w " " mib) / 1024
        printf "| %d | %d | %.0f |", w, mib, has
        if (i > 1 && width[i - 1] == w) {
            growth = (has - before) / (mib - touched[i - 1])
            printf " %.2f |\n", growth
            if (!((w, "least") in step) || growth < step[w, "least"])
                step[w, "least"] = growth
            step[w, "most"] = most(step[w, "most"], growth)
            bend = most(bend, step[w, "most"] / step[w, "least"])
        } else
            print " |"
        before = has
    }
}

# The most that the import has of what a program takes with depsim.
function import_share(    i, p, share) {
    for (i = 1; i <= n_programs; i++) {
        p = program[i]
        share = most(share, median("pairs " p) / 1e6 * median("import") \
            / median("program " p " depsim"))
    }
    return share
}

function print_goals() {
    print "\n| goal | at most | is | met |"
    print "|---|--:|--:|---|"
    if (n_ratios["none"]) {
        goal("depsim / none, geometric mean", mean("to none"), 1.07)
        goal("depsim / none, worst kernel", worst["to none"], 2.4)
        goal("depsim / memcheck, geometric mean", mean("to memcheck"), 0.6)
        goal("depsim / memcheck, worst kernel", worst["to memcheck"], 1)
        if (n_samples["net avx2-jacobi-1d none"])
            goal("depsim / none, vectors of 32 bytes",
                net("avx2-jacobi-1d", "depsim") / net("avx2-jacobi-1d", "none"), 3)
    }
    if (n_programs) {
        goal("programs: depsim / none, geometric mean",
            exp(program_logs["none"]), 2.4)
        goal("programs: depsim / none, worst", program_worst["none"], 4)
        goal("programs: depsim / memcheck, geometric mean",
            exp(program_logs["memcheck"]), 1.1)
        goal("programs: depsim / memcheck, worst",
            program_worst["memcheck"], 1.5)
        goal("programs: peak memory above 1.25 times memcheck's, worst",
            program_memory, 64, " MiB")
        goal("programs: with --windows=512 / without, geometric mean",
            exp(program_logs["windows"]), 1.15)
        goal("programs: with --windows=512 / without, worst",
            program_worst["windows"], 1.15)
        if (n_samples["import"])
            goal("programs: import / depsim, worst", import_share(), 0.1)
    }
    if (!n_kernels)
        return
    goal("start and end on /bin/true, above none's",
        median("true depsim") - median("true none"), 0.1, " s")
    goal("peak memory above memcheck's, worst kernel", most_memory(), 64, " MiB")
    goal("memory is linear: steepest growth / least", bend, 1.05)
    if (n_samples["import"])
        goal("import of a million dependencies", median("import"), 5, " s")
}

$1 == "machine" {
    sub(/^machine /, "")
    machine = machine "- " $0 "\n"
}
$1 == "size" { kernel[++n_kernels] = $2; size[$2] = $3; repeats[$2] = $4 }
$1 == "start" { start = $4 }
$1 == "load" {
    keep("net " $2 " " $3, $4 - start)
    keep("memory " $2 " " $3, $5)
}
$1 == "one" || $1 == "two" { keep($1 " " $2, $4); has_lackey = 1 }
$1 == "program" {
    if (!n_samples["program " $2 " " $3] && $3 == "native")
        program[++n_programs] = $2
    keep("program " $2 " " $3, $4)
    keep("memory program " $2 " " $3, $5)
}
$1 == "pairs" { keep("pairs " $2, $3) }
$1 == "true" { keep("true " $2, $3) }
$1 == "touch" {
    width[++n_touched] = $2
    touched[n_touched] = $3
    keep("touch " $2 " " $3, $5)
}
$1 == "import" { keep("import", $2) }

END {
    if (!n_kernels && !n_programs) {
        print "report.awk: nothing was measured" >"/dev/stderr"
        exit 2
    }
    printf "%s", machine
    if (n_kernels)
        print_times()
    if (n_programs)
        print_programs()
    if (n_kernels)
        print_start_and_memory()
    print_goals()
}

function print_start_and_memory() {
    printf "\nStart and end on /bin/true: none %.3f s, depsim %.3f s\n",
        median("true none"), median("true depsim")
    print_touched()
    if (n_samples["import"])
        printf "\nImport of a million dependencies: %.2f s\n", median("import")
}
