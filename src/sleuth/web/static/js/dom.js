// Building elements, and speaking to those who do not see them.

/**
 * Return an element. Properties named on* are listeners, true and false set and leave out attributes.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} [properties]
 * @param {...any} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (name === "value") /** @type {any} */ (element).value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

/** Return the element of the frame that has an id; index.html has them all. */
export const byId = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * Return an SVG element; its look comes from classes and plain attributes.
 *
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} [attributes]
 * @param {...any} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.flat(Infinity));
  return element;
}

/** Return a line drawing of 24 by 24 by its path. */
export const icon = (path) =>
  svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" }, svg("path", { d: path }));

export const ICONS = {
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.6 10.8c.7.6 1.1 1.3 1.1 2.2h5c0-.9.4-1.6 1.1-2.2A6 6 0 0 0 12 3Z",
  again: "M4 12a8 8 0 1 1 2.4 5.7M4 12V6M4 12h6",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5",
  copy: "M9 9h10v11H9zM5 15V4h10",
  undo: "M8 5 4 9l4 4M4 9h10a6 6 0 0 1 0 12h-3",
  link: "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1-1",
  cross: "M6 6l12 12M18 6 6 18",
  erase: "M9 5h11v14H9l-6-7 6-7ZM12 9.5l5 5M17 9.5l-5 5",
  days: "M4 6h16v14H4zM4 10.5h16M8 3.5V8M16 3.5V8",
  before: "M15 5l-7 7 7 7",
  after: "M9 5l7 7-7 7",
};

/** Say a text to screen readers, politely. */
export function announce(text) {
  const place = byId("announcer");
  place.textContent = "";
  // A new text is only spoken when the region is seen to change.
  requestAnimationFrame(() => {
    place.textContent = text;
  });
}

/** Return a bar with a fill of value, 0 to 1. It is decoration: the number stands beside it. */
export function bar(value, className = "") {
  const element = h("span", { class: `bar ${className}`.trim(), "aria-hidden": "true" });
  element.style.setProperty("--value", Math.max(0, Math.min(1, value)));
  return element;
}

let fields = 0;
/** Return a labelled form control. */
export function field(label, control) {
  fields += 1;
  control.id ||= `field-${fields}`;
  return h("div", { class: "field" }, h("label", { for: control.id }, label), control);
}

/** Return a select; options are [value, text] pairs. A value that is none of them becomes one. */
export function select(options, value, onchange) {
  const listed = value === undefined || options.some(([id]) => String(id) === String(value));
  const control = h(
    "select",
    { onchange },
    [...options, ...(listed ? [] : [[value, String(value)]])].map(([id, text]) =>
      h("option", { value: id }, text),
    ),
  );
  control.value = value;
  return control;
}

/** Return a problem in words, for the place where its cause is. */
export const problemNote = (error) => h("p", { class: "problem", role: "alert" }, sentence(error.message));

/** Return what there is to say of an address that could not be taken as it is; "" where it could. */
export const remarksNote = (remarks) =>
  remarks.length ? h("p", { class: "problem", role: "status" }, remarks.map(sentence).join(" ")) : "";

/** Return a text with a capital. */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Return a text with a capital and a full stop. */
export const sentence = (text) => (/[.!?…]$/.test(text) ? capital(text) : `${capital(text)}.`);

/** Return a function that runs once its calls pause for some milliseconds. */
export function debounced(action, pause) {
  let timer;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...given), pause);
  };
}

const plain = new Intl.NumberFormat("en");
/** Return a whole number with its thousands set apart. */
export const whole = (n) => plain.format(n);
/** Return a text with the thousands set apart in numbers that count something: "2,315 answers", but "in 2023:". */
export const grouped = (text) => text.replace(/\d{4,}(?= [a-z])/g, (digits) => whole(Number(digits)));
/** Return a number with a fixed count of decimals; a dash where there is none. One halfway between two, such as 2.125, goes to
 * the even one, as in the sentences of the server. */
export function fixed(x, decimals = 2) {
  if (x === null || x === undefined || !Number.isFinite(x)) return "–";
  const scaled = x * 10 ** decimals;
  const isHalfway = Number.isInteger(x * 2 ** (decimals + 1)) && Math.abs(scaled % 1) === 0.5;
  return (isHalfway ? (2 * Math.round(scaled / 2)) / 10 ** decimals : x).toFixed(decimals);
}
/** Return a chance as per cent. */
export const percent = (p) =>
  p === 0
    ? "0 %"
    : p < 0.001
      ? "< 0.1 %"
      : p >= 0.9995
        ? "100 %"
        : `${(100 * p).toFixed(p < 0.0995 || p >= 0.995 ? 1 : 0)} %`;
/** Return a count and its noun. */
export const count = (n, noun, several = `${noun}s`) => `${whole(n)} ${n === 1 ? noun : several}`;
