// What is shown and how, kept in the address of the page, so that a copied address shows the same.

const parameters = () => new URLSearchParams(location.hash.slice(1));

export const AXES = [['steps', 'steps'], ['updates', 'updates'], ['time', 'training time']];
export const RANGES = [['1', 'whole run'], ['0.5', 'last half'], ['0.1', 'last tenth']];
export const SMOOTHING = [['0', 'raw lines'], ['0.02', 'smoothed'], ['0.08', 'smoother']];

/** How charts are drawn; read from the address when it changes. */
export const view = { axis: 'steps', range: 1, smooth: 0, zoom: null, dates: null, log: [] };

const OF_CHARTS = ['axis', 'range', 'smooth']; // kept from view to view
const OF_LIST = ['find', 'state', 'limit', 'environment', 'sort', 'by', 'open', 'with', 'baseline'];

export const get = name => parameters().get(name);
export const all = name => parameters().getAll(name);

function write(next, changes) {
  for (const [name, value] of Object.entries(changes)) {
    next.delete(name);
    [value].flat().filter(one => one !== null && one !== undefined && one !== '').forEach(one => next.append(name, one));
  }
  return '#' + next;
}

/** The address of the same view with other parameters. */
export const address = changes => write(parameters(), changes);

/** The address of another view: what belongs to this one alone is left out. */
export function link(name, changes) {
  const kept = [...parameters()].filter(([key]) => OF_CHARTS.includes(key) || OF_LIST.includes(key));
  return write(new URLSearchParams(kept), { view: name, ...changes });
}

/** Shows another view. */
export const go = changes => { location.hash = address(changes); };

/** Changes the address without building the view again. */
export function replace(changes) {
  history.replaceState(null, '', address(changes));
  read();
}

/** Takes over the parameters of charts from the address; others count as absent. */
export function read() {
  const known = parameters();
  const one = (name, options) => options.map(([value]) => value).find(value => value === known.get(name)) ?? options[0][0];
  view.axis = one('axis', AXES);
  view.range = Number(one('range', RANGES));
  view.smooth = Number(one('smooth', SMOOTHING));
  view.zoom = interval(known.get('zoom'));
  view.dates = interval(known.get('dates'));
  view.log = known.getAll('log');
}

function interval(text) {
  const ends = (text ?? '').split('~').map(Number);
  return text && ends.length === 2 && ends.every(Number.isFinite) && ends[0] < ends[1] ? ends : null;
}
