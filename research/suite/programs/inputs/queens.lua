-- The ways to place eight queens, by closures and objects; and a sieve.
-- SPDX-License-Identifier: GPL-2.0-or-later
local Board = {}
Board.__index = Board

function Board.new(n)
    return setmetatable({ n = n, columns = {}, count = 0 }, Board)
end

function Board:free(row, column)
    for r = 1, row - 1 do
        local c = self.columns[r]
        if c == column or math.abs(c - column) == row - r then
            return false
        end
    end
    return true
end

function Board:place(row, found)
    if row > self.n then
        self.count = self.count + 1
        found(table.concat(self.columns, " "))
        return
    end
    for column = 1, self.n do
        if self:free(row, column) then
            self.columns[row] = column
            self:place(row + 1, found)
            self.columns[row] = nil
        end
    end
end

local lines = {}
local board = Board.new(8)
board:place(1, function(line) lines[#lines + 1] = line end)
print(board.count, table.concat(lines, "; "))

local composite, sum = {}, 0.5
for i = 2, 60000 do
    if not composite[i] then
        sum = sum + math.sqrt(i)
        for j = i * i, 60000, i do
            composite[j] = true
        end
    end
end
print(string.format("%.6f", sum))
