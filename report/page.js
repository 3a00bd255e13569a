/*
 * Sorts a table by the column whose heading is clicked, and the other way with
 * the next click.  Marks before a number and percents after it do not count.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
function key(row, column) {
  const cell = row.cells[column];
  const text = cell.dataset.v ?? cell.textContent;
  const number = Number(text.replace(/^(>=|~)|%$/g, ''));
  return text !== '' && !Number.isNaN(number) ? number : text;
}
function compare(a, b) {
  if (typeof a === typeof b) return a < b ? -1 : a > b ? 1 : 0;
  return typeof a === 'number' ? -1 : 1;
}
function sort(head) {
  const table = head.closest('table');
  const rising = head.ariaSort === 'descending' ||
    (head.ariaSort !== 'ascending' && head.matches('.t'));
  for (const other of table.querySelectorAll('th[aria-sort]'))
    other.removeAttribute('aria-sort');
  head.setAttribute('aria-sort', rising ? 'ascending' : 'descending');
  for (const body of table.tBodies) {
    const rows = [...body.rows].filter(r => !r.matches('.note'));
    const notes = [...body.rows].filter(r => r.matches('.note'));
    const column = head.cellIndex, sign = rising ? 1 : -1;
    rows.sort((a, b) => sign * compare(key(a, column), key(b, column)));
    body.append(...rows, ...notes);
  }
}
document.addEventListener('click', e => {
  const head = e.target.closest('.sortable th button');
  if (head) sort(head.parentNode);
});
