"use strict";
// Everything that is said was written in Python; here it is only switched: go(i) shows step i.
(() => {
  const D = JSON.parse(document.getElementById("data").textContent);
  const T = D.texts, count = D.what.length;
  const $ = (id) => document.getElementById(id);
  const TONES = ["op", "event", "muted", "gradient", "lost"];
  const calls = new Map(D.calls.map((call) => [call.call, call]));
  let now = -1;
  let pinned = null; // the call whose picture the reader chose; null follows the step

  const el = (tag, text, cls) => {
    const node = document.createElement(tag);
    if (text !== undefined) node.textContent = text;
    if (cls) node.className = cls;
    return node;
  };
  // The position of the last entry at or before i in rows of [step, text]; -1 if there is none.
  const upTo = (rows, i) => {
    let low = 0, high = rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (rows[middle][0] <= i) low = middle + 1; else high = middle;
    }
    return low - 1;
  };

  // --- the address: #17, and notes behind it ---

  let notes = {};
  const readAddress = () => {
    const [, step, kept] = /^#(\d+)(?:&notes=(.*))?$/.exec(location.hash) || [];
    try { if (kept) notes = Object(JSON.parse(decodeURIComponent(kept))); } catch { notes = {}; }
    return step === undefined ? D.start : Math.max(0, Math.min(Number(step), count) - 1);
  };
  // Browsers allow a page only so many changes of its address: a held key changes it once, when it is let go.
  let waiting = 0;
  const writeAddress = (isJump, from) => {
    const isLate = waiting !== 0;
    clearTimeout(waiting);
    waiting = 0;
    if (!isJump) waiting = setTimeout(() => { waiting = 0; putAddress("replaceState", now); }, 150);
    else {
      if (isLate) putAddress("replaceState", from);
      putAddress("pushState", now);
    }
  };
  const putAddress = (how, i) => {
    const kept = Object.keys(notes).length ? "&notes=" + encodeURIComponent(JSON.stringify(notes)) : "";
    try { history[how](null, "", "#" + (i + 1) + kept); } catch { /* inside a frame without one */ }
  };

  // --- source ---

  const files = [...document.querySelectorAll(".file")];
  const span = el("span");
  span.id = "span";
  const visits = new Map(); // "file line" → the steps that happened there
  let file = 0, lines = [];
  const lineOf = (place) => place && files[place[0]] && files[place[0]].children[place[1] - 1];

  const showFile = (number) => {
    file = number;
    files.forEach((each, i) => { each.hidden = i !== number; });
    [...$("tabs").children].forEach((tab, i) => tab.setAttribute("aria-pressed", String(i === number)));
  };
  const setUpSource = () => {
    if (files.length > 1) D.files.forEach((name, i) => {
      const tab = el("button", name);
      tab.type = "button";
      tab.addEventListener("click", () => showFile(i));
      $("tabs").append(tab);
    });
    D.place.forEach((place, i) => {
      if (!place) return;
      const key = place[0] + " " + place[1];
      if (!visits.has(key)) {
        visits.set(key, []);
        const line = lineOf(place);
        if (line) { line.classList.add("ran"); line.firstChild.tabIndex = 0; }
      }
      visits.get(key).push(i);
    });
    for (const i of Object.keys(D.problem)) {
      const line = lineOf(D.place[i]);
      if (line) line.classList.add("bad");
    }
    $("files").addEventListener("click", (event) => {
      const line = event.target.closest("li");
      const there = line && visits.get(file + " " + line.dataset.line);
      if (there) jump(there[(upTo(there.map((i) => [i]), now) + 1) % there.length]);
    });
    showFile(0);
  };
  const showSource = (i) => {
    lines.forEach((line) => line.classList.remove("now", "caller"));
    const line = lineOf(D.place[i]);
    lines = [];
    span.remove();
    for (const place of D.callers[i] || []) {
      const caller = lineOf(place);
      if (caller) { caller.classList.add("caller"); lines.push(caller); }
    }
    if (!line) return;
    if (D.place[i][0] !== file) showFile(D.place[i][0]);
    line.classList.add("now");
    lines.push(line);
    const [, , start, end] = D.place[i];
    if (start !== undefined && end > start) {
      span.style.left = start + "ch";
      span.style.width = end - start + "ch";
      line.lastChild.append(span);
    }
    reveal($("files"), line);
  };
  const reveal = (pane, item) => {
    const a = pane.getBoundingClientRect(), b = item.getBoundingClientRect();
    if (b.top < a.top + 24 || b.bottom > a.bottom - 24) pane.scrollTop += b.top - a.top - a.height / 2;
  };

  // --- pictures ---

  const figures = [...document.querySelectorAll(".picture")].map((figure, number) => {
    const data = D.pictures[number], cards = new Map(), edges = [];
    const at = (id) => document.getElementById("p" + number + "-" + id);
    for (const [id, card] of Object.entries(data.cards)) {
      const group = at(id);
      if (!group) continue;
      const texts = {};
      for (const row of ["value", "grad"]) {
        const text = group.querySelector("text." + row);
        if (text) texts[row] = { text, said: text.textContent, cells: null, shown: null };
      }
      group.dataset.card = id;
      cards.set(id, { ...card, group, texts, isLate: false });
    }
    for (const [id, [tail, head]] of Object.entries(data.edges)) {
      const group = at(id);
      if (group) edges.push({ group, tail, head });
    }
    return { figure, canvas: figure.firstElementChild, cards, edges, acts: data.acts, view: null, lit: [] };
  });
  let shown = null;

  const pictureAt = (i) => {
    const number = pinned !== null ? pinned : D.call[i] || lastCallBefore(i);
    const call = calls.get(number);
    return { call, figure: figures[call ? call.picture : 0] };
  };
  const lastCallBefore = (i) => {
    let found = 0;
    for (const call of D.calls) if (call.asked <= i) found = call.call;
    return found;
  };
  const show = (figure) => {
    if (figure === shown) return;
    figures.forEach((each) => { each.figure.hidden = each !== figure; });
    shown = figure;
    if (figure && !figure.view) fit();
  };

  const showPicture = (i) => {
    const { call, figure } = pictureAt(i);
    const undrawn = call && call.picture === null;
    $("which").textContent = undrawn ? "this call is not drawn: there are more kinds of calls than pictures" : "";
    show(undrawn ? null : figure);
    if (undrawn || !figure) return;
    const first = call ? call.first : 0, last = call ? call.last : count;
    const isBack = D.phase[i] === "b";
    const flowed = new Set();
    for (const [id, card] of figure.cards) {
      const isMadeAgain = card.rows.value && card.rows.value.length > 1 && card.op;
      const known = card.rows.value ? upTo(card.rows.value, i) : -1;
      const has = card.rows.value ? known >= 0 && !(isMadeAgain && card.rows.value[known][0] < first) : card.made <= i;
      card.group.classList.toggle("future", !has);
      if (card.texts.value && known >= 0) write(card, card.texts.value, card.rows.value[known]);
      const grads = card.rows.grad || [];
      const given = upTo(grads, i);
      const arrived = given >= 0 && grads[given][0] >= first;
      if (arrived) flowed.add(id);
      if (!card.texts.grad) continue;
      const isLater = !arrived && i < last && has && call;
      card.texts.grad.text.classList.toggle("later", Boolean(isLater));
      if (arrived) write(card, card.texts.grad, grads[given]);
      else write(card, card.texts.grad, [i, isLater ? NOT_YET : card.texts.grad.said]);
    }
    for (const edge of figure.edges) {
      edge.group.classList.toggle("back", isBack);
      edge.group.classList.toggle("flowed", isBack && flowed.has(edge.tail) && flowed.has(edge.head));
      const tail = figure.cards.get(edge.tail), head = figure.cards.get(edge.head);
      const late = (card) => card && card.group.classList.contains("future");
      edge.group.classList.toggle("future", Boolean(late(tail) || late(head)));
    }
    figure.lit.forEach((group) => group.classList.remove("current"));
    figure.lit = (figure.acts[i] || []).slice(0, 1).map((id) => figure.cards.get(id)).filter(Boolean).map((card) => card.group);
    figure.lit.forEach((group) => group.classList.add("current"));
    if (figure.lit.length) bringIn(figure, figure.lit[0]);
  };
  const NOT_YET = "not yet";
  // What a row says from a step on: its text, as wide as there is room, and the cells of its strip.
  const write = (card, row, [, said, cells]) => {
    const text = typeof said === "number" ? T[said] : said;
    if (row.text.textContent !== text) {
      row.text.textContent = text;
      row.text.classList.toggle("none", text === "None");
      const room = roomOf(card, row);
      if (room > 0 && ruler.measureText(text).width > room) {
        row.text.setAttribute("textLength", room);
        row.text.setAttribute("lengthAdjust", "spacingAndGlyphs");
      } else row.text.removeAttribute("textLength");
    }
    if (card.isRolled || row.shown === cells || !stripOf(card, row).length) return;
    row.shown = cells;
    stripOf(card, row).forEach((cell, k) => {
      const depth = cells && cells.length === row.cells.length ? cells[k] : 0;
      const hue = depth === null ? "var(--none)" : row === card.texts.grad ? "var(--backward)" : depth < 0 ? "var(--minus)" : "var(--plus)";
      cell.style.fill = "color-mix(in srgb, " + hue + " " + (depth === null ? 100 : Math.abs(depth)) + "%, var(--paper))";
    });
  };
  // Measured on a canvas, in the units of the picture: asking the picture itself would lay it out anew.
  const ruler = document.createElement("canvas").getContext("2d");
  ruler.font = "10px Helvetica, Arial, sans-serif";
  const boxOf = (shape) => { const box = shape.getBBox(); return { left: box.x, right: box.x + box.width, top: box.y, bottom: box.y + box.height }; };
  // The small shapes beside a row's text, from left to right.
  const stripOf = (card, row) => {
    if (row.cells) return row.cells;
    if (!row.text.getBBox().width) return []; // not laid out yet
    const text = boxOf(row.text), middle = (text.top + text.bottom) / 2;
    const shapes = [...card.group.querySelectorAll("polygon, rect")].map((shape) => ({ shape, ...boxOf(shape) }));
    const isCell = (box) => box.top < middle && box.bottom > middle && box.left > text.left && box.right - box.left < 14;
    const cells = new Map(shapes.filter(isCell).map((box) => [Math.round(box.left * 4), box])); // the last one at a place is on top
    row.cells = [...cells.values()].sort((a, b) => a.left - b.left).map((box) => box.shape);
    row.end = row.cells.length ? boxOf(row.cells[0]).left : Math.max(...shapes.map((box) => box.right));
    return row.cells;
  };
  const roomOf = (card, row) => {
    stripOf(card, row);
    return row.cells ? row.end - row.text.getBBox().x - 4 : 0;
  };

  // Zoom and place of a picture.
  const place = () => {
    const { x, y, scale } = shown.view;
    shown.canvas.style.transform = "translate(" + x + "px," + y + "px) scale(" + scale + ")";
  };
  const sizeOf = (figure) => {
    const svg = figure.canvas.firstElementChild;
    return { width: svg.clientWidth || svg.getBoundingClientRect().width, height: svg.clientHeight || svg.getBoundingClientRect().height };
  };
  // As large as can be read, or all of it if asked for: a tall picture starts at its top and follows the steps.
  const fit = (isWhole) => {
    if (!shown) return;
    shown.canvas.style.transform = "none";
    const pane = $("pictures").getBoundingClientRect(), size = sizeOf(shown);
    const whole = Math.min(1.35, (pane.width - 24) / size.width, (pane.height - 24) / size.height);
    const scale = isWhole ? Math.max(.05, whole) : Math.max(.72, whole);
    const tooTall = size.height * scale > pane.height, tooWide = size.width * scale > pane.width;
    shown.view = {
      scale,
      x: tooWide ? 12 : (pane.width - size.width * scale) / 2,
      y: tooTall ? 12 : (pane.height - size.height * scale) / 2,
    };
    place();
    if (!isWhole && shown.lit.length) bringIn(shown, shown.lit[0]);
  };
  const fitOrFollow = () => {
    const scale = shown && shown.view.scale;
    fit(true);
    if (shown && Math.abs(shown.view.scale - scale) < .001) fit();
  };
  const zoom = (factor, x, y) => {
    if (!shown) return;
    const pane = $("pictures").getBoundingClientRect(), view = shown.view;
    const scale = Math.max(.08, Math.min(4, view.scale * factor));
    const px = x === undefined ? pane.width / 2 : x - pane.left, py = y === undefined ? pane.height / 2 : y - pane.top;
    view.x = px - (px - view.x) * scale / view.scale;
    view.y = py - (py - view.y) * scale / view.scale;
    view.scale = scale;
    place();
  };
  const bringIn = (figure, group) => {
    const a = $("pictures").getBoundingClientRect(), b = group.getBoundingClientRect();
    const dx = b.left < a.left ? a.left - b.left + 24 : b.right > a.right ? a.right - b.right - 24 : 0;
    const dy = b.top < a.top + 30 ? a.top - b.top + a.height / 3 : b.bottom > a.bottom ? a.bottom - b.bottom - a.height / 3 : 0;
    if (!dx && !dy) return;
    // No further than the picture goes.
    const { view } = figure, size = sizeOf(figure);
    const within = (at, room, length) => length > room - 24 ? Math.min(12, Math.max(room - 12 - length, at)) : at;
    view.x = within(view.x + dx, a.width, size.width * view.scale);
    view.y = within(view.y + dy, a.height, size.height * view.scale);
    place();
  };
  const setUpPictures = () => {
    const pane = $("pictures");
    let from = null, moved = false;
    pane.addEventListener("pointerdown", (event) => {
      if (!shown || event.button) return;
      from = { x: event.clientX - shown.view.x, y: event.clientY - shown.view.y, id: event.pointerId };
      moved = false;
    });
    pane.addEventListener("pointermove", (event) => {
      if (!from) return;
      const x = event.clientX - from.x, y = event.clientY - from.y;
      if (!moved && Math.abs(x - shown.view.x) + Math.abs(y - shown.view.y) < 5) return;
      if (!moved) pane.setPointerCapture(from.id);
      moved = true;
      pane.classList.add("moving");
      shown.view.x = x;
      shown.view.y = y;
      place();
    });
    const stop = () => { from = null; pane.classList.remove("moving"); };
    pane.addEventListener("pointerup", stop);
    pane.addEventListener("pointercancel", stop);
    pane.addEventListener("wheel", (event) => {
      event.preventDefault();
      if (event.ctrlKey || event.metaKey || event.altKey) zoom(Math.exp(-event.deltaY / 300), event.clientX, event.clientY);
      else if (shown) { shown.view.x -= event.deltaX; shown.view.y -= event.deltaY; place(); }
    }, { passive: false });
    pane.addEventListener("click", (event) => {
      const group = event.target.closest("[data-card]");
      if (!group || moved) return;
      const card = shown.cards.get(group.dataset.card);
      if (event.target.classList.contains("grad")) return whereFrom(group.dataset.card);
      jump(visitOf(shown, group.dataset.card, card));
    });
    $("smaller").addEventListener("click", () => zoom(1 / 1.25));
    $("larger").addEventListener("click", () => zoom(1.25));
    $("fit").addEventListener("click", fitOrFollow);
    addEventListener("resize", () => { figures.forEach((each) => { each.view = null; }); fit(); drawLine(); });
  };
  // A click on a card goes to the step that made it; again, to the next step that is about it.
  const visitOf = (figure, id, card) => {
    const about = Object.keys(figure.acts).map(Number).filter((i) => figure.acts[i].includes(id));
    if (!about.length) return card.made;
    return about[(about.indexOf(now) + 1) % about.length];
  };

  // --- now ---

  const showNow = (i) => {
    const phase = $("phase"), place = D.place[i], call = calls.get(D.call[i]);
    phase.className = D.phase[i];
    const times = D.visits[i] > 1 ? " · time " + D.visit[i] + " of " + D.visits[i] : "";
    phase.textContent = (D.phase[i] === "b" ? "backward" : "forward") + (place ? " · line " + place[1] : "") + times;
    $("what").textContent = T[D.what[i]];
    $("what").className = TONES[D.tone[i]];
    $("code").textContent = T[D.code[i]];
    $("trouble").hidden = !(i in D.problem);
    if (i in D.problem) $("trouble").textContent = "! " + T[D.problem[i]];
    $("said").textContent = phase.textContent + ": " + T[D.what[i]] + (i in D.problem ? ". Problem: " + T[D.problem[i]] : "");
    const facts = $("facts");
    facts.textContent = "";
    for (const [label, text, tone, tensor] of D.facts[i]) {
      const said = el("dd", T[text], TONES[tone]);
      if (tensor !== undefined) {
        const button = el("button", "numbers");
        button.type = "button";
        button.addEventListener("click", () => numbers((T[label] + " " + T[text]).trim(), tensor));
        said.append(button);
      }
      if (T[label]) facts.append(el("dt", T[label]), said);
      else { said.classList.add("wide"); facts.append(said); }
    }
    $("detail").hidden = true;
    $("note").value = notes[i] || "";
    showSteps(i);
    if (call) $("calls").value = String(pinned ?? call.call);
    for (const item of $("answers").children) item.hidden = Number(item.dataset.call) !== (pinned ?? (call ? call.call : lastCallBefore(i)));
  };

  // The list holds the steps near this one, and is made anew only when they run out.
  const WINDOW = 60;
  let listed = [0, 0], currentRow = null;
  const showSteps = (i) => {
    const list = $("steps"), [from, to] = listed;
    const isNear = i >= from && i < to && (i - from > 5 || from === 0) && (to - i > 5 || to === count);
    if (!isNear) listSteps(i);
    if (currentRow) currentRow.removeAttribute("aria-current");
    currentRow = list.children[i - listed[0] + (listed[0] > 0 ? 1 : 0)];
    currentRow.setAttribute("aria-current", "step");
    // The facts above decide how much room the list has: where it stands is known when they are laid out.
    requestAnimationFrame(() => {
      const top = currentRow.offsetTop - list.offsetTop, room = list.clientHeight;
      if (!isNear || top < list.scrollTop || top > list.scrollTop + room - 2 * currentRow.offsetHeight) list.scrollTop = top - room / 2;
    });
  };
  const listSteps = (i) => {
    const from = Math.max(0, i - WINDOW), to = Math.min(count, i + WINDOW + 1), rows = [];
    if (from > 0) rows.push(el("li", "… " + from.toLocaleString("en") + " before", "more"));
    for (let k = from; k < to; k++) {
      const row = el("li", undefined, D.phase[k] + (k in D.problem ? " bad" : ""));
      row.append(el("b", T[D.what[k]]), " " + T[D.said[k]]);
      row.dataset.step = k;
      row.title = row.textContent;
      row.setAttribute("aria-posinset", k + 1);
      row.setAttribute("aria-setsize", count);
      rows.push(row);
    }
    if (to < count) rows.push(el("li", "… " + (count - to).toLocaleString("en") + " after", "more"));
    $("steps").replaceChildren(...rows);
    listed = [from, to];
    currentRow = null;
  };

  const detail = (title, ...parts) => {
    $("detail").replaceChildren(el("h3", title), ...parts);
    $("detail").hidden = false;
  };
  // Where a gradient comes from: the amounts that it is the sum of.
  const whereFrom = (id) => {
    const terms = shown ? D.terms[figures.indexOf(shown) + " " + id] : undefined;
    const call = calls.get(pinned ?? D.call[now]);
    const mine = (terms || []).filter(([step]) => !call || step >= call.first && step <= call.last);
    if (!mine.length) return detail("no gradient arrived here");
    const table = el("table");
    const head = el("tr");
    head.append(el("th", "from"), el("th", "amount"), el("th", "sum then"));
    table.append(head);
    for (const [step, origin, amount, sum] of mine) {
      const row = el("tr"), link = el("a", T[origin]);
      link.href = "#" + (step + 1);
      const cell = el("td");
      cell.append(link);
      row.append(cell, el("td", T[amount]), el("td", step <= now ? T[sum] : "later"));
      table.append(row);
    }
    detail("where this gradient comes from", table);
  };
  // All numbers of a tensor, as a heat-map; of a large one, the means of at most sixteen stretches.
  const numbers = (title, at) => {
    const tensor = D.tensors[at], isWhole = tensor.data !== undefined;
    const parts = [el("p", "shape (" + tensor.shape.join(", ") + ")  " + tensor.dtype, "muted")];
    let rows = isWhole ? tensor.data : [tensor.strip || []];
    if (isWhole && tensor.shape.length === 1) rows = [rows];
    while (Array.isArray(rows[0]) && Array.isArray(rows[0][0])) rows = rows.flat();
    const all = rows.flat().map(Number).filter(Number.isFinite);
    const scale = Math.max(...all.map(Math.abs), 0) || 1;
    const table = el("table", undefined, "heat");
    for (const each of rows) {
      const row = el("tr");
      for (const number of each) row.append(heat(number, scale));
      table.append(row);
    }
    parts.push(table);
    if (!isWhole) parts.push(el("p", "the means of " + rows[0].length + " equal stretches", "muted"));
    const facts = ["min", "max", "mean", "std", "l2", "zeros", "nan", "inf"].filter((key) => tensor[key] !== undefined && tensor[key] !== null);
    parts.push(el("p", facts.map((key) => key + " " + short(tensor[key])).join("   ")));
    detail(title, ...parts);
  };
  const short = (number) => typeof number === "number" ? String(Number(number.toPrecision(4))) : String(number);
  const heat = (number, scale) => {
    const cell = el("td", short(number)), value = Number(number);
    cell.title = String(number);
    const hue = !Number.isFinite(value) ? "var(--none)" : value < 0 ? "var(--minus)" : "var(--plus)";
    const depth = Number.isFinite(value) ? Math.round(70 * Math.abs(value) / scale) : 100;
    cell.style.background = "color-mix(in srgb, " + hue + " " + depth + "%, var(--paper))";
    return cell;
  };

  // --- time ---

  const drawLine = () => {
    const canvas = $("line"), width = canvas.clientWidth * devicePixelRatio;
    canvas.width = width;
    canvas.height = 8 * devicePixelRatio;
    const paint = canvas.getContext("2d"), style = getComputedStyle(document.documentElement);
    const colors = { f: style.getPropertyValue("--forward"), b: style.getPropertyValue("--backward"), x: style.getPropertyValue("--lost") };
    const step = width / count, gap = step > 4 * devicePixelRatio ? devicePixelRatio : 0;
    // Where several steps share a dot, the walk back is the rarer and is shown.
    const dots = new Map();
    for (let i = 0; i < count; i++) {
      const dot = Math.round(i * step);
      if (D.phase[i] === "b" || !dots.has(dot)) dots.set(dot, i);
    }
    const bar = (i, least) => {
      const from = Math.round(i * step), to = Math.round((i + 1) * step);
      paint.fillRect(from, 0, Math.max(to - from - gap, least * devicePixelRatio), canvas.height);
    };
    for (const i of dots.values()) { paint.fillStyle = colors[D.phase[i]]; bar(i, 1); }
    paint.fillStyle = colors.x;
    for (const i of D.moves.problems) bar(i, 3);
  };

  // --- going ---

  const go = (i, isJump) => {
    i = Math.max(0, Math.min(count - 1, i));
    if (i === now || !count) return;
    const from = now;
    now = i;
    showSource(i);
    showPicture(i);
    showNow(i);
    $("slider").value = i;
    $("slider").setAttribute("aria-valuetext", "step " + (i + 1) + " of " + count + ": " + T[D.what[i]]);
    $("position").textContent = (i + 1) + " / " + count;
    $("back").disabled = i === 0;
    $("step").disabled = i === count - 1;
    writeAddress(isJump, from);
  };
  const jump = (i) => go(i, true);
  const after = (list, i) => list.length ? list.find((each) => each > i) ?? list[0] : i;
  const before = (list, i) => list.length ? list.findLast((each) => each < i) ?? list[list.length - 1] : i;

  const find = (isNext) => {
    const query = $("query").value.trim().toLowerCase();
    if (!query) return;
    const line = /^(?:line|:)\s*(\d+)$/.exec(query);
    for (let k = isNext ? 1 : 0; k <= count; k++) {
      const i = (now + k) % count;
      const hit = line
        ? D.place[i] && D.place[i][1] === Number(line[1])
        : [D.what[i], D.code[i], D.said[i]].some((at) => T[at].toLowerCase().includes(query));
      if (hit) { $("query").className = ""; return jump(i); }
    }
    $("query").className = "none";
  };

  const switchTheme = () => {
    const root = document.documentElement;
    const isDark = root.dataset.theme === "dark" || root.dataset.theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = isDark ? "light" : "dark";
    drawLine();
  };
  const current = () => shown && (shown.acts[now] || [])[0];

  const KEYS = {
    ArrowRight: (shift) => shift ? jump(D.moves.again[1][now]) : go(now + 1),
    ArrowLeft: (shift) => shift ? jump(D.moves.again[0][now]) : go(now - 1),
    ArrowDown: () => jump(D.moves.op[1][now]),
    ArrowUp: () => jump(D.moves.op[0][now]),
    Home: () => jump(0),
    End: () => jump(count - 1),
    f: () => jump(0),
    b: () => jump(after(D.moves.backward, now)),
    n: () => jump(after(D.moves.problems, now)),
    N: () => jump(before(D.moves.problems, now)),
    g: () => whereFrom(current() || ""),
    t: switchTheme,
    " ": fitOrFollow,
    "/": () => { $("query").focus(); $("query").select(); },
    "?": () => $("keys").showModal(),
    Escape: () => { $("detail").hidden = true; document.activeElement.blur(); },
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || $("keys").open) return;
    const isTyping = event.target.matches("input:not([type=range]), select, textarea");
    if (isTyping && event.key !== "Escape") return;
    const isButton = event.target.matches("button, summary, a");
    if (isButton && (event.key === " " || event.key === "Enter")) return;
    const act = KEYS[event.key];
    if (!act) return;
    event.preventDefault();
    act(event.shiftKey);
  });

  // --- setting up ---

  const setUpPickers = () => {
    const asked = new Map(); // the tapes that were asked, by name: those of a loop are one
    for (const call of D.calls) if (!asked.has(call.tape)) asked.set(call.tape, call.call);
    $("tapes-label").hidden = asked.size < 2;
    $("calls-label").hidden = D.calls.length < 2;
    for (const [name, first] of [["of this step", ""], ...asked]) {
      const option = el("option", name);
      option.value = first;
      $("tapes").append(option);
    }
    for (const call of D.calls) {
      const again = D.calls.filter((each) => each.text === call.text).length > 1 ? " (" + call.visit + ")" : "";
      const option = el("option", "line " + call.line + ": " + call.text + again + (call.problem ? " !" : ""));
      option.value = call.call;
      $("calls").append(option);
    }
    $("calls").addEventListener("change", () => { pinned = null; $("tapes").value = ""; jump(calls.get(Number($("calls").value)).asked); });
    $("tapes").addEventListener("change", () => {
      pinned = $("tapes").value ? Number($("tapes").value) : null;
      showPicture(now);
      showNow(now);
    });
  };
  const setUp = () => {
    if (!count) { $("what").textContent = "nothing happened on a tape"; return; }
    setUpSource();
    setUpPictures();
    setUpPickers();
    $("slider").max = count - 1;
    $("slider").addEventListener("input", () => go(Number($("slider").value)));
    $("back").addEventListener("click", () => go(now - 1));
    $("step").addEventListener("click", () => go(now + 1));
    $("to-backward").addEventListener("click", KEYS.b);
    $("to-problem").addEventListener("click", KEYS.n);
    $("to-problem").disabled = !D.moves.problems.length;
    $("to-backward").disabled = !D.moves.backward.length;
    $("theme").addEventListener("click", switchTheme);
    $("help").addEventListener("click", KEYS["?"]);
    $("search").addEventListener("submit", (event) => { event.preventDefault(); find(true); });
    $("query").addEventListener("input", () => find(false));
    $("query").addEventListener("keydown", (event) => { if (event.key === "Escape") $("query").blur(); });
    $("note").addEventListener("change", () => {
      if ($("note").value) notes[now] = $("note").value; else delete notes[now];
      writeAddress(false);
    });
    $("steps").addEventListener("click", (event) => {
      const row = event.target.closest("[data-step]");
      if (row) jump(Number(row.dataset.step));
    });
    addEventListener("hashchange", () => go(readAddress()));
    addEventListener("popstate", () => go(readAddress()));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawLine);
    go(readAddress());
    drawLine();
  };
  setUp();
  // live.js
})();
