// Plots as inline SVG. Each says its figures in words, too.
function barPlot(title, axis, bars) {
  const width = 400;
  const height = 190;
  const [left, bottom, top] = [8, 40, 18];
  const most = Math.max(1, ...bars.map((bar) => bar.value));
  const step = (width - 2 * left) / Math.max(1, bars.length);
  const id = `plot-${(barPlot.number = (barPlot.number || 0) + 1)}`;
  const words = bars.map((bar) => `${bar.label}: ${count(bar.value)}`).join("; ");
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-labelledby": `${id}-title ${id}-words` },
    svg("title", { id: `${id}-title` }, `${title}: ${axis}`), svg("desc", { id: `${id}-words` }, words));
  bars.forEach((bar, at) => {
    const tall = (bar.value / most) * (height - bottom - top);
    const x = left + at * step;
    const shape = svg("rect", { x: x + step * 0.1, y: height - bottom - tall, width: step * 0.8, height: Math.max(tall, bar.value ? 1.5 : 0), rx: 2, class: "bar" });
    shape.append(svg("title", {}, `${bar.label}: ${count(bar.value)}${bar.more ? ` (${bar.more})` : ""}`));
    drawing.append(shape,
      svg("text", { x: x + step / 2, y: height - bottom - tall - 5, "text-anchor": "middle", class: "figure" }, bar.value ? count(bar.value) : ""),
      svg("text", { x: x + step / 2, y: height - bottom + 16, "text-anchor": "middle" }, bar.label));
  });
  drawing.append(svg("line", { x1: left, x2: width - left, y1: height - bottom + 0.5, y2: height - bottom + 0.5, class: "axis" }),
    svg("text", { x: width / 2, y: height - 6, "text-anchor": "middle", class: "axis-title" }, axis));
  return card(title, drawing);
}

function timePlot(line) {
  const [width, height, bottom, top] = [400, 190, 40, 18];
  const pieces = line.pictures.length;
  const most = Math.max(1, ...line.pictures.map((value, at) => value + line.failures[at]));
  const step = width / pieces;
  const scale = (height - bottom - top) / most;
  const axis = t("time_axis", { n: lengthText(line.seconds / pieces) });
  const total = (values) => count(values.reduce((sum, value) => sum + value, 0));
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-labelledby": "time-title time-words" },
    svg("title", { id: "time-title" }, `${t("time_title")}: ${axis}`),
    svg("desc", { id: "time-words" }, `${lengthText(line.seconds)}; ${t("pictures")}: ${total(line.pictures)}; ${t("failures")}: ${total(line.failures)}`));
  for (let at = 0; at < pieces; at += 1) {
    const good = line.pictures[at] * scale;
    const bad = line.failures[at] * scale;
    const base = height - bottom;
    const words = `${lengthText((at * line.seconds) / pieces)}: ${count(line.pictures[at])} ${t("pictures")}, ${bytesText(line.bytes[at])}, ${count(line.failures[at])} ${t("failures")}`;
    const both = svg("g", {}, svg("title", {}, words), svg("rect", { x: at * step, y: top, width: step, height: base - top, class: "ground" }));
    if (good) both.append(svg("rect", { x: at * step + 0.5, y: base - good, width: step - 1, height: good, class: "bar" }));
    if (bad) both.append(svg("rect", { x: at * step + 0.5, y: base - good - Math.max(bad, 2), width: step - 1, height: Math.max(bad, 2), class: "bar bad" }));
    drawing.append(both);
  }
  for (const start of line.runs.slice(1)) {
    const x = (start / line.seconds) * width;
    drawing.append(svg("line", { x1: x, x2: x, y1: top, y2: height - bottom, class: "run-mark" }));
  }
  drawing.append(svg("line", { x1: 0, x2: width, y1: height - bottom + 0.5, y2: height - bottom + 0.5, class: "axis" }),
    svg("text", { x: 0, y: height - bottom + 16 }, "0"),
    svg("text", { x: width, y: height - bottom + 16, "text-anchor": "end" }, lengthText(line.seconds)),
    svg("text", { x: width / 2, y: height - 6, "text-anchor": "middle", class: "axis-title" }, axis));
  const notes = [t("time_note"), ...(line.runs.length > 1 ? [t("time_runs")] : [])];
  return card(t("time_title"), drawing, el("p", { class: "muted" }, notes.join(" ")));
}

