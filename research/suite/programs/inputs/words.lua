-- The words by how often they occur, with their letters sorted.
-- SPDX-License-Identifier: GPL-2.0-or-later
local counts, names = {}, {}
for line in io.lines(arg[1]) do
    local number = 0
    for word in line:gmatch("%w+") do
        number = tonumber(word) or number
        if not counts[word] then
            names[#names + 1] = word
        end
        counts[word] = (counts[word] or 0) + number % 7
    end
end
table.sort(names, function(a, b)
    if counts[a] ~= counts[b] then
        return counts[a] > counts[b]
    end
    return a < b
end)
for _, name in ipairs(names) do
    local letters = { name:byte(1, -1) }
    table.sort(letters)
    print(string.format("%-14s %d %s", name, counts[name], string.char(table.unpack(letters))))
end
