// Making elements, announcing, and keeping the focus when a part of the page is drawn anew.

const PROPERTIES = new Set(["checked", "disabled", "hidden", "open", "required", "selected", "value"]);

/** An element with attributes (functions are listeners) and children (texts, elements, lists; null is left out). */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else if (PROPERTIES.has(key)) element[key] = value;
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

/** A button; its key is how the focus finds it again. */
export function button(key, content, click, attributes = {}) {
  return el("button", { type: "button", "data-key": key, click, ...attributes }, content);
}

const SVG = "http://www.w3.org/2000/svg";

/** An icon of the artwork; words stand beside it. */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `/assets/icons.svg#icon-${name}`);
  svg.append(use);
  return svg;
}

/** Put new children into an element; focus and opened details stay, and a focus whose place is gone goes to `rest`. */
export function redraw(element, children, rest = null) {
  const focused = element.contains(document.activeElement) ? document.activeElement : null;
  const key = focused?.dataset.key;
  const isOpen = new Map([...element.querySelectorAll("details[data-key]")].map((one) => [one.dataset.key, one.open]));
  element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  for (const details of element.querySelectorAll("details[data-key]")) {
    if (isOpen.has(details.dataset.key)) details.open = isOpen.get(details.dataset.key);
  }
  if (!focused) return;
  const again = key && element.querySelector(`[data-key="${CSS.escape(key)}"]:not(:disabled)`);
  (again || rest)?.focus({ preventScroll: !again });
}

/** Say something to those who listen to the page. */
export function announce(text) {
  document.getElementById("say").textContent = text;
}

let hiding = 0;

/** Show what went wrong, for a while. */
export function complain(text) {
  const place = document.getElementById("alert");
  place.textContent = text;
  place.hidden = false;
  clearTimeout(hiding);
  hiding = setTimeout(() => (place.hidden = true), 9000);
}
