// The crawl in memory: one entry per row of the store, in columns, with the tree over them.
const FATES = ["waiting", "running", "page", "picture", "skip", "failure", "repeat"];
const [WAITING, RUNNING, PAGE, PICTURE, SKIP, FAILURE, REPEAT] = FATES.keys();

class Rows {
  constructor() {
    this.count = 0;
    this.id = []; this.url = []; this.text = []; this.parentId = []; this.layer = []; this.page = []; this.fate = [];
    this.pictures = new Map(); this.skips = new Map(); this.notes = new Map(); this.moved = new Map();
    this.repeats = [];
  }

  add(document) {
    if (document.rows) this.addRows(document.rows);
    if (document.repeats) this.addRepeats(document.repeats);
  }

  addRows(block) {
    const base = this.count;
    let id = base ? this.id[base - 1] : 0;
    for (let at = 0; at < block.id.length; at += 1) {
      id += block.id[at];
      this.id.push(id);
      this.url.push(block.url[at]);
      this.text.push(block.text[at]);
      this.parentId.push(block.parent[at]);
      this.layer.push(block.layer[at]);
      this.page.push(block.page[at]);
      this.fate.push(block.fate[at]);
    }
    this.count += block.id.length;
    for (const group of ["picture", "skip", "note", "moved"]) this.addGroup(group, block, base);
  }

  // Facts that only some rows have keep the place in their block: objects are made when they are looked at.
  addGroup(group, block, base) {
    const places = block[`${group}_at`];
    if (!places) return;
    const map = { picture: this.pictures, skip: this.skips, note: this.notes, moved: this.moved }[group];
    places.forEach((at, place) => map.set(base + at, [block, place]));
  }

  addRepeats(block) {
    for (let at = 0; at < block.first.length; at += 1) {
      this.repeats.push({ first: block.first[at], page: block.page[at], url: block.url[at], by: block.by[at], layer: block.layer[at] });
    }
  }

  pictureOf(row) {
    const found = this.pictures.get(row);
    if (!found) return null;
    const [block, at] = found;
    return {
      file: block.picture_file[at], width: block.picture_width[at], height: block.picture_height[at],
      format: block.picture_format[at], bytes: block.picture_bytes[at],
      thumbnail: safeThumbnail(block.picture_thumbnail[at]),
    };
  }

  skipOf(row) {
    const found = this.skips.get(row);
    if (!found) return null;
    const [block, at] = found;
    return { width: block.skip_width[at], height: block.skip_height[at], bytes: block.skip_bytes[at] };
  }

  noteOf(row) {
    const found = this.notes.get(row);
    if (!found) return null;
    const [block, at] = found;
    return {
      reason: block.note_reason[at] || "", message: block.note_message[at] || "", status: block.note_status[at],
      attempts: block.note_attempts[at], time: block.note_time[at],
    };
  }

  movedTo(row) {
    const found = this.moved.get(row);
    return found ? found[0].moved_url[found[1]] : null;
  }

  // After the last block: parents, children, order of reading, and what lies below each row.
  finish() {
    const n = this.count;
    this.index = new Map();
    for (let row = 0; row < n; row += 1) this.index.set(this.id[row], row);
    this.parent = new Int32Array(n).fill(-1);
    for (let row = 0; row < n; row += 1) {
      const parent = this.parentId[row] ? this.index.get(this.parentId[row]) : undefined;
      if (parent !== undefined && parent < row) this.parent[row] = parent;
    }
    this.linkChildren();
    this.walk();
    this.countBelow();
    return this;
  }

  linkChildren() {
    const n = this.count;
    this.childStart = new Int32Array(n + 2);
    for (let row = 0; row < n; row += 1) this.childStart[this.parent[row] + 2] += 1;
    for (let row = 1; row < n + 2; row += 1) this.childStart[row] += this.childStart[row - 1];
    this.children = new Int32Array(n);
    const next = this.childStart.slice();
    for (let row = 0; row < n; row += 1) this.children[next[this.parent[row] + 1]++] = row;
  }

  // Children of a row; -1: the entry pages.
  childrenOf(row) {
    return this.children.subarray(this.childStart[row + 1], this.childStart[row + 2]);
  }

  walk() {
    this.depth = new Uint16Array(this.count);
    this.order = new Int32Array(this.count);
    const stack = Array.from(this.childrenOf(-1)).reverse();
    let at = 0;
    while (stack.length) {
      const row = stack.pop();
      this.order[at++] = row;
      this.depth[row] = this.parent[row] < 0 ? 0 : this.depth[this.parent[row]] + 1;
      const children = this.childrenOf(row);
      for (let child = children.length - 1; child >= 0; child -= 1) stack.push(children[child]);
    }
  }

  countBelow() {
    this.below = FATES.map(() => new Int32Array(this.count));
    for (let row = this.count - 1; row >= 0; row -= 1) {
      this.below[this.fate[row]][row] += 1;
      const parent = this.parent[row];
      if (parent >= 0) for (const column of this.below) column[parent] += column[row];
    }
  }

  // From the entry to the row, as a person would click.
  pathOf(row) {
    const path = [];
    for (let at = row; at >= 0; at = this.parent[at]) path.push(at);
    return path.reverse();
  }

  // What a person calls the row: its link text, else the end of its address.
  title(row) {
    const text = this.text[row].trim();
    if (this.page[row] > 1) return `${t("page_n", { n: this.page[row] })}`;
    if (text) return text;
    const parts = this.url[row].replace(/[?#].*$/, "").split("/").filter(Boolean);
    return parts.length > 2 ? parts[parts.length - 1] : this.url[row];
  }

  // The album of a picture: the nearest page above that leads to more pictures than this one, its first page.
  albumOf(row) {
    let at = this.parent[row];
    while (at >= 0 && this.below[PICTURE][at] < 2 && this.parent[at] >= 0) at = this.parent[at];
    while (at >= 0 && this.page[at] > 1 && this.parent[at] >= 0) at = this.parent[at];
    return at;
  }

  // Rows whose address, text or message has *words* in it, ignoring case.
  matcher(words) {
    const pattern = new RegExp(words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "i");
    return (row) => pattern.test(this.url[row]) || pattern.test(this.text[row])
      || (this.notes.has(row) && pattern.test(this.noteOf(row).message));
  }
}

// Thumbnails are ours: a path that we chose, or a picture inside the page.
function safeThumbnail(source) {
  return source && /^(thumbnails\/[0-9a-f/]+\.webp|data:image\/webp;base64,[A-Za-z0-9+/=]+)$/.test(source) ? source : null;
}

// JSON lines in a deflated stream, read as they come.
async function readRows(stream) {
  const rows = new Rows();
  const reader = stream.pipeThrough(new DecompressionStream("deflate")).pipeThrough(new TextDecoderStream()).getReader();
  let rest = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = value.split("\n");
    if (lines.length > 1) {
      rows.add(JSON.parse(rest.join("") + lines[0]));
      for (const line of lines.slice(1, -1)) rows.add(JSON.parse(line));
      rest = [];
    }
    rest.push(lines[lines.length - 1]);
  }
  return rows.finish();
}

function embeddedStream() {
  const element = document.getElementById("rows");
  const text = atob(element.textContent);
  element.remove();
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return new Blob([bytes]).stream();
}
