// Views that are more than a list of panels.
import { element, table, scrolling } from './dom.js';
import { status } from './states.js';
import { number, count, percent, moment } from './format.js';
import { linePanel, freePanel } from './panels.js';
import { barOption, heatOption, valueAt } from './charts.js';
import { panelsOf, metricsOf } from './views.js';
import * as state from './state.js';
import * as store from './store.js';

const SIGNS = { error: '■', warning: '▲', info: '●' };
export const grid = (panels, kind = '') => element('div', { class: 'grid ' + kind }, panels);
export const empty = text => element('p', { class: 'empty' }, text);

/** A grid of panels of one run, after their series are loaded. */
async function panelGrid(run, panels, marks = []) {
  await store.lines(run, panels.flatMap(metricsOf));
  return grid(panels.map(panel => linePanel(
    { ...panel, marks: panel.alerts ? marks : [], lines: panel.lines.map((one, i) => ({ name: one.name, place: i })) },
    () => ({
      lines: panel.lines.map(one => store.line(run, one.metric)),
      bands: panel.bands.map(band => ({ ...band, low: store.line(run, band.low), high: store.line(run, band.high) })),
    }))));
}

/** Problems with the files of a run. */
export const problems = info => info.problems.map(text => element('p', { class: 'problem' },
  element('span', { class: 'sign', 'aria-hidden': 'true' }, '▲'), ' ', text));

const names = info => info.metrics.map(metric => metric.name);

/** Alerts with observation, reason and advice. */
export function alertList(log) {
  const list = log.alerts;
  const weight = alert => ['error', 'warning', 'info'].indexOf(alert.severity);
  const lasting = list.filter(alert => alert.endedSteps === null).sort((a, b) => weight(a) - weight(b));
  const past = list.filter(alert => alert.endedSteps !== null);
  return element('section', { class: 'alerts', 'aria-label': 'Alerts' },
    element('h2', {}, 'Alerts', element('small', {}, lasting.length === 0 ? ' none active' : ` ${lasting.length} active`)),
    element('div', { class: 'alert-grid' }, lasting.map(alertItem)),
    past.length === 0 ? null
      : element('details', {}, element('summary', {}, `${past.length} cleared`), past.map(alertItem)));
}

function alertItem(alert) {
  return element('article', { class: 'alert ' + alert.severity },
    element('h3', {}, element('span', { class: 'sign', 'aria-hidden': 'true' }, SIGNS[alert.severity]),
      element('span', { class: 'severity' }, alert.severity), ' ', alert.rule,
      element('small', {}, ` since update ${count(alert.update)}, step ${count(alert.steps)}`
        + (alert.endedSteps === null ? '' : `, cleared at step ${count(alert.endedSteps)}`))),
    element('dl', {},
      element('dt', {}, 'Observed'), element('dd', {}, alert.seen || `${alert.metric} was ${number(alert.value)}`),
      alert.why ? [element('dt', {}, 'Why'), element('dd', {}, alert.why)] : null,
      alert.advice ? [element('dt', {}, 'Try'), element('dd', {}, alert.advice)] : null));
}

export async function overview(run, info) {
  const panels = panelsOf('overview', names(info), info.settings);
  const [log] = await Promise.all([store.alerts(run), store.lines(run, panels.flatMap(metricsOf))]);
  const marks = log.alerts.filter(alert => alert.severity !== 'info').slice(0, 12).map(alert => alert.steps);
  const list = element('div', { id: 'alerts' }, alertList(log));
  const charts = panels.length === 0
    ? empty('There are no metrics yet; the first row is written after the first update.')
    : await panelGrid(run, panels, marks);
  return [problems(info), list, charts];
}

const plain = (view, nothing) => async (run, info) => {
  const panels = panelsOf(view, names(info), info.settings);
  return [panels.length === 0 ? empty(nothing) : await panelGrid(run, panels)];
};

export const values = plain('values', 'This run has no value metrics.');
const riskPanels = plain('risk',
  'This run does not measure the CVaR: risk.mode is off. docs/guides/train-under-a-limit.md describes how to measure and limit it.');
export async function risk(run, info) {
  return [limitTable(info.result?.limit), ...await riskPanels(run, info)];
}

