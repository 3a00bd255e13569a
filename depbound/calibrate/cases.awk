# The cases of the calibration -> C: LOOP(name, setup, body, end) for each loop,
# then the rows of a table of struct cy_case.  cases.txt describes its lines.
# SPDX-License-Identifier: GPL-2.0-or-later

function replaced(text, what, with,    at, done) {
    while ((at = index(text, what)) > 0) {
        done = done substr(text, 1, at - 1) with
        text = substr(text, at + length(what))
    }
    return done text
}

function quoted(text) {
    gsub(/[\\"]/, "\\\\&", text)
    return "\"" text "\""
}

function or_null(text) {
    return text ~ /^-?$/ ? "NULL" : quoted(text)
}

# An attribute -> a member of a JSON object; `list`: what would be in its array.
function member(key, value,    n, i, items, text) {
    n = split(value, items, ",")
    for (i = 1; i <= n; i++) {
        text = text (i > 1 ? ", " : "")
        if (items[i] ~ /^([0-9]+|true|false)$/)
            text = text items[i]
        else if (items[i] ~ /^[0-9]+[+]$/)
            text = text "{\"from\": " substr(items[i], 1, length(items[i]) - 1) "}"
        else if (sub(/^\[v\]/, "", items[i]))
            text = text "\"" items[i] "\", \"v" items[i] "\""
        else
            text = text "\"" items[i] "\""
    }
    if (key == "list")
        return text
    return "\"" key "\": " (text ~ /, / ? "[" text "]" : text)
}

# Writes a loop.  Returns its name in C.
function loop(code,    part, i) {
    if (split(code, part, / *[|] */) == 1) {
        part[2] = part[1]
        part[1] = ""
    }
    if (part[2] == "") {
        print "cases.awk: a loop without a body: " code >"/dev/stderr"
        exit 1
    }
    if (part[2] ~ /%[yz]mm/)
        part[3] = part[3] "; vzeroupper"
    printf "LOOP(loop_%d", ++n_loops
    for (i = 1; i <= 3; i++) {
        gsub(/%/, "%%", part[i])
        printf ",\n     %s", quoted(replaced(part[i], "%%[", "%["))
    }
    print ")"
    return "loop_" n_loops
}

# Writes the loops of a case, and keeps its row.  The line of its group has the
# code `frame`.
function add_case(name, words, frame, code,    n, i, at, word, key, order, of,
                  keys, minus, middle, loops, minuses) {
    n = split(replaced(words, "@", name), word)
    for (i = 1; i <= n; i++) {
        at = index(word[i], "=")
        key = substr(word[i], 1, at - 1)
        if (!(key in of))
            order[i] = key
        of[key] = substr(word[i], at + 1)
    }
    for (i = 1; i <= n; i++)
        if ((i in order) && of[order[i]] != "" &&
            order[i] !~ /^(name|links|minus|flag|whole)$/ &&
            (order[i] != "class" || kind != "forward"))
            keys = keys (keys == "" ? "" : ", ") member(order[i], of[order[i]])
    split(of["minus"], minus, ",")
    if (kind != "forward") {
        code = replaced(frame, "...", code)
        frame = ""
    }
    n = split(frame " ", middle, / *[|] */)
    for (i = 1; i <= n; i++) {
        loops = loops (i > 1 ? ", " : "") (middle[i] ~ /^- *$/ ? "NULL" : \
            loop(replaced(replaced(code, "...", middle[i]), "@", name)))
        minuses = minuses (i > 1 ? ", " : "") or_null(minus[i])
    }
    rows = rows sprintf("    {%s, CY_%s, %s, %s, %s, %s, %s, {%s}, {%s}},\n",
        quoted("name" in of ? of["name"] : name), toupper(kind),
        or_null(kind == "forward" ? of["class"] : ""), quoted(keys), or_null(of["flag"]),
        "links" in of ? of["links"] : 1, "whole" in of ? "true" : "false",
        minuses, loops)
}

/^ *(#|$)/ { next }
{
    while (sub(/\\$/, "") && (getline more) > 0) {
        sub(/^ +/, "", more)
        $0 = $0 more
    }
    for (mark in texts)
        $0 = replaced($0, mark, texts[mark])
}
/^[{]/ {
    texts[$1] = substr($0, length($1) + 4)
    next
}
{
    at = index($0 " ", " : ")
    code = at ? substr($0, at + 3) : ""
    n_words = split(at ? substr($0, 1, at) : $0, words)
    attributes = ""
    n_names = 0
    for (i = 1; i <= n_words; i++)
        if (words[i] ~ /=/)
            attributes = attributes " " words[i]
        else
            names[++n_names] = words[i]
    i = 1
    if (/^[a-z]/) {
        kind = names[i++]
        group = attributes
        attributes = ""
        frame = n_names == 1 ? code : "..."
    }
    for (; i <= n_names; i++)
        add_case(names[i], group attributes, frame, code)
}
END { printf "const struct cy_case cy_cases[] = {\n%s};\n", rows }
