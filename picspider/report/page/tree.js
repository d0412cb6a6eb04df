// The site tree: one line per row in sight, collapsible, by mouse or by keyboard (WAI-ARIA tree view).
const LINE_PIXELS = 40;

class Tree {
  constructor(panel, app) {
    this.app = app;
    this.open = new Set();
    this.words = "";
    this.wantedFate = "";
    this.wantedLayer = "";
    this.stateChoice = el("select", { "aria-label": t("state"), change: () => this.filter({ fate: this.stateChoice.value }) });
    this.layerChoice = el("select", { "aria-label": t("layer"), change: () => this.filter({ layer: this.layerChoice.value }) });
    this.said = el("span", { class: "muted", role: "status" });
    this.box = el("div", { class: "tree", role: "tree", tabindex: "0", "aria-label": t("tree_label"), keydown: (event) => this.key(event), click: (event) => this.click(event) });
    this.side = el("aside", { class: "details", "aria-label": t("details"), tabindex: "-1" });
    panel.append(el("h2", { class: "unseen" }, t("tree")),
      el("div", { class: "tools" }, this.stateChoice, this.layerChoice,
        button(t("expand_all"), () => this.expandAll()), button(t("collapse_all"), () => this.collapseAll()), this.said),
      el("div", { class: "split" }, this.box, this.side));
    this.list = new VirtualList(this.box, (line) => this.draw(line));
    this.details = new Details(this.side, app);
  }

  setRows(rows) {
    const chosen = this.chosen;
    this.rows = rows;
    this.chosen = chosen === undefined ? undefined : rows.rowOf(this.chosenId);
    if (!this.open.size) this.openFirst();
    fillChoice(this.stateChoice, [["", t("all_states")], ...FATES.map((name, fate) => [String(fate), t(`fate_${name}`)])], this.wantedFate);
    const layers = [...new Set(rows.layer)].sort((a, b) => a - b);
    fillChoice(this.layerChoice, [["", t("all_layers")], ...layers.map((layer) => [String(layer), `${layer} ${this.app.layerName(layer)}`])], this.wantedLayer);
    this.build();
    if (this.chosen !== undefined) this.details.show(this.chosen);
  }

  // To begin with: the entry, and as many levels more as fit on a screen or two.
  openFirst() {
    let level = [...this.rows.childrenOf(-1)];
    let lines = level.length;
    do {
      for (const row of level) this.open.add(this.rows.id[row]);
      level = level.flatMap((row) => [...this.rows.childrenOf(row)]);
      lines += level.length;
    } while (level.length && lines + level.reduce((sum, row) => sum + this.rows.childrenOf(row).length, 0) <= 60);
  }

  filter(change) {
    if (change.words !== undefined) this.words = change.words;
    if (change.fate !== undefined) this.wantedFate = change.fate;
    if (change.layer !== undefined) this.wantedLayer = change.layer;
    this.stateChoice.value = this.wantedFate;
    this.layerChoice.value = this.wantedLayer;
    this.closed = new Set();
    if (this.rows) this.build();
  }

  get filtered() {
    return Boolean(this.words || this.wantedFate !== "" || this.wantedLayer !== "");
  }

  // Rows that match, and all above them.
  matching() {
    const { rows } = this;
    const keep = new Uint8Array(rows.count);
    const matches = this.words ? rows.matcher(this.words) : () => true;
    let found = 0;
    for (let row = 0; row < rows.count; row += 1) {
      if (this.wantedFate !== "" && rows.fate[row] !== Number(this.wantedFate)) continue;
      if (this.wantedLayer !== "" && rows.layer[row] !== Number(this.wantedLayer)) continue;
      if (!matches(row)) continue;
      found += 1;
      keep[row] = 2;
      for (let at = rows.parent[row]; at >= 0 && !keep[at]; at = rows.parent[at]) keep[at] = 1;
    }
    this.said.textContent = t("matches", { n: count(found) });
    return keep;
  }

  isOpen(row) {
    return this.keep ? !this.closed.has(this.rows.id[row]) && this.opensOnMatch(row) : this.open.has(this.rows.id[row]);
  }

  opensOnMatch(row) {
    return this.rows.childrenOf(row).some((child) => this.keep[child]);
  }

  build() {
    const { rows } = this;
    this.keep = this.filtered ? this.matching() : null;
    if (!this.keep) this.said.textContent = t("rows", { n: count(rows.count) });
    const lines = [];
    const stack = [...rows.childrenOf(-1)].reverse();
    while (stack.length) {
      const row = stack.pop();
      if (this.keep && !this.keep[row]) continue;
      lines.push(row);
      if (!this.isOpen(row)) continue;
      const children = rows.childrenOf(row);
      for (let at = children.length - 1; at >= 0; at -= 1) stack.push(children[at]);
    }
    this.lines = lines;
    this.list.show(lines.length, LINE_PIXELS);
    this.box.classList.toggle("none", !lines.length);
    this.box.dataset.none = this.filtered ? t("nothing_found") : t("nothing");
    this.point();
  }

