// The view of all runs: a table of which only the rows on the screen exist.
import { element, fill } from './dom.js';
import { number, percent, count, moment } from './format.js';
import { COLUMNS, DESCENDING, GROUPS, select, grouped, differences, summary, shortName, urgent } from './list.js';
import { STATES, sign, status, wordOf } from './states.js';
import * as state from './state.js';
import * as store from './store.js';

const ROW = 30; // pixels, as in the style sheet
const BEYOND = 8; // rows above and below the screen

export const reportOf = (id, name = 'report.html') => '/reports/' + id.split('/').map(encodeURIComponent).join('/') + '/' + encodeURIComponent(name);

export const query = () => ({
  ...Object.fromEntries(['find', 'state', 'limit', 'environment', 'study', 'sort', 'by'].map(name => [name, state.get(name) ?? ''])),
  open: new Set(state.all('open')),
});

/** The runs in the order of the list, without groups. */
export const order = () => select(store.listing, query());

/** Return of episodes, or of bars in percent. */
export const resultText = run => run.result.score === null ? '' : run.result.bars === null ? number(run.result.score) : percent(run.result.score, 2);

export function runs() {
  const body = element('tbody');
  const head = element('thead');
  const shell = element('table', {}, element('caption', { class: 'hidden' }, 'Runs'), head, body);
  const list = element('div', { id: 'list', class: 'list', tabIndex: 0, role: 'region', 'aria-label': 'Runs' }, shell);
  const told = element('p', { class: 'told', role: 'status' });
  const chosenBar = element('div', { class: 'chosen' });
  const filters = element('div', { class: 'controls', role: 'search' });
  let rows = [];
  let shown = [];
  let columns = [];
  let differ = () => '';
  let asked = {};
  let drawn = '';

  const chosen = () => new Set(state.all('with'));

  /** Takes over changes of the list or the address. */
  function refresh() {
    asked = query();
    shown = select(store.listing, asked);
    const baseline = store.listing.runs.find(run => run.id === state.get('baseline'));
    differ = differences(shown, baseline, store.listing);
    rows = asked.by === '' ? shown.map(run => ({ run })) : grouped(shown, asked.by, store.listing)
      .flatMap(group => [{ group }, ...(asked.open.has(group.key) ? group.runs.map(run => ({ run, inGroup: true })) : [])]);
    columns = columnsOf(shown);
    drawHead();
    drawChosen();
    const all = store.listing.runs.length;
    const groups = rows.filter(row => row.group).length;
    told.textContent = (shown.length === all ? `${count(all)} run${all === 1 ? '' : 's'}` : `${count(shown.length)} of ${count(all)} runs`)
      + (asked.by === '' ? '' : `, ${groups} group${groups === 1 ? '' : 's'}`)
      + (store.listing.complete ? '' : '; the directory has more, which are not shown');
    drawn = '';
    draw();
  }

  /** Columns that have a value in some run. */
  function columnsOf(some) {
    const any = test => some.some(test);
    const closed = asked.by !== '' && asked.open.size === 0; // groups have no single study or seed
    return ['choose', 'name', any(run => run.study) && asked.by !== 'study' && 'study', 'environment', 'seed', 'progress', 'return', any(run => run.validation !== null) && 'validation', any(run => run.result.score !== null) && 'result',
      any(run => run.result.status !== null) && 'limit', any(urgent) && 'alerts', 'settings', 'written', any(run => run.report) && 'report']
      .filter(column => column && !(closed && ['study', 'seed', 'settings', 'written', 'report'].includes(column)) && !(asked.by === 'environment' && column === 'environment'));
  }

  function drawHead() {
    const [, by, down] = /^(\w+?)(-down)?$/.exec(asked.sort) ?? [null, 'name', undefined];
    const focused = document.activeElement?.dataset?.sort;
    fill(head, element('tr', {}, columns.map(column => {
      if (column === 'choose') {
        const all = shown.length > 0 && shown.every(run => chosen().has(run.id));
        return element('th', { class: 'of-choose', scope: 'col' }, element('input', { type: 'checkbox', checked: all, 'aria-label': 'choose all runs shown', onchange: event => choose(shown, event.target.checked) }));
      }
      if (!COLUMNS[column]) {
        return element('th', { scope: 'col', class: 'of-' + column }, column === 'settings' ? 'settings that differ' : column);
      }
      const now = by === column;
      const next = now ? (down ? column : column + '-down') : DESCENDING.includes(column) ? column + '-down' : column;
      const button = element('button', { class: 'sort', type: 'button', onclick: () => { state.replace({ sort: next }); refresh(); } },
        COLUMNS[column][0], element('span', { 'aria-hidden': 'true' }, now ? (down ? ' ↓' : ' ↑') : ''));
      button.dataset.sort = column;
      return element('th', { scope: 'col', class: 'of-' + column, 'aria-sort': now ? (down ? 'descending' : 'ascending') : null }, button);
    })));
    if (focused) head.querySelector(`[data-sort="${focused}"]`)?.focus();
  }

  /** Draws the rows on the screen, if they are not there already. */
  function draw() {
    const height = list.clientHeight || 600;
    const first = Math.max(0, Math.min(Math.floor(list.scrollTop / ROW) - BEYOND, rows.length - 1));
    const last = Math.min(rows.length, Math.ceil((list.scrollTop + height) / ROW) + BEYOND);
    const now = `${first} ${last}`;
    if (now === drawn) {
      return;
    }
    drawn = now;
    const focused = document.activeElement?.dataset?.run;
    const picked = chosen();
    shell.setAttribute('aria-rowcount', rows.length + 1);
    fill(body, space(first), rows.slice(first, last).map((row, i) => row.group ? groupRow(row.group, first + i) : runRow(row.run, first + i, picked, row.inGroup)), space(rows.length - last));
    if (rows.length === 0) {
      fill(body, element('tr', {}, element('td', { colSpan: columns.length, class: 'none' }, store.listing.runs.length === 0
        ? `There is no run in ${store.listing.name} yet. A run appears here when its training starts.` : 'No run matches. Clear the search or a filter.')));
    }
    if (focused) focusOn(focused);
  }

  function space(count) {
    if (count <= 0) {
      return null;
    }
    const cell = element('td', { colSpan: columns.length });
    cell.style.height = count * ROW + 'px';
    return element('tr', { class: 'space', 'aria-hidden': 'true' }, cell);
  }

  const focusOn = id => [...body.querySelectorAll('a[data-run], button[data-run]')].find(one => one.dataset.run === id)?.focus({ preventScroll: true });

  function runRow(run, at, picked, inGroup) {
    const name = element('a', { href: state.link('overview', { run: run.id }) }, shortName(run));
    name.dataset.run = run.id;
    name.title = run.id;
    const cells = {
      choose: () => element('td', { class: 'of-choose' }, element('input', { type: 'checkbox', checked: picked.has(run.id), 'aria-label': 'choose ' + run.id, onchange: event => choose([run], event.target.checked) })),
      name: () => element('th', { scope: 'row', class: 'of-name' + (inGroup ? ' inner' : '') }, sign(run.state), ' ', name),
      study: () => element('td', { class: 'of-study' }, run.study ? element('a', { href: studyAddress(run.study) }, run.study) : ''),
      environment: () => element('td', { class: 'of-environment' }, run.environment),
      seed: () => element('td', {}, run.seed),
      progress: () => element('td', { title: `${count(run.steps)} of ${count(run.totalSteps)} steps` }, count(run.steps), element('small', {}, run.totalSteps ? ' ' + percent(Math.min(1, run.steps / run.totalSteps), 0) : '')),
      return: () => element('td', {}, run.meanReturn === null ? '' : number(run.meanReturn)),
      validation: () => element('td', {}, run.validation === null ? '' : number(run.validation)),
      result: () => element('td', {}, resultText(run)),
      limit: () => element('td', { class: 'of-limit' }, run.result.status ? status(run.result.status) : ''),
      alerts: () => element('td', {}, urgent(run) > 0 ? element('span', { class: 'badge' }, `▲ ${urgent(run)}`) : ''),
      settings: () => { const text = differ(run); return element('td', { class: 'of-settings', title: text }, text); },
      written: () => element('td', {}, run.modifiedMillis === null ? '' : moment(run.modifiedMillis)),
      report: () => element('td', {}, run.report ? element('a', { href: reportOf(run.id), target: '_blank', rel: 'noopener', 'aria-label': `report of ${run.id}` }, 'report') : ''),
    };
    return element('tr', { 'aria-rowindex': at + 2, class: picked.has(run.id) ? 'picked' : '' }, columns.map(column => cells[column]()));
  }

  function groupRow(group, at) {
    const open = asked.open.has(group.key);
    const bars = group.runs.some(run => run.result.bars !== null);
    const [environment, another] = new Set(group.runs.map(run => run.environment));
    const range = (take, text) => {
      const known = another === undefined ? summary(group.runs.map(take)) : null; // returns of several environments have no mean
      return known === null ? '' : element('span', { title: `mean of ${known.count}; ${text(known.low)} to ${text(known.high)}` }, text(known.mean), known.count > 1 ? element('small', {}, ` ${text(known.low)} to ${text(known.high)}`) : null);
    };
    const toggle = element('button', { class: 'group', type: 'button', 'aria-expanded': String(open), onclick: () => {
      const next = new Set(asked.open);
      if (!next.delete(group.key)) next.add(group.key);
      state.replace({ open: [...next] });
      refresh();
    } }, element('span', { 'aria-hidden': 'true' }, open ? '▾ ' : '▸ '), group.name);
    toggle.dataset.run = 'group ' + group.key;
    toggle.title = group.name;
    const picked = chosen();
    const statuses = [...new Set(group.runs.map(run => run.result.status).filter(Boolean))].sort();
    const cells = {
      choose: () => element('td', { class: 'of-choose' }, element('input', { type: 'checkbox', checked: group.runs.every(run => picked.has(run.id)), 'aria-label': 'choose all of ' + group.name, onchange: event => choose(group.runs, event.target.checked) })),
      name: () => element('th', { scope: 'row', class: 'of-name' }, toggle, asked.by === 'study' && group.key ? element('a', { class: 'inner', href: studyAddress(group.key) }, 'open') : null),
      environment: () => element('td', { class: 'of-environment' }, another === undefined ? environment : ''),
      progress: () => element('td', {}, element('small', {}, `${group.runs.length} run${group.runs.length === 1 ? '' : 's'}`)),
      return: () => element('td', {}, range(run => run.meanReturn, number)),
      validation: () => element('td', {}, range(run => run.validation, number)),
      result: () => element('td', {}, range(run => run.result.score, bars ? value => percent(value, 2) : number)),
      limit: () => element('td', { class: 'of-limit' }, statuses.map(word => `${group.runs.filter(run => run.result.status === word).length} ${word}`).join(', ')),
      alerts: () => element('td', {}, group.runs.reduce((sum, run) => sum + urgent(run), 0) || ''),
    };
    return element('tr', { 'aria-rowindex': at + 2, class: 'group' }, columns.map(column => cells[column]?.() ?? element('td')));
  }

  function choose(some, wanted) {
    const picked = chosen();
    some.forEach(run => wanted ? picked.add(run.id) : picked.delete(run.id));
    state.replace({ with: [...picked] });
    refresh();
  }

  function drawChosen() {
    const picked = state.all('with').filter(id => store.listing.runs.some(run => run.id === id));
    const baseline = state.get('baseline');
    chosenBar.hidden = picked.length === 0;
    fill(chosenBar, picked.length === 0 ? null : [
      element('span', {}, `${count(picked.length)} chosen`),
      element('a', { class: 'button', id: 'compare', href: state.link('compare', {}) }, 'Compare'),
      element('label', {}, 'Baseline ', element('select', { id: 'baseline', onchange: event => { state.replace({ baseline: event.target.value }); refresh(); } },
        element('option', { value: '' }, 'none'),
        [...new Set([baseline, ...picked.slice(0, 200)].filter(Boolean))].map(id => element('option', { value: id, selected: id === baseline }, id)))),
      element('button', { class: 'quiet', type: 'button', onclick: () => { state.replace({ with: [] }); refresh(); } }, 'Choose none'),
    ]);
  }

  function drawFilters() {
    const { runs: all } = store.listing;
    const values = take => [...new Set(all.map(take))].filter(Boolean).sort();
    const pick = (name, label, options) => options.length < 2 && !asked[name] ? null : element('label', { class: 'pick' }, element('span', { class: 'hidden' }, label),
      element('select', { id: 'filter-' + name, onchange: event => { state.replace({ [name]: event.target.value }); list.scrollTop = 0; refresh(); } },
        [['', `any ${label}`], ...options.map(option => [option, option])].map(([value, text]) => element('option', { value, selected: value === asked[name] }, text))));
    const field = element('input', { id: 'find', type: 'search', placeholder: 'name, setting=value, seed=3', autocomplete: 'off', value: asked.find, oninput: () => {
      state.replace({ find: field.value });
      list.scrollTop = 0;
      refresh();
    } });
    fill(filters, element('label', { for: 'find' }, 'Search '), field,
      pick('state', 'state', values(run => wordOf(run.state))),
      pick('environment', 'environment', values(run => run.environment)),
      asked.study ? pick('study', 'study', values(run => run.study)) : null,
      pick('limit', 'limit', values(run => run.result.status)),
      element('label', { class: 'pick' }, element('span', { class: 'hidden' }, 'Groups'),
        element('select', { id: 'by', onchange: event => { state.replace({ by: event.target.value, open: [] }); list.scrollTop = 0; refresh(); } },
          GROUPS.map(([value, text]) => element('option', { value, selected: value === asked.by }, text)))),
      told);
  }

  let waiting = false;
  list.addEventListener('scroll', () => {
    if (!waiting) {
      waiting = true;
      requestAnimationFrame(() => { waiting = false; draw(); });
    }
  });
  const observer = new ResizeObserver(() => draw());
  observer.observe(list);

  /** Arrow keys move between rows, also to those that are not on the screen. */
  list.addEventListener('keydown', event => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const id = document.activeElement?.dataset?.run;
    const here = step && id ? rows.findIndex(row => (row.group ? 'group ' + row.group.key : row.run.id) === id) : -1;
    const next = rows[here + step];
    if (here < 0 || !next) {
      return;
    }
    event.preventDefault();
    const top = (here + step) * ROW;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (top + 3 * ROW > list.scrollTop + list.clientHeight) list.scrollTop = top + 3 * ROW - list.clientHeight;
    drawn = '';
    draw();
    focusOn(next.group ? 'group ' + next.group.key : next.run.id);
  });

  asked = query();
  drawFilters();
  return { content: [filters, chosenBar, list], refresh, dispose: () => observer.disconnect() };
}

