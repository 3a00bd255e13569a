/*
 * What questions to a page in a browser share: this is added to the page before them, and
 * each writes a line "NAME ok" or "NAME WHAT IS WRONG".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
'use strict';
const answers = [];

function ask(name, question) {
  let wrong;
  try {
    wrong = question() || 'ok';
  } catch (e) {
    wrong = 'throws ' + e;
  }
  answers.push(name + ' ' + wrong);
}

const all = (selector, from = document) => [...from.querySelectorAll(selector)];
const box = e => e.getBoundingClientRect();
