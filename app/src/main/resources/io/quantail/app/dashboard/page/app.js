// The page: chooses what is shown, and handles server-sent events.
import { element, fill, remember, remembered } from './dom.js';
import { number, count, percent, duration } from './format.js';
import { clearPanels, redrawPanels, listenToZoom, zoom } from './panels.js';
import { stateText, status } from './states.js';
import { shortName } from './list.js';
import * as comparing from './compare.js';
import * as listed from './runs.js';
import * as pages from './pages.js';
import * as populations from './population.js';
import * as state from './state.js';
import * as store from './store.js';
import * as studied from './study.js';

/** Views of one run. */
const VIEWS = [
  ['overview', 'Overview', pages.overview],
  ['values', 'Values', pages.values],
  ['calibration', 'Calibration', pages.calibration],
  ['risk', 'Risk', pages.risk],
  ['gradients', 'Gradients', pages.gradients],
  ['policy', 'Policy', pages.policy],
  ['market', 'Market', pages.market],
  ['metrics', 'Metrics', comparing.metrics],
  ['details', 'Settings', comparing.details],
];

/** Views of all runs. */
const PLACES = [['runs', 'Runs'], ['studies', 'Studies'], ['compare', 'Compare']];
const LIVE_RUNS = 16; // as many as the server follows for one page

const at = id => document.getElementById(id);
const page = { info: null, population: null, study: null, list: null, building: 0, view: '' };

/** The charting library is large, so it is evaluated while the first data are loading. */
const charting = new Promise(resolve => {
  if (window.echarts) resolve();
  else ['load', 'error'].forEach(kind => at('chart-library').addEventListener(kind, resolve));
});

const runId = () => state.get('run') ?? newest()?.id;

/** The newest running one, else the one that was written last. */
function newest(some = store.listing.runs) {
  return [...some].sort((a, b) => (b.state === 'RUNNING') - (a.state === 'RUNNING') || (b.modifiedMillis ?? 0) - (a.modifiedMillis ?? 0))[0];
}

/** The view of the address; else the only run, study or population, or the list. */
function viewOf() {
  const { runs, studies, populations: many } = store.listing;
  const name = state.get('view');
  const known = [...VIEWS.map(([id]) => id), ...PLACES.map(([id]) => id), 'study', 'population'].includes(name);
  return known ? name : many.length === 1 && studies.length === 0 && runs.every(run => run.study) ? 'population'
    : studies.length === 1 && many.length === 0 && runs.every(run => run.study) ? 'study'
    : state.get('run') || (runs.length === 1 && studies.length === 0 && many.length === 0) ? 'overview' : 'runs';
}

const BUILDERS = { runs: buildRuns, studies: buildStudies, compare: buildCompare, study: buildStudy, population: buildPopulation };

async function build() {
  const number = ++page.building;
  state.read();
  page.view = viewOf();
  drawPlaces();
  try {
    // Subscribes before it requests, so that rows in between are not lost.
    const made = await (BUILDERS[page.view] ?? buildRun)();
    await charting;
    if (number !== page.building) return;
    show(made());
  } catch (failure) {
    if (number !== page.building) return;
    leave();
    fill(at('head'), element('h1', {}, failure.message === 'there is no such run' ? 'No such run' : 'Cannot be shown'));
    fill(at('views'));
    fill(at('view'), pages.empty('This view cannot be shown: ' + failure.message));
  }
}

/** Disposes of what the view before has made. */
function leave() {
  clearPanels();
  page.list?.dispose();
  Object.assign(page, { info: null, population: null, study: null, list: null });
}

/** made: {title, head, tabs, view, page}; panels register when they are created, so the old ones are removed first. */
function show(made) {
  const focused = document.activeElement?.id;
  document.title = `${made.title} · Quantail`;
  fill(at('view'), made.view);
  page.list?.refresh();
  redrawPanels();
  if (focused) {
    at(focused)?.focus({ preventScroll: true });
  }
}

async function buildRuns() {
  store.watch([]);
  return () => {
    leave();
    page.list = listed.runs();
    fill(at('head'), element('h1', {}, store.listing.name));
    fill(at('views'));
    return { title: 'Runs', view: page.list.content };
  };
}

async function buildStudies() {
  store.watch([]);
  return () => {
    leave();
    fill(at('head'), element('h1', {}, 'Studies'));
    fill(at('views'));
    return { title: 'Studies', view: listed.studies() };
  };
}

async function buildCompare() {
  store.watch(comparing.chosenRuns().slice(0, LIVE_RUNS).map(run => run.id));
  clearPanels(); // the new ones register while they are made
  const content = await comparing.compare();
  return () => {
    page.list?.dispose();
    Object.assign(page, { info: null, population: null, study: null, list: null });
    fill(at('head'), element('h1', {}, 'Compare'));
    drawTabs([]);
    return { title: 'Compare', view: content };
  };
}

async function buildStudy() {
  store.watch([]);
  const answer = await store.study(state.get('study') ?? store.listing.studies[0]?.id ?? '');
  return () => {
    leave();
    page.study = answer;
    fill(at('head'), studied.head(answer));
    fill(at('views'));
    return { title: answer.study.id, view: studied.study(answer) };
  };
}