const isPopulation = id => store.listing.populations.some(one => one.id === id);
export const studyAddress = id => isPopulation(id) ? state.link('population', { population: id }) : state.link('study', { study: id });

/** The list of sweeps, walk-forwards and populations. */
export function studies() {
  const { studies: some, populations } = store.listing;
  if (some.length + populations.length === 0) {
    return [element('p', { class: 'empty' }, `There is no sweep, walk-forward or population in ${store.listing.name}.`)];
  }
  const rows = [
    ...some.map(one => [one, one.kind, `${count(one.runs)} agents`, '']),
    ...populations.map(one => [one, 'population', one.members && one.generations ? `${one.members} members, ${Math.min(one.generations, Math.ceil(one.done / one.members))} of ${one.generations} generations` : `${one.done} results`,
      one.bestScore === null ? '' : 'best score ' + number(one.bestScore)]),
  ].sort(([a], [b]) => b.modifiedMillis - a.modifiedMillis);
  return [element('div', { class: 'table', tabIndex: 0, role: 'region', 'aria-label': 'Studies' }, element('table', { class: 'studies' },
    element('caption', { class: 'hidden' }, 'Studies'),
    element('thead', {}, element('tr', {}, ['study', 'kind', 'state', 'size', 'result', 'written'].map(name => element('th', { scope: 'col' }, name)))),
    element('tbody', {}, rows.map(([one, kind, size, best]) => element('tr', {},
      element('th', { scope: 'row' }, sign(one.state), ' ', element('a', { href: studyAddress(one.id) }, one.id)),
      element('td', {}, kind), element('td', {}, STATES[one.state][1]), element('td', {}, size), element('td', {}, best), element('td', {}, moment(one.modifiedMillis)))))))];
}