/** The limit on each part of the data, with its status. */
function limitTable(limit) {
  if (!Array.isArray(limit?.parts) || !Number.isFinite(limit.limit)) {
    return null;
  }
  const shown = limit.part === 'evaluation' ? number : value => percent(value, 3);
  const rows = limit.parts.map(({ part, estimate: one }) => [
    part, status(one.status), shown(one.measured),
    Number.isFinite(one.low) ? `${shown(one.low)} to ${shown(one.high)}` : '–', count(one.samples) + ' ' + one.unit, count(one.tailSamples), one.reason ?? '']);
  const caption = `Limit ${shown(limit.limit)} on the mean of the worst ${number(100 * limit.alpha)} % of ${limit.measure}: ${limit.status}`
    + (limit.mode === 'off' ? '; training did not enforce it' : '');
  return scrolling('Limit', table(rows, { caption, head: ['part', 'status', 'CVaR', '95 % interval', 'measured on', 'in the tail', 'why undecided'] }), { id: 'limit', class: 'table words' });
}

const RANGES_OF_LEVELS = [['0–5 %', 0, 0.05], ['5–20 %', 0.05, 0.2], ['20–50 %', 0.2, 0.5], ['50–95 %', 0.5, 0.95], ['95–100 %', 0.95, 1]];
const COVERAGES = ['05', '20', '50', '95'].map(level => 'train/calibration/coverage_' + level);

/** Levels of realised returns (PIT), coverage over time, predicted and realised tail. */
export async function calibration(run, info) {
  const known = names(info);
  const panels = panelsOf('calibration', known, info.settings);
  const final = calibrationTable(info.result?.evaluation?.calibration);
  if (panels.length === 0 && !final) {
    return [empty('This run has not compared predictions with realised returns yet. docs/concepts/calibration.md describes when it does.')];
  }
  const charts = panels.length === 0 ? null : await panelGrid(run, panels);
  if (COVERAGES.every(metric => known.includes(metric))) {
    await store.lines(run, COVERAGES);
    charts.firstChild.after(levels(run)); // below the widest panel
  }
  return [final, charts];
}

/** How many realised returns lie in each range of predicted levels, over the number expected; 100 % if calibrated. */
function levels(run) {
  const at = last => {
    const covered = [0, ...COVERAGES.map(metric => store.line(run, metric).y.at(last ? -1 : 0) ?? 0), 1];
    return RANGES_OF_LEVELS.map(([, low, high], i) => (covered[i + 1] - covered[i]) / (high - low));
  };
  const labels = RANGES_OF_LEVELS.map(([name]) => name);
  const part = (fractions, i) => percent(fractions[i] * (RANGES_OF_LEVELS[i][2] - RANGES_OF_LEVELS[i][1]));
  const key = (kind, name) => element('li', {}, element('span', { class: 'box ' + kind }), element('span', { class: 'name' }, name));
  return freePanel({
    title: 'Levels of realised returns (PIT)', unit: 'frequency over that of a calibrated prediction',
    legend: [key('full', 'newest pool'), key('hollow', 'first pool')],
    text: () => 'Levels of realised returns in the newest pool. ' + labels.map((label, i) => `${label}: ${part(at(true), i)} of the returns`).join(', '),
    rows: () => [['level', 'calibrated', 'first pool', 'newest pool'], ...labels.map((label, i) =>
      [label, percent(RANGES_OF_LEVELS[i][2] - RANGES_OF_LEVELS[i][1]), part(at(false), i), part(at(true), i)])],
    option: () => barOption(labels, at(true), at(false), 1),
  });
}

/** Calibration of the trained agent on a pass over bars. */
function calibrationTable(final) {
  const one = final?.measured;
  if (!one) {
    return null;
  }
  const rows = Object.entries(one).filter(([, value]) => typeof value === 'number').map(([name, value]) => [name.replace(/([A-Z0-9]+)/g, ' $1').toLowerCase(), number(value)]);
  return scrolling('Calibration', table(rows, { caption: `After training, one pass over the ${final.bars} bars` }));
}

export const gradients = plain('gradients', 'This run has no gradient metrics.');

export async function policy(run, info) {
  const [metrics] = await plain('policy', 'This run has no policy metrics.')(run, info);
  const bins = names(info).map(name => /^rollout\/action_(tenth_)?share\/(\d+)$/.exec(name)).filter(Boolean)
    .sort((a, b) => Number(a[2]) - Number(b[2]));
  if (bins.length > 0) {
    (await actionPanels(run, bins)).reverse().forEach(panel => metrics.prepend(panel));
  }
  return [metrics];
}

