// The first look: totals that add up, what became of each layer, plots, runs.
const SUMS = ["pages", "pictures", "skips", "failures", "repeats", "waiting"];
const CHANGES = ["new", "recovered", "changed", "gone"];

class Overview {
  constructor(panel, goTo) {
    this.panel = panel;
    this.goTo = goTo;
  }

  show(summary) {
    const { totals } = summary;
    const sum = SUMS.reduce((total, name) => total + totals[name], 0);
    this.panel.replaceChildren(
      el("h2", { class: "unseen" }, t("overview")),
      el("p", { class: "muted" }, t("equation")),
      el("ul", { class: "tiles" },
        SUMS.map((name) => this.tile(name, totals[name])),
        el("li", { class: "tile sum" }, el("span", { class: "figure" }, `= ${count(sum)}`), el("span", {}, t("sightings")))),
      this.layers(summary.layers),
      ...this.changes(summary.changes),
      el("div", { class: "cards" }, this.plots(summary)),
      this.runs(summary.runs));
  }

  tile(name, value) {
    const inner = [el("span", { class: "figure" }, count(value)), el("span", {}, t(name))];
    const views = ["pictures", "failures", "skips", "repeats"];
    const tile = views.includes(name) ? button("", () => this.goTo(name)) : el("div", {});
    tile.replaceChildren(...inner);
    return el("li", { class: `tile ${name}` }, tile);
  }

  layers(layers) {
    const columns = SUMS.filter((name) => layers.some((layer) => layer.counts[name]));
    const cells = (counts) => columns.map((name) => el("td", { class: counts[name] ? name : "zero" }, count(counts[name])));
    const sumOf = (counts) => SUMS.reduce((total, name) => total + counts[name], 0);
    const totals = Object.fromEntries(SUMS.map((name) => [name, layers.reduce((sum, layer) => sum + layer.counts[name], 0)]));
    return card(t("layers_title"), el("div", { class: "scroll-x", tabindex: "0", role: "region", "aria-label": t("layers_title") },
      el("table", {},
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, t("layer")), el("th", { scope: "col" }, t("name")),
          columns.map((name) => el("th", { scope: "col", class: "number" }, t(name))), el("th", { scope: "col", class: "number" }, t("found")))),
        el("tbody", {}, layers.map((layer) => el("tr", {}, el("th", { scope: "row" }, String(layer.layer)), el("td", { class: "word" }, foreign(layer.name)),
          cells(layer.counts), el("td", {}, count(sumOf(layer.counts)))))),
        el("tfoot", {}, el("tr", {}, el("th", { scope: "row", colspan: "2" }, t("total")), cells(totals), el("td", {}, count(sumOf(totals))))))));
  }

  changes(changes) {
    if (!changes) return [];
    if (!changes.counts.length) return [card(t("changes_title"), el("p", { class: "muted" }, t("changes_none")))];
    const boxes = CHANGES.flatMap((what) => {
      const figures = changes.counts.filter((one) => one[0] === what);
      const rows = changes.rows.filter((one) => one[0] === what);
      if (!figures.length) return [];
      const words = figures.map(([, kind, number]) => t(`changes_${kind}`, { n: count(number) })).join(", ");
      return [el("details", { class: "changes" }, el("summary", {}, t(`changes_${what}`, { words })),
        growing(rows, ([, , url]) => el("li", {}, linkTo(url))))];
    });
    return [card(t("changes_title"), ...boxes, el("p", { class: "muted" }, t("changes_all")))];
  }

  plots(summary) {
    const harvest = summary.harvest ? [harvestPlot(summary.harvest)] : [];
    if (!summary.totals.pictures) return [...harvest, card(t("time_title"), el("p", { class: "muted" }, t("no_pictures")))];
    const formats = summary.formats.slice(0, 8).map(([label, value, bytes]) => ({ label, value, more: bytesText(bytes) }));
    return [
      ...harvest,
      timePlot(summary.time_line),
      barPlot(t("formats_title"), t("formats_axis"), formats),
      barPlot(t("sizes_title"), t("sizes_axis"), powerBars(summary.sizes, shortBytes)),
      barPlot(t("pixels_title"), t("pixels_axis"), powerBars(summary.pixels, megapixels)),
    ];
  }

  runs(runs) {
    return card(t("runs_title"), el("ol", { class: "runs" }, runs.slice(-30).map((run, at, all) => el("li", {}, run.ended
      ? t("run_line", { start: timeText(run.started), end: timeText(run.ended), length: lengthText(run.ended - run.started), reason: runState(run, at === all.length - 1) })
      : t("run_open", { start: timeText(run.started) })))));
  }
}

function runState(run, goesOn = false) {
  if (!run) return "";
  if (!run.reason) return goesOn ? t("state_running") : t("state_killed");
  const known = `state_${run.reason}`;
  return known in ENGLISH ? t(known) : t("state_other", { reason: visible(run.reason) });
}
