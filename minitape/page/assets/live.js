
  // --- live: what the reader looks at is kept from page to page ---

  const KEPT = "minitape";
  // What a step is, whatever its number: that changes when a line is added above.
  const markOf = (i) => {
    const [file, line, column] = D.place[i] || [];
    return {
      at: i, words: T[D.what[i]].replace(/^#\d+ /, ""), phase: D.phase[i], code: T[D.code[i]], file: D.files[file], line, column,
      call: D.call[i], visit: D.visit[i],
    };
  };
  // Where a line of the page before stands now: what is alike above and below a change has moved as a whole.
  const textOf = (k) => [...files[k].children].map((line) => line.lastChild.textContent);
  const lineNow = (texts, file, line) => {
    const old = texts[file], text = D.files.includes(file) && textOf(D.files.indexOf(file));
    if (!old || !text) return line;
    const least = Math.min(old.length, text.length);
    let head = 0, tail = 0;
    while (head < least && old[head] === text[head]) head++;
    while (tail < least - head && old[old.length - 1 - tail] === text[text.length - 1 - tail]) tail++;
    if (line > old.length - tail) return line + text.length - old.length;
    return line <= head ? line : Math.min(line, Math.max(head + 1, text.length - tail));
  };
  const isThere = (was, is) => was.code === is.code || was.file === is.file && was.line === is.line;
  const isSame = (was, is) => was.words === is.words && was.phase === is.phase && was.visit === is.visit && isThere(was, is);
  const likeness = (was, is) =>
    10 * (was.file === is.file && was.line === is.line) + 6 * (was.words === is.words) + 5 * (was.code === is.code) +
    4 * (was.phase === is.phase) + 4 * (was.call === is.call) + 2 * (was.visit === is.visit) + (was.column === is.column);
  // The step most like one of the page before; of several, the one nearest in time.
  const nearest = (was) => {
    let best = 0, most = -1;
    for (let i = 0; i < count; i++) {
      const alike = likeness(was, markOf(i)) - Math.abs(i - was.at) / (2 * Math.max(count, was.at + 1));
      if (alike > most) { most = alike; best = i; }
    }
    return best;
  };

  const keep = () => {
    if (!count) return;
    if ($("note").value) notes[now] = $("note").value;
    const kept = {
      step: markOf(now), notes: Object.entries(notes).map(([i, text]) => [markOf(Number(i)), text]),
      theme: document.documentElement.dataset.theme, query: $("query").value, pinned,
      file: D.files[file], top: $("files").scrollTop, texts: Object.fromEntries(D.files.map((name, k) => [name, textOf(k)])),
      figure: figures.indexOf(shown), size: shown && sizeOf(shown), view: shown && shown.view,
    };
    sessionStorage.setItem(KEPT, JSON.stringify(kept));
  };
  const restore = () => {
    const kept = JSON.parse(sessionStorage.getItem(KEPT));
    sessionStorage.removeItem(KEPT);
    if (!kept || !count) return;
    document.documentElement.dataset.theme = kept.theme;
    $("query").value = kept.query;
    const moved = (was) => ({ ...was, line: lineNow(kept.texts, was.file, was.line) });
    notes = Object.fromEntries(kept.notes.map(([was, text]) => [nearest(moved(was)), text]));
    pinned = calls.has(kept.pinned) ? kept.pinned : null;
    $("tapes").value = pinned ?? "";
    const i = nearest(moved(kept.step));
    now = -1; // all of it is shown anew, with the theme and the notes
    go(i);
    drawLine();
    if (D.files.includes(kept.file)) {
      showFile(D.files.indexOf(kept.file));
      $("files").scrollTop = kept.top;
    }
    restoreView(kept);
    if (!isSame(moved(kept.step), markOf(i))) tellGone(kept.step);
  };
  // A picture that was moved or zoomed stays so while it is as large as before.
  const restoreView = ({ figure, size, view }) => {
    if (!shown || figures.indexOf(shown) !== figure || !size) return;
    const is = sizeOf(shown);
    if (is.width !== size.width || is.height !== size.height) return;
    shown.view = view;
    place();
  };
  const tellGone = (was) => {
    const where = was.line === undefined ? "" : " in line " + was.line;
    const note = el("p", "The step you were at is gone (" + was.words + where + "): this is the nearest.");
    note.id = "gone";
    document.querySelector("main").before(note);
    for (const moved of ["keydown", "pointerdown"]) addEventListener(moved, () => note.remove(), { once: true });
  };
  restore();
  follow(keep);
