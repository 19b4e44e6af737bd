// States of runs and studies, and status of limits: a sign, a word and a colour each.
import { element } from './dom.js';

export const STATES = {
  RUNNING: ['▶', 'running'], FINISHED: ['✓', 'finished'], INTERRUPTED: ['⏸', 'interrupted'],
  FAILED: ['✗', 'failed'], EMPTY: ['○', 'no update yet'],
  OVERDUE: ['?', 'no update for longer than expected; the process may have died'], UNKNOWN: ['?', 'unknown: made by an older build'],
};
const LIMITS = { kept: '✓', broken: '✗', undecided: '?' };

export const wordOf = state => STATES[state][1].split(':')[0].split(' for longer')[0];

export function sign(state) {
  const [mark, text] = STATES[state];
  return element('span', { class: 'sign state-' + state.toLowerCase(), title: text, role: 'img', 'aria-label': text }, mark);
}

/** A state in words, with its sign. */
export function stateText(state) {
  const [mark, text] = STATES[state];
  return element('span', { class: 'state' }, element('span', { class: 'sign state-' + state.toLowerCase(), 'aria-hidden': 'true' }, mark), ' ', text);
}

/** The status of a limit: kept, broken or undecided. */
export const status = word => element('span', { class: 'status status-' + word }, (LIMITS[word] ?? '') + ' ' + word);
