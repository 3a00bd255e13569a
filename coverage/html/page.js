/*
 * What the page does when it is touched: parts are unpacked, lists are sorted,
 * the bars follow the chosen bound, functions and blocks are searched by name,
 * and a dependency is shown in its list and among the arcs at once.  What goes
 * on to the right of a table fades there.
 *
 * Without it the tables can be read, the bars at the first bound, and the
 * hottest blocks.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
'use strict';
const parts = new Map();
async function inflate(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll('-', '+')
    .replaceAll('_', '/')), c => c.charCodeAt(0));
  const {writable, readable} = new DecompressionStream('deflate');
  const writer = writable.getWriter(), reader = readable.getReader();
  const decoder = new TextDecoder(), part = document.createElement('template');
  let html = '';
  writer.write(bytes);
  writer.close();
  for (let r = await reader.read(); !r.done; r = await reader.read())
    html += decoder.decode(r.value, {stream: true});
  part.innerHTML = html;
  return part.content;
}
function unpack(id) {
  if (!parts.has(id))
    parts.set(id, inflate(document.getElementById(id).textContent));
  return parts.get(id);
}
async function fill(block) {
  const {part, at} = block.dataset;
  if (!part) return;
  delete block.dataset.part;
  block.append((await unpack(part)).children[at].cloneNode(true));
  watch(block);
}
const bound = document.getElementById('bound');
const functions = document.getElementById('functions');
function choose() {
  for (const body of functions.tBodies)
    body.hidden = body.dataset.bound !== bound.value;
}
bound.addEventListener('change', choose);
const search = document.getElementById('search');
function find() {
  const text = search.lastElementChild.value.trim().toLowerCase();
  for (const e of document.querySelectorAll(
    '#functions tbody tr:not(.note), details.block')) {
    const name = e.querySelector('.name, summary').textContent.toLowerCase();
    e.hidden = !name.includes(text);
  }
}
search.addEventListener('input', find);
document.addEventListener('click', e => {
  const all = e.target.closest('a.all');
  if (!all) return;
  search.lastElementChild.value =
    all.closest('tr').querySelector('.name').textContent;
  find();
});
function open_named() {
  const block = document.getElementById(location.hash.slice(1));
  if (!block || !block.matches('details')) return;
  block.hidden = false;
  block.open = true;
  block.scrollIntoView();
}
addEventListener('hashchange', open_named);
document.addEventListener('toggle', e => {
  if (e.target.open) fill(e.target);
}, true);
function fade(e) {
  e.classList.toggle('more', e.scrollLeft + e.clientWidth < e.scrollWidth - 1);
}
const sizes = new ResizeObserver(list => list.forEach(l => fade(l.target)));
function watch(from) {
  for (const e of from.querySelectorAll('.scroll')) {
    e.addEventListener('scroll', () => fade(e));
    sizes.observe(e);
    fade(e);
  }
}
let lit = null;
function light(block, target) {
  const arc = target && target.closest('[data-arc]');
  const number = arc ? arc.dataset.arc : null;
  block.classList.toggle('lit', number !== null);
  for (const e of block.querySelectorAll('[data-arc]'))
    e.classList.toggle('on', e.dataset.arc === number);
}
document.addEventListener('pointerover', e => {
  const block = e.target.closest('.block');
  if (lit && lit !== block) light(lit, null);
  if (block) light(block, e.target);
  lit = block;
});
async function start() {
  choose();
  watch(document);
  for (const packed of document.querySelectorAll('[data-rows]')) {
    const table = document.getElementById(packed.dataset.rows);
    const bodies = (await unpack(packed.id)).firstElementChild.tBodies;
    for (const [i, body] of [...table.tBodies].entries())
      body.append(...bodies[i].rows);
  }
  for (const index of document.querySelectorAll('[data-unpack]'))
    index.replaceWith(await unpack(index.id));
  await Promise.all([...document.querySelectorAll('details[open]')].map(fill));
  search.hidden = false;
  open_named();
}
function complain(error) {
  const p = document.createElement('p');
  p.className = 'left-out';
  p.textContent = 'This browser cannot unpack the rest of the page: ' +
    error.message;
  document.querySelector('h1').after(p);
}
const ready = start().catch(complain);
