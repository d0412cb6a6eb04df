// Elements are made here and nowhere else. What the site says only ever becomes text, never markup.
const ACTING = /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

function visible(text) {
  return String(text).replace(ACTING, (sign) => {
    const code = sign.charCodeAt(0);
    if (code === 9 || code === 10 || code === 13) return " ";
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value == null || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children.flat()) {
    if (child == null || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(visible(child)));
  }
}

function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  append(element, children);
  return element;
}

// Text of the site stands for itself, whatever its direction of writing.
const foreign = (text, attributes = {}) => el("bdi", attributes, text);

// Only http and https become links; javascript:, data: and all others stay text.
function linkTo(url, attributes = {}) {
  if (!/^https?:\/\//i.test(url)) return foreign(url, { class: "url", ...attributes });
  return el("a", { class: "url", href: url, target: "_blank", rel: "noopener noreferrer", ...attributes }, foreign(url));
}

const fileUrl = (file) => `pictures/${file.split("/").map(encodeURIComponent).join("/")}`;

// An SVG that is opened by itself may run scripts; inside img it may not.
const opensSafely = (file) => !/\.svgz?$/i.test(file);

function button(text, action, attributes = {}) {
  return el("button", { type: "button", click: action, ...attributes }, text);
}

const quoted = (text) => `'${visible(text).replaceAll("'", "'\\''")}'`;

function commandLine(command) {
  return el("div", { class: "command" },
    el("code", { tabindex: "0" }, command),
    button(t("copy"), () => copy(command), { class: "small", "aria-label": `${t("copy")}: ${visible(command)}` }));
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    say(t("copied"));
  } catch {
    say(t("copy_failed"));
  }
}

function say(text) {
  const place = document.getElementById("said");
  place.textContent = text;
  place.classList.add("toast");
  clearTimeout(say.timer);
  say.timer = setTimeout(() => place.classList.remove("toast"), 2500);
}

// The picture of a row in a small size: a thumbnail when there is one, else the file itself, loaded when it comes near.
function thumbnail(rows, row, attributes = {}) {
  const facts = rows.pictureOf(row);
  if (!facts) return el("span", { class: "blank" });
  const image = el("img", { src: facts.thumbnail || fileUrl(facts.file), alt: "", loading: "lazy", decoding: "async", ...attributes });
  image.addEventListener("error", () => {
    // Without a thumbnail (an SVG, say) the file itself is shown.
    if (facts.thumbnail && image.getAttribute("src") === facts.thumbnail) image.src = fileUrl(facts.file);
    else image.replaceWith(el("span", { class: "blank", title: t("no_preview") }, "✕"));
  });
  return image;
}
