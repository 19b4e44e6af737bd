// What the page knows: runs, series, and who wants to hear of changes.

const series = new Map(); // run → metric → {x, y}
const recent = new Map(); // run → rows that came lately, for series that are still on their way
const reached = new Map(); // run → steps of the newest row that is here
const listeners = new Set();
const MOST_RECENT = 400;
const MOST_POINTS = 3000; // beyond this the server thins a line out again

const wanted = new Map(); // run → metrics that a chart has asked for in vain
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

/** Brings lines of a run here; asks only for those that are not here yet. */
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

/** A line that is here, or an empty one that is asked for; listeners hear when it has come. */
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
    await lines(id, [...metrics]).then(() => tell('lines', { run: id }), () => {});
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
    forget(message.run); // rows fell between two connections
    tell('reset', { run: message.run });
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

function tell(kind, content) {
  listeners.forEach(listener => listener(kind, content));
}

/** Follows these runs, and no others, from now on. */
export function watch(ids) {
  if (source && ids.length === watched.length && ids.every((id, i) => id === watched[i])) {
    return;
  }
  ids.filter(id => !watched.includes(id)).forEach(forget);
  watched = ids;
  connect(false);
}

/** After a silence everything is asked for again. */
function connect(afterSilence) {
  source?.close();
  source = null;
  if (document.hidden) {
    return; // a page that nobody sees takes no connection; a browser has only six for a server
  }
  const query = new URLSearchParams(watched.map(id => ['run', id]));
  source = new EventSource('/api/events?' + query);
  let missed = afterSilence;
  source.addEventListener('open', () => {
    if (missed) {
      watched.forEach(forget);
      watched.forEach(id => tell('reset', { run: id }));
      tell('runs', {});
      tell('populations', {});
    }
    missed = true;
    tell('live', true);
  });
  source.addEventListener('error', () => {
    tell('live', false);
    if (source?.readyState === EventSource.CLOSED) {
      setTimeout(() => { if (source?.readyState === EventSource.CLOSED) connect(true); }, 5000);
    }
  });
  const on = (kind, take) => source.addEventListener(kind, event => {
    const content = JSON.parse(event.data);
    take?.(content);
    tell(kind, content);
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
