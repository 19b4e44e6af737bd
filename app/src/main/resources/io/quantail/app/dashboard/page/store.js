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

export const runs = () => get('runs');
export const run = id => get('run', { run: id });
export const alerts = id => get('alerts', { run: id });
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
    for (const metric of part) {
      known.set(metric, answer.series[metric] ?? { x: [], y: [] });
    }
    for (const row of recent.get(id) ?? []) {
      append(known, row, part);
    }
  }
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
  recent.delete(id);
  reached.delete(id);
}

/** Calls back with (kind, content): rows, lines, reset, status, alerts, runs, populations, live. */
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
      notify('populations', {});
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
  on('status');
  on('alerts');
  on('runs');
  on('populations');
}

document.addEventListener('visibilitychange', () => {
  if (document.hidden) {
    source?.close();
    source = null;
  } else if (!source) {
    connect(true);
  }
});
