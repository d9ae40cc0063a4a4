(() => {
  'use strict';
  const byId = (id) => document.getElementById(id);
  const list = JSON.parse(byId('list-data').textContent);
  const sheet = byId('sheet');
  const form = byId('filter');
  if (!sheet || !form) return;
  const at = {};
  list.fields.forEach((name, index) => { at[name] = index; });
  const details = list.fields.length;
  const statuses = Object.fromEntries(list.statuses.map((name, index) => [name, index]));
  const rows = list.rows;
  let isWhole = !list.data;
  let missing = false;
  let isAsked = false;
  let isSeeking = false;
  let wanted = '';
  let found = null;
  let page = 0;
  let waiting = 0;
  const words = [];

  const make = (tag, attributes, ...children) => {
    const element = document.createElement(tag);
    for (const name in attributes) element.setAttribute(name, attributes[name]);
    element.append(...children);
    return element;
  };
  const picture = (row) => {
    const file = row[at.picture];
    if (!file) {
      const status = row[at.status];
      const absence = status === statuses.notStored ? 'not stored'
        : status === statuses.failed ? 'failed' : 'no preview';
      return make('span', { class: 'none' }, absence);
    }
    const image = make('img', {
      src: list.pictures + file, alt: row[at.name] + ', ' + row[at.chain], width: row[at.width], height: row[at.height],
      loading: 'lazy', decoding: 'async',
    });
    // A page may be kept without its folder of pictures.
    image.addEventListener('error', () => image.replaceWith(make('span', { class: 'none' }, 'no preview')));
    return image;
  };
  const card = (row) => {
    const size = make('p', { class: 'size' });
    const facts = row[at.facts] ? row[at.facts].split(' · ') : [];
    const parts = facts.map((fact) => make('span', {}, fact));
    if (row[at.gain]) {
      parts.push(make('span', { class: row[at.more] ? 'more' : 'less', title: row[at.title] }, row[at.gain]));
    }
    parts.forEach((part, index) => size.append(...(index ? [' · ', part] : [part])));
    const terms = make('dl', {});
    list.labels.forEach((label, index) => {
      const text = row[details + index];
      if (!text) return;
      const isLink = index === 0 && row[at.linked] && /^https?:\/\//i.test(text);
      const value = isLink ? make('a', { class: 'source', href: text, rel: 'noreferrer' }, text) : text;
      terms.append(make('dt', {}, label), make('dd', {}, value));
    });
    return make('li', { class: 'card', id: 'r-' + row[at.id] },
      make('div', { class: 'mat' }, picture(row)),
      make('h3', {}, make('a', { href: '#r-' + row[at.id] }, row[at.name])),
      make('p', { class: 'chain' }, row[at.chain]), size,
      make('details', {}, make('summary', {}, 'Source, key and file'), terms));
  };

  const value = (id) => { const field = byId(id); return field ? field.value : ''; };
  const haystack = (index) => {
    if (words[index] === undefined) {
      const row = rows[index];
      words[index] = [row[at.name], row[at.chain], ...row.slice(details)].join(' ').toLowerCase();
    }
    return words[index];
  };
  const saved = (row) =>
    row[at.bytes] < 0 || row[at.sourceBytes] <= 0 ? null : row[at.sourceBytes] - row[at.bytes];
  const orders = {
    largest: (row) => -row[at.bytes],
    smallest: (row) => row[at.bytes] < 0 ? Infinity : row[at.bytes],
    saved: (row) => { const bytes = saved(row); return bytes === null ? Infinity : -bytes; },
    excess: (row) => { const bytes = saved(row); return bytes === null ? Infinity : bytes; },
  };
  const filtered = () => {
    const terms = value('words').toLowerCase().split(/\s+/).filter(Boolean);
    const [kind, number] = value('status').split('-');
    const chain = value('chain') === '' ? null : list.chains[Number(value('chain'))];
    const size = Number(value('size'));
    const result = [];
    for (let index = 0; index < rows.length; index += 1) {
      const row = rows[index];
      if (kind === 'status' && row[at.status] !== Number(number)) continue;
      if (kind === 'larger' && !(row[at.more] && row[at.status] !== statuses.failed)) continue;
      if (chain !== null && row[at.chain] !== chain) continue;
      if (size && row[at.bytes] <= size) continue;
      if (terms.length && !terms.every((term) => haystack(index).includes(term))) continue;
      result.push(index);
    }
    const order = value('order');
    if (order === 'name') {
      result.sort((a, b) => {
        const [one, other] = [rows[a][at.name], rows[b][at.name]];
        return one < other ? -1 : one > other ? 1 : a - b;
      });
    } else if (orders[order]) {
      const key = orders[order];
      const keys = new Map(result.map((index) => [index, key(rows[index])]));
      result.sort((a, b) => {
        const [one, other] = [keys.get(a), keys.get(b)];
        return one < other ? -1 : one > other ? 1 : a - b;
      });
    }
    return result;
  };

  // Of the whole list also before it has been read, so that its next page is there to go to.
  const pages = () => Math.max(1, Math.ceil((found ? found.length : list.total) / list.perPage));
  const showCount = () => {
    const count = (number) => number.toLocaleString('en-US');
    const all = count(list.total) + (list.total === 1 ? ' rendition' : ' renditions');
    let text = found ? count(found.length) + ' of ' + all : all;
    if (missing) text += '. ' + list.data + ' is not beside this page: the list is not complete.';
    else if (isAsked && !isWhole) text += ', ' + count(rows.length) + ' read so far';
    byId('shown').textContent = text;
    const last = pages();
    byId('pager').hidden = last === 1;
    byId('page').textContent = 'Page ' + count(page + 1) + ' of ' + count(last);
    byId('back').disabled = page === 0;
    byId('on').disabled = page + 1 >= last;
  };
  const draw = () => {
    const order = found || rows.map((_, index) => index);
    page = Math.min(page, pages() - 1);
    const shown = order.slice(page * list.perPage, (page + 1) * list.perPage);
    sheet.replaceChildren(...shown.map((index) => card(rows[index])));
    showCount();
  };
  const isFiltered = () => ['words', 'status', 'chain', 'size', 'order'].some(value);
  const apply = () => {
    found = isFiltered() ? filtered() : null;
    draw();
  };
  const show = () => {
    const card = byId('r-' + wanted);
    for (const other of document.querySelectorAll('.here')) other.classList.remove('here');
    card.classList.add('here');
    card.querySelector('details').open = true;
    card.querySelector('h3 a').focus({ preventScroll: true });
    const centre = () => card.scrollIntoView({ block: 'center' });
    centre();
    // Cards get their real heights when they are first drawn, which moves those below.
    requestAnimationFrame(() => requestAnimationFrame(centre));
    wanted = '';
  };
  const seek = () => {
    if (!wanted) return;
    if (byId('r-' + wanted)) return show();
    ask();
    const index = rows.findIndex((row) => row[at.id] === wanted);
    if (index < 0) return;
    isSeeking = true;
    form.reset();
    isSeeking = false;
    clearTimeout(waiting);
    found = null;
    page = Math.floor(index / list.perPage);
    draw();
    show();
  };

  const ask = () => {
    if (isAsked) return;
    isAsked = true;
    if (!isWhole) {
      const script = make('script', { src: list.data });
      script.onerror = () => { missing = true; showCount(); };
      document.head.append(script);
    }
    showCount();
  };
  window.preheatRows = (more) => {
    if (isWhole) return;
    isWhole = true;
    for (const row of more) rows.push(row);
    apply();
    seek();
  };

  const soon = () => {
    ask();
    clearTimeout(waiting);
    waiting = setTimeout(() => { page = 0; apply(); }, 120);
  };
  const turn = (by) => {
    ask();
    page += by;
    draw();
    byId('pictures').scrollIntoView();
  };
  const locate = () => {
    const name = location.hash.slice(1);
    wanted = name.startsWith('r-') ? name.slice(2) : '';
    seek();
  };
  form.hidden = false;
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('input', soon);
  form.addEventListener('reset', () => { if (!isSeeking) soon(); });
  form.addEventListener('focusin', ask);
  byId('back').addEventListener('click', () => turn(-1));
  byId('on').addEventListener('click', () => turn(1));
  addEventListener('hashchange', locate);
  draw();
  locate();
})();
