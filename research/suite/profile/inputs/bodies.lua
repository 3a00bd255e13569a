-- Five bodies that attract each other, by floating point numbers in tables.
-- SPDX-License-Identifier: GPL-2.0-or-later
local bodies = {}
for i = 1, 5 do
    bodies[i] = { x = i * 1.5, y = (i * 7 % 5) - 2, z = (i * 3 % 4) - 1.5,
        vx = 0.1 * (i % 3), vy = 0.2 - 0.05 * i, vz = 0.01 * i, mass = 1 / i }
end

local function attract(a, b, step)
    local dx, dy, dz = a.x - b.x, a.y - b.y, a.z - b.z
    local square = dx * dx + dy * dy + dz * dz + 0.01
    local force = step / (square * math.sqrt(square))
    a.vx = a.vx - dx * b.mass * force
    a.vy = a.vy - dy * b.mass * force
    a.vz = a.vz - dz * b.mass * force
    b.vx = b.vx + dx * a.mass * force
    b.vy = b.vy + dy * a.mass * force
    b.vz = b.vz + dz * a.mass * force
end

for _ = 1, 450000 do
    for i, a in ipairs(bodies) do
        for j = i + 1, #bodies do
            attract(a, bodies[j], 0.001)
        end
        a.x, a.y, a.z = a.x + a.vx * 0.001, a.y + a.vy * 0.001, a.z + a.vz * 0.001
    end
end
for _, a in ipairs(bodies) do
    print(string.format("%.9f %.9f %.9f", a.x, a.y, a.z))
end
