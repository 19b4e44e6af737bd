// The page: chooses run and view, and handles server-sent events.
import { element, fill, remember, remembered } from './dom.js';
import { number, count, percent, duration } from './format.js';
import { clearPanels, redrawPanels, view as display } from './panels.js';
import * as pages from './pages.js';
import * as comparing from './compare.js';
import * as populations from './population.js';
import * as store from './store.js';

const VIEWS = [
  ['overview', 'Overview', pages.overview],
  ['values', 'Values', pages.values],
  ['risk', 'Risk', pages.risk],
  ['gradients', 'Gradients', pages.gradients],
  ['policy', 'Policy', pages.policy],
  ['market', 'Market', pages.market],
  ['compare', 'Compare', comparing.compare],
  ['metrics', 'Metrics', comparing.metrics],
  ['details', 'Settings', comparing.details],
];
const POPULATION = ['population', 'Population']; // a view of a population, not of a run
const STATES = {
  RUNNING: ['▶', 'running'], FINISHED: ['✓', 'finished'], INTERRUPTED: ['⏸', 'interrupted'],
  FAILED: ['✗', 'failed'], EMPTY: ['○', 'no update yet'],
  OVERDUE: ['?', 'no update for longer than expected; the process may have died'], UNKNOWN: ['?', 'unknown: made by an older build'],
};
const RANGES = [[1, 'whole run'], [0.5, 'last half'], [0.1, 'last tenth']];
const SMOOTHING = [[0, 'raw lines'], [0.02, 'smoothed'], [0.08, 'smoother']];

const at = id => document.getElementById(id);
const page = { runs: [], populations: [], name: '', info: null, population: null, building: 0 };

/** The charting library is large, so it is evaluated while the first data are loading. */
const charting = new Promise(resolve => {
  if (window.echarts) resolve();
  else ['load', 'error'].forEach(kind => at('chart-library').addEventListener(kind, resolve));
});

const parameters = () => new URLSearchParams(location.hash.slice(1));
const viewsNow = () => page.populations.length > 0 ? [...VIEWS, POPULATION] : VIEWS;
const currentView = () => viewsNow().find(([id]) => id === parameters().get('view'))
  ?? (page.runs.length === 0 && page.populations.length > 0 ? POPULATION : VIEWS[0]);
const currentRun = () => page.runs.find(run => run.id === parameters().get('run'))?.id ?? newest()?.id;

const currentPopulation = () => page.populations.find(one => one.id === parameters().get('population'))?.id ?? newest(page.populations)?.id;

/** The newest running one, else the one that was written last. */
function newest(all = page.runs) {
  return [...all].sort((a, b) => (b.state === 'RUNNING') - (a.state === 'RUNNING') || (b.modifiedMillis ?? 0) - (a.modifiedMillis ?? 0))[0];
}

function address(changes) {
  const next = parameters();
  for (const [name, value] of Object.entries(changes)) {
    next.delete(name);
    [value].flat().forEach(one => next.append(name, one));
  }
  return '#' + next;
}

const go = changes => { location.hash = address(changes); };

async function build() {
  const number = ++page.building;
  const run = currentRun();
  drawRuns();
  drawViews();
  if (currentView() === POPULATION) {
    await buildPopulation(number);
    return;
  }
  page.population = null;
  if (!run) {
    clearPanels();
    fill(at('head'));
    fill(at('main'), pages.empty(`There is no run in ${page.name} yet. A run appears here when its training starts.`));
    store.watch([]);
    return;
  }
  const [view, title, make] = currentView();
  document.title = `${run} · ${title} · Quantail`;
  // Subscribes before it requests, so that rows in between are not lost.
  store.watch(view === 'compare' ? comparing.chosenRuns(run, parameters()) : [run]);
  try {
    const info = await store.run(run);
    if (number !== page.building) return;
    page.info = info;
    drawHead();
    const made = await prepare(() => make(run, info, parameters(), go, page.runs));
    await charting;
    if (number !== page.building) return;
    clearStale(made);
  } catch (failure) {
    if (number !== page.building) return;
    clearPanels();
    fill(at('main'), pages.empty('This view cannot be shown: ' + failure.message));
  }
}

