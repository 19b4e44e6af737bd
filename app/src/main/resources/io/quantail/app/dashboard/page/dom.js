// Creates all elements of the page; text is inserted as text, never as markup.

/** An element with properties, attributes (names with a dash, role) and children. */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) {
      continue;
    }
    if (name === 'class') {
      made.className = value;
    } else if (name.startsWith('on')) {
      made.addEventListener(name.slice(2), value);
    } else if (name.includes('-') || name === 'role' || name === 'for' || name === 'colspan' || name === 'scope') {
      made.setAttribute(name, value);
    } else {
      made[name] = value;
    }
  }
  made.append(...children.flat(3).filter(child => child !== null && child !== undefined && child !== false));
  return made;
}

/** An SVG element with attributes and children. */
export function drawing(tag, attributes = {}, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, value));
  made.append(...children.flat(3).filter(child => child !== null && child !== undefined));
  return made;
}

/** A table; the first cell of a row is its header. head and caption are optional. */
export function table(rows, { head, caption } = {}) {
  const row = (cells, scope, tag) => element('tr', {}, cells.map((cell, i) => i === 0 || tag === 'th'
    ? element('th', { scope }, cell) : element('td', {}, cell)));
  return element('table', {},
    caption ? element('caption', {}, caption) : null,
    head ? element('thead', {}, row(head, 'col', 'th')) : null,
    element('tbody', {}, rows.map(cells => row(cells, 'row', 'td'))));
}

/** What may be wider than the screen, in a frame that scrolls and that the keyboard reaches. */
export const scrolling = (label, content, properties = {}) => element('div', { class: 'table', tabIndex: 0, role: 'region', 'aria-label': label, ...properties }, content);

/** Replaces the children of a node. */
export function fill(node, ...children) {
  node.replaceChildren(...children.flat(4).filter(child => child !== null && child !== undefined && child !== false));
  return node;
}

/** Stores a choice of the user in the browser, where that is allowed. */
export function remember(key, value) {
  try {
    localStorage.setItem('quantail.' + key, value);
  } catch (refused) {
    // the choice is not kept
  }
}

export function remembered(key) {
  try {
    return localStorage.getItem('quantail.' + key);
  } catch (refused) {
    return null;
  }
}
