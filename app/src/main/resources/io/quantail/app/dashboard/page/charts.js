// Options of the charts: colours come from the style sheet, each with a dash and a marker of its own.
import { drawing } from './dom.js';
import { number, count, short, moment, duration, span } from './format.js';

const DASHES = ['solid', [7, 3], [2, 2], [9, 3, 2, 3], [14, 4], [4, 2, 1, 2, 1, 2]];
const MARKS = ['circle', 'rect', 'triangle', 'diamond', 'pin', 'arrow'];
const COLOURS = 6;

/** Colours repeat with every sixth line, with another dash and marker. */
export function styleOf(place) {
  const kind = (place + Math.floor(place / COLOURS)) % DASHES.length;
  return { colour: `--line-${place % COLOURS + 1}`, dash: DASHES[kind], mark: MARKS[kind] };
}

export function css(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** A sample of a line style for legends. */
export function swatch(place) {
  const style = styleOf(place);
  const shapes = {
    circle: ['circle', { cx: 20, cy: 5, r: 2.8 }],
    rect: ['rect', { x: 17.4, y: 2.4, width: 5.2, height: 5.2 }],
    triangle: ['path', { d: 'M20 1.6 23.2 7.6H16.8z' }],
    diamond: ['path', { d: 'M20 1.2 23.4 5 20 8.8 16.6 5z' }],
    pin: ['path', { d: 'M20 9 17.2 4a2.8 2.8 0 1 1 5.6 0z' }],
    arrow: ['path', { d: 'M20 1.2 23 8.4 20 6.8 17 8.4z' }],
  };
  const dash = style.dash === 'solid' ? 'none' : style.dash.join(' ');
  return drawing('svg', { viewBox: '0 0 26 10', class: `swatch line-${place % COLOURS + 1}`, 'aria-hidden': 'true' },
    drawing('line', { x1: 0, x2: 26, y1: 5, y2: 5, 'stroke-dasharray': dash }), drawing(...shapes[style.mark]));
}

/** Exponential moving average; share is its window as a fraction of the line. */
export function smooth(line, share) {
  if (share === 0 || line.y.length < 8) {
    return line;
  }
  const keep = 1 - 1 / Math.max(1, share * line.y.length);
  let mean = line.y[0];
  let weight = 0;
  let sum = 0;
  const y = line.y.map(value => {
    sum = keep * sum + (1 - keep) * value;
    weight = keep * weight + (1 - keep);
    mean = sum / weight;
    return mean;
  });
  return { ...line, y };
}

/** The points of a line between two x, with one on either side so that the line reaches the border. */
export function between(line, [start, end]) {
  const first = line.x.findIndex(x => x >= start);
  const last = line.x.findLastIndex(x => x <= end);
  return first < 0 || last < 0 ? { ...line, x: [], y: [] }
    : { ...line, x: line.x.slice(Math.max(0, first - 1), last + 2), y: line.y.slice(Math.max(0, first - 1), last + 2) };
}

/** A line over updates or training time; empty if the run has no times. axes: {updates, seconds} over steps. */
export function onAxis(line, axis) {
  if (axis === 'steps' || !line.axes) {
    return line;
  }
  const map = axis === 'updates' ? line.axes.updates : line.axes.seconds;
  return map.x.length === 0 ? { ...line, x: [], y: [] } : { ...line, x: line.x.map(x => interpolate(map, x)) };
}

/** The steps at a place on the chosen axis. */
export function stepsAt(x, line, axis) {
  const map = axis === 'updates' ? line.axes?.updates : axis === 'time' ? line.axes?.seconds : null;
  return map ? interpolate({ x: map.y, y: map.x }, x) : x;
}

/** Linear between the points of a rising line, and beyond its ends like its last parts. */
export function interpolate(map, x) {
  if (map.x.length === 1) {
    return map.y[0];
  }
  let low = 0;
  let high = map.x.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (map.x[middle] <= x) low = middle; else high = middle;
  }
  return map.y[low] + (x - map.x[low]) * (map.y[high] - map.y[low]) / (map.x[high] - map.x[low]);
}

