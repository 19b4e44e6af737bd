// The list of runs: searched, filtered, sorted and grouped. No elements of the page are made here.
import { named, varying, difference } from './settings.js';
import { wordOf } from './states.js';

export const GROUPS = [['', 'no groups'], ['study', 'by study'], ['settings', 'by settings'], ['environment', 'by environment']];

/** Name of a run within its study. */
export const shortName = run => run.study ? run.id.split('/').slice(2).join('/') || run.id.split('/').at(-1) : run.id;

/** What a run is sorted by, and how it is called. */
export const COLUMNS = {
  name: ['run', run => run.id], study: ['study', run => run.study], environment: ['environment', run => run.environment],
  seed: ['seed', run => run.seed === '' ? null : Number(run.seed)], progress: ['steps', run => run.steps],
  return: ['return', run => run.meanReturn], validation: ['validation', run => run.validation], result: ['result', run => run.result.score],
  limit: ['limit', run => run.result.status], alerts: ['alerts', run => urgent(run) || null], written: ['written', run => run.modifiedMillis],
};

/** Columns whose first order is from high to low. */
export const DESCENDING = ['progress', 'return', 'validation', 'result', 'alerts', 'written'];

export const urgent = run => (run.alerts.error ?? 0) + (run.alerts.warning ?? 0);

const END = '\n';

/** A number is matched as a whole: seed=1 does not find seed=10. */
const ended = word => /=-?\d[\d.e-]*$/.test(word) ? word + END : word;

/** Text in which a run is searched. */
const words = new WeakMap();
function haystack(run, listing) {
  if (!words.has(run)) {
    const settings = Object.entries(listing.settings[run.settings] ?? {}).map(([path, value]) => `${path}=${value}`);
    words.set(run, [run.id, run.environment, 'seed=' + run.seed, wordOf(run.state), run.result.status ?? '', ...settings, ''].join(END).toLowerCase());
  }
  return words.get(run);
}

/** query: {find, state, limit, environment, study, sort, by, open} */
export function select(listing, query) {
  const wanted = (query.find ?? '').toLowerCase().split(/\s+/).filter(Boolean).map(ended);
  const runs = listing.runs.filter(run => (!query.state || wordOf(run.state) === query.state)
    && (!query.limit || (run.result.status ?? 'none') === query.limit)
    && (!query.environment || run.environment === query.environment)
    && (!query.study || run.study === query.study)
    && wanted.every(word => haystack(run, listing).includes(word)));
  return sorted(runs, query.sort);
}

/** Runs without a value come last, in either order; equal ones stay in the order of their names. */
function sorted(runs, sort) {
  const [, name, descending] = /^(\w+?)(-down)?$/.exec(sort ?? '') ?? [null, 'name', undefined];
  const value = (COLUMNS[name] ?? COLUMNS.name)[1];
  const order = descending ? -1 : 1;
  const empty = one => one === null || one === undefined || one === '';
  return runs.map(run => [value(run), run]).sort(([a, one], [b, other]) => empty(a) || empty(b)
    ? empty(a) - empty(b) || natural(one.id, other.id)
    : order * (typeof a === 'string' ? natural(a, b) : a - b) || natural(one.id, other.id)).map(([, run]) => run);
}

const collator = new Intl.Collator('en', { numeric: true });
const natural = (a, b) => collator.compare(a, b);

/** Runs in groups: [{key, name, runs}], in the order of their first runs. */
export function grouped(runs, by, listing) {
  const groups = new Map();
  for (const run of runs) {
    const key = by === 'settings' ? run.settings : by === 'study' ? run.study : run.environment;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(run);
  }
  const names = by === 'settings' ? settingNames(runs, listing) : null;
  return [...groups].map(([key, members]) => ({ key, name: names ? names(members[0]) : key || (by === 'study' ? 'no study' : 'unknown'), runs: members }));
}

const FEW = 4; // settings of which defaults are named too

/**
 * Names the settings of a run: those in which it differs from other runs of its study, or of its environment. If these
 * are many, only those that are not the default.
 */
export function settingNames(runs, listing) {
  const contexts = new Map();
  runs.forEach(run => contexts.set(contextOf(run), (contexts.get(contextOf(run)) ?? new Set()).add(run.settings)));
  const names = new Map();
  for (const [context, keys] of contexts) {
    const of = key => listing.settings[key] ?? {};
    const paths = varying([...keys].map(of)).sort((a, b) => MINOR.test(a) - MINOR.test(b));
    for (const key of keys) {
      const shown = paths.length <= FEW ? paths : paths.filter(path => of(key)[path] !== undefined);
      names.set(context + ' ' + key, keys.size < 2 ? context : shown.map(path => named(path, of(key)[path], listing.defaults)).join(' ') || 'defaults');
    }
  }
  return run => names.get(contextOf(run) + ' ' + run.settings) ?? '';
}

const contextOf = run => run.study || run.environment || 'unknown environment';
const MINOR = /^(environment|evaluation|training)\./; // named last

/** Of each run the settings in which it differs from the baseline, or else from others of its study or environment. */
export function differences(runs, baseline, listing) {
  if (!baseline) {
    const names = settingNames(runs, listing);
    return run => names(run) === contextOf(run) ? '' : names(run);
  }
  const own = listing.settings[baseline.settings] ?? {};
  const texts = new Map();
  return run => {
    if (!texts.has(run.settings)) texts.set(run.settings, difference(own, listing.settings[run.settings] ?? {}, listing.defaults).join(', '));
    return run.id === baseline.id ? 'baseline' : texts.get(run.settings) || 'the same';
  };
}

/** Mean, lowest and highest of what is a number; null if nothing is. */
export function summary(values) {
  const known = values.filter(value => value !== null && value !== undefined && Number.isFinite(value));
  return known.length === 0 ? null : {
    count: known.length, mean: known.reduce((a, b) => a + b) / known.length,
    low: Math.min(...known), high: Math.max(...known),
  };
}
