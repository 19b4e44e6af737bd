// Settings as text, their differences, and the settings of one run.
import { element, table } from './dom.js';

/** The entries of a list in its written form; null if it is not a list. */
function entries(text) {
  if (!text?.startsWith('[')) {
    return null;
  }
  try {
    return JSON.parse(text).map(value => typeof value === 'string' ? value : JSON.stringify(value));
  } catch (damaged) {
    return null;
  }
}

/** The entries of one list that another does not have, as often as they are missing. */
function missing(list, other) {
  const left = [...other];
  return list.filter(entry => {
    const at = left.indexOf(entry);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** A change of a list: +return(2) −return(1); null if one of the two is no list. */
function listChange(before, after) {
  const [old, now] = [entries(before), entries(after)];
  if (!old || !now) {
    return null;
  }
  const parts = [...missing(now, old).map(entry => '+' + entry), ...missing(old, now).map(entry => '−' + entry)];
  return parts.length > 0 ? parts.join(' ') : before === after ? 'the same' : 'in another order';
}

/** A setting with its value; of a list the difference from the default. */
export function named(path, value, defaults) {
  const change = value === undefined ? null : listChange(defaults[path], value);
  return change ? `${path} ${change}` : `${path}=${value ?? defaults[path] ?? 'default'}`;
}

/** Settings that have more than one value among some, given by the settings that are not default. */
export function varying(some) {
  const paths = new Set(some.flatMap(settings => Object.keys(settings)));
  return [...paths].filter(path => new Set(some.map(settings => settings[path])).size > 1).sort();
}

/** How settings differ from those of a baseline: ['ppo.epochs 4 → 10', 'features +return(2) −return(1)']. */
export function difference(baseline, settings, defaults) {
  return varying([baseline, settings]).map(path => {
    const before = baseline[path] ?? defaults[path] ?? 'default';
    const after = settings[path] ?? defaults[path] ?? 'default';
    return `${path} ${listChange(before, after) ?? `${before} → ${after}`}`;
  });
}

/** [['a.b', 'text'], ...] */
export function flatten(tree, prefix = '') {
  if (tree === null || typeof tree !== 'object') {
    return [[prefix, String(typeof tree === 'number' ? Number(tree.toPrecision(8)) : tree)]];
  }
  if (Array.isArray(tree) && tree.every(value => value === null || typeof value !== 'object')) {
    return [[prefix, tree.length === 0 ? 'none' : tree.join(', ')]];
  }
  const parts = Object.entries(tree);
  return parts.length === 0 ? [[prefix, 'none']]
    : parts.flatMap(([key, value]) => flatten(value, prefix ? prefix + '.' + key : key));
}

/** Settings of a run; those that are not the default are marked and have the default beside them. */
export function settingTable(info, onlyChanged) {
  const defaults = new Map(Object.entries(info.defaults));
  // A setting of several values is one row of its own settings, such as a schedule.
  const changed = path => [...defaults.keys()].find(one => path === one || path.startsWith(one + '.'));
  const rows = flatten(info.settings).filter(([path]) => !onlyChanged || changed(path) !== undefined);
  const marked = table(rows.map(([path, value]) => {
    const key = changed(path);
    return [
      key === undefined ? path : element('span', { class: 'changed' }, element('span', { 'aria-hidden': 'true' }, '● '), path, element('span', { class: 'hidden' }, ', not the default')),
      value, key === undefined ? '' : defaults.get(key) === '' ? 'none' : shortened(defaults.get(key)),
    ];
  }), { caption: `Settings, ${defaults.size} not the default (●)`, head: ['setting', 'value', 'default'] });
  marked.classList.add('settings');
  return marked;
}

const shortened = text => entries(text)?.join(', ') ?? text;
