/*
 * cc_html_script: what the page does when it is touched: lists are sorted, the
 * bars follow the chosen bound, and a dependency is shown in its list and
 * among the arcs at once.
 *
 * Without it everything is there to be read, the bars at the first bound.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "html/cc_html_parts.h"

const char cc_html_script[] =
    "'use strict';\n"
    "function key(row, column) {\n"
    "  const cell = row.cells[column];\n"
    "  const text = cell.dataset.v ?? cell.textContent;\n"
    "  const number = Number(text);\n"
    "  return text !== '' && !Number.isNaN(number) ? number : text;\n"
    "}\n"
    "function compare(a, b) {\n"
    "  if (typeof a === typeof b) return a < b ? -1 : a > b ? 1 : 0;\n"
    "  return typeof a === 'number' ? -1 : 1;\n"
    "}\n"
    "function sort(head) {\n"
    "  const table = head.closest('table');\n"
    "  const rising = head.ariaSort === 'descending' ||\n"
    "    (head.ariaSort !== 'ascending' && head.className === 't');\n"
    "  for (const other of table.querySelectorAll('th[aria-sort]'))\n"
    "    other.removeAttribute('aria-sort');\n"
    "  head.setAttribute('aria-sort', rising ? 'ascending' : 'descending');\n"
    "  for (const body of table.tBodies) {\n"
    "    const rows = [...body.rows].filter(r => !r.matches('.note'));\n"
    "    const notes = [...body.rows].filter(r => r.matches('.note'));\n"
    "    const column = head.cellIndex, sign = rising ? 1 : -1;\n"
    "    rows.sort((a, b) => sign * compare(key(a, column), key(b, column)));\n"
    "    body.append(...rows, ...notes);\n"
    "  }\n"
    "}\n"
    "for (const button of document.querySelectorAll('.sortable th button'))\n"
    "  button.addEventListener('click', () => sort(button.parentNode));\n"
    "const bound = document.getElementById('bound');\n"
    "function choose() {\n"
    "  for (const body of document.getElementById('functions').tBodies)\n"
    "    body.hidden = body.dataset.bound !== bound.value;\n"
    "}\n"
    "bound.addEventListener('change', choose);\n"
    "choose();\n"
    "function light(block, target) {\n"
    "  const arc = target && target.closest('[data-arc]');\n"
    "  const number = arc ? arc.dataset.arc : null;\n"
    "  block.classList.toggle('lit', number !== null);\n"
    "  for (const e of block.querySelectorAll('[data-arc]'))\n"
    "    e.classList.toggle('on', e.dataset.arc === number);\n"
    "}\n"
    "for (const block of document.querySelectorAll('.block')) {\n"
    "  block.addEventListener('pointerover', e => light(block, e.target));\n"
    "  block.addEventListener('pointerleave', () => light(block, null));\n"
    "}\n";
