/*
 * What tests/covcheck/html.sh asks a page in a browser: this is added to the page,
 * after tests/probe.js.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

/* A point of a path, in the coordinates of the window. */
function on_screen(path, length) {
  return path.getPointAtLength(length).matrixTransform(path.getScreenCTM());
}

/* Is a point at the left edge of a row, and within its height? */
function meets(point, row) {
  const r = box(row);
  return Math.abs(point.x - r.left) <= 3 && point.y > r.top + 1 &&
      point.y < r.bottom - 1;
}

function arc_is_wrong(arc, code) {
  const line = arc.querySelector('.line');
  const [, from, to] = arc.querySelector('title').textContent
      .match(/: ([0-9a-f]+) to ([0-9a-f]+)$/);
  const row_of = address => all('.listing tr', code)
      .find(r => r.cells[0].textContent === address);
  if (!meets(on_screen(line, 0), row_of(from)))
    return 'does not leave ' + from;
  if (!meets(on_screen(line, line.getTotalLength()), row_of(to)))
    return 'does not reach ' + to;
  const tip = box(arc.querySelector('path:not(.line)'));
  return Math.abs(tip.right - box(row_of(to)).left) <= 4 ? '' : 'tip astray';
}

ask('width', () => innerWidth);
ask('no-overflow', () => {
  const e = document.documentElement;
  return e.scrollWidth > innerWidth ? e.scrollWidth + ' wide' : '';
});
/* All of a table is seen at once; only code may be wider than the window. */
ask('tables-fit', () => {
  for (const e of all('.scroll'))
    if (!e.querySelector('.code') && e.scrollWidth > e.clientWidth + 1)
      return e.scrollWidth + ' of ' + e.clientWidth + ': ' + e.textContent;
});
ask('arcs-meet', () => {
  const arcs = all('.code .arc');
  if (arcs.length === 0) return 'no arc';
  for (const arc of arcs) {
    const wrong = arc_is_wrong(arc, arc.closest('.code'));
    if (wrong) return arc.textContent + ': ' + wrong;
  }
});
ask('arcs-apart', () => {
  for (const svg of all('.arcs')) {
    const boxes = all('.line', svg).map(box);
    for (const [i, a] of boxes.entries())
      for (const b of boxes.slice(0, i))
        if (Math.abs(a.left - b.left) < 3 && a.top < b.bottom - 10 &&
            b.top < a.bottom - 10)
          return 'two in one lane';
  }
});
ask('arcs-inside', () => {
  for (const svg of all('.arcs'))
    for (const line of all('.line', svg))
      if (box(line).left < box(svg).left) return 'cut off';
});
ask('kinds', () => ['found', 'missed', 'false']
    .map(kind => all('.code .arc.' + kind).length).join(','));
ask('kinds-differ', () => {
  const looks = (kind, what) => what(document.querySelector('.arc.' + kind));
  for (const what of [
    e => getComputedStyle(e).stroke,
    e => getComputedStyle(e.querySelector('.line')).strokeDasharray,
    e => e.querySelector('path:not(.line)').className.baseVal,
  ]) {
    const seen = new Set(['found', 'missed', 'false']
        .map(kind => looks(kind, what)));
    if (seen.size !== 3) return [...seen].join(' ');
  }
});
ask('escaped', () => {
  if (all('evil').length) return 'a name became an element';
  const h = document.body.textContent;
  return h.includes('operator<evil>&"\'') && h.includes('p&q<evil>')
      ? '' : 'a name is not there';
});
ask('source', () => document.querySelector('.source').textContent !== ''
    ? '' : 'no source line');
