// A panel: title, legend with the newest values, a chart, and the same data as text and as a table.
import { element, fill, table as makeTable } from './dom.js';
import { count, moment } from './format.js';
import { swatch, lineOption, smooth, from, describe, valueAt, valueText } from './charts.js';

const live = new Set(); // panels on the page
const TABLE_ROWS = 12;

export const view = { range: 1, smoothing: 0 }; // fraction of the run that is shown; window of the smoothing

/** Adds a panel {draw, dispose} to those that are redrawn. */
export const register = panel => live.add(panel);

/** Disposes of all panels before another view is built. */
export function clearPanels() {
  live.forEach(panel => panel.dispose());
  live.clear();
}

/** Draws all panels if the charting library is loaded. */
export function redrawPanels() {
  if (window.echarts) {
    live.forEach(panel => panel.draw());
  }
}

/**
 * A panel of lines. spec: {title, unit, explain, wide, log, zero, percent, names, time, across, step, limits, marks,
 * lines: [{name, place}], bands: [{low, high, strength, name}]}; data: () => ({lines: [line], bands: [{low, high}]}).
 */
export function linePanel(spec, data) {
  const state = { log: Boolean(spec.log), table: false, cursor: null, entries: [], hidden: new Set(spec.lines.filter(line => line.off).map(line => line.place)) };
  const legend = element('ul', { class: 'legend' });
  const plot = element('div', { class: 'plot', tabIndex: 0, role: 'img' });
  const spoken = element('p', { class: 'hidden', 'aria-live': 'polite' });
  const table = element('div', { class: 'table', hidden: true });
  const logButton = element('button', { class: 'quiet small', type: 'button', onclick: () => { state.log = !state.log; draw(); } }, 'log');
  const tableButton = element('button', { class: 'quiet small', type: 'button', onclick: () => { state.table = !state.table; draw(); } }, 'table');
  const section = element('section', { class: 'panel' + (spec.wide ? ' wide' : ''), 'aria-label': spec.title },
    element('header', {},
      element('h3', { title: spec.explain ?? '' }, spec.title, spec.unit ? element('small', {}, ' ' + spec.unit) : null),
      element('span', { class: 'tools' }, logButton, tableButton)),
    legend, plot, spoken, table);
  let chart = null;

  function shown(line) {
    const last = line.x[line.x.length - 1];
    return view.range === 1 || line.x.length === 0 ? line : from(line, last - (last - line.x[0]) * view.range);
  }

  function draw() {
    const now = data();
    const all = spec.lines.map((line, i) => {
      const raw = shown(now.lines[i] ?? { x: [], y: [] });
      return { ...line, raw, line: smooth(raw, spec.time || spec.across ? 0 : view.smoothing) };
    }).filter(entry => entry.raw.x.length > 0);
    state.entries = all.filter(entry => !state.hidden.has(entry.place));
    const bands = (now.bands ?? []).map(band => ({ ...band, low: shown(band.low), high: shown(band.high) }));
    const { percent, names, time, across, step } = spec;
    const options = { percent, names, time, across, step, log: state.log, zero: spec.zero && !state.log, days: days(state.entries[0]?.raw.x) };
    logButton.setAttribute('aria-pressed', state.log);
    tableButton.setAttribute('aria-pressed', state.table);
    const focused = [...legend.querySelectorAll('button')].indexOf(document.activeElement);
    fill(legend, all.map(entry => element('li', {}, key(entry, all.length))),
      bands.map(band => element('li', {}, element('span', { class: 'band band-' + band.level }), element('span', { class: 'name' }, band.name))));
    legend.querySelectorAll('button')[focused]?.focus();
    chart ??= begin();
    chart.setOption(lineOption(state.entries, state.log ? [] : bands, spec.limits ?? [], spec.marks ?? [], options), true);
    plot.setAttribute('aria-label', summary());
    table.hidden = !state.table;
    if (state.table) {
      fill(table, rows());
    }
  }

  /** Name and newest value of a line; with several lines, a button that hides it. */
  function key(entry, lines) {
    const parts = [swatch(entry.place), element('span', { class: 'name' }, entry.name), element('output', {}, value(entry.raw.y[entry.raw.y.length - 1]))];
    const toggle = () => {
      if (!state.hidden.delete(entry.place)) state.hidden.add(entry.place);
      draw();
    };
    return lines === 1 ? element('span', { class: 'key' }, parts)
      : element('button', { class: 'key', type: 'button', 'aria-pressed': String(!state.hidden.has(entry.place)), title: 'show or hide', onclick: toggle }, parts);
  }

  const days = x => x?.length > 0 ? (x[x.length - 1] - x[0]) / 86_400_000 : 0;
  const value = y => valueText(y, spec);
  const where = x => spec.time ? moment(x) : count(x);

  function begin() {
    const made = echarts.init(plot, null, { renderer: 'canvas' });
    observer.observe(plot);
    return made;
  }

  const observer = new ResizeObserver(() => chart?.resize());

  function summary() {
    return spec.title + ': ' + (state.entries.length === 0 ? 'no values yet' : state.entries.map(entry => {
      const { x, y } = entry.raw;
      const low = y.reduce((a, b) => Math.min(a, b));
      const high = y.reduce((a, b) => Math.max(a, b));
      const last = y.length - 1;
      return `${entry.name} from ${value(y[0])} at ${where(x[0])} to ${value(y[last])} at ${where(x[last])},`
        + ` lowest ${value(low)}, highest ${value(high)}`;
    }).join('; ')) + '. Arrow keys step through the values.';
  }

  function rows() {
    const longest = state.entries.reduce((best, entry) => entry.raw.x.length > best.length ? entry.raw.x : best, []);
    const spread = (_, i) => Math.round(i * (longest.length - 1) / (TABLE_ROWS - 1));
    const places = [...new Set(Array.from({ length: TABLE_ROWS }, spread))];
    const names = state.entries.map(entry => entry.name);
    const body = places.filter(i => i >= 0 && i < longest.length)
      .map(i => [where(longest[i]), ...state.entries.map(entry => value(valueAt(entry.line, longest[i])))]);
    return makeTable(body, { head: [spec.time ? 'time' : spec.across ?? 'step', ...names] });
  }

  plot.addEventListener('keydown', event => {
    const line = state.entries[0]?.raw;
    const last = (line?.x.length ?? 0) - 1;
    const stride = Math.max(1, Math.round(last / 100));
    const move = { ArrowLeft: i => i - stride, ArrowRight: i => i + stride, Home: () => 0, End: () => last }[event.key];
    if (!move || last < 0) {
      return;
    }
    event.preventDefault();
    state.cursor = Math.max(0, Math.min(last, move(state.cursor ?? last)));
    const point = chart.convertToPixel({ xAxisIndex: 0, yAxisIndex: 0 }, [line.x[state.cursor], line.y[state.cursor]]);
    chart.dispatchAction({ type: 'showTip', x: point[0], y: Math.max(12, point[1]) });
    spoken.textContent = describe(state.entries, line.x[state.cursor], spec).join(', ').replace(/\s+/g, ' ');
  });
  plot.addEventListener('blur', () => chart?.dispatchAction({ type: 'hideTip' }));

  register({ draw, dispose: () => { observer.disconnect(); chart?.dispose(); } });
  return section;
}

