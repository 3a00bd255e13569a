/*
 * What tests/depbound/page.sh asks a page in a browser: this is added to the page,
 * after tests/probe.js.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
all('details').forEach(d => d.open = true);
const is_shown = e => e.getClientRects().length > 0;

ask('width', () => innerWidth);

/* Does all that is shown lie within the window, and within its own box? */
ask('not-clipped', () => {
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth) return root.scrollWidth + ' wide';
  for (const e of all('p,h1,h2,dd,dt,td,th,code,svg').filter(is_shown)) {
    if (box(e).right > innerWidth || box(e).left < 0)
      return e.outerHTML + ' from ' + box(e).left + ' to ' + box(e).right;
    if (e.tagName === 'TD' && e.scrollWidth > e.clientWidth + 1)
      return e.outerHTML + ' needs ' + e.scrollWidth;
  }
});

/* Does each value have its heading over it?  In a narrow window a table has three columns
   at most. */
ask('headings', () => {
  if (all('.scroll td').length === 0) return 'no table';
  for (const table of all('.scroll table')) {
    const heads = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
    const shown = heads.filter(is_shown);
    if (shown.length === 0 || (innerWidth <= 560 && shown.length > 3))
      return table.outerHTML;
    for (const row of table.tBodies[0].rows)
      for (const cell of row.cells)
        if (is_shown(cell) !== is_shown(heads[cell.cellIndex]))
          return row.outerHTML;
  }
});

ask('limit-first', () => {
  const first = document.querySelector('h1').nextElementSibling;
  if (first.className !== 'limit') return 'not after the title';
  return box(first).bottom < 300 ? '' : 'ends at ' + box(first).bottom;
});

/* A row is as high as its lines, which arcs count on. */
ask('rows-fit', () => {
  if (all('.code tr').length === 0) return 'no row';
  for (const row of all('.code tr')) {
    const height = box(row).height;
    if (height % 20 !== 0 || height === 0) return row.outerHTML + ' ' + height;
  }
  for (const svg of all('.arcs svg').filter(is_shown)) {
    const height = box(svg.closest('tbody')).height;
    if (height !== box(svg).height)
      return box(svg).height + ' of ' + height + ' drawn';
  }
});

/* Has a row as many lines as its text? */
ask('rows-full', () => {
  for (const cell of all('.code td:last-child')) {
    const text = document.createRange();
    text.selectNodeContents(cell);
    const n = new Set([...text.getClientRects()].map(r => Math.round(r.top))).size;
    if (box(cell).height !== 20 * n) return cell.outerHTML + ' ' + n;
  }
});

/* A window of any width has room for words of the source. */
ask('source-wide', () => {
  if (all('.lines td:last-child').length === 0) return 'no lines';
  for (const cell of all('.lines td:last-child'))
    if (box(cell).width < 300) return cell.outerHTML + ' ' + box(cell).width;
});

/* Each arc leads from an instruction that has memory to another one. */
function row_at(svg, y) {
  return all('tr', svg.closest('table'))
      .find(r => box(r).top < y && y < box(r).top + 20);
}
ask('arcs-meet', () => {
  const drawings = all('.arcs svg').filter(is_shown);
  if (all('path', document.querySelector('.code')).length === 0)
    return 'no arc';
  for (const svg of drawings) {
    for (const arc of all('path', svg)) {
      const ends = [0, arc.getTotalLength()].map(
          n => arc.getPointAtLength(n).matrixTransform(arc.getScreenCTM()));
      for (const end of ends) {
        const row = row_at(svg, end.y);
        if (!row || row.className === 'source' || !row.textContent.includes('('))
          return arc.outerHTML + ' ends at ' + (row && row.textContent);
      }
    }
  }
});
/* The lines of a chain wait as long as its instructions. */
ask('lines-add-up', () => {
  const sum = rows => all('tr.on td.n', rows).reduce((n, e) => n + Number(e.textContent), 0);
  if (all('.lines').length === 0) return 'no lines';
  for (const lines of all('.lines')) {
    const code = lines.nextElementSibling.querySelector('.code');
    if (Math.abs(sum(lines) - sum(code)) > 0.02 * code.rows.length)
      return sum(lines) + ' and ' + sum(code);
  }
});
ask('one-drawing', () => {
  for (const cell of all('.arcs'))
    if (all('svg', cell).filter(is_shown).length !== 1)
      return cell.outerHTML;
});
/* A click on a heading sorts by its column, the largest number first, and one more the
   other way. */
ask('sorts', () => {
  const table = document.getElementById('loops');
  const headings = all('thead tr:last-child th', table);
  const column = headings.findIndex(h => h.textContent === 'memory');
  const numbers = () => all('tbody tr', table).map(
      r => Number(r.cells[column].textContent.replace(/^(>=|~)/, '')));
  const before = numbers();
  const falling = [...before].sort((a, b) => b - a);
  for (const wanted of [falling, [...falling].reverse()]) {
    headings[column].querySelector('button').click();
    if (numbers().join() !== wanted.join())
      return numbers().join() + ' is not ' + wanted.join();
  }
  if (before.length < 2)
    return 'one row';
});

document.body.innerHTML = '<pre id="answers"></pre>';
document.getElementById('answers').textContent = '\n' + answers.join('\n') + '\n';