ask('labels-apart', () => {
  for (const curve of all('.curve')) {
    const boxes = all('text', curve).map(box);
    for (const [i, a] of boxes.entries())
      for (const b of boxes.slice(0, i))
        if (a.left < b.right && b.left < a.right && a.top < b.bottom - 2 &&
            b.top < a.bottom - 2)
          return 'labels meet';
    const page = box(curve);
    if (boxes.some(b => b.left < page.left - 1 || b.right > page.right + 1))
      return 'a label is cut off';
  }
});
/* Each leads from one block to another: over a row that begins a block. */
ask('between', () => {
  const kinds = {};
  for (const line of all('#between .arc .line[data-from]')) {
    const code = line.closest('.code');
    const ends = [line.dataset.from, line.dataset.to].map(Number);
    const starts = all('.begins', code).map(r => Number(r.dataset.row));
    if (!starts.some(s => Math.min(...ends) < s && s < Math.max(...ends)))
      return 'an arc within a block';
    const kind = line.parentNode.classList[1];
    kinds[kind] = (kinds[kind] || 0) + 1;
  }
  return ['found', 'missed', 'false'].map(k => kinds[k] || 0).join(',');
});
ask('between-listed', () => all('#between .block').every(b =>
    all('.arc[data-arc]', b).length ===
        all('.dependencies tbody tr', b).length) &&
    all('#between .where').length > 0 ? '' : 'arcs and lists differ');
ask('support', () => {
  const page = box(document.getElementById('support'));
  const points = all('#support .point path').map(box);
  return points.some(p => p.left < page.left || p.right > page.right ||
      p.top < page.top || p.bottom > page.bottom) ? 'a point is cut off'
      : points.length;
});
ask('support-shapes', () => {
  for (const line of all('#support line:not(.grid)'))
    if (getComputedStyle(line).stroke === 'none') return 'a line is not drawn';
  const seen = new Set(all('#support .point').map(e => e.classList[1]));
  return new Set(all('#support .point path').map(e => e.getAttribute('d') +
      getComputedStyle(e).stroke)).size === seen.size ? '' : 'scopes look alike';
});
ask('curve', () => all('#curve circle').length + ',' +
    all('#curve rect').length);

function rows(id) {
  const table = document.getElementById(id);
  return table ? table.tBodies[0].rows.length : 'no list';
}
ask('lost', () => rows('lost'));
ask('gone', () => rows('gone'));
ask('fates', () => rows('fates'));
ask('left-out', () => all('.left-out').length);

/* Contrast as WCAG 2 defines it. */
function luminance(color) {
  const c = color.match(/[\d.]+/g).slice(0, 3).map(v => v / 255)
      .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
}
function background(e) {
  for (; e; e = e.parentElement) {
    const color = getComputedStyle(e).backgroundColor;
    if (!color.endsWith(', 0)')) return color;
  }
  return 'rgb(255, 255, 255)';
}
ask('legible', () => {
  for (const e of all('body *')) {
    if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) ||
        e.closest('script, title') || e.namespaceURI.endsWith('svg'))
      continue;
    const style = getComputedStyle(e);
    const [a, b] = [luminance(style.color), luminance(background(e))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (parseFloat(style.fontSize) < 12 || ratio < 4.5)
      return e.className + ' ' + style.fontSize + ' contrast ' + ratio;
  }
});

