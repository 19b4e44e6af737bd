// Client-side cache of series, and the listeners that are notified of changes.

const series = new Map(); // run → metric → {x, y}
const recent = new Map(); // run → rows received recently, for series that are still loading
const reached = new Map(); // run → steps of the newest row received
const listeners = new Set();
const MOST_RECENT = 400;
const MOST_POINTS = 3000; // beyond this number a series is requested again, thinned by the server

const wanted = new Map(); // run → metrics that a chart has requested and that are not loaded
let fetching = null;
let source = null;
let watched = [];

async function get(path, parameters = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of [value].flat()) {
      query.append(name, one);
    }
  }
  const text = query.toString();
  const response = await fetch('/api/' + path + (text ? '?' + text : ''));
  if (!response.ok) {
    throw new Error((await response.text()).trim() || 'status ' + response.status);
  }
  return response.json();
}

/** All runs, studies and populations; settings and defaults by path. */
export let listing = { name: '', complete: true, settings: {}, defaults: {}, policies: {}, runs: [], studies: [], populations: [] };

export async function loadListing() {
  listing = await get('runs');
}

export const run = id => get('run', { run: id });
export const alerts = id => get('alerts', { run: id });
export const study = id => get('study', { study: id });
export const population = id => get('population', { population: id });
export const equity = (id, part) => get('equity', part ? { run: id, part } : { run: id });

/** Loads series of a run; requests only those that are not loaded. */
export async function lines(id, metrics) {
  const known = series.get(id) ?? new Map();
  series.set(id, known);
  const missing = [...new Set(metrics)].filter(metric => !known.has(metric));
  for (let start = 0; start < missing.length; start += 60) {
    const part = missing.slice(start, start + 60);
    const answer = await get('series', { run: id, metric: part, points: 1200 });
    reached.set(id, Math.max(reached.get(id) ?? 0, answer.steps));
    const axes = { updates: answer.updates, seconds: answer.seconds };
    for (const metric of part) {
      known.set(metric, { ...(answer.series[metric] ?? { x: [], y: [] }), axes, source: { run: id, metric } });
    }
    for (const row of recent.get(id) ?? []) {
      append(known, row, part);
    }
  }
}

const compared = new Map(); // run → metric → line, of runs that are compared
const PER_REQUEST = 16;
const COMPARED_POINTS = 400;

/** Loads lines of many runs, with fewer points. */
export async function compareLines(ids, metrics) {
  const missing = ids.filter(id => metrics.some(metric => !compared.get(id)?.has(metric)));
  const parts = Array.from({ length: Math.ceil(missing.length / PER_REQUEST) }, (_, i) => missing.slice(i * PER_REQUEST, (i + 1) * PER_REQUEST));
  await Promise.all(parts.map(async part => {
    const answer = await get('lines', { run: part, metric: metrics, points: COMPARED_POINTS });
    for (const id of part) {
      const axes = { updates: answer[id]?.updates, seconds: answer[id]?.seconds };
      compared.set(id, new Map(metrics.map(metric => [metric, { ...(answer[id]?.series[metric] ?? { x: [], y: [] }), axes }])));
    }
  }));
}

export const comparedLine = (id, metric) => compared.get(id)?.get(metric) ?? { x: [], y: [] };

/** A compared run has new rows: its lines are loaded again when they are next shown. */
export const forgetCompared = id => compared.delete(id);

const fine = new Map(); // run → metric, from and to → a part of a series with more of its points
const THINNED = 1000; // a shorter series has all its points

/** A part of a series that the server has thinned, with more of its points as soon as they are loaded. */
export function refined(line, [from, to]) {
  if (!line.source || line.x.length < THINNED) {
    return line;
  }
  const { run: id, metric } = line.source;
  const parts = fine.get(id) ?? new Map();
  fine.set(id, parts);
  const ends = { from: Math.max(0, Math.floor(from)), to: Math.max(0, Math.ceil(to)) };
  const key = `${metric} ${ends.from} ${ends.to}`;
  if (!parts.has(key)) {
    parts.set(key, null);
    get('series', { run: id, metric, points: 1200, ...ends }).then(answer => {
      parts.set(key, { ...line, ...answer.series[metric] });
      notify('lines', { run: id });
    }, () => {});
  }
  return parts.get(key) ?? line;
}

