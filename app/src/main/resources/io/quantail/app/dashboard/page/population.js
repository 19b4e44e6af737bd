// A population: scores, lineage and hyper-parameters.
import { element, fill, table, scrolling } from './dom.js';
import { number, count, figure } from './format.js';
import { linePanel } from './panels.js';
import { lineage } from './lineage.js';
import { grid, empty, problems } from './pages.js';
import { reportOf } from './runs.js';
import { stateText } from './states.js';
import * as state from './state.js';
import * as store from './store.js';

const MOST_LINES = 12;

/**
 * A population indexed by generation and member.
 * at: generation → member → entry
 */
function arrange(answer) {
  const at = new Map();
  for (const entry of answer.entries) {
    if (!at.has(entry.generation)) at.set(entry.generation, new Map());
    at.get(entry.generation).set(entry.member, entry);
  }
  const generations = [...at.keys()].sort((a, b) => a - b);
  const newest = new Map();
  generations.forEach(generation => at.get(generation).forEach((entry, member) => newest.set(member, entry)));
  const score = member => newest.get(member).score ?? -Infinity;
  const members = [...newest.keys()].sort((a, b) => a - b);
  const ranked = [...members].sort((a, b) => score(b) - score(a) || a - b);
  const paths = [...new Set(answer.entries.flatMap(entry => Object.keys(entry.hyperparameters)))].sort();
  const copies = answer.entries.filter(entry => entry.source >= 0 && entry.source !== entry.member);
  return { ...answer, at, generations, newest, members, ranked, paths, copies };
}

export const fetchPopulation = async id => arrange(await store.population(id));

/** Equal shapes mean that the panels on the page can show the new entries. */
export const shapeOf = data => JSON.stringify([linesOf(data), data.paths, data.problems]);

/** Members with a line of their own: all, or the best if there are many. */
const linesOf = data => data.ranked.slice(0, MOST_LINES).sort((a, b) => a - b);

/** Figures above the view. */
export function head(data) {
  const { population: one, settings, best } = data;
  const total = one.members && one.generations ? one.members * one.generations : null;
  const figures = [
    ['best score', number(best?.score)],
    ['best member', best ? `member ${best.member}, generation ${best.generation}` : '–'],
    ['generations', one.generations ? `${data.generations.length} of ${one.generations}` : count(data.generations.length)],
    ['copies', count(data.copies.length)],
    one.failed > 0 ? ['without a score', count(one.failed)] : null,
  ].filter(Boolean);
  const sub = [one.members ? `${one.members} members` : '', settings?.selection?.toLowerCase().replace('_', ' '), data.seed === '' ? '' : 'seed ' + data.seed];
  return [
    element('p', { class: 'trail' }, element('a', { href: state.link('studies', {}) }, 'Studies')),
    element('div', { class: 'title' },
      element('h1', {}, one.id), stateText(one.state),
      element('span', { class: 'sub' }, sub.filter(Boolean).join(' · ')),
      data.reports.map(name => element('a', { class: 'button', href: reportOf(one.id, name), target: '_blank', rel: 'noopener' }, name.replace('.html', ''))),
      store.listing.runs.filter(run => run.study === one.id).map(run => element('a', { class: 'button', href: state.link('overview', { run: run.id }) }, 'best member as a run'))),
    element('dl', { class: 'figures' }, figures.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value)))),
    element('div', { class: 'progress' },
      total ? element('progress', { max: total, value: Math.min(one.done, total), 'aria-label': 'member-generations done' }) : null,
      element('span', {}, `${count(one.done)} of ${count(total)} member-generations`)),
  ];
}

/** The view; current() returns the newest data. */
export function population(current) {
  const data = current();
  const notes = problems(data);
  if (data.entries.length === 0) {
    return [notes, empty('No member has finished its first generation yet.')];
  }
  const members = linesOf(data);
  const lines = members.map((member, i) => ({ name: 'member ' + member, place: i }));
  const shown = members.length < data.members.length ? `, the ${members.length} best of ${data.members.length}` : '';
  const across = { across: 'generation', lines };
  return [
    notes,
    grid([
      linePanel({ title: 'Score of each member', unit: 'mean return of held-out episodes' + shown, wide: true, ...across },
        () => ({ lines: members.map(member => line(current(), member, entry => entry.score)) })),
      lineage(current),
      ...data.paths.map(path => schedule(path, data.settings?.hyperparameters?.[path], members, across, current)),
      linePanel({
        title: 'Scores of each generation', unit: 'mean return of held-out episodes', across: 'generation',
        lines: ['best', 'mean', 'worst'].map((name, i) => ({ name, place: i })),
      }, () => ({ lines: spread(current()) })),
    ]),
    memberTable(data),
  ];
}

/** A line over generations; generations without a value are omitted. */
function line(data, member, value) {
  const entries = data.generations.map(generation => data.at.get(generation).get(member))
    .filter(entry => entry && Number.isFinite(value(entry)));
  return { x: entries.map(entry => entry.generation), y: entries.map(value) };
}

/** One hyper-parameter: numbers as they are, words by their index among the values. */
function schedule(path, range, members, across, current) {
  const words = range?.values?.map(String) ?? [];
  const names = words.length > 0 ? words : null;
  const of = entry => names ? names.indexOf(entry.hyperparameters[path]) : Number(entry.hyperparameters[path]);
  return linePanel({ title: path, unit: '', log: range?.scale?.toLowerCase() === 'log', names, step: true, ...across },
    () => ({ lines: members.map(member => line(current(), member, of)) }));
}

/** Best, mean and worst score of the generations. */
function spread(data) {
  const scores = data.generations.map(generation => [...data.at.get(generation).values()].map(entry => entry.score).filter(Number.isFinite));
  const each = take => {
    const kept = data.generations.map((generation, i) => [generation, scores[i]]).filter(([, list]) => list.length > 0);
    return { x: kept.map(([generation]) => generation), y: kept.map(([, list]) => take(list)) };
  };
  return [
    each(list => list.reduce((a, b) => Math.max(a, b))),
    each(list => list.reduce((a, b) => a + b) / list.length),
    each(list => list.reduce((a, b) => Math.min(a, b))),
  ];
}

/** Newest entry of each member, the best first. */
export function memberTable(data) {
  const lastCopy = member => data.copies.filter(entry => entry.member === member).at(-1);
  return scrolling('Members', table(
    data.ranked.map(member => {
      const entry = data.newest.get(member);
      const copy = lastCopy(member);
      return [
        element('a', { href: state.link('overview', { run: memberRun(data.population.id, entry) }) }, `member ${member}`), entry.score === null ? `failed: ${entry.failure ?? 'no score'}` : number(entry.score), count(entry.generation),
        copy ? `member ${copy.source} before generation ${copy.generation}` : 'none',
        ...data.paths.map(path => figure(entry.hyperparameters[path])),
      ];
    }),
    { caption: 'Members, the best first', head: ['member', 'score', 'generation', 'copied last', ...data.paths] }), { id: 'members' });
}

/** A member after a generation, as a run with metrics alone. */
const memberRun = (population, entry) => `${population}/members/member-${String(entry.member).padStart(3, '0')}/generation-${String(entry.generation).padStart(3, '0')}`;

/** Updates the table, which is not a panel. */
export function refresh(data) {
  const old = document.getElementById('members');
  if (old) {
    fill(old, ...memberTable(data).childNodes);
  }
}
