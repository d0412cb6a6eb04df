// English or Chinese, as the browser prefers; texts of the site itself are never translated.
const CHINESE_PREFERRED = (navigator.languages || [navigator.language])
  .map((language) => language.slice(0, 2).toLowerCase()).find((language) => language === "zh" || language === "en") === "zh";
const WORDS = CHINESE_PREFERRED ? CHINESE : ENGLISH;
document.documentElement.lang = CHINESE_PREFERRED ? "zh" : "en";

function t(key, values = {}) {
  const text = WORDS[key] ?? ENGLISH[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

function adviceOn(reason, english) {
  return (WORDS.advice && WORDS.advice[reason]) || english;
}

const LOCALE = document.documentElement.lang;
const count = (() => {
  const format = new Intl.NumberFormat(LOCALE);
  return (number) => format.format(number);
})();

function bytesText(bytes) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let at = 0;
  while (bytes >= 1000 && at < units.length - 1) { bytes /= 1000; at += 1; }
  return `${bytes >= 100 || at === 0 ? Math.round(bytes) : bytes.toFixed(1)} ${units[at]}`;
}

function timeText(seconds) {
  return seconds == null ? "–" : new Date(seconds * 1000).toLocaleString(LOCALE, { dateStyle: "medium", timeStyle: "medium" });
}

function lengthText(seconds) {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 90) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

function translatePage() {
  for (const element of document.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
  for (const element of document.querySelectorAll("[data-t-label]")) element.setAttribute("aria-label", t(element.dataset.tLabel));
  for (const element of document.querySelectorAll("[data-t-placeholder]")) element.placeholder = t(element.dataset.tPlaceholder);
}
