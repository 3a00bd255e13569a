// The shortest ways through a grid of random costs, by a heap of objects; names of places in a Map.
let seed = 1;
const random = n => (seed = (seed * 48271) % 2147483647) % n;
class Heap {
    constructor() { this.items = []; }
    push(item) {
        const a = this.items;
        let i = a.length;
        for (a.push(item); i > 0 && a[(i - 1) >> 1].cost > item.cost; i = (i - 1) >> 1)
            a[i] = a[(i - 1) >> 1];
        a[i] = item;
    }
    pop() {
        const a = this.items, first = a[0], last = a.pop();
        if (a.length === 0) return first;
        let i = 0, child;
        for (; (child = 2 * i + 1) < a.length; i = child) {
            if (child + 1 < a.length && a[child + 1].cost < a[child].cost) child++;
            if (a[child].cost >= last.cost) break;
            a[i] = a[child];
        }
        a[i] = last;
        return first;
    }
}
const size = 300, costs = Array.from({ length: size * size }, () => 1 + random(9));
let total = 0;
for (let from = 0; from < 5; from++) {
    const best = new Map(), heap = new Heap();
    heap.push({ at: from, cost: 0 });
    while (heap.items.length > 0) {
        const { at, cost } = heap.pop();
        if (best.has(at)) continue;
        best.set(at, cost);
        for (const step of [1, -1, size, -size]) {
            const next = at + step;
            if (next >= 0 && next < costs.length && !best.has(next))
                heap.push({ at: next, cost: cost + costs[next] });
        }
    }
    total += best.get(size * size - 1);
}
console.log(total);
