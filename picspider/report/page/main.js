// The page: tabs, search, and who shows what.
class App {
  constructor(facts) {
    this.facts = facts;
    this.summary = facts.summary;
    this.rows = null;
    this.live = facts.live ? new Live(this) : null;
    this.viewer = new Viewer(this);
    this.panels = {};
    this.tabs = {};
    const main = document.getElementById("main");
    main.querySelector("noscript")?.remove();
    for (const name of ["overview", "tree", "pictures", "failures", "skips", "repeats", "suspects"]) this.addTab(name, main);
    this.views = {
      overview: new Overview(this.panels.overview, (name) => this.goTo(name)),
      tree: new Tree(this.panels.tree, this),
      pictures: new Pictures(this.panels.pictures, this),
      failures: new ByReason(this.panels.failures, this, FAILURE, "failures"),
      skips: new ByReason(this.panels.skips, this, SKIP, "skips"),
      repeats: new Repeats(this.panels.repeats, this),
      suspects: new Suspects(this.panels.suspects, this),
    };
    this.stale = new Set();
    this.listen();
    this.setSummary(facts.summary, false);
    this.goTo(location.hash.slice(1) in this.panels ? location.hash.slice(1) : "overview");
  }

  addTab(name, main) {
    const panel = el("section", { id: `panel-${name}`, class: "panel", role: "tabpanel", "aria-labelledby": `tab-${name}`, hidden: true });
    this.panels[name] = panel;
    this.tabs[name] = button("", () => this.goTo(name), { role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`, tabindex: "-1" });
    document.getElementById("tabs").append(this.tabs[name]);
    main.append(panel);
  }

  listen() {
    const names = Object.keys(this.tabs);
    document.getElementById("tabs").addEventListener("keydown", (event) => {
      const at = names.indexOf(this.shown);
      const wanted = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: names.length - 1 }[event.key];
      if (wanted === undefined) return;
      event.preventDefault();
      this.goTo(names[(wanted + names.length) % names.length]);
      this.tabs[this.shown].focus();
    });
    const search = document.getElementById("search");
    let timer = 0;
    search.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(() => this.search(search.value.trim()), 150); });
    document.getElementById("search-form").addEventListener("submit", (event) => { event.preventDefault(); this.search(search.value.trim()); });
    document.addEventListener("keydown", (event) => {
      if (event.key !== "/" || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) || this.viewer.dialog.open) return;
      event.preventDefault();
      search.focus();
    });
    window.addEventListener("hashchange", () => { const name = location.hash.slice(1); if (name in this.panels && name !== this.shown) this.goTo(name); });
  }

  search(words) {
    if (this.shown === "overview" && words) this.goTo("tree");
    this.views[this.shown].filter?.({ words });
  }

  goTo(name) {
    if (this.shown !== name) {
      this.shown = name;
      for (const [other, panel] of Object.entries(this.panels)) {
        panel.hidden = other !== name;
        this.tabs[other].setAttribute("aria-selected", other === name ? "true" : "false");
        this.tabs[other].tabIndex = other === name ? 0 : -1;
      }
      this.tabs[name].scrollIntoView({ block: "nearest", inline: "nearest" });
      history.replaceState(null, "", `#${name}`);
    }
    this.refresh(name);
    const words = document.getElementById("search").value.trim();
    const view = this.views[name];
    if (view.words !== undefined && view.words !== words) view.filter({ words });
  }

  // A view takes new rows when it is looked at.
  refresh(name) {
    if (!this.rows || !this.stale.has(name)) return;
    this.stale.delete(name);
    this.views[name].setRows(this.rows);
  }

  setRows(rows) {
    this.rows = rows;
    this.stale = new Set(["tree", "pictures", "failures", "skips", "repeats", "suspects"]);
    document.body.dataset.ready = "true";
    this.refresh(this.shown);
  }

  setSummary(summary, running) {
    const news = JSON.stringify([summary, running, this.facts.suspects.length], (key, value) => (key === "made" ? 0 : value));
    if (news === this.news) return;
    this.news = news;
    this.summary = summary;
    this.views.overview.show(summary);
    const counts = { ...summary.totals, suspects: this.facts.suspects.length };
    for (const [name, tab] of Object.entries(this.tabs)) {
      tab.replaceChildren(t(name), ...(name in counts ? [" ", el("span", { class: "badge" }, count(counts[name]))] : []));
    }
    const last = summary.runs[summary.runs.length - 1];
    const words = running ? t("state_running") : last && !last.reason ? t("state_killed") : runState(last);
    this.setState([words, `${count(summary.totals.pictures)} ${t("pictures")}, ${bytesText(summary.bytes)}`, this.live ? t("live") : t("made", { time: timeText(summary.made) })].join(" · "),
      running ? "running" : last && last.reason === "finished" ? "good" : "warn");
  }

  setState(words, mood) {
    const place = document.getElementById("run-state");
    place.className = mood;
    place.textContent = words;
  }

  layerName(layer) {
    const found = this.summary.layers.find((one) => one.layer === layer);
    return found ? visible(found.name) : "";
  }

  adviceOn(reason) {
    const found = this.summary.reasons.find((one) => one.reason === reason);
    return adviceOn(reason, found ? found.advice : "");
  }

  // How many failures with *reason* may pass by themselves, in words.
  passing(reason) {
    const found = this.summary.reasons.find((one) => one.reason === reason);
    if (!found || !found.passing) return "";
    if (found.passing < found.count) return t("passing_some", { n: count(found.passing), all: count(found.count) });
    return t(reason === "truncated" ? "passing_cut" : "passing");
  }

  showInTree(row) {
    document.getElementById("search").value = "";
    this.goTo("tree");
    this.views.tree.reveal(row);
    this.views.tree.box.focus({ preventScroll: true });
    if (window.innerWidth < 800) this.views.tree.side.scrollIntoView({ block: "nearest" });
  }

  showPictures(row) {
    this.views.pictures.root = row;
    this.stale.add("pictures");
    this.goTo("pictures");
    this.views.pictures.filter({ "root": row });
  }
}

async function main() {
  translatePage();
  const app = new App(JSON.parse(document.getElementById("facts").textContent));
  window.addEventListener("beforeprint", () => app.goTo("overview"));
  if (typeof DecompressionStream === "undefined") { say(t("too_old")); return; }
  // The first look is painted before the rows are unpacked.
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
  if (app.live) app.live.start(); else app.setRows(await readRows(embeddedStream()));
}

main();