/** A panel with a chart option given by the caller: {title, unit, option: () => option, text: () => string, rows: () => [[..]]}. */
export function freePanel(spec) {
  const plot = element('div', { class: 'plot', tabIndex: 0, role: 'img' });
  const table = element('div', { class: 'table', hidden: true });
  const legend = element('ul', { class: 'legend' }, spec.legend ?? []);
  const button = element('button', { class: 'quiet small', type: 'button', 'aria-pressed': 'false', onclick: () => {
    table.hidden = !table.hidden;
    button.setAttribute('aria-pressed', String(!table.hidden));
    draw();
  } }, 'table');
  const section = element('section', { class: 'panel', 'aria-label': spec.title },
    element('header', {},
      element('h3', {}, spec.title, spec.unit ? element('small', {}, ' ' + spec.unit) : null),
      element('span', { class: 'tools' }, button)),
    legend, plot, table);
  let chart = null;
  const observer = new ResizeObserver(() => chart?.resize());

  function draw() {
    if (!chart) {
      chart = echarts.init(plot, null, { renderer: 'canvas' });
      observer.observe(plot);
    }
    chart.setOption(spec.option(), true);
    plot.setAttribute('aria-label', spec.text());
    if (!table.hidden) {
      const [head, ...body] = spec.rows();
      fill(table, makeTable(body, { head }));
    }
  }

  register({ draw, dispose: () => { observer.disconnect(); chart?.dispose(); } });
  return section;
}