/**
 * Mean, lowest and highest of several lines at equal distances, up to the end of the shortest; with deviation the band
 * is the standard deviation around the mean.
 */
export function average(lines, points, deviation) {
  const known = lines.filter(line => line.x.length > 0);
  const start = Math.max(...known.map(line => line.x[0]));
  const end = Math.min(...known.map(line => line.x.at(-1)));
  const count = known.length === 0 || end < start ? 0 : end === start ? 1 : points;
  const x = Array.from({ length: count }, (_, i) => count === 1 ? start : start + i * (end - start) / (count - 1));
  const mean = [];
  const low = [];
  const high = [];
  const at = known.map(() => 0);
  for (const place of x) {
    const values = known.map((line, k) => {
      while (at[k] < line.x.length - 2 && line.x[at[k] + 1] <= place) at[k]++;
      const [a, b] = [at[k], Math.min(at[k] + 1, line.x.length - 1)];
      const part = line.x[b] > line.x[a] ? Math.min(1, Math.max(0, (place - line.x[a]) / (line.x[b] - line.x[a]))) : 0;
      return line.y[a] + part * (line.y[b] - line.y[a]);
    });
    const middle = values.reduce((a, b) => a + b) / values.length;
    const error = Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / Math.max(1, values.length - 1));
    mean.push(middle);
    low.push(deviation ? middle - error : Math.min(...values));
    high.push(deviation ? middle + error : Math.max(...values));
  }
  return { mean: { x, y: mean }, low: { x, y: low }, high: { x, y: high } };
}

/** Distances between ticks of training time, in seconds. */
const SPANS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400];

/** A round distance between about four ticks. */
export const roundSpan = seconds => SPANS.find(span => span >= seconds / 5) ?? 86400 * Math.ceil(seconds / 5 / 86400);

/** The newest value at or before x. */
export function valueAt(line, x) {
  let low = 0;
  let high = line.x.length - 1;
  if (high < 0 || line.x[0] > x) {
    return undefined;
  }
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (line.x[middle] <= x) low = middle; else high = middle - 1;
  }
  return line.y[low];
}

const pairs = (line, log) => line.x.map((x, i) => [x, log && line.y[i] <= 0 ? null : line.y[i]]);

/** A date; with the time of day if the chart spans a few days. */
const day = (millis, days) => days > 6 || moment(millis).endsWith('00:00') ? moment(millis).slice(0, 10) : moment(millis).slice(5);

function axes(options) {
  const text = css('--muted');
  const rule = css('--rule');
  const numbers = css('--numbers');
  const label = { color: text, fontSize: 11, fontFamily: numbers, hideOverlap: true };
  const [first, last] = options.window ?? [];
  const step = options.elapsed ? roundSpan(options.length) : undefined;
  return {
    animation: false, useUTC: true,
    grid: { left: 8, right: options.time ? 34 : 14, top: 10, bottom: 4, containLabel: true },
    xAxis: {
      type: options.time ? 'time' : 'value', min: options.elapsed ? ({ min }) => Math.floor((first ?? min) / step) * step : first ?? 'dataMin', max: last ?? 'dataMax',
      splitNumber: options.time ? 3 : 4, ...(step ? { interval: step } : {}),
      axisLine: { lineStyle: { color: rule } }, axisTick: { show: false }, splitLine: { show: false },
      axisLabel: { ...label, showMinLabel: false, showMaxLabel: false, formatter: options.time ? value => day(value, options.days) : options.elapsed ? span : short },
      ...(options.across ? { minInterval: 1, axisLabel: { ...label, formatter: short } } : {}),
    },
    yAxis: {
      type: options.log ? 'log' : 'value', scale: !options.zero, splitNumber: 3,
      axisLine: { show: false }, axisTick: { show: false },
      splitLine: { lineStyle: { color: rule } },
      axisLabel: { ...label, formatter: options.percent ? value => short(100 * value) + ' %' : short },
      ...(options.names ? byName(options.names, label) : {}),
    },
    tooltip: {
      trigger: 'axis', renderMode: 'richText', confine: true, transitionDuration: 0,
      backgroundColor: css('--raised'), borderColor: css('--rule'), borderWidth: 1, padding: [6, 9],
      textStyle: { color: css('--text'), fontSize: 12, fontFamily: numbers, lineHeight: 17 },
      axisPointer: { type: 'line', snap: true, lineStyle: { color: text, type: 'dotted' }, label: { show: false } },
    },
  };
}

