// The live page: asks for news, marks for retry, starts the retry. Only under `picspider serve`.
const POLL_MILLISECONDS = 1000;

class Live {
  constructor(app) {
    this.app = app;
    this.bar = document.getElementById("live-bar");
    this.marks = [];
    this.job = null;
    this.version = null;
    this.costMilliseconds = 0;
    this.readAt = 0;
  }

  async start() {
    for (;;) {
      if (!document.hidden) await this.poll();
      await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));
    }
  }

  async poll() {
    try {
      const answer = await fetch("api/state");
      if (!answer.ok) throw new Error(String(answer.status));
      const state = await answer.json();
      this.take(state);
      // A large crawl is read again rarely: reading may take a tenth of the time.
      if (state.version !== this.version && performance.now() - this.readAt > 10 * this.costMilliseconds) await this.read(state.version);
    } catch (error) {
      this.app.setState(t("lost_touch"), "bad");
    }
  }

  take(state) {
    this.marks = state.marks;
    this.job = state.job;
    this.app.facts.suspects = state.suspects;
    this.app.facts.audited = !state.running;
    this.app.setSummary(state.summary, state.running);
    this.showBar();
    this.showMarks();
  }

  async read(version) {
    const started = performance.now();
    const answer = await fetch("api/rows");
    if (!answer.ok) return;
    this.app.setRows(await readRows(answer.body));
    this.version = version;
    this.readAt = performance.now();
    this.costMilliseconds = this.readAt - started;
  }

  async send(path, body) {
    const answer = await fetch(path, {
      method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json", "X-Picspider-Token": this.app.facts.token },
    });
    if (answer.ok) this.take(await answer.json()); else say(visible(await answer.text()).slice(0, 200));
  }

  isMarked(kind, value) {
    return this.marks.some((mark) => mark.kind === kind && mark.value === value);
  }

  markButton(kind, value, word) {
    const mark = button("", () => this.send("api/marks", { kind, value, on: !this.isMarked(kind, value) }), { class: "mark small" });
    mark.dataset.kind = kind;
    mark.dataset.value = value;
    mark.dataset.word = word;
    this.label(mark);
    return mark;
  }

  label(mark) {
    const on = this.isMarked(mark.dataset.kind, mark.dataset.value);
    mark.textContent = on ? `✓ ${t("marked")}` : t(mark.dataset.word);
    mark.setAttribute("aria-pressed", on ? "true" : "false");
  }

  showMarks() {
    for (const mark of document.querySelectorAll("button.mark")) this.label(mark);
  }

  showBar() {
    const { job } = this;
    const running = Boolean(job && job.running);
    const news = JSON.stringify([this.marks, job]);
    if (news === this.shown) return;
    this.shown = news;
    this.bar.hidden = !this.marks.length && !job;
    const outcome = job && !job.running ? (job.code === 0 ? t("retry_well") : job.code === 2 ? t("retry_some") : t("retry_ended", { code: job.code })) : "";
    this.bar.replaceChildren();
    append(this.bar, [
      el("span", { role: "status" }, running ? t("retry_running") : this.marks.length ? t("marked_n", { n: count(this.marks.length) }) : outcome),
      this.marks.length && !running ? button(t("start_retry"), () => this.send("api/retry", {}), { class: "primary", id: "start-retry" }) : null,
      this.marks.length && !running ? button(t("clear"), () => this.send("api/marks", { kind: "all", value: "", on: false })) : null,
      job && job.tail && !running ? el("details", {}, el("summary", {}, t("details")), el("pre", { tabindex: "0" }, job.tail)) : null,
    ]);
  }
}