function column(table, n) {
  return [...table.tBodies].find(b => !b.hidden).rows.length &&
      all('tr', [...table.tBodies].find(b => !b.hidden))
      .map(r => Number(r.cells[n].dataset.v));
}
ask('sorted', () => {
  const table = all('.dependencies').find(t => t.tBodies[0].rows.length > 3);
  const button = all('th button', table)[2];
  const rises = c => c.every((v, i) => i === 0 || c[i - 1] <= v);
  button.click();
  const up = column(table, 2);
  if (!rises(up)) return 'not rising: ' + up;
  button.click();
  const down = column(table, 2);
  return rises([...down].reverse()) && down[0] !== up[0] ? '' :
      'not falling: ' + down;
});
ask('bars', () => {
  const select = document.getElementById('bound');
  const first = column(document.getElementById('functions'), 2);
  select.value = '2';
  select.dispatchEvent(new Event('change'));
  const shown = all('#functions tbody').filter(b => !b.hidden);
  return shown.length === 1 && shown[0].dataset.bound === '2' &&
      box(shown[0].querySelector('.bar span')).width >= 0 && first
      ? '' : 'not the chosen bound';
});
ask('linked', () => {
  const links = all('#functions tbody .name a');
  if (links.length === 0) return 'no link';
  for (const a of links) {
    const block = document.getElementById(a.hash.slice(1));
    if (!block || !block.querySelector('summary').textContent
        .replace(/^[0-9a-f]+, (?=outside)/, '').startsWith(a.textContent))
      return a.textContent + ' leads elsewhere';
  }
});
ask('opens', () => {
  const closed = document.querySelector('details:not([open])');
  if (!closed) return 'none is closed';
  location.hash = closed.id;
  open_named();
  return closed.open ? '' : 'stays closed';
});
/* Every block and function: its heading is there, and opened it has rows; these
   go again, since all of them are more than the other questions need. */
async function reached() {
  const list = all('details.block');
  for (const e of list) {
    const is_packed = e.dataset.part !== undefined;
    await fill(e);
    if (!e.querySelector('.listing tr'))
      return e.id + ' is empty';
    if (is_packed) e.lastElementChild.remove();
  }
  return ['#blocks', '#between'].map(section =>
      all(section + ' details.block').length).join();
}
const reach = await reached();
ask('reached', () => reach);
/* The number of its blocks leads to just these. */
ask('found-all', () => {
  const link = all('#functions tbody:not([hidden]) a.all').pop();
  const name = link.closest('tr').querySelector('.name').textContent;
  link.click();
  const left = all('#blocks details.block').filter(e => !e.hidden);
  const wrong = left.find(e => !e.textContent.includes(name));
  document.querySelector('#search input').value = '';
  find();
  location.hash = '';
  return wrong || left.length < Number(link.textContent) ?
      left.length + ' for ' + name : '';
});
ask('searched', () => {
  const label = document.getElementById('search');
  const input = label.querySelector('input');
  const shown = () => [all('#functions tbody:not([hidden]) tr')
      .filter(e => !e.hidden && box(e).height > 0).length,
      all('details.block').filter(e => box(e).height > 0).length];
  const look = text => {
    input.value = text;
    input.dispatchEvent(new Event('input', {bubbles: true}));
    return shown();
  };
  if (label.hidden) return 'no box';
  const before = shown(), found = look('EVIL'), none = look('no such name');
  const after = look('');
  const named = all('#blocks summary')
      .filter(e => e.textContent.includes('<evil>')).length;
  return found[0] === 1 && found[1] === named && none.join() === '0,0' &&
      after.join() === before.join() ? '' : [before, found, none, after].join(' ');
});
/* What goes on to the right says so, and no longer at its end. */
ask('scrolls', () => {
  const wide = all('.scroll').filter(e => e.scrollWidth > e.clientWidth + 1);
  for (const e of wide) {
    if (e.offsetHeight - e.clientHeight < 6) return 'no bar';
    if (getComputedStyle(e).maskImage === 'none' &&
        getComputedStyle(e).webkitMaskImage === 'none') return 'no fade';
  }
  if (innerWidth < 500 && wide.length === 0) return 'none is wide';
});
ask('highlight', () => {
  const arc = document.querySelector('.code .arc');
  arc.firstElementChild.nextElementSibling.dispatchEvent(
      new PointerEvent('pointerover', {bubbles: true}));
  const lit = all('.on', arc.closest('.block'));
  return lit.length === 2 && lit.some(e => e.tagName === 'TR') &&
      lit.every(e => e.dataset.arc === arc.dataset.arc) ? '' : lit.length;
});

const pre = document.createElement('pre');
pre.id = 'answers';
pre.textContent = '\n' + answers.join('\n') + '\n';
document.body.append(pre);