/** A category axis: one name for each integer from 0, with room at both ends. */
const byName = (names, label) => ({ min: -1, max: names.length, interval: 1, axisLabel: { ...label, formatter: value => names[value] ?? '' } });

export const place = options => x => options.time ? moment(x) : options.elapsed ? 'after ' + duration(x) : `${options.across ?? (options.updates ? 'update' : 'step')} ${count(Math.round(x))}`;

function mark(points, style, colour) {
  const last = points.length - 1;
  return last < 0 ? undefined : {
    silent: true, symbol: style.mark, symbolSize: 7, itemStyle: { color: colour }, label: { show: false },
    data: points[last][1] === null ? [] : [{ coord: points[last] }],
  };
}

/** The area between two lines, as one shape. */
function bandSeries(band) {
  const points = [...band.low.x.map((x, i) => [x, band.low.y[i]]), ...band.high.x.map((x, i) => [x, band.high.y[i]]).reverse()];
  return {
    type: 'custom', silent: true, clip: true, tooltip: { show: false }, data: points,
    renderItem: (item, api) => item.dataIndex > 0 ? undefined : {
      type: 'polygon', shape: { points: points.map(point => api.coord(point)) },
      style: { fill: css(styleOf(band.place ?? 0).colour), opacity: band.strength },
    },
  };
}

/**
 * The option of a chart of lines.
 * lines: [{name, line, raw, place}] · bands: [{low, high, strength}]
 * limits: [{name, value, inView}], the axis is extended to those in view
 * marks: [x] · options: {log, zero, time, days, percent, step, across, names}
 */
export function lineOption(lines, bands, limits, marks, options) {
  const result = axes(options);
  const series = [];
  bands.forEach(band => series.push(bandSeries(band)));
  lines.forEach(entry => {
    const style = styleOf(entry.place);
    const colour = css(style.colour);
    const points = pairs(entry.line, options.log);
    if (entry.raw !== entry.line) {
      series.push({ type: 'line', data: pairs(entry.raw, options.log), symbol: 'none', silent: true, lineStyle: { color: colour, width: 1, opacity: 0.25 } });
    }
    series.push({
      type: 'line', name: entry.name, data: points, step: options.step ? 'end' : false, connectNulls: true,
      symbol: options.across ? style.mark : 'none', symbolSize: 6, showSymbol: Boolean(options.across), lineStyle: { color: colour, width: entry.width ?? 1.6, type: style.dash }, itemStyle: { color: colour },
      markPoint: mark(points, style, colour), emphasis: { disabled: true },
    });
  });
  const start = lines.find(entry => entry.line.x.length > 0)?.line.x[0];
  const inView = limits.filter(limit => limit.inView && start !== undefined && !options.log);
  if (inView.length > 0) {
    series.unshift({ type: 'line', data: inView.map(limit => [start, limit.value]), symbol: 'none', silent: true, lineStyle: { opacity: 0 } });
  }
  if (series.length > 0) {
    series[series.length - 1].markLine = {
      silent: true, symbol: 'none', animation: false, precision: -1, // the default rounds values to two digits
      data: [
        ...limits.map(limit => ({
          yAxis: limit.value, lineStyle: { color: css('--text'), type: [3, 3], width: 1 },
          label: { formatter: limit.name, position: 'insideStartTop', color: css('--text'), fontSize: 11 },
        })),
        ...marks.map(x => ({
          xAxis: x, lineStyle: { color: css('--warning'), type: 'solid', width: 1, opacity: 0.7 },
          label: { formatter: '▲', position: 'end', distance: -2, color: css('--warning'), fontSize: 9 },
        })),
      ],
    };
  }
  if (limits.some(limit => limit.name)) {
    result.grid.top = 18; // room for a name at the upper border
  }
  result.series = series;
  result.tooltip.formatter = parameters => {
    const x = [parameters].flat()[0]?.axisValue;
    return x === undefined ? '' : describe(lines, x, options).join('\n');
  };
  return result;
}

