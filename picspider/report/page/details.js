// Where a row stands, what became of it, and what can be done.
const SIGNS = ["○", "◐", "▤", "✓", "–", "✕", "↺"];

// Sign, shape and word say the same as the colour.
const fateSign = (fate) => el("span", { class: `sign ${FATES[fate]}`, title: t(`fate_${FATES[fate]}`), "aria-hidden": "true" }, SIGNS[fate]);

// The way from the entry to *row*; each step leads to its line in the tree.
function wayTo(rows, row, goTo) {
  const list = el("ol", { class: "path" });
  for (const at of rows.pathOf(row)) {
    const step = button("", () => goTo(at), { class: "link", title: visible(rows.url(at)) });
    step.append(foreign(rows.title(at)));
    list.append(el("li", {}, step));
  }
  return list;
}

function fact(list, name, value) {
  if (value == null || value === "") return;
  list.append(el("div", {}, el("dt", {}, t(name)), el("dd", {}, value)));
}

class Details {
  constructor(box, app) {
    this.box = box;
    this.app = app;
    this.empty();
  }

  empty() {
    this.box.replaceChildren(el("h2", {}, t("details")), el("p", { class: "muted" }, t("choose")));
  }

  show(row) {
    const { rows } = this.app;
    const fate = rows.fate[row];
    const heading = el("h2", {}, fateSign(fate), " ", foreign(rows.title(row)));
    const list = el("dl", {});
    fact(list, "state", t(`fate_${FATES[fate]}`));
    fact(list, "address", linkTo(rows.url(row)));
    if (rows.movedTo(row)) fact(list, "moved", linkTo(rows.movedTo(row)));
    fact(list, "text", rows.text(row) && foreign(rows.text(row)));
    fact(list, "layer", `${rows.layer[row]} ${this.app.layerName(rows.layer[row])}`);
    this.pictureFacts(list, row);
    this.trouble(list, row);
    this.box.replaceChildren(heading, ...this.preview(row), el("h3", {}, t("path")), wayTo(rows, row, (at) => this.app.showInTree(at)), list, ...this.below(row).filter(Boolean), ...this.actions(row));
  }

  preview(row) {
    const facts = this.app.rows.pictureOf(row);
    if (!facts) return [];
    const open = button("", () => this.app.viewer.open([row], 0), { class: "preview", "aria-label": visible(this.app.rows.title(row)) });
    open.append(thumbnail({ pictureOf: () => ({ ...facts, thumbnail: null }) }, row, { width: facts.width || null, height: facts.height || null }));
    return [open];
  }

  pictureFacts(list, row) {
    const { rows } = this.app;
    const facts = rows.pictureOf(row);
    const skipped = rows.skipOf(row);
    const measured = facts || skipped;
    if (measured && measured.width) fact(list, "size", `${measured.width} × ${measured.height}, ${bytesText(measured.bytes || 0)}`);
    if (!facts) return;
    fact(list, "format", facts.format);
    fact(list, "file", opensSafely(facts.file) ? el("a", { href: fileUrl(facts.file), target: "_blank", rel: "noopener" }, foreign(facts.file)) : foreign(facts.file));
  }

  trouble(list, row) {
    const note = this.app.rows.noteOf(row);
    if (!note) return;
    fact(list, "reason", note.reason);
    fact(list, "message", note.message && foreign(note.message));
    if (this.app.rows.fate[row] !== FAILURE) return;
    fact(list, "status", note.status == null ? "" : String(note.status));
    fact(list, "attempts", String(note.attempts));
    fact(list, "time", timeText(note.time));
    fact(list, "what_to_do", this.app.adviceOn(note.reason));
  }

  below(row) {
    const { rows } = this.app;
    if (!rows.childrenOf(row).length) return [];
    const counts = FATES.map((name, fate) => [fate, rows.below[fate][row]]).filter(([, number]) => number);
    return [el("h3", {}, t("in_it")), this.someOf(row), el("p", { class: "counts" }, counts.map(([fate, number]) => el("span", { class: "chip" }, fateSign(fate), ` ${count(number)} ${t(`fate_${FATES[fate]}`)}`)))];
  }

  // The first pictures below the row.
  someOf(row) {
    const { rows } = this.app;
    const found = [];
    const stack = [row];
    while (stack.length && found.length < 12) {
      const at = stack.pop();
      if (rows.fate[at] === PICTURE) found.push(at);
      const children = rows.childrenOf(at);
      for (let child = children.length - 1; child >= 0; child -= 1) if (rows.below[PICTURE][children[child]]) stack.push(children[child]);
    }
    if (!found.length) return null;
    return el("div", { class: "some" }, found.map((at, place) => {
      const open = button("", () => this.app.viewer.open(found, place), { class: "thumb", "aria-label": visible(rows.title(at)), title: visible(rows.title(at)) });
      open.append(thumbnail(rows, at));
      return open;
    }));
  }

  actions(row) {
    const { app } = this;
    const { rows } = app;
    const found = [];
    if (rows.below[PICTURE][row] && rows.fate[row] !== PICTURE) found.push(button(t("show_pictures"), () => app.showPictures(row)));
    if (rows.below[FAILURE][row]) {
      found.push(el("h3", {}, t("retry_command")), commandLine(`${app.facts.retry} --under ${quoted(rows.url(row))}`));
      if (app.live) found.push(app.live.markButton("node", String(rows.id[row]), rows.fate[row] === FAILURE ? "mark_node" : "mark_subtree"));
    }
    return found;
  }
}
