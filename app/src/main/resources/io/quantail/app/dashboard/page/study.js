// Sweeps, walk-forwards and purged cross-validations: their results and the runs of their agents.
import { element, drawing, table, scrolling } from './dom.js';
import { number, percent, count } from './format.js';
import { empty, policyName } from './pages.js';
import { named } from './settings.js';
import { reportOf } from './runs.js';
import { stateText, status } from './states.js';
import * as state from './state.js';
import * as store from './store.js';

const agentsOf = id => store.listing.runs.filter(run => run.study === id);
const runLink = (id, text) => element('a', { href: state.link('overview', { run: id }) }, text);
const compareLink = (ids, text) => element('a', { class: 'button', href: state.link('compare', { with: ids, baseline: [] }) }, text);
const listLink = id => element('a', { class: 'button', href: state.link('runs', { study: id }) }, 'Its runs');
const dates = text => String(text ?? '').replace(/T00:00:00Z|:00Z/g, '').replace(/T/g, ' ');

/** Title, state and pages of a study. */
export function head(answer) {
  const { study, reports, result } = answer;
  return [
    element('p', { class: 'trail' }, element('a', { href: state.link('studies', {}) }, 'Studies')),
    element('div', { class: 'title' }, element('h1', {}, study.id), stateText(study.state),
      element('span', { class: 'sub' }, `${kindOf(answer)}, ${count(study.runs)} agents`),
      reports.map(name => element('a', { class: 'button', href: reportOf(study.id, name), target: '_blank', rel: 'noopener' }, name.replace('.html', '').replace('-', ' '))),
      listLink(study.id), compareLink(agentsOf(study.id).map(run => run.id), 'Compare its runs')),
    typeof result?.verdict === 'string' ? element('p', { class: 'verdict' }, result.verdict) : null,
  ];
}

const kindOf = ({ study, result }) => study.kind === 'walk forward' ? (result?.scheme === 'purged' ? 'purged cross-validation' : 'walk-forward') : study.kind;

export function study(answer) {
  const { study: one, result } = answer;
  if (result === null) {
    return [empty(`The result is written when all agents are trained; ${count(one.runs)} are so far.`), agentTable(one.id)];
  }
  return result.points ? sweep(answer) : result.paths ? purged(answer) : result.folds ? walkForward(answer) : [empty('The result of this study cannot be shown.'), agentTable(one.id)];
}

/** Agents that are trained, while there is no result. */
function agentTable(id) {
  const agents = agentsOf(id);
  return agents.length === 0 ? null : scrolling('Agents', table(agents.map(run => [
    runLink(run.id, run.id.split('/').slice(2).join('/')), run.seed, run.result.bars === null ? number(run.result.score) : percent(run.result.score, 2), number(run.meanReturn)]),
  { caption: 'Agents so far', head: ['agent', 'seed', 'result', 'return'] }));
}

/** Points by median, then by the worst seed; a score that is missing is the lowest. */
function ranked(points) {
  const low = score => score ?? -Infinity;
  const compare = (a, b) => a === b ? 0 : b - a; // infinities are equal to themselves
  return [...points].sort((a, b) => compare(low(a.median), low(b.median)) || compare(low(a.worst), low(b.worst)) || a.point - b.point);
}

function sweep({ study: one, result }) {
  const points = ranked(result.points);
  const scores = points.flatMap(point => point.trainings.map(training => training.score)).filter(Number.isFinite);
  const limited = points.some(point => point.trainings.some(training => training.limit));
  const runsOf = point => point.trainings.filter(training => training.run).map(training => `${one.id}/${training.run}`);
  const rows = points.map((point, i) => [
    `${i + 1}`,
    element('span', {}, Object.entries(point.settings).map(([path, value]) => named(path, value, store.listing.defaults)).join(' ') || 'as configured', result.best === point.point ? element('strong', {}, ' best by median') : null),
    range(point, scores), number(point.median), number(point.worst), number(point.best),
    ...(limited ? [limits(point.trainings.map(training => training.limit))] : []),
    point.trainings.map(training => [training.run ? runLink(`${one.id}/${training.run}`, `seed ${training.seed}: ${number(training.score)}`) : `seed ${training.seed}: failed, ${training.failure}`, ' ']),
    element('a', { href: state.link('compare', { with: runsOf(point), baseline: [] }), 'aria-label': `compare the seeds of point ${i + 1}` }, 'compare'),
  ]);
  return [scrolling('Points', wide(table(rows, {
    caption: `Points of the grid by median; score: ${result.judged}`,
    head: ['rank', 'settings', 'scores', 'median', 'worst', 'best', ...(limited ? ['limit'] : []), 'agents', 'seeds'] })), { class: 'table words', id: 'ranking' })];
}

const wide = one => { one.classList.add('wide'); return one; };

/** How often limits were kept: 2 kept, 1 broken. */
function limits(some) {
  const words = some.filter(Boolean).map(limit => limit.status);
  return words.length === 1 ? status(words[0]) : [...new Set(words)].map(word => `${words.filter(one => one === word).length} ${word}`).join(', ');
}

