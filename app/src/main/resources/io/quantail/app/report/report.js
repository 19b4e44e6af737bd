// Draws the charts of a report, sorts tables, chooses a symbol. Everything it needs is in the page.
(function () {
  'use strict';
  const specs = JSON.parse(document.getElementById('data').textContent);
  const darkMode = matchMedia('(prefers-color-scheme: dark)');
  const narrow = matchMedia('(max-width: 560px)');
  const drawn = new Map();
  const logarithmic = new Set();
  let printing = false;

  // Okabe and Ito's colours, which are distinguishable with any kind of colour vision.
  const palettes = {
    light: {
      ink: '#1b2026', soft: '#5b6672', inactive: '#b4bcc5', line: '#e4e8ec', card: '#ffffff',
      agent: '#0072b2', buyAndHold: '#d55e00', exposureMatched: '#008060', esTarget: '#946200', sma200: '#6f42c1', volatilityMatched: '#00798c', flat: '#7a828b', random: '#cc79a7', limit: '#b3003c', baseline: '#1b2026',
      many: ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#7a828b', '#a08c00'],
    },
    dark: {
      ink: '#e6e9ed', soft: '#9aa5b1', inactive: '#59636e', line: '#2c333c', card: '#1c2026',
      agent: '#56b4e9', buyAndHold: '#f0a04b', exposureMatched: '#3ecf9f', esTarget: '#e6b84c', sma200: '#b59cf0', volatilityMatched: '#5cc6d0', flat: '#8b95a0', random: '#d98cb8', limit: '#ff6f91', baseline: '#e6e9ed',
      many: ['#56b4e9', '#e69f00', '#2bbf95', '#d98cb8', '#3d8fd1', '#f07f3c', '#9aa5b1', '#d9c84a'],
    },
  };
  const dashes = { flat: 'dotted', random: 'dashed', limit: 'dashed', baseline: 'dashed' };

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
    change: { axis: (v) => shortened(100 * v, 2) + ' %', full: (v) => (v > 0 ? '+' : '') + fixed(100 * v, 2) + ' %' },
    share: { axis: (v) => shortened(100 * v, 2) + ' %', full: (v) => fixed(100 * v, 2) + ' %' },
    small: { axis: (v) => shortened(100 * v, 3) + ' %', full: (v) => fixed(100 * v, 3) + ' %' },
    root: { axis: (v) => shortened(100 * v * v, 2) + ' %', full: (v) => fixed(100 * v * v, 3) + ' %' },
    count: { axis: (v) => (v >= 1e6 ? shortened(v / 1e6, 2) + ' M' : v >= 1e4 ? shortened(v / 1e3, 1) + ' k' : fixed(v, 0)), full: (v) => fixed(v, 0) },
    number: { axis: (v) => tiny(v) ? scientific(v) : shortened(v, 6), full: (v) => tiny(v) ? scientific(v) : fixed(v, digitsFor(v, 6)) },
    text: { axis: String, full: String },
  };

  function points(spec, series, log) {
    const value = (y) => {
      if (y === null) return null;
      if (log) return y > -1 ? Math.log1p(y) : null;
      return spec.y.format === 'root' ? Math.sqrt(y) : y;
    };
    return series.x ? series.x.map((x, i) => [x, value(series.y[i])]) : series.y.map(value);
  }

  function drawnSeries(spec, series, log) {
    const tone = colour(series.tone);
    const filled = series.shape === 'area' || series.shape === 'stack';
    const strong = series.tone === 'agent';
    return {
      name: series.name,
      type: series.shape === 'bar' ? 'bar' : 'line',
      data: points(spec, series, log),
      step: series.shape === 'step' ? (spec.x.type === 'time' ? 'end' : 'middle') : false,
      stack: series.shape === 'stack' ? 'all' : undefined,
      showSymbol: series.shape === 'points' || series.shape === 'dots' || (series.y.length === 1 && series.shape !== 'bar'),
      symbolSize: 7,
      symbol: 'circle',
      barMaxWidth: 46,
      z: strong ? 4 : 3,
      itemStyle: { color: tone },
      lineStyle: { color: tone, width: series.shape === 'dots' ? 0 : strong ? 2 : 1.5, type: dashes[series.tone] || 'solid' },
      areaStyle: filled ? { color: tone, opacity: series.shape === 'stack' ? 0.55 : 0.16 } : undefined,
      emphasis: { disabled: true },
    };
  }

  function axisOf(spec, horizontal, format) {
    const palette = colours();
    const own = horizontal ? spec.x : spec.y;
    const axis = {
      type: own.type,
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
    if (own.type === 'value' || own.type === 'log') axis.axisLabel.formatter = format;
    if (!horizontal && spec.series.some((one) => one.shape === 'bar' || one.shape === 'stack')) axis.scale = false;
    if (!horizontal) includeMarks(axis, spec);
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
    const lines = (spec.marks || []).map((mark) => ({
      [mark.axis === 'x' ? 'xAxis' : 'yAxis']: mark.at,
      lineStyle: { color: colour(mark.tone), type: 'dashed', width: 1.3 },
      label: { formatter: () => mark.name, color: colour(mark.tone), fontSize: 12, position: 'end' },
    }));
    return lines.length === 0 ? [] : [{ type: 'line', name: '', data: [], silent: true, markLine: { symbol: 'none', silent: true, precision: 12, animation: false, data: lines } }];
  }

  function option(spec, log) {
    const palette = colours();
    const vertical = formats[spec.y.format];
    const value = log ? (v) => vertical.full(Math.expm1(v)) : spec.y.type === 'category' ? (v) => spec.y.categories[v] : vertical.full;
    const names = spec.series.map((one) => one.name);
    const hidden = {};
    spec.series.filter((one) => one.hidden).forEach((one) => { hidden[one.name] = false; });
    const horizontal = spec.x.type === 'value' ? formats[spec.x.format].axis : undefined;
    return {
      animation: false,
      useUTC: true,
      textStyle: { fontFamily: getComputedStyle(document.body).fontFamily },
      grid: { left: spec.y.name ? 66 : 56, right: (spec.marks || []).some((mark) => mark.axis === 'y') ? 56 : 24, top: names.length > 1 ? 34 : 14, bottom: spec.x.name ? 42 : 26 },
      legend: {
        show: names.length > 1, data: names, selected: hidden, left: 0, top: 0, type: 'scroll', icon: 'roundRect',
        itemWidth: 16, itemHeight: 4, textStyle: { color: palette.ink }, inactiveColor: palette.inactive,
      },
      tooltip: {
        trigger: 'axis', backgroundColor: palette.card, borderColor: palette.line, textStyle: { color: palette.ink, fontSize: 13 },
        axisPointer: { lineStyle: { color: palette.soft } }, valueFormatter: (v) => (v === null || v === undefined ? '–' : value(v)), confine: true,
      },
      axisPointer: spec.x.type === 'value' ? { label: { formatter: (p) => formats[spec.x.format].full(p.value) } } : {},
      xAxis: axisOf(spec, true, horizontal),
      yAxis: axisOf(spec, false, log ? (v) => vertical.axis(Math.expm1(v)) : vertical.axis),
      dataZoom: spec.x.type === 'category' ? [] : [{ type: 'inside', zoomOnMouseWheel: 'ctrl', moveOnMouseMove: true, moveOnMouseWheel: false, preventDefaultMouseMove: false }],
      series: spec.series.map((one) => drawnSeries(spec, one, log)).concat(marks(spec)),
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
    chart.setOption(option(spec, logarithmic.has(index)), { notMerge: true });
    if (selected) chart.setOption({ legend: { selected } });
  }

  const visible = (holder) => holder.closest('[hidden]') === null;
  const holders = () => Array.from(document.querySelectorAll('[data-chart]'));
  function drawVisible() { holders().filter(visible).forEach(draw); }

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

  // With several symbols only one is shown at a time; without scripts, and on paper, all are.
  const parts = Array.from(document.querySelectorAll('.part'));
  if (parts.length > 1) {
    const picker = document.createElement('div');
    picker.className = 'picker';
    parts.forEach((part) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = part.querySelector('h2').textContent;
      button.addEventListener('click', () => choose(part.id));
      picker.appendChild(button);
    });
    parts[0].before(picker);
    const choose = (id) => {
      parts.forEach((part, i) => {
        part.hidden = part.id !== id;
        picker.children[i].setAttribute('aria-pressed', String(!part.hidden));
      });
      drawVisible();
    };
    const fromAddress = () => {
      const wanted = location.hash.slice(1);
      choose(parts.some((part) => part.id === wanted) ? wanted : parts[0].id);
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
