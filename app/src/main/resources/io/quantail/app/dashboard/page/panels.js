// A panel: title, legend with the newest values, a chart, and the same data as text and as a table.
import { element, fill, table as makeTable } from './dom.js';
import { swatch, lineOption, smooth, between, onAxis, stepsAt, interpolate, place, describe, valueAt, valueText } from './charts.js';
import { view, replace } from './state.js';
import { refined } from './store.js';

const live = new Set(); // panels on the page
const TABLE_ROWS = 12;

const NARROWEST_DRAG = 6; // pixels; less is a click

let onZoom = () => {};

/** Calls back when a part of the charts was chosen. */
export const listenToZoom = listener => { onZoom = listener; };

/** Shows a part of the horizontal axis in all charts that have it; null shows all of it. */
export function zoom(name, ends) {
  replace({ [name]: ends === null ? null : ends.map(end => Number(end.toPrecision(8))).join('~') });
  onZoom();
  redrawPanels();
}

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
 * lines: [{name, place, width}], bands: [{low, high, strength, name}]}; data: () => ({lines: [line], bands: [{low, high}]}).
 */
export function linePanel(spec, data) {
  const state = { table: false, cursor: null, entries: [], hidden: new Set(spec.lines.filter(line => line.off).map(line => line.place)) };
  const legend = element('ul', { class: 'legend' });
  const plot = element('div', { class: 'plot', tabIndex: 0, role: 'img' });
  const spoken = element('p', { class: 'hidden', 'aria-live': 'polite' });
  const table = element('div', { class: 'table', hidden: true, tabIndex: 0, role: 'region', 'aria-label': `numbers of ${spec.title}` });
  const logButton = element('button', { class: 'quiet small', type: 'button', 'aria-label': `logarithmic scale of ${spec.title}`, onclick: toggleLog }, 'log');
  const tableButton = element('button', { class: 'quiet small', type: 'button', 'aria-label': `table of ${spec.title}`, onclick: () => { state.table = !state.table; draw(); } }, 'table');
  const section = element('section', { class: 'panel' + (spec.wide ? ' wide' : ''), 'aria-label': spec.title },
    element('header', {},
      element('h2', { title: spec.explain ?? '' }, spec.title, spec.unit ? element('small', {}, ' ' + spec.unit) : null),
      element('span', { class: 'tools' }, logButton, tableButton)),
    legend, plot, spoken, table);
  let chart = null;

  const zoomed = spec.time ? 'dates' : spec.across ? null : 'zoom'; // parameter of the address
  const isLog = () => Boolean(spec.log) !== view.log.includes(spec.title);

  function toggleLog() {
    replace({ log: view.log.includes(spec.title) ? view.log.filter(title => title !== spec.title) : [...view.log, spec.title] });
    draw();
  }

  /** The part of a line that is shown, on the chosen axis. */
  function shown(steps) {
    const line = zoomed === 'zoom' ? onAxis(steps, view.axis) : steps;
    const last = line.x[line.x.length - 1];
    const ends = zoomed && view[zoomed] ? view[zoomed]
      : view.range === 1 || line.x.length === 0 ? null : [last - (last - line.x[0]) * view.range, last];
    if (ends === null || line.x.length === 0) {
      return line;
    }
    const part = zoomed === 'zoom' ? refined(steps, ends.map(end => stepsAt(end, steps, view.axis))) : steps;
    return between(part === steps ? line : onAxis(part, view.axis), ends);
  }

  /** Alerts are at steps. */
  const markAt = (steps, line) => view.axis === 'steps' || !line?.axes ? steps
    : interpolate(view.axis === 'updates' ? line.axes.updates : line.axes.seconds, steps);

  /** What the horizontal axis shows. */
  const axis = () => ({ time: spec.time, across: spec.across, updates: zoomed === 'zoom' && view.axis === 'updates', elapsed: zoomed === 'zoom' && view.axis === 'time' });

  function draw() {
    const now = data();
    const all = spec.lines.map((line, i) => {
      const raw = shown(now.lines[i] ?? { x: [], y: [] });
      return { ...line, raw, line: smooth(raw, spec.time || spec.across ? 0 : view.smooth) };
    }).filter(entry => entry.raw.x.length > 0);
    state.entries = all.filter(entry => !state.hidden.has(entry.place));
    const bands = (now.bands ?? []).map(band => ({ ...band, low: shown(band.low), high: shown(band.high) }))
      .filter(band => !state.hidden.has(band.place) || band.place === undefined);
    const { percent, names, step } = spec;
    const log = isLog();
    const ends = state.entries.flatMap(entry => [entry.raw.x[0], entry.raw.x.at(-1)]);
    const length = ends.length > 0 ? Math.max(...ends) - Math.min(...ends) : 0;
    const options = { percent, names, step, ...axis(), log, zero: spec.zero && !log, days: length / 86_400_000, length, window: zoomed ? view[zoomed] : null };
    logButton.setAttribute('aria-pressed', log);
    tableButton.setAttribute('aria-pressed', state.table);
    const focused = [...legend.querySelectorAll('button')].indexOf(document.activeElement);
    fill(legend, all.map(entry => element('li', {}, key(entry, all.length))),
      bands.filter(band => band.name).map(band => element('li', {}, element('span', { class: 'band band-' + band.level }), element('span', { class: 'name' }, band.name))));
    legend.querySelectorAll('button')[focused]?.focus();
    chart ??= begin();
    const marks = (spec.marks ?? []).map(x => markAt(x, now.lines.find(line => line.axes)));
    chart.setOption(lineOption(state.entries, log ? [] : bands, spec.limits ?? [], marks, options), true);
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

  const value = y => valueText(y, spec);
  const where = x => place(axis())(x);

  function begin() {
    const made = echarts.init(plot, null, { renderer: 'canvas' });
    observer.observe(plot);
    if (zoomed) dragToZoom(made);
    return made;
  }

  /** A drag chooses a part of the axis, a double click shows all of it. */
  function dragToZoom(made) {
    const area = element('div', { class: 'drag', hidden: true });
    plot.append(area);
    let start = null;
    const canvas = made.getZr();
    canvas.on('mousedown', event => { start = event.offsetX; });
    canvas.on('mousemove', event => {
      area.hidden = start === null || Math.abs(event.offsetX - start) < NARROWEST_DRAG;
      if (!area.hidden) {
        area.style.left = Math.min(start, event.offsetX) + 'px';
        area.style.width = Math.abs(event.offsetX - start) + 'px';
      }
    });
    canvas.on('mouseup', event => {
      const from = start;
      start = null;
      area.hidden = true;
      if (from !== null && Math.abs(event.offsetX - from) >= NARROWEST_DRAG) {
        const ends = [from, event.offsetX].map(x => made.convertFromPixel({ xAxisIndex: 0 }, x)).sort((a, b) => a - b);
        zoom(zoomed, ends);
      }
    });
    canvas.on('globalout', () => { start = null; area.hidden = true; });
    canvas.on('dblclick', () => zoom(zoomed, null));
  }

  /** Plus halves what is shown around the cursor, minus doubles it, zero shows all. */
  function zoomWithKey(key, line) {
    if (key === '0') {
      zoom(zoomed, null);
      return;
    }
    const [first, last] = view[zoomed] ?? [line.x[0], line.x.at(-1)];
    const middle = line.x[Math.min(state.cursor ?? line.x.length - 1, line.x.length - 1)];
    const width = (last - first) * (key === '-' ? 2 : 0.5);
    const whole = onAxis(data().lines[0], spec.time ? 'steps' : view.axis);
    const ends = [Math.max(whole.x[0], middle - width / 2), Math.min(whole.x.at(-1), middle + width / 2)];
    if (ends[0] < ends[1]) zoom(zoomed, ends);
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
    }).join('; ')) + '. Arrow keys step through the values' + (zoomed ? ', plus, minus and zero zoom.' : '.');
  }

  function rows() {
    const longest = state.entries.reduce((best, entry) => entry.raw.x.length > best.length ? entry.raw.x : best, []);
    const spread = (_, i) => Math.round(i * (longest.length - 1) / (TABLE_ROWS - 1));
    const places = [...new Set(Array.from({ length: TABLE_ROWS }, spread))];
    const names = state.entries.map(entry => entry.name);
    const body = places.filter(i => i >= 0 && i < longest.length)
      .map(i => [where(longest[i]), ...state.entries.map(entry => value(valueAt(entry.line, longest[i])))]);
    const { updates, elapsed } = axis();
    return makeTable(body, { head: [spec.time ? 'time' : spec.across ?? (elapsed ? 'training time' : updates ? 'update' : 'step'), ...names] });
  }

  plot.addEventListener('keydown', event => {
    const line = state.entries[0]?.raw;
    const last = (line?.x.length ?? 0) - 1;
    if (zoomed && last > 0 && ['+', '-', '0'].includes(event.key)) {
      event.preventDefault();
      zoomWithKey(event.key, line);
      return;
    }
    const stride = Math.max(1, Math.round(last / 100));
    const move = { ArrowLeft: i => i - stride, ArrowRight: i => i + stride, Home: () => 0, End: () => last }[event.key];
    if (!move || last < 0) {
      return;
    }
    event.preventDefault();
    state.cursor = Math.max(0, Math.min(last, move(state.cursor ?? last)));
    const point = chart.convertToPixel({ xAxisIndex: 0, yAxisIndex: 0 }, [line.x[state.cursor], line.y[state.cursor]]);
    chart.dispatchAction({ type: 'showTip', x: point[0], y: Math.max(12, point[1]) });
    spoken.textContent = describe(state.entries, line.x[state.cursor], { ...spec, ...axis() }).join(', ').replace(/\s+/g, ' ');
  });
  plot.addEventListener('blur', () => chart?.dispatchAction({ type: 'hideTip' }));

  register({ draw, dispose: () => { observer.disconnect(); chart?.dispose(); } });
  return section;
}

/** A panel with a chart option given by the caller: {title, unit, option: () => option, text: () => string, rows: () => [[..]]}. */
export function freePanel(spec) {
  const plot = element('div', { class: 'plot', tabIndex: 0, role: 'img' });
  const table = element('div', { class: 'table', hidden: true, tabIndex: 0, role: 'region', 'aria-label': `numbers of ${spec.title}` });
  const legend = element('ul', { class: 'legend' }, spec.legend ?? []);
  const button = element('button', { class: 'quiet small', type: 'button', 'aria-pressed': 'false', 'aria-label': `table of ${spec.title}`, onclick: () => {
    table.hidden = !table.hidden;
    button.setAttribute('aria-pressed', String(!table.hidden));
    draw();
  } }, 'table');
  const section = element('section', { class: 'panel', 'aria-label': spec.title },
    element('header', {},
      element('h2', {}, spec.title, spec.unit ? element('small', {}, ' ' + spec.unit) : null),
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
