// Comparison of any number of runs: a line each, or mean and band over the seeds of equal settings.
import { element, fill, table, scrolling } from './dom.js';
import { number, percent, count } from './format.js';
import { linePanel } from './panels.js';
import { onAxis, average } from './charts.js';
import { grid, empty, problems } from './pages.js';
import { difference, settingTable, flatten } from './settings.js';
import { grouped, shortName, summary } from './list.js';
import { resultText, reportOf } from './runs.js';
import { sign, status } from './states.js';
import * as state from './state.js';
import * as store from './store.js';

const RETURN = 'rollout/ep_rew_mean';
const MANY = 6; // from this number on, runs with equal settings are drawn as one line
const POINTS = 200;
const MOST_LINES = 24;
const BANDS = [['range', 'lowest to highest'], ['deviation', 'standard deviation']];

/** The chosen runs that exist, the baseline first. */
export function chosenRuns() {
  const known = new Map(store.listing.runs.map(run => [run.id, run]));
  const ids = [...new Set([state.get('baseline'), ...state.all('with')])];
  return ids.map(id => known.get(id)).filter(Boolean);
}

/** Runs with equal settings, which differ in the seed; the group of the baseline first. */
function groupsOf(runs) {
  const averaged = (state.get('lines') ?? (runs.length > MANY ? 'mean' : 'each')) === 'mean';
  return averaged ? grouped(runs, 'settings', store.listing)
    : runs.map(run => ({ key: run.id, name: run.study ? `${run.study} ${shortName(run)}` : run.id, runs: [run] }));
}

export async function compare() {
  const runs = chosenRuns();
  if (runs.length === 0) {
    return [empty('No run is chosen. '), element('p', {}, element('a', { class: 'button', href: state.link('runs', {}) }, 'Choose runs'))];
  }
  const metrics = state.all('metric').length > 0 ? state.all('metric') : [RETURN];
  const [info] = await Promise.all([store.run(runs[0].id), store.compareLines(runs.map(run => run.id), metrics)]);
  const groups = groupsOf(runs);
  const drawn = groups.slice(0, MOST_LINES);
  const deviation = state.get('band') === 'deviation';
  const averaged = groups.some(group => group.runs.length > 1);
  const lines = drawn.map((group, i) => ({
    name: group.name + (group.runs.length > 1 ? `, ${group.runs.length} seeds` : ''), place: i, width: i === 0 && state.get('baseline') ? 2.6 : 1.6 }));
  return [
    controls(runs, groups, metrics, info),
    groups.length > drawn.length ? element('p', { class: 'note' }, `The charts show the first ${MOST_LINES} of ${groups.length} lines; the table has all.`) : null,
    grid(metrics.map(metric => linePanel(
      { title: metric, unit: describe(info, metric).unit, explain: describe(info, metric).meaning, wide: true, lines },
      () => drawGroups(drawn, metric, deviation)))),
    averaged ? element('p', { class: 'note' }, `Lines are means over runs with equal settings, up to the end of the shortest; bands are ${deviation ? 'one standard deviation around them' : 'the lowest and the highest run'}.`) : null,
    comparisonTable(runs, groups),
  ];
}

/** Lines and bands of the groups, on the axis that is chosen. */
function drawGroups(groups, metric, deviation) {
  const lines = [];
  const bands = [];
  groups.forEach((group, place) => {
    const own = group.runs.map(run => store.comparedLine(run.id, metric));
    if (own.length === 1) {
      lines.push(own[0]);
      return;
    }
    const { mean, low, high } = average(own.map(line => onAxis(line, state.view.axis)), POINTS, deviation);
    lines.push(mean);
    bands.push({ low, high, place, strength: 0.16 });
  });
  return { lines, bands };
}

function controls(runs, groups, metrics, info) {
  const pick = (id, label, options, now, change) => element('label', { class: 'pick' }, element('span', { class: 'hidden' }, label),
    element('select', { id, onchange: event => change(event.target.value) }, options.map(([value, text]) => element('option', { value, selected: value === now }, text))));
  const repeated = new Set(runs.map(run => run.settings)).size < runs.length;
  return element('div', { class: 'controls' },
    element('span', {}, `${count(runs.length)} run${runs.length === 1 ? '' : 's'}`), element('a', { class: 'button', href: state.link('runs', {}) }, 'Choose runs'),
    pick('pin', 'Baseline', [['', 'no baseline'], ...runs.map(run => [run.id, 'baseline ' + run.id])], state.get('baseline') ?? '',
      id => state.go({ baseline: id, with: runs.map(run => run.id) })),
    repeated ? pick('lines', 'Lines', [['each', 'a line for each run'], ['mean', 'mean over seeds']], state.get('lines') ?? (runs.length > MANY ? 'mean' : 'each'), value => state.go({ lines: value })) : null,
    groups.some(group => group.runs.length > 1) ? pick('band', 'Band', BANDS, state.get('band') ?? 'range', value => state.go({ band: value })) : null,
    metricField(info.metrics, metrics));
}

const describe = (info, metric) => info.metrics.find(one => one.name === metric) ?? { unit: '', meaning: '' };

/** A field with suggestions, and a button for each metric that is shown. */
function metricField(known, metrics) {
  const names = known.map(metric => metric.name).sort();
  const field = element('input', { id: 'metric', type: 'search', autocomplete: 'off', placeholder: 'add a metric' });
  field.setAttribute('list', 'metric-names');
  field.addEventListener('change', () => {
    if (names.includes(field.value) && !metrics.includes(field.value)) {
      state.go({ metric: [...metrics, field.value] });
    }
  });
  return element('div', { class: 'choices' }, element('label', { for: 'metric' }, 'Metrics '), field,
    element('datalist', { id: 'metric-names' }, names.map(name => element('option', { value: name }))),
    metrics.map(metric => element('button', {
      class: 'chip', type: 'button', 'aria-label': 'remove ' + metric,
      onclick: () => state.go({ metric: metrics.filter(other => other !== metric) }),
    }, metric, ' ×')));
}