const WIDTH = 140;

/** A point's scores as dots on the range of all, with a mark at the median. */
function range(point, scores) {
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  const at = score => 6 + (WIDTH - 12) * (high > low ? (score - low) / (high - low) : 0.5);
  const known = point.trainings.map(training => training.score).filter(Number.isFinite);
  return known.length === 0 ? '' : drawing('svg', { viewBox: `0 0 ${WIDTH} 16`, width: WIDTH, height: 16, class: 'scores', role: 'img', 'aria-label': `scores ${known.map(number).join(', ')}` },
    drawing('line', { x1: at(Math.min(...known)), x2: at(Math.max(...known)), y1: 8, y2: 8 }),
    known.map(score => drawing('circle', { cx: at(score), cy: 8, r: 3 })),
    Number.isFinite(point.median) ? drawing('line', { class: 'median', x1: at(point.median), x2: at(point.median), y1: 1, y2: 15 }) : null);
}

/** The run of an agent of a fold; null if its directory is gone. */
const agentOf = (id, fold, seed) => agentsOf(id).find(run => Number(/fold-(\d+)/.exec(run.id)?.[1]) === fold && Number(run.seed) === seed);

function agentCell(id, fold, seed, text) {
  const run = agentOf(id, fold, seed);
  return run ? runLink(run.id, text) : text;
}

function walkForward({ study: one, result }) {
  const baselines = Object.keys(result.baselines ?? {});
  const folds = result.folds.map(fold => [
    `fold ${fold.fold}`, dates(fold.train), dates(fold.test),
    Object.entries(fold.agents).map(([seed, value]) => [agentCell(one.id, fold.fold, Number(seed), `seed ${seed}: ${percent(value, 2)}`), ' ']),
    percent(fold.spread.median, 2), percent(fold.baselines.buyAndHold, 2),
    ...(result.limit ? [limits(Object.values(fold.limits ?? {}))] : [])]);
  const seeds = result.seeds.map(seed => [`seed ${seed.seed}`, percent(returnOf(seed.stitched), 2), seed.limit ? status(seed.limit.status) : 'no limit', seed.seed === result.medianSeed ? 'median seed' : '']);
  return [
    element('p', { class: 'verdict' }, `Median seed ${percent(result.totalReturn, 2)}, between ${percent(result.spread.worst, 2)} and ${percent(result.spread.best, 2)}; `
      + `${result.seedsAboveBuyAndHold} of ${result.seeds.length} seeds above buy-and-hold (${percent(result.baselines?.buyAndHold, 2)}).`),
    scrolling('Folds', wide(table(folds, { caption: 'Folds in order of time, each tested on bars after those it learnt from', head: ['fold', 'training bars', 'test bars', 'agents', 'median', policyName('buyAndHold'), ...(result.limit ? ['limit'] : [])] })), { class: 'table words', id: 'folds' }),
    scrolling('Seeds', table(seeds, { caption: 'Seeds, all folds as one account', head: ['seed', 'return', 'limit', 'rank'] })),
    baselines.length === 0 ? null : scrolling('Baselines', table(baselines.map(name => [policyName(name), percent(result.baselines[name], 2)]), { caption: 'Baselines over all folds', head: ['policy', 'return'] })),
  ];
}

const returnOf = numbers => numbers?.totalReturn;

function purged({ study: one, result }) {
  const held = result.buyAndHold;
  const row = (name, numbers, groups, limit, label) => [name, label, percent(numbers.totalReturn, 2), number(numbers.sharpe), percent(numbers.maxDrawdown, 2), percent(numbers.cvar, 3), ...groups, ...(result.limit ? [limit] : [])];
  const byReturn = [...result.paths].sort((a, b) => (b.numbers.totalReturn ?? -Infinity) - (a.numbers.totalReturn ?? -Infinity));
  const paths = byReturn.map(path => row(`path ${path.path}`, path.numbers, path.groups.map(value => percent(value, 2)), path.limit ? status(path.limit.status) : '', `seed ${path.seed}`));
  const folds = result.folds.map(fold => [agentCell(one.id, fold.fold, fold.seed, `fold ${fold.fold}, seed ${fold.seed}`), fold.tested.map(group => `group ${group}`).join(', '), count(fold.steps)]);
  const groups = Array.from({ length: result.groups }, (_, i) => `group ${i + 1}`);
  return [
    element('p', { class: 'note' }, result.caveat),
    scrolling('Paths', wide(table([...paths, row(policyName('buyAndHold'), held, groups.map(() => ''), '', '')], {
      caption: 'Paths by return, each through all groups', head: ['path', 'agents', 'return', 'Sharpe', 'max drawdown', `CVaR ${number(100 * result.alpha)} %`, ...groups, ...(result.limit ? ['limit'] : [])] })), { class: 'table words', id: 'paths' }),
    scrolling('Folds', table(folds, { caption: 'Folds: the groups on which each agent was tested and not trained', head: ['fold', 'tested on', 'steps'] }), { id: 'folds' }),
  ];
}
