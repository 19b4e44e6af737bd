// The lineage tree: a column per generation, a row per member, a line from each entry to its source.
import { element, drawing, fill, table as makeTable } from './dom.js';
import { number, figure } from './format.js';
import { register } from './panels.js';

const MOST_ROWS = 48;
const ROW = 26;
const TOP = 30;
const LEFT = 78;
const RADIUS = 8;
const NARROWEST = 36;
const WIDEST = 110;
const FAINTEST = 0.08;

const source = (data, entry) => entry.source < 0 ? undefined : data.at.get(entry.generation - 1)?.get(entry.source);

/** The best entry and its ancestors. */
function lineOfBest(data) {
  const line = new Set();
  for (let entry = data.best && data.at.get(data.best.generation)?.get(data.best.member); entry && !line.has(entry); entry = source(data, entry)) {
    line.add(entry);
  }
  return line;
}

/** All members; if there are too many, the ancestors of the best and the members that are best now. */
function rowsOf(data, line) {
  const wanted = [...new Set([...[...line].map(entry => entry.member), ...data.ranked])];
  return wanted.slice(0, MOST_ROWS).sort((a, b) => a - b);
}

/** A panel with the tree; current() returns the newest data. */
export function lineage(current) {
  const state = { cursor: null };
  const legend = element('ul', { class: 'legend' });
  const plot = element('div', { class: 'tree', tabIndex: 0, role: 'img' });
  const spoken = element('p', { class: 'hidden', 'aria-live': 'polite' });
  const told = element('p', { class: 'told', 'aria-hidden': 'true' });
  const copies = element('div', { class: 'table', hidden: true, tabIndex: 0, role: 'region', 'aria-label': 'copies' });
  const button = element('button', { class: 'quiet small', type: 'button', 'aria-pressed': 'false', 'aria-label': 'table of copies', onclick: () => {
    copies.hidden = !copies.hidden;
    button.setAttribute('aria-pressed', String(!copies.hidden));
    draw();
  } }, 'table');
  const section = element('section', { class: 'panel wide', 'aria-label': 'Lineage' },
    element('header', {}, element('h2', {}, 'Lineage', element('small', {}, ' one column per generation, one row per member')), element('span', { class: 'tools' }, button)),
    legend, plot, told, spoken, copies);
  const observer = new ResizeObserver(() => draw());
  observer.observe(plot);
  let width = 0;

  function draw() {
    const data = current();
    const line = lineOfBest(data);
    const rows = rowsOf(data, line);
    width = plot.clientWidth || width;
    fill(legend, keys(rows.length < data.members.length ? `${rows.length} of ${data.members.length} members: the best and their ancestors` : null));
    fill(plot, tree(data, rows, line, width, state.cursor));
    plot.setAttribute('aria-label', summary(data, line));
    if (!copies.hidden) {
      fill(copies, copyTable(data));
    }
  }

  plot.addEventListener('keydown', event => {
    const data = current();
    const rows = rowsOf(data, lineOfBest(data));
    const last = data.generations.length - 1;
    const here = state.cursor ?? { column: last, row: Math.max(0, rows.indexOf(data.best?.member)) };
    const move = {
      ArrowLeft: { ...here, column: here.column - 1 }, ArrowRight: { ...here, column: here.column + 1 },
      ArrowUp: { ...here, row: here.row - 1 }, ArrowDown: { ...here, row: here.row + 1 },
      Home: { ...here, column: 0 }, End: { ...here, column: last },
    }[event.key];
    if (!move) {
      return;
    }
    event.preventDefault();
    state.cursor = { column: Math.max(0, Math.min(last, move.column)), row: Math.max(0, Math.min(rows.length - 1, move.row)) };
    draw();
    plot.querySelector('.cursor')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    const entry = data.at.get(data.generations[state.cursor.column])?.get(rows[state.cursor.row]);
    say(entry ? describe(entry) : 'no entry yet');
  });
  plot.addEventListener('blur', () => { state.cursor = null; draw(); say(''); });
  plot.addEventListener('mouseover', event => {
    const entry = event.target.entry;
    told.textContent = entry ? describe(entry) : '';
  });
  plot.addEventListener('mouseleave', () => { told.textContent = ''; });

  function say(text) {
    told.textContent = text;
    spoken.textContent = text;
  }

  register({ draw, dispose: () => observer.disconnect() });
  return section;
}

function keys(note) {
  const key = (name, ...shapes) => element('li', {}, drawing('svg', { class: 'lineage key-shape', viewBox: '0 0 26 14', 'aria-hidden': 'true' }, ...shapes),
    element('span', { class: 'name' }, name));
  const path = kind => drawing('path', { class: kind, d: 'M0 7 H26' });
  const circle = (kind, strength) => drawing('circle', { class: kind, cx: 13, cy: 7, r: 5.5, 'fill-opacity': strength });
  return [
    key('best of its generation', circle('', 1)), key('worst', circle('', FAINTEST)), key('failed', circle('failed', 0)),
    key('continued', path('kept')), key('copied', path('copied')), key('ancestry of the best', path('kept best')),
    note ? element('li', {}, element('span', { class: 'name' }, note)) : null,
  ];
}