/** Results beside those of the baseline, and the settings that differ from it. */
function comparisonTable(runs, groups) {
  const { settings, defaults } = store.listing;
  const pinned = runs.find(run => run.id === state.get('baseline'));
  const first = groups[0];
  const base = settings[first.runs[0].settings] ?? {};
  const score = group => summary(group.runs.map(run => run.result.score ?? run.meanReturn));
  const bars = runs.some(run => run.result.bars !== null);
  const shown = value => bars ? percent(value, 2) : number(value);
  const reference = score(first)?.mean;
  const rows = groups.map(group => {
    const own = score(group);
    const statuses = [...new Set(group.runs.map(run => run.result.status).filter(Boolean))];
    const changes = difference(base, settings[group.runs[0].settings] ?? {}, defaults);
    return element('tr', {},
      element('th', { scope: 'row' }, group.runs.length === 1 ? [sign(group.runs[0].state), ' ', element('a', { href: state.link('overview', { run: group.runs[0].id }) }, group.name)] : group.name),
      element('td', {}, count(group.runs.length)),
      element('td', {}, own === null ? '–' : group.runs.length === 1 ? resultText(group.runs[0]) || number(group.runs[0].meanReturn) : shown(own.mean)),
      element('td', {}, own === null || own.count < 2 ? '' : `${shown(own.low)} to ${shown(own.high)}`),
      element('td', {}, group === first || own === null || reference === undefined ? '' : (own.mean > reference ? '+' : '') + shown(own.mean - reference)),
      element('td', {}, statuses.length === 1 && group.runs.length === 1 ? status(statuses[0]) : statuses.map(word => `${group.runs.filter(run => run.result.status === word).length} ${word}`).join(', ')),
      element('td', { class: 'settings' }, group === first ? '' : changes.length === 0 ? 'the same settings' : changes.map(text => element('span', { class: 'change' }, text))),
      element('td', {}, group.runs.filter(run => run.report).map(run => [element('a', { href: reportOf(run.id), target: '_blank', rel: 'noopener', 'aria-label': 'report of ' + run.id }, group.runs.length === 1 ? 'report' : run.seed), ' '])));
  });
  const head = ['run', 'runs', 'result', 'lowest to highest', 'difference', 'limit', 'settings that differ', 'report'];
  return scrolling('Comparison', element('table', { id: 'comparison' },
    element('caption', {}, `Compared with ${pinned ? pinned.id : first.name}${pinned ? ', the baseline' : ''}`),
    element('thead', {}, element('tr', {}, head.map(name => element('th', { scope: 'col' }, name)))),
    element('tbody', {}, rows)));
}

/** Any metrics of one run, found by name or meaning. */
export async function metrics(run, info) {
  const chosen = state.all('metric').filter(name => info.metrics.some(metric => metric.name === name));
  await store.lines(run, chosen.length > 0 ? chosen : [RETURN]);
  const list = element('div', { class: 'metric-list', tabIndex: 0, role: 'region', 'aria-label': 'metrics' });
  const field = element('input', {
    id: 'find-metric', type: 'search', placeholder: 'name or meaning', autocomplete: 'off',
    value: state.get('named') ?? '', oninput: () => show(),
  });
  const show = () => {
    const words = field.value.toLowerCase().split(/\s+/);
    const found = info.metrics.filter(metric => words.every(word => (metric.name + ' ' + metric.meaning).toLowerCase().includes(word)));
    found.sort((a, b) => chosen.includes(b.name) - chosen.includes(a.name)); // plotted metrics first
    fill(list, found.map(metric => element('label', { title: metric.meaning }, element('input', {
      type: 'checkbox', checked: chosen.includes(metric.name),
      onchange: event => state.go({ named: field.value, metric: event.target.checked ? [...chosen, metric.name] : chosen.filter(name => name !== metric.name) }),
    }), element('span', {}, metric.name), element('small', {}, metric.meaning))), found.length === 0 ? empty('No metric matches.') : null);
  };
  show();
  return [
    element('div', { class: 'controls' }, element('label', { for: 'find-metric' }, `Find one of ${info.metrics.length} metrics `), field),
    element('div', { class: 'picker' }, list,
      chosen.length === 0 ? empty('Tick metrics to plot them.') : grid(chosen.map(name => {
        const metric = info.metrics.find(one => one.name === name);
        return linePanel(
          { title: name, unit: metric.unit, explain: metric.meaning, lines: [{ name: 'value', place: 0 }] },
          () => ({ lines: [store.line(run, name)] }));
      }))),
  ];
}

/** Settings, versions and result of a run. */
export async function details(run, info) {
  const list = (caption, tree) => tree === null ? null : scrolling(caption, table(flatten(tree), { caption }));
  const only = state.get('changed') === '1';
  return [
    problems(info),
    info.settings === null ? null : element('label', { class: 'controls' }, element('input', { type: 'checkbox', id: 'changed', checked: only, onchange: event => state.go({ changed: event.target.checked ? '1' : null }) }), 'only settings that are not the default'),
    element('div', { class: 'columns' },
      info.settings === null ? null : scrolling('Settings', settingTable(info, only)),
      element('div', {}, list('Versions at the start', info.versions), list('Evaluation', info.result?.evaluation ?? null))),
  ];
}