// Of a focused crawl: per piece the share of relevant pages as a bar, the share so far as a line.
function harvestPlot(harvest) {
  const [width, height, bottom, top] = [400, 190, 40, 18];
  const base = height - bottom;
  const pieces = harvest.fetched_by_piece.length;
  const step = width / pieces;
  const axis = t("harvest_axis", { n: count(Math.ceil(harvest.fetched / pieces)) });
  const words = t("harvest_words", { relevant: count(harvest.relevant), fetched: count(harvest.fetched), rate: shareText(harvest.relevant / harvest.fetched) });
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-labelledby": "harvest-title harvest-words" },
    svg("title", { id: "harvest-title" }, `${t("harvest_title")}: ${axis}`), svg("desc", { id: "harvest-words" }, words));
  const points = [];
  let [fetched, relevant] = [0, 0];
  harvest.fetched_by_piece.forEach((pages, at) => {
    const share = harvest.relevant_by_piece[at] / pages;
    fetched += pages;
    relevant += harvest.relevant_by_piece[at];
    const tall = share * (base - top);
    points.push(`${((at + 0.5) * step).toFixed(1)},${(base - (relevant / fetched) * (base - top)).toFixed(1)}`);
    drawing.append(svg("g", {}, svg("title", {}, `${count(fetched)}: ${shareText(share)}; ${shareText(relevant / fetched)}`),
      svg("rect", { x: at * step, y: top, width: step, height: base - top, class: "ground" }),
      svg("rect", { x: at * step + step * 0.1, y: base - tall, width: step * 0.8, height: tall, class: "bar" })));
  });
  drawing.append(svg("polyline", { points: points.join(" "), class: "trend" }),
    svg("line", { x1: 0, x2: width, y1: base + 0.5, y2: base + 0.5, class: "axis" }),
    svg("text", { x: 0, y: top - 5 }, "100 %"),
    svg("text", { x: 0, y: base + 16 }, "0"),
    svg("text", { x: width, y: base + 16, "text-anchor": "end" }, count(harvest.fetched)),
    svg("text", { x: width / 2, y: height - 6, "text-anchor": "middle", class: "axis-title" }, axis));
  return card(t("harvest_title"), drawing, el("p", { class: "muted" }, words));
}

const shareText = (share) => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;

// Bins by powers of two, as [bits, count] → bars with readable bounds.
function powerBars(bins, nameOf) {
  if (!bins.length) return [];
  const counts = new Map(bins);
  const [first, last] = [bins[0][0], bins[bins.length - 1][0]];
  const bars = [];
  for (let bits = first; bits <= last; bits += 1) {
    bars.push({ label: `≥${nameOf(2 ** (bits - 1))}`, value: counts.get(bits) || 0, more: `${nameOf(2 ** (bits - 1))} – ${nameOf(2 ** bits)}` });
  }
  return fewerBars(bars, 10);
}

function fewerBars(bars, most) {
  if (bars.length <= most) return bars;
  const pairs = [];
  for (let at = 0; at < bars.length; at += 2) {
    const [low, high] = [bars[at], bars[at + 1]];
    pairs.push({ label: low.label, value: low.value + (high ? high.value : 0), more: high ? `${low.more.split(" – ")[0]} – ${high.more.split(" – ")[1]}` : low.more });
  }
  return fewerBars(pairs, most);
}

const shortBytes = (bytes) => (bytes >= 2 ** 30 ? `${bytes / 2 ** 30}G` : bytes >= 2 ** 20 ? `${bytes / 2 ** 20}M` : bytes >= 1024 ? `${bytes / 1024}K` : `${bytes}`);
const megapixels = (pixels) => (pixels / 1e6 >= 1 ? `${(pixels / 1e6).toFixed(0)}` : (pixels / 1e6).toPrecision(1).replace(/\.?0+$/, "").slice(0, 6));

function card(title, ...content) {
  return el("section", { class: "card" }, el("h3", {}, title), content);
}