  draw(line) {
    const { rows } = this;
    const row = this.lines[line];
    const children = rows.childrenOf(row);
    const attributes = {
      class: `line${row === this.chosen ? " chosen" : ""}${this.keep && this.keep[row] === 1 ? " above" : ""}`, role: "treeitem", id: `row-${rows.id[row]}`, "data-line": line,
      "aria-level": rows.depth[row] + 1, "aria-selected": row === this.chosen ? "true" : "false",
    };
    if (children.length) attributes["aria-expanded"] = this.isOpen(row) ? "true" : "false";
    const element = el("div", attributes,
      el("span", { class: "twisty", "aria-hidden": "true" }, children.length ? (this.isOpen(row) ? "▾" : "▸") : ""),
      fateSign(rows.fate[row]), el("span", { class: "unseen" }, `${t(`fate_${FATES[rows.fate[row]]}`)}: `), rows.fate[row] === PICTURE ? thumbnail(rows, row) : null,
      foreign(rows.title(row), { class: "title" }), foreign(rows.url(row), { class: "dim" }), this.chips(row));
    element.style.paddingInlineStart = `${Math.min(rows.depth[row], 12) * 1.1 + 0.3}rem`;
    return element;
  }

  chips(row) {
    const { rows } = this;
    const note = rows.noteOf(row);
    if (note) return el("span", { class: `chip ${FATES[rows.fate[row]]}` }, note.status && note.reason === "http" ? `${note.reason} ${note.status}` : note.reason);
    if (!rows.childrenOf(row).length && (rows.fate[row] === REPEAT || !rows.below[REPEAT][row])) return null;
    return el("span", { class: "counts" }, [PICTURE, FAILURE, SKIP, REPEAT, WAITING, RUNNING].filter((fate) => rows.below[fate][row])
      .map((fate) => el("span", { class: `chip ${FATES[fate]}` }, fateSign(fate), count(rows.below[fate][row]), el("span", { class: "unseen" }, ` ${t(`fate_${FATES[fate]}`)}, `))));
  }

  click(event) {
    const line = event.target.closest(".line");
    if (!line) return;
    const row = this.lines[Number(line.dataset.line)];
    if (event.target.closest(".twisty") || (row === this.chosen && this.rows.childrenOf(row).length)) this.toggle(row);
    this.choose(row);
  }

  toggle(row, open = !this.isOpen(row)) {
    const id = this.rows.id[row];
    const set = this.keep ? this.closed : this.open;
    if (open === Boolean(this.keep)) set.delete(id); else set.add(id);
    const line = this.lines.indexOf(row);
    this.build();
    this.list.reveal(line);
  }

  choose(row) {
    this.chosen = row;
    this.chosenId = this.rows.id[row];
    this.details.show(row);
    for (const line of this.list.drawn.keys()) this.list.refresh(line);
    this.point();
  }

  point() {
    if (this.chosen === undefined) { this.box.removeAttribute("aria-activedescendant"); return; }
    const shown = document.getElementById(`row-${this.chosenId}`);
    if (shown) this.box.setAttribute("aria-activedescendant", shown.id); else this.box.removeAttribute("aria-activedescendant");
  }

  // Open everything above *row*, choose it and bring it into sight.
  reveal(row) {
    if (this.filtered) this.filter({ words: "", fate: "", layer: "" });
    for (let at = this.rows.parent[row]; at >= 0; at = this.rows.parent[at]) this.open.add(this.rows.id[at]);
    this.build();
    this.list.reveal(this.lines.indexOf(row));
    this.choose(row);
  }

  expandAll() {
    this.closed = new Set();
    for (let row = 0; row < this.rows.count; row += 1) if (this.rows.childrenOf(row).length) this.open.add(this.rows.id[row]);
    this.build();
  }

  collapseAll() {
    this.open.clear();
    this.closed = new Set(this.keep ? this.rows.id : []);
    this.build();
  }

  key(event) {
    const at = this.chosen === undefined ? -1 : this.lines.indexOf(this.chosen);
    const move = (line) => {
      const wanted = Math.max(0, Math.min(this.lines.length - 1, line));
      this.list.reveal(wanted);
      this.choose(this.lines[wanted]);
    };
    const row = this.chosen;
    const parent = at >= 0 ? this.rows.children.length && this.rows.childrenOf(row).length : 0;
    const actions = {
      ArrowDown: () => move(at + 1), ArrowUp: () => move(Math.max(0, at - 1)), Home: () => move(0), End: () => move(this.lines.length - 1),
      PageDown: () => move(at + 12), PageUp: () => move(at - 12),
      ArrowRight: () => (parent && !this.isOpen(row) ? this.toggle(row, true) : parent && move(at + 1)),
      ArrowLeft: () => (parent && this.isOpen(row) ? this.toggle(row, false) : at >= 0 && this.rows.parent[row] >= 0 && move(this.lines.indexOf(this.rows.parent[row]))),
      Enter: () => parent && this.toggle(row), " ": () => parent && this.toggle(row),
    };
    if (!this.lines.length || !(event.key in actions) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    actions[event.key]();
  }
}

function fillChoice(choice, options, value) {
  choice.replaceChildren(...options.map(([key, text]) => el("option", { value: key }, text)));
  choice.value = value;
}
