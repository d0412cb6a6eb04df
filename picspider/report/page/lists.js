// Failures and skips by reason, repeats as pairs, suspects. Long lists grow on demand.
const AT_ONCE = 50;

function growing(items, draw, attributes = {}) {
  const list = el("ul", { class: "entries", ...attributes });
  const more = button("", () => grow(), { class: "more" });
  let shown = 0;
  function grow() {
    const first = shown;
    for (const item of items.slice(shown, shown + AT_ONCE)) list.append(draw(item));
    shown = Math.min(items.length, shown + AT_ONCE);
    more.hidden = shown >= items.length;
    more.textContent = `${t("more", { n: count(Math.min(AT_ONCE, items.length - shown)) })} (${t("of_them", { n: count(shown), all: count(items.length) })})`;
    if (first && list.children[first]) list.children[first].querySelector("button, a")?.focus();
  }
  grow();
  return [list, more];
}

// Failures (and, with another fate, skips), grouped by reason, each with its place.
class ByReason {
  constructor(panel, app, fate, name) {
    Object.assign(this, { panel, app, fate, name, words: "", openReasons: null });
  }

  setRows(rows) {
    this.rows = rows;
    this.build();
  }

  filter({ words }) {
    if (words !== undefined) this.words = words;
    if (this.rows) this.build();
  }

  build() {
    const { rows } = this;
    const matches = this.words ? rows.matcher(this.words) : () => true;
    const groups = new Map();
    for (const row of rows.order) {
      if (rows.fate[row] !== this.fate) continue;
      const note = rows.noteOf(row);
      if (matches(row) || (note && note.reason.includes(this.words))) pushTo(groups, note ? note.reason : "", row);
    }
    const sorted = [...groups].sort((a, b) => b[1].length - a[1].length);
    this.panel.replaceChildren(el("h2", { class: "unseen" }, t(this.name)), ...(sorted.length
      ? sorted.map(([reason, members]) => this.group(reason, members, sorted.length))
      : [el("p", { class: "muted none" }, this.words ? t("nothing_found") : t("nothing"))]));
  }

  group(reason, members, groups) {
    const isFailure = this.fate === FAILURE;
    const parts = growing(members, (row) => this.entry(row));
    const known = this.openReasons && this.openReasons.has(reason);
    const box = el("details", { class: `card reason ${FATES[this.fate]}`, open: known ?? (groups <= 4 || members.length <= 5) },
      el("summary", {}, el("span", { class: `chip ${FATES[this.fate]}` }, fateSign(this.fate), reason), el("strong", {}, count(members.length)),
        isFailure ? el("span", { class: "muted" }, this.app.passing(reason)) : null));
    if (isFailure) {
      box.append(el("p", {}, this.app.adviceOn(reason)), commandLine(`${this.app.facts.retry} --reason ${reason}`));
      if (this.app.live) box.append(this.app.live.markButton("reason", reason, "mark_reason"));
    }
    box.append(...parts);
    return box;
  }

  entry(row) {
    const { rows, app } = this;
    const note = rows.noteOf(row);
    const skipped = rows.skipOf(row);
    const status = note && note.status != null && this.fate === FAILURE ? `${t("status")} ${note.status}` : "";
    const attempts = note && this.fate === FAILURE ? `${t("attempts")} ${note.attempts}` : "";
    const measured = skipped && skipped.width ? `${skipped.width} × ${skipped.height}, ${bytesText(skipped.bytes || 0)}` : "";
    const item = el("li", { class: "entry" }, wayTo(rows, row, (at) => app.showInTree(at)), linkTo(rows.url(row)),
      el("p", {}, note && note.message ? foreign(note.message) : "", el("span", { class: "muted" }, [status, attempts, measured].filter(Boolean).map((text) => ` · ${text}`).join(""))));
    if (this.fate !== FAILURE) return item;
    item.append(commandLine(`${app.facts.retry} --under ${quoted(rows.url(row))}`));
    if (app.live) item.append(app.live.markButton("node", String(rows.id[row]), "mark_node"));
    return item;
  }
}

class Repeats {
  constructor(panel, app) {
    Object.assign(this, { panel, app, words: "" });
  }

  setRows(rows) {
    this.rows = rows;
    this.build();
  }

  filter({ words }) {
    if (words !== undefined) this.words = words;
    if (this.rows) this.build();
  }

  build() {
    const words = this.words.toLowerCase();
    const pairs = this.rows.repeats.filter((pair) => !words || pair.url.toLowerCase().includes(words));
    this.panel.replaceChildren(el("h2", { class: "unseen" }, t("repeats")),
      ...(pairs.length ? growing(pairs, (pair) => this.entry(pair)) : [el("p", { class: "muted none" }, words ? t("nothing_found") : t("nothing"))]));
  }

  entry(pair) {
    const { rows, app } = this;
    const first = rows.rowOf(pair.first);
    const page = rows.rowOf(pair.page);
    const goTo = (at) => app.showInTree(at);
    return el("li", { class: "entry pair" },
      el("div", {}, el("h3", {}, t("first_sighting")), first === undefined ? null : [rows.pictureOf(first) ? thumbnail(rows, first) : null, wayTo(rows, first, goTo), linkTo(rows.url(first))]),
      el("div", {}, el("h3", {}, t("later_sighting"), " ", el("span", { class: "chip repeat" }, t(pair.by === "content" ? "by_content" : "by_url"))),
        page === undefined ? null : wayTo(rows, page, goTo), linkTo(pair.url)));
  }
}

class Suspects {
  constructor(panel, app) {
    Object.assign(this, { panel, app, words: "" });
    this.build();
  }

  setRows(rows) {
    this.rows = rows;
    this.build();
  }

  filter({ words }) {
    if (words !== undefined) this.words = words;
    this.build();
  }

  build() {
    const words = this.words.toLowerCase();
    const all = this.app.facts.suspects.filter((one) => !words || `${one.kind} ${one.place_url} ${one.message}`.toLowerCase().includes(words));
    this.panel.replaceChildren(el("h2", { class: "unseen" }, t("suspects")),
      ...(all.length ? growing(all, (suspect) => this.entry(suspect)) : [el("p", { class: "muted none" }, words ? t("nothing_found") : t(this.app.facts.audited ? "suspects_none" : "suspects_later"))]));
  }

  entry(suspect) {
    return el("li", { class: "entry" }, el("p", {}, el("span", { class: "chip skip" }, suspect.kind), " ", foreign(suspect.message)), linkTo(suspect.place_url),
      el("ol", { class: "path" }, suspect.path.map((url) => el("li", {}, foreign(url)))));
  }
}