/** A loaded series, or an empty one that is then requested; listeners are notified when it has arrived. */
export function line(id, metric) {
  const known = series.get(id)?.get(metric);
  if (!known) {
    wanted.set(id, (wanted.get(id) ?? new Set()).add(metric));
    fetching ??= Promise.resolve().then(fetchWanted);
  }
  return known ?? { x: [], y: [] };
}

async function fetchWanted() {
  const batch = [...wanted];
  wanted.clear();
  fetching = null;
  for (const [id, metrics] of batch) {
    await lines(id, [...metrics]).then(() => notify('lines', { run: id }), () => {});
  }
}

function append(known, row, metrics) {
  for (const metric of metrics) {
    const value = row.values[metric];
    const line = known.get(metric);
    if (value === undefined || !line) {
      continue;
    }
    const last = line.x.length - 1;
    if (last < 0 || row.steps > line.x[last]) {
      line.x.push(row.steps);
      line.y.push(value);
    } else if (row.steps === line.x[last]) {
      line.y[last] = value;
    }
  }
}

function takeRows(message) {
  if (reached.has(message.run) && message.after > reached.get(message.run)) {
    forget(message.run); // rows were lost between two connections
    notify('reset', { run: message.run });
    return;
  }
  const kept = recent.get(message.run) ?? [];
  kept.push(...message.rows);
  recent.set(message.run, kept.slice(-MOST_RECENT));
  const known = series.get(message.run);
  if (!known) {
    return;
  }
  fine.delete(message.run);
  for (const row of message.rows) {
    append(known, row, Object.keys(row.values));
    reached.set(message.run, Math.max(reached.get(message.run) ?? 0, row.steps));
  }
  for (const [metric, line] of known) {
    if (line.x.length > MOST_POINTS || (line.x.length === 0 && message.rows.some(row => metric in row.values))) {
      known.delete(metric);
    }
  }
}

function forget(id) {
  series.delete(id);
  fine.delete(id);
  recent.delete(id);
  reached.delete(id);
}

/** Calls back with (kind, content): rows, lines, reset, status, alerts, runs, studies, live. */
export function listen(listener) {
  listeners.add(listener);
}

function notify(kind, content) {
  listeners.forEach(listener => listener(kind, content));
}

/** Subscribes to these runs, and to no others. */
export function watch(ids) {
  if (source && ids.length === watched.length && ids.every((id, i) => id === watched[i])) {
    return;
  }
  ids.filter(id => !watched.includes(id)).forEach(forget);
  watched = ids;
  connect(false);
}

/** After an interruption everything is requested again. */
function connect(afterInterruption) {
  source?.close();
  source = null;
  if (document.hidden) {
    return; // a hidden page needs no connection; browsers allow only six per server
  }
  const query = new URLSearchParams(watched.map(id => ['run', id]));
  source = new EventSource('/api/events?' + query);
  let missed = afterInterruption;
  source.addEventListener('open', () => {
    if (missed) {
      watched.forEach(forget);
      watched.forEach(id => notify('reset', { run: id }));
      notify('runs', {});
      notify('studies', {});
    }
    missed = true;
    notify('live', true);
  });
  source.addEventListener('error', () => {
    notify('live', false);
    if (source?.readyState === EventSource.CLOSED) {
      setTimeout(() => { if (source?.readyState === EventSource.CLOSED) connect(true); }, 5000);
    }
  });
  const on = (kind, take) => source.addEventListener(kind, event => {
    const content = JSON.parse(event.data);
    take?.(content);
    notify(kind, content);
  });
  on('rows', takeRows);
  on('reset', content => forget(content.run));
  on('status', content => { listing.runs = listing.runs.map(run => run.id === content.run.id ? content.run : run); });
  on('alerts');
  on('runs');
  on('studies');
}

document.addEventListener('visibilitychange', () => {
  if (document.hidden) {
    source?.close();
    source = null;
  } else if (!source) {
    connect(true);
  }
});