async function buildPopulation(number) {
  const id = currentPopulation();
  document.title = `${id} · Population · Quantail`;
  store.watch([]);
  try {
    const data = await populations.fetchPopulation(id);
    await charting;
    if (number !== page.building) return;
    page.info = null;
    page.population = data;
    drawHead();
    clearStale(await prepare(async () => populations.population(() => page.population)));
  } catch (failure) {
    if (number !== page.building) return;
    clearPanels();
    fill(at('main'), pages.empty('This view cannot be shown: ' + failure.message));
  }
}

/** Adds new entries to the page; rebuilds it only if they need other panels. */
async function refreshPopulation() {
  const before = page.population;
  const data = await populations.fetchPopulation(before.population.id);
  if (page.population !== before) return;
  if (populations.shapeOf(before) !== populations.shapeOf(data)) {
    build();
    return;
  }
  page.population = data;
  drawHead();
  populations.refresh(data);
  redrawSoon();
}

/** Panels register when they are created, so the old ones are removed first. */
async function prepare(make) {
  clearPanels();
  return (await make()).flat(3);
}

function clearStale(made) {
  const focused = document.activeElement?.id;
  fill(at('main'), made);
  redrawPanels();
  if (focused) {
    at(focused)?.focus({ preventScroll: true });
  }
}

function drawRuns() {
  const chosen = currentView() === POPULATION ? null : currentRun();
  const focused = document.activeElement?.dataset?.run;
  fill(at('runs'), element('h2', {}, page.name, element('small', {}, ` ${page.runs.length} run${page.runs.length === 1 ? '' : 's'}`)),
    element('ul', {}, page.runs.map(run => {
      const [sign, text] = STATES[run.state];
      const link = element('a', { href: address({ run: run.id, with: [], ...(chosen === null ? { view: 'overview' } : {}) }), 'aria-current': run.id === chosen ? 'true' : null },
        element('span', { class: 'sign state-' + run.state.toLowerCase(), title: text, role: 'img', 'aria-label': text }, sign),
        element('span', { class: 'id' }, run.id),
        element('span', { class: 'figure' }, badge(run), number(run.meanReturn)),
        element('span', { class: 'sub' }, [share(run), run.seed === '' ? '' : 'seed ' + run.seed, run.environment].filter(Boolean).join(' · ')));
      link.dataset.run = run.id;
      return element('li', {}, link);
    })),
    drawPopulations());
  if (focused) {
    [...at('runs').querySelectorAll('a')].find(link => link.dataset.run === focused)?.focus({ preventScroll: true });
  }
}

function drawPopulations() {
  const chosen = currentView() === POPULATION ? currentPopulation() : null;
  return page.populations.length === 0 ? [] : [
    element('h2', {}, 'Populations'),
    element('ul', {}, page.populations.map(one => {
      const [sign, text] = STATES[one.state];
      const link = element('a', { href: address({ view: 'population', population: one.id }), 'aria-current': one.id === chosen ? 'true' : null },
        element('span', { class: 'sign state-' + one.state.toLowerCase(), title: text, role: 'img', 'aria-label': text }, sign),
        element('span', { class: 'id' }, one.id),
        element('span', { class: 'figure' }, number(one.bestScore)),
        element('span', { class: 'sub' }, one.members && one.generations
          ? `${one.members} members · ${percent(Math.min(1, one.done / (one.members * one.generations)), 0)}` : `${one.done} done`));
      link.dataset.run = 'population ' + one.id;
      return element('li', {}, link);
    })),
  ];
}

const share = run => run.totalSteps ? percent(Math.min(1, run.steps / run.totalSteps), 0) : '';

function badge(run) {
  const urgent = (run.alerts.error ?? 0) + (run.alerts.warning ?? 0);
  return urgent === 0 ? null : element('span', { class: 'badge', title: `${urgent} alerts` }, `▲ ${urgent}`);
}

