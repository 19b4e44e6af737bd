// Comparison of runs, any metric of one run, and settings, versions and result of a run.
import { element, fill, table } from './dom.js';
import { linePanel } from './panels.js';
import { grid, empty, problems } from './pages.js';
import * as store from './store.js';

const MOST_RUNS = 6; // as many as there are line styles
const RETURN = 'rollout/ep_rew_mean';

/** The chosen runs, this one first. */
export function chosenRuns(run, parameters) {
  return [run, ...parameters.getAll('with').filter(other => other !== run)].slice(0, MOST_RUNS);
}

export async function compare(run, info, parameters, go, all) {
  const chosen = chosenRuns(run, parameters);
  const metrics = parameters.getAll('metric').length > 0 ? parameters.getAll('metric') : [RETURN];
  const infos = await Promise.all(chosen.map(id => id === run ? info : store.run(id)));
  await Promise.all(chosen.map(id => store.lines(id, metrics)));
  return [
    element('div', { class: 'controls' },
      element('fieldset', { class: 'choices' }, element('legend', {}, `Runs, up to ${MOST_RUNS}`), all.map(other => choice(other.id, chosen, run, go))),
      metricField(infos.flatMap(one => one.metrics), metrics, go)),
    grid(metrics.map(metric => linePanel(
      {
        title: metric, unit: describe(infos, metric).unit, explain: describe(infos, metric).meaning, wide: true,
        lines: chosen.map((id, i) => ({ name: id, place: i })),
      },
      () => ({ lines: chosen.map(id => store.line(id, metric)) })))),
    chosen.length < 2 ? empty('Choose other runs above to overlay them.') : differences(chosen, infos),
  ];
}

function choice(id, chosen, run, go) {
  const others = chosen.filter(other => other !== run);
  return element('label', {}, element('input', {
    type: 'checkbox', checked: chosen.includes(id), disabled: id === run || (!chosen.includes(id) && chosen.length >= MOST_RUNS),
    onchange: event => go({ with: event.target.checked ? [...others, id] : others.filter(other => other !== id) }),
  }), ' ', id);
}

function describe(infos, metric) {
  return infos.flatMap(info => info.metrics).find(one => one.name === metric) ?? { unit: '', meaning: '' };
}

/** A field with suggestions, and a button for each metric that is shown. */
function metricField(known, metrics, go) {
  const names = [...new Set(known.map(metric => metric.name))].sort();
  const field = element('input', { id: 'metric', type: 'search', autocomplete: 'off', placeholder: 'add a metric' });
  field.setAttribute('list', 'metric-names');
  const add = () => {
    if (names.includes(field.value) && !metrics.includes(field.value)) {
      go({ metric: [...metrics, field.value] });
    }
  };
  field.addEventListener('change', add);
  return element('div', { class: 'choices' }, element('label', { for: 'metric' }, 'Metrics '), field,
    element('datalist', { id: 'metric-names' }, names.map(name => element('option', { value: name }))),
    metrics.map(metric => element('button', {
      class: 'chip', type: 'button', 'aria-label': 'remove ' + metric,
      onclick: () => go({ metric: metrics.filter(other => other !== metric) }),
    }, metric, ' ×')));
}

/** Settings that are not the same in all runs. */
function differences(ids, infos) {
  const flat = infos.map(info => new Map(flatten(info.settings)));
  const keys = [...new Set(flat.flatMap(settings => [...settings.keys()]))];
  const other = keys.filter(key => new Set(flat.map(settings => settings.get(key))).size > 1);
  return element('div', { class: 'table' }, table(
    other.map(key => [key, ...flat.map(settings => settings.get(key) ?? '–')]),
    other.length === 0 ? { caption: 'All settings are the same' } : { caption: 'Settings that differ', head: ['setting', ...ids] }));
}

/** [['a.b', 'text'], ...] */
export function flatten(tree, prefix = '') {
  if (tree === null || typeof tree !== 'object') {
    return [[prefix, String(typeof tree === 'number' ? Number(tree.toPrecision(8)) : tree)]];
  }
  if (Array.isArray(tree) && tree.every(value => value === null || typeof value !== 'object')) {
    return [[prefix, tree.length === 0 ? 'none' : tree.join(', ')]];
  }
  const entries = Object.entries(tree);
  return entries.length === 0 ? [[prefix, 'none']]
    : entries.flatMap(([key, value]) => flatten(value, prefix ? prefix + '.' + key : key));
}

/** Any metrics of one run, found by name or meaning. */
export async function metrics(run, info, parameters, go) {
  const chosen = parameters.getAll('metric').filter(name => info.metrics.some(metric => metric.name === name));
  await store.lines(run, chosen.length > 0 ? chosen : [RETURN]);
  const list = element('div', { class: 'metric-list' });
  const field = element('input', {
    id: 'find', type: 'search', placeholder: 'name or meaning', autocomplete: 'off',
    value: parameters.get('find') ?? '', oninput: () => show(),
  });
  const show = () => {
    const words = field.value.toLowerCase().split(/\s+/);
    const found = info.metrics.filter(metric => words.every(word => (metric.name + ' ' + metric.meaning).toLowerCase().includes(word)));
    found.sort((a, b) => chosen.includes(b.name) - chosen.includes(a.name)); // plotted metrics first
    fill(list, found.map(metric => element('label', { title: metric.meaning }, element('input', {
      type: 'checkbox', checked: chosen.includes(metric.name),
      onchange: event => go({ find: field.value, metric: event.target.checked ? [...chosen, metric.name] : chosen.filter(name => name !== metric.name) }),
    }), element('span', {}, metric.name), element('small', {}, metric.meaning))), found.length === 0 ? empty('No metric matches.') : null);
  };
  show();
  return [
    element('div', { class: 'controls' }, element('label', { for: 'find' }, `Find one of ${info.metrics.length} metrics `), field),
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
  const list = (caption, tree) => tree === null ? null : element('div', { class: 'table' }, table(flatten(tree), { caption }));
  return [
    problems(info),
    element('div', { class: 'columns' },
      list('Settings', info.settings),
      element('div', {}, list('Versions at the start', info.versions), list('Evaluation', info.result?.evaluation ?? null))),
  ];
}
