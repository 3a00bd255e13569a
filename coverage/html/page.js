/*
 * What the page does when it is touched: lists are sorted, the bars follow the
 * chosen bound, functions and blocks are searched by name, and a dependency is
 * shown in its list and among the arcs at once.  What goes on to the right of a
 * table fades there.
 *
 * Without it everything can be read, the bars at the first bound.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
'use strict';
function key(row, column) {
  const cell = row.cells[column];
  const text = cell.dataset.v ?? cell.textContent;
  const number = Number(text);
  return text !== '' && !Number.isNaN(number) ? number : text;
}
function compare(a, b) {
  if (typeof a === typeof b) return a < b ? -1 : a > b ? 1 : 0;
  return typeof a === 'number' ? -1 : 1;
}
function sort(head) {
  const table = head.closest('table');
  const rising = head.ariaSort === 'descending' ||
    (head.ariaSort !== 'ascending' && head.className === 't');
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
for (const button of document.querySelectorAll('.sortable th button'))
  button.addEventListener('click', () => sort(button.parentNode));
const bound = document.getElementById('bound');
function choose() {
  for (const body of document.getElementById('functions').tBodies)
    body.hidden = body.dataset.bound !== bound.value;
}
bound.addEventListener('change', choose);
choose();
const search = document.getElementById('search');
const named = [...document.querySelectorAll('#functions tbody tr:not(.note)'),
  ...document.querySelectorAll('details.block')];
function find() {
  const text = search.lastElementChild.value.trim().toLowerCase();
  for (const e of named) {
    const name = e.querySelector('.name, summary').textContent.toLowerCase();
    e.hidden = !name.includes(text);
  }
}
search.hidden = false;
search.addEventListener('input', find);
function open_named() {
  const block = document.getElementById(location.hash.slice(1));
  if (block && block.matches('details')) block.open = true;
}
addEventListener('hashchange', open_named);
open_named();
function fade(e) {
  e.classList.toggle('more', e.scrollLeft + e.clientWidth < e.scrollWidth - 1);
}
const scrolled = [...document.querySelectorAll('.scroll')];
const sizes = new ResizeObserver(list => list.forEach(l => fade(l.target)));
for (const e of scrolled) {
  e.addEventListener('scroll', () => fade(e));
  sizes.observe(e);
  fade(e);
}
function light(block, target) {
  const arc = target && target.closest('[data-arc]');
  const number = arc ? arc.dataset.arc : null;
  block.classList.toggle('lit', number !== null);
  for (const e of block.querySelectorAll('[data-arc]'))
    e.classList.toggle('on', e.dataset.arc === number);
}
for (const block of document.querySelectorAll('.block')) {
  block.addEventListener('pointerover', e => light(block, e.target));
  block.addEventListener('pointerleave', () => light(block, null));
}