function drawViews() {
  const [chosen] = currentView();
  const focused = document.activeElement?.dataset?.view;
  fill(at('views'), viewsNow().map(([id, title]) => {
    const link = element('a', { href: address({ view: id, metric: [], find: [] }), 'aria-current': id === chosen ? 'page' : null }, title);
    link.dataset.view = id;
    return link;
  }), element('span', { class: 'spacer' }), choice('Range', RANGES, 'range'), choice('Lines', SMOOTHING, 'smoothing'));
  if (focused) {
    at('views').querySelector(`a[data-view="${focused}"]`)?.focus({ preventScroll: true });
  }
}

function choice(label, options, key) {
  return element('label', { class: 'pick' }, element('span', { class: 'hidden' }, label),
    element('select', { id: 'pick-' + key, onchange: event => { display[key] = Number(event.target.value); redrawPanels(); } },
      options.map(([value, text]) => element('option', { value, selected: display[key] === value }, text))));
}

function drawHead() {
  if (page.population) {
    fill(at('head'), populations.head(page.population, STATES[page.population.population.state]));
    return;
  }
  const { run, pace } = page.info;
  const [sign, text] = STATES[run.state];
  const left = run.totalSteps ? Math.max(0, run.totalSteps - run.steps) : null;
  const eta = run.state === 'RUNNING' && pace?.stepsPerSecond && left !== null ? duration(left / pace.stepsPerSecond) : run.state === 'FINISHED' ? 'done' : '–';
  const last = name => page.info.metrics.find(metric => metric.name === name)?.last;
  const figures = [
    ['return', number(last('rollout/ep_rew_mean'))],
    ['loss', number(last('train/loss'))],
    ['explained variance', number(last('train/explained_variance'))],
    last('train/cvar_empirical') === undefined ? null : ['CVaR', number(last('train/cvar_empirical'))],
    ['update', count(run.update)],
    ['steps/s', pace?.stepsPerSecond ? count(Math.round(pace.stepsPerSecond)) : '–'],
    ['trained', duration(pace?.elapsedSeconds)],
    ['left', eta],
    ...evaluated(page.info.result?.evaluation),
    ...limited(page.info.result?.limit),
  ].filter(Boolean);
  const bar = run.totalSteps ? element('progress', { max: run.totalSteps, value: Math.min(run.steps, run.totalSteps), 'aria-label': 'steps done' }) : null;
  fill(at('head'),
    element('div', { class: 'title' },
      element('h1', {}, run.id),
      element('span', { class: 'state' }, element('span', { class: 'sign state-' + run.state.toLowerCase(), 'aria-hidden': 'true' }, sign), ' ', text),
      element('span', { class: 'sub' }, [run.environment, run.seed === '' ? '' : 'seed ' + run.seed].filter(Boolean).join(' · ')),
      alertBadge(run)),
    element('dl', { class: 'figures' }, figures.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value)))),
    element('div', { class: 'progress' }, bar, element('span', {}, `${count(run.steps)} of ${count(run.totalSteps)} steps`)));
}

/** The result of the evaluation of a finished run. */
function evaluated(evaluation) {
  if (Number.isFinite(evaluation?.totalReturn)) {
    return [[`${evaluation.split} bars`, percent(evaluation.totalReturn, 2)]];
  }
  return Number.isFinite(evaluation?.meanReturn) ? [['evaluation', number(evaluation.meanReturn)]] : [];
}

/** The CVaR limit of a finished run with its status. */
function limited(limit) {
  if (typeof limit?.status !== 'string' || !Number.isFinite(limit.limit)) {
    return [];
  }
  const shown = limit.part === 'evaluation' ? number : value => percent(value, 3);
  return [['limit ' + shown(limit.limit), Number.isFinite(limit.measured) ? `${limit.status}, ${shown(limit.measured)}` : limit.status]];
}

function alertBadge(run) {
  const parts = [['error', '■'], ['warning', '▲'], ['info', '●']].filter(([severity]) => run.alerts[severity]);
  return parts.length === 0 ? null : element('a', { class: 'badges', href: address({ view: 'overview' }) },
    parts.map(([severity, sign]) => element('span', { class: severity }, `${sign} ${run.alerts[severity]} ${severity}`)));
}

