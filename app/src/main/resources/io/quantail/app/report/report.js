// Draws the charts of a report and saves them, sorts tables, chooses an account. Everything it needs is in the page.
(function () {
  'use strict';
  const data = JSON.parse(document.getElementById('data').textContent);
  const specs = data.charts;
  specs.forEach((spec) => spec.series.forEach((series) => { series.x = data.positions[series.x]; }));
  const darkMode = matchMedia('(prefers-color-scheme: dark)');
  const narrow = matchMedia('(max-width: 560px)');
  const drawn = new Map();
  const logarithmic = new Set();
  const parts = Array.from(document.querySelectorAll('.part'));
  const accounts = Array.from(new Set(parts.map((part) => part.dataset.account)));
  let printing = false;

  // Okabe and Ito's colours, which are distinguishable with any kind of colour vision.
  const palettes = {
    light: {
      ink: '#1b2026', soft: '#5b6672', inactive: '#b4bcc5', line: '#e4e8ec', card: '#ffffff',
      agent: '#0072b2', buyAndHold: '#d55e00', exposureMatched: '#008060', esTarget: '#946200', sma200: '#6f42c1', volatilityMatched: '#00798c', flat: '#7a828b', random: '#cc79a7', limit: '#b3003c', baseline: '#1b2026', buy: '#008060', sell: '#d55e00',
      many: ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#7a828b', '#a08c00'],
    },
    dark: {
      ink: '#e6e9ed', soft: '#9aa5b1', inactive: '#59636e', line: '#2c333c', card: '#1c2026',
      agent: '#56b4e9', buyAndHold: '#f0a04b', exposureMatched: '#3ecf9f', esTarget: '#e6b84c', sma200: '#b59cf0', volatilityMatched: '#5cc6d0', flat: '#8b95a0', random: '#d98cb8', limit: '#ff6f91', baseline: '#e6e9ed', buy: '#3ecf9f', sell: '#f0a04b',
      many: ['#56b4e9', '#e69f00', '#2bbf95', '#d98cb8', '#3d8fd1', '#f07f3c', '#9aa5b1', '#d9c84a'],
    },
  };
  const dashes = { flat: 'dotted', random: 'dashed', limit: 'dashed' };

  function colours() {
    return darkMode.matches && !printing ? palettes.dark : palettes.light;
  }

  function colour(tone) {
    const palette = colours();
    return palette[tone] || palette.many[(Number(tone) - 1) % palette.many.length];
  }

  const minus = (text) => text.replace('-', '−');
  function fixed(value, digits) {
    return minus(value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits }));
  }
  function shortened(value, most) {
    return minus(value.toLocaleString('en-US', { maximumFractionDigits: digitsFor(value, most) }));
  }
  function digitsFor(value, most) {
    const size = Math.abs(value);
    return size === 0 ? 0 : Math.max(0, Math.min(most, 2 - Math.floor(Math.log10(size))));
  }
  const tiny = (value) => value !== 0 && Math.abs(value) < 1e-4;
  const scientific = (value) => Number(value.toPrecision(3)).toExponential().replace(/-/g, '−');
  // Labels of axes are short; what the pointer shows has all digits.
  const formats = {
    change: { axis: (v) => (Math.abs(v) >= 100 ? shortened(v / 10, 1) + ' k %' : shortened(100 * v, 2) + ' %'), full: (v) => (v > 0 ? '+' : '') + fixed(100 * v, 2) + ' %' },
    share: { axis: (v) => shortened(100 * v, 2) + ' %', full: (v) => fixed(100 * v, 2) + ' %' },
    small: { axis: (v) => shortened(100 * v, 3) + ' %', full: (v) => fixed(100 * v, 3) + ' %' },
    root: { axis: (v) => shortened(100 * v * v, 2) + ' %', full: (v) => fixed(100 * v * v, 3) + ' %' },
    count: { axis: (v) => (v >= 1e6 ? shortened(v / 1e6, 2) + ' M' : v >= 1e4 ? shortened(v / 1e3, 1) + ' k' : fixed(v, 0)), full: (v) => fixed(v, 0) },
    number: { axis: (v) => tiny(v) ? scientific(v) : shortened(v, 6), full: (v) => tiny(v) ? scientific(v) : fixed(v, digitsFor(v, 6)) },
    text: { axis: String, full: String },
  };

  const panelsOf = (spec) => [spec.y].concat(spec.panels || []);

  // Changes are drawn as log(1 + change), prices as log(price).
  const logarithms = {
    to: (format, y) => (format === 'change' ? (y > -1 ? Math.log1p(y) : null) : y > 0 ? Math.log(y) : null),
    from: (format, y) => (format === 'change' ? Math.expm1(y) : Math.exp(y)),
  };

  function scaled(spec, series, log) {
    const format = panelsOf(spec)[series.panel].format;
    return (y) => {
      if (y === null) return null;
      if (log && series.panel === 0) return logarithms.to(format, y);
      return format === 'root' ? Math.sqrt(y) : y;
    };
  }

  function points(series, values) {
    return series.x ? series.x.map((x, i) => [x, values[i]]) : values;
  }

  // What ECharts draws for one series: a band and a ribbon are two of its series with one name.
  function drawnSeries(spec, series, log) {
    const scale = scaled(spec, series, log);
    const values = series.y.map(scale);
    if (series.shape === 'band') {
      const heights = series.high.map((high, i) => (values[i] === null || high === null ? null : scale(high) - values[i]));
      const stack = 'band' + series.panel + series.name;
      const invisible = { ...basic(spec, series, values), stack, stackStrategy: 'all', lineStyle: { opacity: 0 }, z: 1 };
      return [invisible, { ...basic(spec, series, heights), stack, stackStrategy: 'all', lineStyle: { opacity: 0 }, areaStyle: { color: colour(series.tone), opacity: 0.13 }, z: 1 }];
    }
    if (series.shape === 'ribbon') {
      const side = (tone, part) => ({ ...basic(spec, series, part), itemStyle: { color: colour(tone) }, lineStyle: { color: colour(tone), width: 1 }, areaStyle: { color: colour(tone), opacity: 0.35 } });
      const long = side(series.tone, values.map((y) => (y === null ? null : Math.max(0, y))));
      return values.some((y) => y < 0) ? [long, side('sell', values.map((y) => (y === null ? null : Math.min(0, y))))] : [long];
    }
    return [basic(spec, series, values)];
  }

  function basic(spec, series, values) {
    const tone = colour(series.tone);
    const filled = series.shape === 'area' || series.shape === 'stack';
    const strong = series.tone === 'agent';
    const triangle = series.shape === 'up' || series.shape === 'down';
    const dotted = series.shape === 'dots' || series.shape === 'dust';
    const sizes = { up: 7, down: 7, dust: 2.5, dots: spec.panels ? 5 : 7 };
    return {
      name: series.name,
      type: series.shape === 'bar' ? 'bar' : triangle ? 'scatter' : 'line',
      xAxisIndex: series.panel,
      yAxisIndex: series.panel,
      data: points(series, values),
      step: series.shape === 'step' || series.shape === 'ribbon' ? (spec.x.type === 'time' ? 'end' : 'middle') : false,
      stack: series.shape === 'stack' ? 'all' : undefined,
      showSymbol: series.shape === 'points' || dotted || (series.y.length === 1 && series.shape !== 'bar'),
      symbolSize: sizes[series.shape] || 7,
      symbol: triangle ? 'triangle' : 'circle',
      symbolRotate: series.shape === 'down' ? 180 : 0,
      symbolOffset: triangle ? [0, series.shape === 'up' ? 9 : -9] : [0, 0],
      barMaxWidth: 46,
      z: strong ? 4 : triangle || series.shape === 'dots' ? 5 : 3,
      itemStyle: { color: tone, opacity: triangle ? 0.85 : 1 },
      lineStyle: { color: tone, width: dotted ? 0 : strong ? 2 : spec.panels ? 1.2 : 1.5, type: dashes[series.tone] || 'solid' },
      areaStyle: filled ? { color: tone, opacity: series.shape === 'stack' ? 0.55 : 0.16 } : undefined,
      emphasis: { disabled: true },
    };
  }

  // The first and the last position of all series, so that all panels have the same axis.
  function span(spec) {
    const ends = spec.series.filter((one) => one.x && one.x.length > 0).flatMap((one) => [one.x[0], one.x[one.x.length - 1]]);
    return { min: Math.min(...ends), max: Math.max(...ends) };
  }

  function horizontalAxis(spec, panel) {
    const last = panel === panelsOf(spec).length - 1;
    const axis = { ...axisOf(spec, spec.x, true, panel), name: last ? spec.x.name || '' : '' };
    if (spec.panels) Object.assign(axis, span(spec));
    if (!last) Object.assign(axis, { axisLabel: { show: false }, axisTick: { show: false } });
    return axis;
  }

  function verticalAxis(spec, panel, log) {
    const own = panelsOf(spec)[panel];
    const axis = axisOf(spec, own, false, panel);
    if (own.type !== 'category') {
      const format = formats[own.format].axis;
      axis.axisLabel.formatter = log && panel === 0 ? (v) => format(logarithms.from(own.format, v)) : format;
    }
    if (spec.panels) Object.assign(axis, { nameLocation: 'end', nameGap: 7, nameTextStyle: { ...axis.nameTextStyle, align: 'left', padding: [0, 0, 0, 4] }, splitNumber: panel === 0 ? 5 : 2 });
    if (spec.series.some((one) => one.panel === panel && ['bar', 'stack', 'ribbon'].includes(one.shape))) axis.scale = false;
    if (panel === 0) includeMarks(axis, spec);
    return axis;
  }

  function axisOf(spec, own, horizontal, panel) {
    const palette = colours();
    const axis = {
      type: own.type,
      gridIndex: panel,
      name: own.name || '',
      nameLocation: 'middle',
      nameGap: horizontal ? 26 : 46,
      nameTextStyle: { color: palette.soft, fontSize: 12 },
      scale: true,
      axisLine: { show: horizontal, onZero: false, lineStyle: { color: palette.soft } },
      axisTick: { show: horizontal, lineStyle: { color: palette.soft } },
      axisLabel: { color: palette.soft, fontSize: 11.5, hideOverlap: true },
      splitLine: { show: !horizontal, lineStyle: { color: palette.line } },
      splitNumber: narrow.matches ? 4 : horizontal ? 7 : 5,
    };
    if (own.format === 'count') axis.minInterval = 1;
    if (own.type === 'category') axis.data = own.categories;
    if (horizontal && own.type === 'value') axis.axisLabel.formatter = formats[own.format].axis;
    return axis;
  }

  // An axis follows its series; a mark beyond them, such as a limit that was never kept, must be visible too.
  function includeMarks(axis, spec) {
    const places = (spec.marks || []).filter((mark) => mark.axis === 'y').map((mark) => mark.at);
    const values = spec.series.flatMap((one) => one.y).filter((value) => value !== null);
    if (places.length === 0 || values.length === 0) return;
    const least = Math.min(...values);
    const most = Math.max(...values);
    const room = 0.08 * (Math.max(most, ...places) - Math.min(least, ...places));
    if (Math.min(...places) < least) { axis.min = Math.min(...places) - room; axis.axisLabel.showMinLabel = false; }
    if (Math.max(...places) > most) { axis.max = Math.max(...places) + room; axis.axisLabel.showMaxLabel = false; }
  }

  // Marks are lines of a series without points, so that they need no entry in the legend.
  function marks(spec) {
    const first = Math.min(...(spec.marks || []).map((mark) => mark.at));
    const lines = (spec.marks || []).map((mark) => ({
      [mark.axis === 'x' ? 'xAxis' : 'yAxis']: mark.at,
      lineStyle: { color: colour(mark.tone), type: 'dashed', width: 1.3 },
      label: { formatter: () => mark.name, color: colour(mark.tone), fontSize: 12, position: 'end', ...(mark.axis === 'x' ? { align: mark.at === first ? 'right' : 'left' } : {}) },
    }));
    return lines.length === 0 ? [] : [{ type: 'line', name: '', data: [], silent: true, markLine: { symbol: 'none', silent: true, precision: 12, animation: false, data: lines } }];
  }

  // The first panel is as high as two of the others.
  function grids(spec, height, head) {
    const panels = panelsOf(spec);
    const top = head + (spec.series.length > 1 ? 34 : 14) + (spec.panels || (spec.marks || []).some((mark) => mark.axis === 'x') ? 16 : 0);
    const bottom = spec.x.name ? 42 : 26;
    const gap = 26;
    const unit = (height - top - bottom - gap * (panels.length - 1)) / (panels.length + 1);
    const left = spec.y.name && !spec.panels ? 66 : 56;
    const right = (spec.marks || []).some((mark) => mark.axis === 'y') ? 56 : 24;
    if (!spec.panels) return [{ left, right, top, bottom }];
    return panels.map((panel, i) => ({ left, right, top: i === 0 ? top : top + 2 * unit + gap + (i - 1) * (unit + gap), height: i === 0 ? 2 * unit : unit }));
  }

  function piece(className, text) {
    const element = document.createElement('span');
    element.className = className;
    element.textContent = text;
    return element;
  }

  // What the pointer shows of a chart with panels or a band: one line for each value.
  function tooltip(spec, owners) {
    return (all) => {
      const box = document.createElement('div');
      box.className = 'pointer';
      box.appendChild(piece('when', echarts.time.format(all[0].axisValue, '{yyyy}-{MM}-{dd} {HH}:{mm}', true)));
      all.forEach((one) => {
        const owner = owners[one.seriesIndex];
        const series = owner && owner.series;
        if (!series || owner.part > 0 && series.shape !== 'ribbon' || series.shape === 'ribbon' && owner.part !== (series.y[one.dataIndex] < 0 ? 1 : 0)) return;
        const format = formats[panelsOf(spec)[series.panel].format].full;
        const value = (y) => (y === null || y === undefined ? '–' : format(y));
        const low = series.y[one.dataIndex];
        if (low === null) return;
        const row = document.createElement('div');
        const mark = piece('mark', '');
        mark.style.background = one.color;
        row.appendChild(mark);
        row.appendChild(piece('', series.panel > 0 && series.name !== panelsOf(spec)[series.panel].name ? series.name + ', ' + panelsOf(spec)[series.panel].name : series.name));
        row.appendChild(piece('amount', series.high ? value(low) + ' to ' + value(series.high[one.dataIndex]) : value(low)));
        box.appendChild(row);
      });
      return box;
    };
  }

  // Head is the room for a title above the chart.
  function option(spec, log, height, head) {
    const palette = colours();
    const vertical = formats[spec.y.format];
    const value = log ? (v) => vertical.full(logarithms.from(spec.y.format, v)) : spec.y.type === 'category' ? (v) => spec.y.categories[v] : vertical.full;
    const names = Array.from(new Set(spec.series.map((one) => one.name)));
    const hidden = {};
    spec.series.filter((one) => one.hidden).forEach((one) => { hidden[one.name] = false; });
    const panels = panelsOf(spec);
    const owners = [];
    const series = spec.series.flatMap((one) => drawnSeries(spec, one, log).map((drawing, part) => { owners.push({ series: one, part }); return drawing; }));
    const own = spec.panels || spec.series.some((one) => one.high);
    return {
      animation: false,
      useUTC: true,
      textStyle: { fontFamily: getComputedStyle(document.body).fontFamily },
      grid: grids(spec, height, head),
      legend: {
        show: names.length > 1, data: names, selected: hidden, left: 0, top: head, type: 'scroll', icon: 'roundRect',
        itemWidth: 16, itemHeight: 4, textStyle: { color: palette.ink, lineHeight: 20 }, inactiveColor: palette.inactive,
        pageTextStyle: { color: palette.soft }, pageIconColor: palette.soft, pageIconInactiveColor: palette.inactive,
      },
      tooltip: {
        trigger: 'axis', backgroundColor: palette.card, borderColor: palette.line, textStyle: { color: palette.ink, fontSize: 13 },
        axisPointer: { lineStyle: { color: palette.soft } }, valueFormatter: (v) => (v === null || v === undefined ? '–' : value(v)), confine: true,
        ...(own ? { formatter: tooltip(spec, owners) } : {}),
      },
      axisPointer: { ...(spec.panels ? { link: [{ xAxisIndex: 'all' }] } : {}), ...(spec.x.type === 'value' ? { label: { formatter: (p) => formats[spec.x.format].full(p.value) } } : {}) },
      xAxis: panels.map((panel, i) => horizontalAxis(spec, i)),
      yAxis: panels.map((panel, i) => verticalAxis(spec, i, log)),
      dataZoom: spec.x.type === 'category' ? [] : [{ type: 'inside', xAxisIndex: panels.map((panel, i) => i), zoomOnMouseWheel: 'ctrl', moveOnMouseMove: true, moveOnMouseWheel: false, preventDefaultMouseMove: false }],
      series: series.concat(marks(spec)),
    };
  }

  function draw(holder) {
    const index = Number(holder.dataset.chart);
    const spec = specs[index];
    let chart = drawn.get(index);
    if (!chart) {
      chart = echarts.init(holder, null, { renderer: 'svg' });
      drawn.set(index, chart);
      if (spec.group) {
        chart.group = spec.group;
        echarts.connect(spec.group);
      }
    }
    const selected = chart.getOption() && chart.getOption().legend[0].selected;
    chart.setOption(option(spec, logarithmic.has(index), holder.clientHeight, 0), { notMerge: true });
    if (selected) chart.setOption({ legend: { selected } });
  }

  // The file is made in this page; nothing is sent.
  function save(name, content, type) {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([content], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  const cell = (text) => (/[",\n\r]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text);

  // One row for each position. Series that have a position more than once, such as two fills at one time, get more rows.
  function table(spec) {
    const head = [spec.x.type === 'time' ? 'time (UTC)' : spec.x.name || 'x'];
    const rows = new Map();
    const row = (x, count) => {
      const key = x + ' ' + count;
      if (!rows.has(key)) rows.set(key, { x, count, cells: [] });
      return rows.get(key).cells;
    };
    const add = (series, name, values) => {
      const column = head.push(name) - 2;
      const counts = new Map();
      values.forEach((value, i) => {
        const x = series.x ? series.x[i] : i;
        counts.set(x, (counts.get(x) || 0) + 1);
        row(x, counts.get(x))[column] = value;
      });
    };
    const axes = panelsOf(spec);
    spec.series.forEach((series) => {
      const name = spec.panels ? series.name + ' (' + axes[series.panel].name + ')' : series.name;
      add(series, series.high ? name + ' low' : name, series.y);
      if (series.high) add(series, name + ' high', series.high);
    });
    const position = (x) => (spec.x.type === 'time' ? new Date(x).toISOString() : spec.x.type === 'category' ? spec.x.categories[x] : String(x));
    const lines = Array.from(rows.values()).sort((a, b) => a.x - b.x || a.count - b.count)
      .map((one) => [position(one.x), ...head.slice(1).map((name, i) => (one.cells[i] === undefined || one.cells[i] === null ? '' : String(one.cells[i])))]);
    return [head].concat(lines).map((line) => line.map(cell).join(',')).join('\n') + '\n';
  }

  // The chart as it is shown, with its title, drawn once more on a canvas.
  function picture(holder, title) {
    const index = Number(holder.dataset.chart);
    const shown = drawn.get(index).getOption();
    const head = 30;
    const height = holder.clientHeight + head;
    const canvas = echarts.init(document.createElement('div'), null, { renderer: 'canvas', width: holder.clientWidth, height, devicePixelRatio: 2 });
    canvas.setOption({ ...option(specs[index], logarithmic.has(index), height, head), title: { text: title, left: 0, top: 2, textStyle: { color: colours().ink, fontSize: 15 } } });
    canvas.setOption({ legend: { selected: shown.legend[0].selected }, dataZoom: shown.dataZoom.map((zoom) => ({ start: zoom.start, end: zoom.end })) });
    const data = atob(canvas.getDataURL({ type: 'png', pixelRatio: 2, backgroundColor: colours().card }).split(',')[1]);
    canvas.dispose();
    return Uint8Array.from(data, (character) => character.charCodeAt(0));
  }

  document.querySelectorAll('button.save').forEach((button) => {
    button.addEventListener('click', () => {
      const figure = button.closest('figure');
      const holder = figure.querySelector('[data-chart]');
      const account = figure.closest('.part');
      const title = [account && accounts.length > 1 ? account.dataset.name : '', figure.querySelector('.chart-title > *').textContent].filter(Boolean).join(', ');
      const name = (document.title.split(' · ')[0] + ' ' + title).replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '').toLowerCase();
      if (button.textContent === 'CSV') save(name + '.csv', table(specs[Number(holder.dataset.chart)]), 'text/csv');
      else save(name + '.png', picture(holder, title), 'image/png');
    });
  });

  const visible = (holder) => holder.closest('[hidden]') === null;
  const holders = () => Array.from(document.querySelectorAll('[data-chart]'));
  
  // Charts on the screen are drawn at once, the others one after the other while the page is idle.
  let waiting = [];
  function drawVisible() {
    const all = holders().filter(visible);
    const near = all.filter((holder) => holder.getBoundingClientRect().top < 1.2 * innerHeight);
    near.forEach(draw);
    const idle = waiting.length === 0;
    waiting = all.filter((holder) => !near.includes(holder));
    if (idle) setTimeout(drawNext);
  }
  function drawNext() {
    const next = waiting.shift();
    if (next === undefined) {
      performance.mark('quantail-ready');
      return;
    }
    draw(next);
    setTimeout(drawNext);
  }

  function resize() {
    holders().filter(visible).forEach((holder) => {
      const chart = drawn.get(Number(holder.dataset.chart));
      if (chart) chart.resize();
    });
  }

  document.querySelectorAll('button.logarithmic').forEach((button) => {
    button.addEventListener('click', () => {
      const holder = button.closest('figure').querySelector('[data-chart]');
      const index = Number(holder.dataset.chart);
      if (!logarithmic.delete(index)) logarithmic.add(index);
      button.setAttribute('aria-pressed', String(logarithmic.has(index)));
      draw(holder);
    });
  });

  function sort(table, column) {
    const head = table.tHead.rows[0].cells[column];
    const down = head.getAttribute('aria-sort') === 'ascending';
    Array.from(table.tHead.rows[0].cells).forEach((cell) => cell.removeAttribute('aria-sort'));
    head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    const key = (row) => {
      const cell = row.cells[column];
      return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
    };
    const body = table.tBodies[0];
    Array.from(body.rows)
      .sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0) * (down ? -1 : 1))
      .forEach((row) => body.appendChild(row));
  }
  document.querySelectorAll('table.sortable').forEach((table) => {
    Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
      head.tabIndex = 0;
      head.addEventListener('click', () => sort(table, column));
      head.addEventListener('keydown', (event) => { if (event.key === 'Enter') sort(table, column); });
    });
  });

  // Of several accounts only one is shown at a time; without scripts, and on paper, all are.
  if (accounts.length > 1) {
    const picker = document.createElement('nav');
    picker.className = 'picker';
    accounts.forEach((account) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = parts.find((part) => part.dataset.account === account).dataset.name;
      button.addEventListener('click', () => choose(account));
      picker.appendChild(button);
    });
    parts[0].before(picker);
    const choose = (account) => {
      parts.forEach((part) => { part.hidden = part.dataset.account !== account; });
      accounts.forEach((one, i) => picker.children[i].setAttribute('aria-pressed', String(one === account)));
      drawVisible();
    };
    const fromAddress = () => {
      const wanted = location.hash.slice(1);
      choose(accounts.includes(wanted) ? wanted : accounts[0]);
    };
    addEventListener('hashchange', fromAddress);
    fromAddress();
  }

  drawVisible();
  darkMode.addEventListener('change', drawVisible);
  addEventListener('resize', resize);
  addEventListener('beforeprint', () => {
    printing = true;
    parts.forEach((part) => { part.dataset.hidden = part.hidden; part.hidden = false; });
    holders().forEach(draw);
    resize();
  });
  addEventListener('afterprint', () => {
    printing = false;
    parts.forEach((part) => { part.hidden = part.dataset.hidden === 'true'; });
    drawVisible();
    resize();
  });
})();
