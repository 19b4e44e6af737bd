// Formats of numbers, the same in all views.

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** Four significant digits; very large and very small ones with a power of ten. */
export function number(value) {
  if (value === null || value === undefined || !Number.isFinite(value)) {
    return '–';
  }
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e7)) {
    return value.toExponential(2).replace('e+', 'e').replace('-', '−').replace('e-', 'e−');
  }
  const digits = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : size >= 1 ? 3 : 4;
  const text = Number.isInteger(value) ? whole.format(value)
    : value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return text.replace('-', '−');
}

/** A setting: numbers shortened, words as they are. */
export function figure(text) {
  return text === undefined ? '–' : text.trim() !== '' && Number.isFinite(Number(text)) ? number(Number(text)) : text;
}

export function count(value) {
  return value === null || value === undefined ? '–' : whole.format(value);
}

/** Steps on an axis: 120k, 1.5M. */
export function short(value) {
  const size = Math.abs(value);
  if (size >= 1e9) return trim(value / 1e9) + 'G';
  if (size >= 1e6) return trim(value / 1e6) + 'M';
  if (size >= 1e3) return trim(value / 1e3) + 'k';
  if (size !== 0 && size < 1e-3) return Number(value.toPrecision(3)).toExponential().replace(/-/g, '−');
  return trim(value);
}

function trim(value) {
  return String(Number(value.toPrecision(3))).replace('-', '−');
}

export function percent(value, digits = 1) {
  return value === null || value === undefined || !Number.isFinite(value) ? '–'
    : (100 * value).toFixed(digits).replace('-', '−') + ' %';
}

/** 2 d 3 h, 4 min 5 s, 6 s. */
export function duration(seconds) {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) {
    return '–';
  }
  const s = Math.max(0, Math.round(seconds));
  if (s >= 86400) return `${Math.floor(s / 86400)} d ${Math.floor(s % 86400 / 3600)} h`;
  if (s >= 3600) return `${Math.floor(s / 3600)} h ${Math.floor(s % 3600 / 60)} min`;
  if (s >= 60) return `${Math.floor(s / 60)} min ${s % 60} s`;
  return `${s} s`;
}

/** 2013-11-30 08:04, in UTC. */
export function moment(millis) {
  return new Date(millis).toISOString().slice(0, 16).replace('T', ' ');
}

/** Training time on an axis: 30 s, 5 min, 1 h 30 min. */
export function span(seconds) {
  const s = Math.round(seconds);
  const parts = [[Math.floor(s / 86400), 'd'], [Math.floor(s % 86400 / 3600), 'h'], [Math.floor(s % 3600 / 60), 'min'], [s % 60, 's']].filter(([size]) => size > 0);
  return parts.length === 0 ? '0' : parts.slice(0, 2).map(([size, unit]) => `${size} ${unit}`).join(' ');
}