async function buildPopulation() {
  store.watch([]);
  const data = await populations.fetchPopulation(state.get('population') ?? newest(store.listing.populations)?.id ?? '');
  return () => {
    leave();
    page.population = data;
    fill(at('head'), populations.head(data));
    drawTabs([]);
    return { title: `${data.population.id} · Population`, view: populations.population(() => page.population) };
  };
}

async function buildRun() {
  const run = runId();
  if (!run) {
    return buildRuns();
  }
  const [view, title, make] = VIEWS.find(([id]) => id === page.view);
  store.watch([run]);
  const info = await store.run(run);
  clearPanels(); // the new ones register while they are made
  const content = await make(run, info);
  return () => {
    page.list?.dispose();
    Object.assign(page, { info, population: null, study: null, list: null });
    drawHead();
    drawTabs(VIEWS.map(([id, name]) => [id, name, id === view]));
    return { title: `${run} · ${title}`, view: content };
  };
}

/** Adds new entries to a population; rebuilds the view only if they need other panels. */
async function refreshPopulation() {
  const before = page.population;
  const data = await populations.fetchPopulation(before.population.id);
  if (page.population !== before) return;
  if (populations.shapeOf(before) !== populations.shapeOf(data)) {
    build();
    return;
  }
  page.population = data;
  fill(at('head'), populations.head(data));
  populations.refresh(data);
  redrawSoon();
}

function drawPlaces() {
  const shown = { study: 'studies', population: 'studies' }[page.view] ?? page.view;
  const counts = { runs: store.listing.runs.length, studies: store.listing.studies.length + store.listing.populations.length, compare: state.all('with').length };
  links(at('places'), PLACES.map(([id, name]) => [id, [name, counts[id] > 0 ? element('small', {}, ` ${count(counts[id])}`) : null], id === shown]));
}

/** Links to views; the focus stays where it was. */
function links(nav, some, ...more) {
  const focused = nav.contains(document.activeElement) ? document.activeElement.dataset.view : null;
  fill(nav, some.map(([id, name, now]) => {
    const made = element('a', { href: state.link(id, {}), 'aria-current': now ? 'page' : null }, name);
    if (VIEWS.some(([view]) => view === id)) made.href = state.link(id, { run: runId() });
    made.dataset.view = id;
    return made;
  }), ...more);
  if (focused) {
    nav.querySelector(`a[data-view="${focused}"]`)?.focus({ preventScroll: true });
  }
}

function drawTabs(some) {
  links(at('views'), some, element('span', { class: 'spacer' }),
    element('button', { id: 'whole', class: 'quiet', type: 'button', hidden: state.view.zoom === null && state.view.dates === null, onclick: () => { zoom('zoom', null); zoom('dates', null); } }, 'Show all'),
    choice('Axis', state.AXES, 'axis'), choice('Range', state.RANGES, 'range'), choice('Lines', state.SMOOTHING, 'smooth'));
}

listenToZoom(() => { if (at('whole')) at('whole').hidden = state.view.zoom === null && state.view.dates === null; });

function choice(label, options, key) {
  const chosen = event => {
    const first = event.target.value === options[0][0];
    state.replace({ [key]: first ? null : event.target.value, ...(key === 'axis' ? { zoom: null } : {}) });
    drawPlaces();
    if (at('whole')) at('whole').hidden = state.view.zoom === null && state.view.dates === null;
    redrawPanels();
  };
  return element('label', { class: 'pick' }, element('span', { class: 'hidden' }, label),
    element('select', { id: 'pick-' + key, onchange: chosen },
      options.map(([value, text]) => element('option', { value, selected: String(state.view[key]) === value }, text))));
}

function drawHead() {
  const { run, pace } = page.info;
  const left = run.totalSteps ? Math.max(0, run.totalSteps - run.steps) : null;
  const eta = run.state === 'RUNNING' && pace?.stepsPerSecond && left !== null ? duration(left / pace.stepsPerSecond) : run.state === 'FINISHED' ? 'done' : '–';
  const last = name => page.info.metrics.find(metric => metric.name === name)?.last;
  const figures = [
    ['return', number(last('rollout/ep_rew_mean'))],
    last('validation/return') === undefined ? null : ['validation', number(last('validation/return'))],
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
  const focused = at('head').contains(document.activeElement) ? document.activeElement.id : null;
  fill(at('head'),
    trail(run),
    element('div', { class: 'title' },
      element('h1', {}, shortName(run)), stateText(run.state),
      element('span', { class: 'sub' }, [run.environment, run.seed === '' ? '' : 'seed ' + run.seed].filter(Boolean).join(' · ')),
      alertBadge(run),
      page.info.reports.map(name => element('a', { class: 'button', href: listed.reportOf(run.id, name), target: '_blank', rel: 'noopener' }, name.replace('.html', '').replace('-', ' '))),
      chooser(run)),
    element('dl', { class: 'figures' }, figures.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value)))),
    element('div', { class: 'progress' }, bar, element('span', {}, `${count(run.steps)} of ${count(run.totalSteps)} steps`)));
  if (focused) at(focused)?.focus({ preventScroll: true });
}