/** Updates the figures at the top from new rows. */
function takeFigures(rows) {
  for (const row of rows) {
    if (row.update >= page.info.run.update) {
      page.info.run.update = row.update;
      page.info.run.steps = row.steps;
    }
    for (const [name, value] of Object.entries(row.values)) {
      const metric = page.info.metrics.find(one => one.name === name);
      if (metric) metric.last = value;
    }
  }
}

let redrawing = false;
function redrawSoon() {
  if (!redrawing) {
    redrawing = true;
    requestAnimationFrame(() => { redrawing = false; redrawPanels(); });
  }
}

async function reloadRuns() {
  const answer = await store.runs();
  page.runs = answer.runs;
  page.populations = answer.populations;
  page.name = answer.name;
}

store.listen(async (kind, content) => {
  const mine = content?.run === page.info?.run.id;
  if (kind === 'live') {
    fill(at('live'), content ? '● live' : '○ disconnected');
    at('live').classList.toggle('off', !content);
  } else if (kind === 'rows') {
    if (mine) {
      const isNew = content.rows.some(row => Object.keys(row.values).some(name => !page.info.metrics.some(metric => metric.name === name)));
      takeFigures(content.rows);
      if (isNew) return build();
      drawHead();
    }
    redrawSoon();
  } else if (kind === 'lines') {
    redrawSoon();
  } else if (kind === 'status') {
    page.runs = page.runs.map(run => run.id === content.run.id ? content.run : run);
    drawRuns();
    if (content.run.id === page.info?.run.id) {
      const ended = page.info.run.state !== content.run.state;
      page.info.run = content.run;
      page.info.pace = content.pace ?? page.info.pace;
      drawHead();
      if (ended) build();
    }
  } else if (kind === 'alerts') {
    if (mine && at('alerts')) {
      fill(at('alerts'), pages.alertList(await store.alerts(content.run)));
    }
  } else if (kind === 'reset') {
    if (mine) build(); else redrawSoon();
  } else if (kind === 'runs') {
    const none = page.runs.length === 0;
    await reloadRuns();
    if (none && page.runs.length > 0) build(); else drawRuns();
  } else if (kind === 'populations') {
    const none = page.populations.length === 0;
    await reloadRuns();
    if (none && page.populations.length > 0) return build();
    drawRuns();
    if (page.population) await refreshPopulation();
  }
});

const THEMES = ['auto', 'light', 'dark'];
function useTheme(theme) {
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  at('theme').textContent = 'Theme: ' + theme;
  remember('theme', theme);
  redrawPanels();
}
at('theme').addEventListener('click', () => {
  const now = document.documentElement.dataset.theme ?? 'auto';
  useTheme(THEMES[(THEMES.indexOf(now) + 1) % THEMES.length]);
});
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redrawPanels);

at('runs-toggle').addEventListener('click', () => {
  const open = document.body.classList.toggle('runs-open');
  at('runs-toggle').setAttribute('aria-expanded', String(open));
});

/** Arrow keys move between adjacent links. */
for (const [id, back, on] of [['views', 'ArrowLeft', 'ArrowRight'], ['runs', 'ArrowUp', 'ArrowDown']]) {
  at(id).addEventListener('keydown', event => {
    const links = [...at(id).querySelectorAll('a')];
    const here = links.indexOf(document.activeElement);
    const step = event.key === on ? 1 : event.key === back ? -1 : 0;
    if (here >= 0 && step !== 0) {
      event.preventDefault();
      links[(here + step + links.length) % links.length].focus();
    }
  });
}

document.querySelector('.skip').addEventListener('click', event => {
  event.preventDefault();
  at('main').focus();
});
addEventListener('hashchange', () => {
  document.body.classList.remove('runs-open');
  at('runs-toggle').setAttribute('aria-expanded', 'false');
  build();
});

useTheme(THEMES.includes(remembered('theme')) ? remembered('theme') : 'auto');
await reloadRuns().catch(failure => fill(at('main'), pages.empty('The runs cannot be read: ' + failure.message)));
await build();
performance.mark('quantail-ready');