/** A value as text: a percentage, a name, or a number. */
export function valueText(value, options) {
  return options.names ? options.names[value] ?? '–' : options.percent ? number(100 * value) + ' %' : number(value);
}

/** The values of all lines at one x, a line of text each. */
export function describe(lines, x, options) {
  const width = Math.max(0, ...lines.map(entry => entry.name.length));
  return [place(options)(x), ...lines.map(entry => {
    const value = valueAt(entry.line, x);
    const text = value === undefined ? '–' : valueText(value, options);
    return entry.name.padEnd(width + 2) + text;
  })];
}

/** Bars with the current and the first values, and a line at what is expected. */
export function barOption(labels, now, before, expected) {
  const result = axes({ percent: true, zero: true });
  const label = { ...result.xAxis.axisLabel, formatter: undefined, showMinLabel: true, showMaxLabel: true };
  result.xAxis = { ...result.xAxis, type: 'category', data: labels, min: undefined, max: undefined, axisLabel: label };
  result.tooltip.axisPointer = { type: 'none' };
  result.tooltip.formatter = parameters => {
    const bars = [parameters].flat();
    return [bars[0].name, ...bars.map(bar => bar.seriesName.padEnd(10) + number(100 * bar.value) + ' %')].join('\n');
  };
  const hollow = { color: 'transparent', borderColor: css('--line-2'), borderWidth: 1.4, borderType: [3, 2] };
  result.series = [
    { type: 'bar', name: 'first', data: before, barGap: '0%', barCategoryGap: '28%', itemStyle: hollow },
    { type: 'bar', name: 'now', data: now, itemStyle: { color: css('--line-1') } },
  ];
  if (expected !== undefined) {
    result.series[1].markLine = { silent: true, symbol: 'none', animation: false, precision: -1, data: [{ yAxis: expected, label: { show: false }, lineStyle: { color: css('--text'), type: [3, 3], width: 1 } }] };
  }
  return result;
}

/** A heat map of fractions over time. cells: [[column, label, fraction]]. */
export function heatOption(columns, labels, cells) {
  const result = axes({});
  const label = { ...result.xAxis.axisLabel, showMinLabel: true, showMaxLabel: undefined };
  const interval = Math.max(0, Math.floor(columns.length / 4) - 1);
  result.grid.right = 10;
  result.xAxis = {
    type: 'category', data: columns, axisTick: { show: false }, axisLine: { lineStyle: { color: css('--rule') } },
    axisLabel: { ...label, formatter: value => short(Number(value)), interval },
  };
  result.yAxis = {
    type: 'category', data: labels, axisTick: { show: false }, axisLine: { show: false },
    axisLabel: { ...label, formatter: undefined, showMaxLabel: true },
  };
  result.visualMap = {
    show: false, min: 0, max: Math.max(0.01, ...cells.map(cell => cell[2])),
    inRange: { color: [css('--panel'), css('--heat-2'), css('--heat-3')] },
  };
  result.tooltip.trigger = 'item';
  result.tooltip.formatter = ({ value: [column, row, share] }) =>
    `step ${count(Number(columns[column]))}\n${labels[row]}  ${number(100 * share)} %`;
  result.series = [{ type: 'heatmap', data: cells, emphasis: { disabled: true } }];
  return result;
}