/** The way back, and the runs before and after it in the list. */
function trail(run) {
  const order = listed.order();
  const here = order.findIndex(one => one.id === run.id);
  const step = (to, text, sign) => order[to] ? element('a', { href: state.address({ run: order[to].id }), id: text.replace(' ', '-'), 'aria-label': text, title: order[to].id }, sign) : null;
  return element('p', { class: 'trail' },
    element('a', { href: state.link('runs', {}) }, 'Runs'),
    run.study ? [' / ', element('a', { href: listed.studyAddress(run.study) }, run.study)] : null,
    here < 0 ? null : element('span', { class: 'steps' }, step(here - 1, 'previous run', '‹'), ` ${count(here + 1)} of ${count(order.length)} `, step(here + 1, 'next run', '›')));
}

/** Adds the run to those that are compared. */
function chooser(run) {
  const chosen = state.all('with');
  const isChosen = chosen.includes(run.id);
  return !store.listing.runs.some(one => one.id === run.id) ? null : element('button', {
    id: 'choose', type: 'button', 'aria-pressed': String(isChosen), onclick: () => {
      state.replace({ with: isChosen ? chosen.filter(id => id !== run.id) : [...chosen, run.id] });
      drawPlaces();
      drawHead();
    } }, isChosen ? '✓ chosen to compare' : 'Choose to compare');
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
  return [['limit ' + shown(limit.limit), [status(limit.status), Number.isFinite(limit.measured) ? `, ${shown(limit.measured)}` : '']]];
}

function alertBadge(run) {
  const parts = [['error', '■'], ['warning', '▲'], ['info', '●']].filter(([severity]) => run.alerts[severity]);
  return parts.length === 0 ? null : element('a', { class: 'badges', href: state.link('overview', { run: run.id }) },
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

/** Calls back once before the next frame, however often it is asked. */
function soon(task) {
  let waiting = false;
  return () => {
    if (!waiting) {
      waiting = true;
      requestAnimationFrame(() => { waiting = false; task(); });
    }
  };
}

const redrawSoon = soon(redrawPanels);
const refreshSoon = soon(() => page.list?.refresh());

/** Compared runs have many rows; their lines are loaded again at most every two seconds. */
let comparedAgain = null;
function compareAgain(id) {
  store.forgetCompared(id);
  comparedAgain ??= setTimeout(() => {
    comparedAgain = null;
    if (page.view === 'compare') build();
  }, 2000);
}

async function reloadListing() {
  const none = store.listing.runs.length === 0;
  await store.loadListing();
  drawPlaces();
  if (page.list) {
    refreshSoon();
  }
  if ((none && store.listing.runs.length > 0) || page.view === 'studies') build();
}

store.listen(async (kind, content) => {
  const mine = page.info && content?.run === page.info.run.id;
  if (kind === 'live') {
    fill(at('live'), content ? '● live' : '○ disconnected');
    at('live').classList.toggle('off', !content);
  } else if (kind === 'rows') {
    if (mine) {
      const isNew = content.rows.some(row => Object.keys(row.values).some(name => !page.info.metrics.some(metric => metric.name === name)));
      takeFigures(content.rows);
      if (isNew) return build();
      drawHead();
    } else if (page.view === 'compare') {
      compareAgain(content.run);
    }
    redrawSoon();
  } else if (kind === 'lines') {
    redrawSoon();
  } else if (kind === 'status') {
    refreshSoon();
    if (page.info && content.run.id === page.info.run.id) {
      const ended = page.info.run.state !== content.run.state;
      page.info.run = content.run;
      page.info.pace = content.pace ?? page.info.pace;
      drawHead();
      if (ended) build();
    } else if (page.view === 'compare' && comparing.chosenRuns().some(run => run.id === content.run.id)) {
      compareAgain(content.run.id);
    }
  } else if (kind === 'alerts') {
    if (mine && at('alerts')) {
      fill(at('alerts'), pages.alertList(await store.alerts(content.run)));
    }
  } else if (kind === 'reset') {
    if (mine) build(); else redrawSoon();
  } else if (kind === 'runs') {
    await reloadListing();
  } else if (kind === 'studies') {
    await reloadListing();
    if (page.population) await refreshPopulation();
    if (page.study && page.study.study.state !== 'FINISHED') build();
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

/** Arrow keys move between adjacent links. */
for (const id of ['views', 'places']) {
  at(id).addEventListener('keydown', event => {
    const some = [...at(id).querySelectorAll('a')];
    const here = some.indexOf(document.activeElement);
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (here >= 0 && step !== 0) {
      event.preventDefault();
      some[(here + step + some.length) % some.length].focus();
    }
  });
}

document.querySelector('.skip').addEventListener('click', event => {
  event.preventDefault();
  at('main').focus();
});
addEventListener('hashchange', () => build());

useTheme(THEMES.includes(remembered('theme')) ? remembered('theme') : 'auto');
await store.loadListing().catch(failure => fill(at('view'), pages.empty('The runs cannot be read: ' + failure.message)));
await build();
performance.mark('quantail-ready');
