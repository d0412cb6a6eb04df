// A list of any length of which only the lines in sight are elements.
const MOST_PIXELS = 8_000_000; // browsers cap the height of an element; beyond this the scroll bar is scaled

class VirtualList {
  // draw(line) gives the element of a line; heights: pixels of every line, or one number for all.
  constructor(box, draw) {
    this.box = box;
    this.draw = draw;
    this.drawn = new Map();
    this.lines = 0;
    this.inner = el("div", { class: "virtual", role: "presentation" });
    box.append(this.inner);
    box.addEventListener("scroll", () => this.later(), { passive: true });
    new ResizeObserver(() => { this.later(); }).observe(box);
  }

  show(lines, heights) {
    this.lines = lines;
    this.height = typeof heights === "number" ? heights : 0;
    this.tops = this.height ? null : prefixSums(heights);
    this.total = this.height ? lines * this.height : this.tops[lines];
    this.inner.style.height = `${Math.min(this.total, MOST_PIXELS)}px`;
    for (const element of this.drawn.values()) element.remove();
    this.drawn.clear();
    this.paint();
  }

  top(line) {
    return this.height ? line * this.height : this.tops[line];
  }

  lineAt(pixel) {
    if (this.height) return Math.max(0, Math.min(this.lines - 1, Math.floor(pixel / this.height)));
    let low = 0;
    let high = this.lines;
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if (this.tops[middle] <= pixel) low = middle; else high = middle;
    }
    return low;
  }

  // Pixels of the whole list above the window.
  get above() {
    const room = this.box.clientHeight;
    if (this.total <= MOST_PIXELS) return this.box.scrollTop;
    return (this.box.scrollTop / (MOST_PIXELS - room)) * (this.total - room);
  }

  later() {
    if (this.waits) return;
    this.waits = true;
    requestAnimationFrame(() => { this.waits = false; this.paint(); });
  }

  paint() {
    if (!this.lines || !this.box.clientHeight) return;
    const above = this.above;
    const shift = this.box.scrollTop - above;
    const first = Math.max(0, this.lineAt(above) - 4);
    const last = Math.min(this.lines - 1, this.lineAt(above + this.box.clientHeight) + 4);
    for (const [line, element] of this.drawn) {
      if (line < first || line > last) { element.remove(); this.drawn.delete(line); }
    }
    let before = null;
    for (let line = last; line >= first; line -= 1) {
      let element = this.drawn.get(line);
      if (!element) {
        element = this.draw(line);
        this.drawn.set(line, element);
        this.inner.insertBefore(element, before);
      }
      element.style.transform = `translateY(${this.top(line) + shift}px)`;
      before = element;
    }
  }

  // Draw one line again.
  refresh(line) {
    const old = this.drawn.get(line);
    if (!old) return;
    const fresh = this.draw(line);
    fresh.style.transform = old.style.transform;
    old.replaceWith(fresh);
    this.drawn.set(line, fresh);
  }

  reveal(line) {
    const room = this.box.clientHeight;
    const [start, end] = [this.top(line), this.top(line + 1)];
    const above = this.above;
    if (start >= above && end <= above + room) { this.paint(); return; }
    const wanted = start < above ? start : end - room;
    const scale = this.total <= MOST_PIXELS ? 1 : (MOST_PIXELS - room) / (this.total - room);
    this.box.scrollTop = Math.max(0, wanted * scale);
    this.paint();
  }
}

function prefixSums(heights) {
  const tops = new Float64Array(heights.length + 1);
  for (let line = 0; line < heights.length; line += 1) tops[line + 1] = tops[line] + heights[line];
  return tops;
}