function tree(data, rows, line, width, cursor) {
  const columns = data.generations.length;
  const pitch = Math.max(NARROWEST, Math.min(WIDEST, (width - LEFT - 2 * RADIUS) / Math.max(1, columns)));
  const size = { width: Math.ceil(LEFT + columns * pitch), height: TOP + rows.length * ROW };
  const x = generation => LEFT + RADIUS + 4 + data.generations.indexOf(generation) * pitch;
  const y = member => TOP + ROW / 2 + rows.indexOf(member) * ROW;
  const shown = data.generations.flatMap(generation => rows.map(member => data.at.get(generation).get(member)).filter(Boolean));
  const isCursor = entry => cursor && data.generations[cursor.column] === entry.generation && rows[cursor.row] === entry.member;
  const label = (left, top, anchor, text) => drawing('text', { x: left, y: top, 'text-anchor': anchor }, text);
  return drawing('svg', { class: 'lineage', width: size.width, height: size.height, viewBox: `0 0 ${size.width} ${size.height}`, 'aria-hidden': 'true' },
    label(0, 13, 'start', 'generation'), data.generations.map(generation => label(x(generation), 13, 'middle', String(generation))),
    rows.map(member => label(0, y(member) + 4, 'start', 'member ' + member)),
    shown.map(entry => edge(data, rows, entry, x, y, line)),
    shown.map(entry => node(data, entry, x, y, line, isCursor(entry))));
}

function edge(data, rows, entry, x, y, line) {
  const from = source(data, entry);
  if (!from || !rows.includes(from.member)) {
    return null;
  }
  const [x0, y0, x1, y1] = [x(from.generation), y(from.member), x(entry.generation), y(entry.member)];
  const bend = (x0 + x1) / 2;
  const kind = (entry.source === entry.member ? 'kept' : 'copied') + (line.has(entry) ? ' best' : '');
  return drawing('path', { class: kind, d: `M${x0} ${y0} C${bend} ${y0} ${bend} ${y1} ${x1} ${y1}` });
}

function node(data, entry, x, y, line, isCursor) {
  const isBest = data.best?.generation === entry.generation && data.best.member === entry.member;
  const kind = [entry.score === null ? 'failed' : '', isBest ? 'best' : '', isCursor ? 'cursor' : ''].filter(Boolean).join(' ');
  const circle = drawing('circle', { class: kind, cx: x(entry.generation), cy: y(entry.member), r: RADIUS, 'fill-opacity': strength(data, entry) });
  circle.entry = entry;
  return circle;
}

/** Within its generation: the best is full, the worst nearly empty. */
function strength(data, entry) {
  if (entry.score === null) {
    return 0;
  }
  const scores = [...data.at.get(entry.generation).values()].map(other => other.score).filter(Number.isFinite);
  const low = scores.reduce((a, b) => Math.min(a, b));
  const high = scores.reduce((a, b) => Math.max(a, b));
  return FAINTEST + (1 - FAINTEST) * (high === low ? 1 : (entry.score - low) / (high - low));
}

const settings = values => Object.entries(values).map(([path, value]) => `${path} ${figure(value)}`).join(', ');

function describe(entry) {
  const from = entry.source < 0 ? '' : entry.source === entry.member ? '' : `, copied member ${entry.source}`;
  const outcome = entry.score === null ? `failed: ${entry.failure ?? 'no score'}` : 'score ' + number(entry.score);
  return `generation ${entry.generation}, member ${entry.member}${from}: ${outcome}; ${settings(entry.hyperparameters)}`;
}

function summary(data, line) {
  const ancestors = [...line].reverse().map(entry => entry.member);
  const best = data.best ? ` The best is member ${data.best.member} of generation ${data.best.generation}, by way of members ${ancestors.join(', ')}.` : '';
  return `Lineage of ${data.members.length} members over ${data.generations.length} generations, ${data.copies.length} copies.${best} Arrow keys move through it.`;
}

function copyTable(data) {
  const before = entry => data.at.get(entry.generation - 1)?.get(entry.member)?.hyperparameters ?? {};
  return makeTable(
    data.copies.map(entry => [String(entry.generation), `member ${entry.member}`, `member ${entry.source}`, settings(before(entry)), settings(entry.hyperparameters)]),
    { caption: data.copies.length === 0 ? 'No member has copied another' : 'Copies', head: ['generation', 'member', 'copied', 'before', 'after'] });
}
