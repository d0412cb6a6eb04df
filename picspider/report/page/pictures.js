// All stored pictures, by album or by size, and the viewer that shows one large.
const HEAD_PIXELS = 52;
const CELL_PIXELS = 168;

class Pictures {
  constructor(panel, app) {
    this.app = app;
    this.words = "";
    this.order = "album";
    this.root = -1;
    this.choice = el("select", { "aria-label": t("sort"), change: () => { this.order = this.choice.value; this.build(); } });
    fillChoice(this.choice, [["album", t("by_album")], ["size", t("by_size")]], "album");
    this.only = el("span", { class: "only" });
    this.said = el("span", { class: "muted", role: "status" });
    this.box = el("div", { class: "grid", role: "group", "aria-label": t("pictures"), tabindex: "0", keydown: (event) => this.key(event) });
    panel.append(el("h2", { class: "unseen" }, t("pictures")), el("div", { class: "tools" }, this.choice, this.only, this.said), this.box);
    this.list = new VirtualList(this.box, (line) => this.draw(line));
    new ResizeObserver(() => { if (this.rows && this.columns !== this.columnsNow()) this.build(); }).observe(this.box);
  }

  setRows(rows) {
    this.root = this.rows && this.root >= 0 ? rows.rowOf(this.rows.id[this.root]) ?? -1 : -1;
    this.rows = rows;
    this.build();
  }

  filter({ words, root }) {
    if (words !== undefined) this.words = words;
    if (root !== undefined) this.root = root;
    if (this.rows) this.build();
  }

  columnsNow() {
    return Math.max(2, Math.floor((this.box.clientWidth - 8) / 156));
  }

  chosen() {
    const { rows } = this;
    const matches = this.words ? rows.matcher(this.words) : () => true;
    const found = [];
    for (const row of rows.order) {
      if (rows.fate[row] === PICTURE && matches(row) && this.isUnderRoot(row)) found.push(row);
    }
    return found;
  }

  isUnderRoot(row) {
    if (this.root < 0) return true;
    let at = row;
    while (at > this.root) at = this.rows.parent[at];
    return at === this.root;
  }

  // Lines: a heading per album, then its pictures in rows of as many as fit.
  build() {
    if (!this.box.clientWidth) return;
    const { rows } = this;
    this.columns = this.columnsNow();
    const found = this.chosen();
    const groups = new Map();
    if (this.order === "size") groups.set(-1, found.sort((a, b) => rows.pictureOf(b).bytes - rows.pictureOf(a).bytes));
    else for (const row of found) pushTo(groups, rows.albumOf(row), row);
    this.lines = [];
    this.sequence = [];
    for (const [album, members] of groups) {
      if (this.order !== "size") this.lines.push({ album, size: members.length });
      for (let at = 0; at < members.length; at += this.columns) {
        this.lines.push({ from: this.sequence.length, to: this.sequence.length + Math.min(this.columns, members.length - at) });
        for (const row of members.slice(at, at + this.columns)) this.sequence.push(row);
      }
    }
    this.said.textContent = t("album_count", { n: count(found.length) });
    this.only.replaceChildren(...(this.root < 0 ? [] : [foreign(rows.title(this.root)), button("✕", () => this.filter({ "root": -1 }), { class: "small", "aria-label": t("clear") })]));
    this.list.show(this.lines.length, this.lines.map((line) => (line.size ? HEAD_PIXELS : CELL_PIXELS)));
    this.box.classList.toggle("none", !this.lines.length);
    this.box.dataset.none = this.words ? t("nothing_found") : t("no_pictures");
  }

  draw(at) {
    const line = this.lines[at];
    if (line.size) {
      const name = line.album < 0 ? "–" : this.rows.title(line.album);
      const open = button("", () => this.app.showInTree(line.album), { class: "link" });
      open.append(foreign(name));
      return el("div", { class: "album" }, el("h3", {}, open), el("span", { class: "muted" }, t("album_count", { n: count(line.size) })));
    }
    const strip = el("div", { class: "strip" });
    strip.style.gridTemplateColumns = `repeat(${this.columns}, minmax(0, 1fr))`;
    for (let place = line.from; place < line.to; place += 1) strip.append(this.cell(place));
    return strip;
  }

  cell(place) {
    const row = this.sequence[place];
    const facts = this.rows.pictureOf(row);
    const words = visible(`${this.rows.title(row)}, ${facts.width} × ${facts.height}, ${facts.format}, ${bytesText(facts.bytes)}`);
    const open = button("", () => this.app.viewer.open(this.sequence, place), { class: "cell", "data-place": place, "aria-label": words, title: words });
    open.append(thumbnail(this.rows, row), foreign(this.rows.title(row), { class: "caption" }));
    return open;
  }

  key(event) {
    const cell = event.target.closest(".cell");
    const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: this.columns, ArrowUp: -this.columns };
    if (!cell || !(event.key in steps)) return;
    event.preventDefault();
    const wanted = Math.max(0, Math.min(this.sequence.length - 1, Number(cell.dataset.place) + steps[event.key]));
    this.list.reveal(this.lines.findIndex((line) => !line.size && line.from <= wanted && wanted < line.to));
    const next = this.box.querySelector(`[data-place="${wanted}"]`);
    if (next) next.focus({ preventScroll: true });
  }
}

function pushTo(groups, key, value) {
  const group = groups.get(key);
  if (group) group.push(value); else groups.set(key, [value]);
}

class Viewer {
  constructor(app) {
    this.app = app;
    this.dialog = document.getElementById("viewer");
    this.dialog.addEventListener("keydown", (event) => {
      if (event.key === "ArrowRight") this.step(1);
      if (event.key === "ArrowLeft") this.step(-1);
    });
    this.dialog.addEventListener("click", (event) => { if (event.target === this.dialog) this.dialog.close(); });
  }

  open(sequence, place) {
    this.sequence = sequence;
    this.place = place;
    this.show();
    if (!this.dialog.open) this.dialog.showModal();
  }

  step(by) {
    const wanted = this.place + by;
    if (wanted < 0 || wanted >= this.sequence.length) return;
    this.place = wanted;
    this.show();
  }

  show() {
    const { rows } = this.app;
    const row = this.sequence[this.place];
    const facts = rows.pictureOf(row);
    const image = el("img", { src: fileUrl(facts.file), alt: visible(rows.title(row)), decoding: "async" });
    image.addEventListener("error", () => image.replaceWith(el("p", { class: "muted" }, t("no_preview"))), { once: true });
    const many = this.sequence.length > 1;
    this.dialog.replaceChildren(
      el("div", { class: "viewer-head" }, el("h2", { id: "viewer-title" }, foreign(rows.title(row))), button("✕", () => this.dialog.close(), { "aria-label": t("close"), class: "small" })),
      el("div", { class: "viewer-picture" }, image),
      el("p", { class: "muted" }, `${facts.width} × ${facts.height}, ${facts.format}, ${bytesText(facts.bytes)} · ${t("of_them", { n: count(this.place + 1), all: count(this.sequence.length) })}`),
      wayTo(rows, row, (at) => { this.dialog.close(); this.app.showInTree(at); }),
      el("div", { class: "tools" },
        many ? button(`← ${t("previous")}`, () => this.step(-1), { disabled: this.place === 0 }) : null,
        many ? button(`${t("next")} →`, () => this.step(1), { disabled: this.place === this.sequence.length - 1 }) : null,
        opensSafely(facts.file) ? el("a", { class: "button", href: fileUrl(facts.file), target: "_blank", rel: "noopener" }, t("open_file")) : null,
        linkTo(rows.url(row))));
  }
}