async function actionPanels(run, bins) {
  const ids = bins.map(bin => bin[0]);
  await store.lines(run, ids);
  const tenths = Boolean(bins[0][1]);
  const labels = bins.map(bin => tenths ? `${10 * Number(bin[2])} to ${10 * Number(bin[2]) + 10} %` : `action ${bin[2]}`);
  const ticks = bins.map(bin => tenths ? `${10 * Number(bin[2])} %` : bin[2]);
  const last = () => ids.map(id => store.line(run, id).y.at(-1) ?? 0);
  const first = () => ids.map(id => store.line(run, id).y[0] ?? 0);
  const what = tenths ? 'tenths of the range' : 'fraction of each action';
  const rows = () => [[tenths ? 'range' : 'action', 'first update', 'now'], ...labels.map((label, i) => [label, percent(first()[i]), percent(last()[i])])];
  const text = () => labels.map((label, i) => `${label}: ${percent(last()[i])}`).join(', ');
  const key = (kind, name) => element('li', {}, element('span', { class: 'box ' + kind }), element('span', { class: 'name' }, name));
  return [
    freePanel({
      title: 'Actions', unit: what, text: () => 'Actions now. ' + text(), rows,
      legend: [key('full', 'now'), key('hollow', 'first update')],
      option: () => barOption(ticks, last(), first()),
    }),
    freePanel({
      title: 'Actions over time', unit: what, text: () => 'Actions over time; now ' + text(), rows,
      legend: [key('heat', 'stronger means more frequent')],
      option: () => heatOption(...cells(ids.map(id => store.line(run, id)), ticks)),
    }),
  ];
}

function cells(lines, labels) {
  const start = lines[0].x[0] ?? 0;
  const end = lines[0].x.at(-1) ?? 0;
  const columns = Math.min(80, Math.max(1, lines[0].x.length));
  const places = Array.from({ length: columns }, (_, i) => Math.round(start + (end - start) * (columns === 1 ? 1 : i / (columns - 1))));
  return [places.map(String), labels, places.flatMap((x, i) => lines.map((line, k) => [i, k, valueAt(line, x) ?? 0]))];
}

export async function market(run, info) {
  if (info.parts.length === 0) {
    return [empty(info.settings?.market ? 'The out-of-sample backtest is written when training ends.' : 'This run is not on a market.')];
  }
  const found = await store.equity(run, state.get('part'));
  const choose = element('select', { id: 'part', onchange: event => state.go({ part: event.target.value }) },
    found.parts.map(part => element('option', { value: part, selected: part === found.part }, part + ' bars')));
  const symbols = [...new Set(found.accounts.map(account => account.symbol))];
  const numbers = info.result?.evaluation?.symbols;
  return [
    element('p', { class: 'controls' }, element('label', { for: 'part' }, 'Bars '), choose),
    symbols.map(symbol => {
      const accounts = found.accounts.filter(account => account.symbol === symbol);
      const hidden = key => policy => policy === 'random' || (key === 'exposure' && policy !== 'agent');
      const lines = key => accounts.map((account, i) => (
        { name: policyName(account.policy), place: i, width: i === 0 ? 2 : 1.2, off: hidden(key)(account.policy) }));
      const panel = (title, key, options) => linePanel(
        { title: symbols.length === 1 ? title : `${symbol}: ${title}`, time: true, ...options, lines: lines(key) },
        () => ({ lines: accounts.map(account => account[key]) }));
      const result = found.part === info.result?.evaluation?.split ? numbers?.find(one => one.symbol === symbol) : undefined;
      return [result ? performance(result, info.ledger) : null, grid([
        panel('Equity', 'equity', { unit: 'first bar = 1, net of costs', wide: true }),
        panel('Drawdown', 'drawdown', { unit: 'from the highest equity so far', percent: true, zero: true }),
        panel('Exposure', 'exposure', { unit: 'fraction of equity invested', percent: true, zero: true, step: true }),
      ], 'two')];
    }),
  ];
}

/** buyAndHold → buy-and-hold. */
export const policyName = name => store.listing.policies[name] ?? name;

/** How often the bars were evaluated; for agents of a study that is known for the study alone. */
const evaluations = ledger => Number.isInteger(ledger?.trials)
  ? `Evaluated at least ${ledger.trials} time${ledger.trials === 1 ? '' : 's'} on these bars.`
  : 'How often these bars were evaluated is not known here; the report of a study states it.';

function performance(result, ledger) {
  const rows = [['agent', result.agent], ...Object.entries(result.baselines ?? {})].filter(([, one]) => one);
  const columns = [
    ['return', one => percent(one.totalReturn, 2)], ['Sharpe', one => number(one.sharpe)],
    ['max drawdown', one => percent(one.maxDrawdown, 2)], ['CVaR per bar', one => percent(one.cvar, 3)], ['exposure', one => number(one.exposure)],
  ];
  const span = [result.from, result.to].map(text => moment(Date.parse(text) || 0)).join(' to ');
  return [scrolling(`Performance of ${result.symbol}`, table(
    rows.map(([name, one]) => [policyName(name), ...columns.map(([, show]) => show(one))]),
    { caption: `${result.symbol}, ${span}`, head: ['policy', ...columns.map(([title]) => title)] })), element('p', { class: 'note' }, evaluations(ledger))];
}
