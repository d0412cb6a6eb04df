// The crawl in memory: one entry per row of the store, in columns, with the tree over them.
const FATES = ["waiting", "running", "page", "picture", "skip", "failure", "repeat"];
const [WAITING, RUNNING, PAGE, PICTURE, SKIP, FAILURE, REPEAT] = FATES.keys();

const BLOCK_BITS = 12; // rows per block, as the report is written

class Rows {
  // numbers: a parsed document per block; words: the same as bytes, parsed when a row of the block is looked at.
  constructor(numbers, words, repeats) {
    this.numbers = numbers;
    this.words = words;
    this.parsed = [];
    this.repeats = repeats;
    this.count = numbers.reduce((sum, block) => sum + block.id.length, 0);
    this.layer = new Int16Array(this.count);
    this.page = new Int32Array(this.count);
    this.fate = new Uint8Array(this.count);
    this.id = new Float64Array(this.count);
    let row = 0;
    let id = 0;
    for (const block of numbers) {
      this.layer.set(block.layer, row);
      this.page.set(block.page, row);
      this.fate.set(block.fate, row);
      for (const step of block.id) { id += step; this.id[row++] = id; }
    }
    this.findParents();
    this.linkChildren();
    this.walk();
    this.countBelow();
  }

  // The row with an id; undefined when there is none. Ids rise.
  rowOf(id) {
    if (this.id[id - 1] === id) return id - 1;
    let low = 0;
    let high = this.count - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      if (this.id[middle] === id) return middle;
      if (this.id[middle] < id) low = middle + 1; else high = middle - 1;
    }
    return undefined;
  }

  findParents() {
    this.parent = new Int32Array(this.count).fill(-1);
    let row = 0;
    for (const block of this.numbers) {
      for (const id of block.parent) {
        const parent = id ? this.rowOf(id) : undefined;
        if (parent !== undefined && parent < row) this.parent[row] = parent;
        row += 1;
      }
    }
  }

  wordsOf(row) {
    const block = row >> BLOCK_BITS;
    if (!this.parsed[block]) this.parsed[block] = JSON.parse(new TextDecoder().decode(this.words[block])).words;
    return this.parsed[block];
  }

  url(row) { return this.wordsOf(row).url[row & ((1 << BLOCK_BITS) - 1)]; }

  text(row) { return this.wordsOf(row).text[row & ((1 << BLOCK_BITS) - 1)]; }

  // What only some rows have: its words, as name → value; null for the others.
  group(name, row) {
    const at = placeIn(this.numbers[row >> BLOCK_BITS][`${name}_at`], row & ((1 << BLOCK_BITS) - 1));
    if (at < 0) return null;
    const words = this.wordsOf(row);
    return (field) => words[`${name}_${field}`][at];
  }

  pictureOf(row) {
    const of = this.group("picture", row);
    return of && {
      file: of("file"), width: of("width"), height: of("height"), format: of("format"), bytes: of("bytes"),
      thumbnail: safeThumbnail(of("thumbnail")),
    };
  }

  skipOf(row) {
    const of = this.group("skip", row);
    return of && { width: of("width"), height: of("height"), bytes: of("bytes") };
  }

  noteOf(row) {
    const of = this.group("note", row);
    return of && {
      reason: of("reason") || "", message: of("message") || "", status: of("status"), attempts: of("attempts"), time: of("time"),
    };
  }

  movedTo(row) {
    const of = this.group("moved", row);
    return of && of("url");
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
    // Repeats that have no row of their own stand on their page.
    for (const pair of this.repeats) {
      const page = pair.own ? undefined : this.rowOf(pair.page);
      if (page !== undefined) this.below[REPEAT][page] += 1;
    }
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
    const text = this.text(row).trim();
    if (this.page[row] > 1) return `${t("page_n", { n: this.page[row] })}`;
    if (text) return text;
    const parts = this.url(row).replace(/[?#].*$/, "").split("/").filter(Boolean);
    return parts.length > 2 ? parts[parts.length - 1] : this.url(row);
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
    return (row) => pattern.test(this.url(row)) || pattern.test(this.text(row))
      || ((this.fate[row] === FAILURE || this.fate[row] === SKIP) && pattern.test(this.noteOf(row)?.message ?? ""));
  }
}

// Thumbnails are ours: a path that we chose, or a picture inside the page.
function safeThumbnail(source) {
  return source && /^(thumbnails\/[0-9a-f/]+\.webp|data:image\/webp;base64,[A-Za-z0-9+/=]+)$/.test(source) ? source : null;
}

// The place of a number in a rising list; -1 when it is not there.
function placeIn(list, number) {
  let low = 0;
  let high = (list ? list.length : 0) - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (list[middle] === number) return middle;
    if (list[middle] < number) low = middle + 1; else high = middle - 1;
  }
  return -1;
}

// JSON lines, deflated. The lines of words are left as they are: most are never looked at.
async function readRows(stream) {
  const bytes = new Uint8Array(await new Response(stream.pipeThrough(new DecompressionStream("deflate"))).arrayBuffer());
  const [numbers, words, repeats] = [[], [], []];
  const decoder = new TextDecoder();
  const isWords = "w".charCodeAt(0);
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(10, start);
    const line = bytes.subarray(start, end);
    start = end + 1;
    if (line[2] === isWords) { words.push(line); continue; }
    const document = JSON.parse(decoder.decode(line));
    if (document.rows) numbers.push(document.rows);
    else repeats.push(...repeatsOf(document.repeats));
  }
  return new Rows(numbers, words, repeats);
}

function repeatsOf(block) {
  return block.first.map((first, at) => ({ first, page: block.page[at], url: block.url[at], by: block.by[at], own: block.own[at], layer: block.layer[at] }));
}

function embeddedStream() {
  const element = document.getElementById("rows");
  const text = atob(element.textContent);
  element.remove();
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return new Blob([bytes]).stream();
}
