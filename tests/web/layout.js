// What does not fit in a window, as sentences. Run in the page by layout.py.
([least, primary]) => {
  const INTERACTIVE =
    "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=link], [role=tab], " +
    "[role=gridcell], [role=option], [role=checkbox], [role=radio], [role=switch], [role=slider], [tabindex='0']";
  const PRIMARY = ".btn, [data-act], [data-hut], [data-yard], [data-display], [role=tab], .field input, .field select";
  // A city can be moved in its window.
  const UNCUT = "svg, script, style, noscript, option, textarea, [data-cell]";
  const CARDS = "[data-hand], [data-bonus]";
  const faults = [];
  const root = document.scrollingElement;

  const name = (element) => {
    const data = [...element.attributes].filter((a) => a.name.startsWith("data-")).map((a) => `[${a.name}="${a.value}"]`);
    const classes = [...element.classList].filter((c) => !c.startsWith("svelte-")).map((c) => `.${c}`);
    const text = (element.getAttribute("aria-label") ?? element.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 40);
    return `<${element.tagName.toLowerCase()}${classes.join("")}${data.join("")}> “${text}”`;
  };
  const isShown = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true }) &&
    !element.closest("[inert]");
  const box = (rect) => ({ left: rect.left, top: rect.top, right: rect.right, bottom: rect.bottom });
  const meet = (a, b) => ({
    left: Math.max(a.left, b.left), top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom),
  });
  const width = (a) => a.right - a.left;
  const height = (a) => a.bottom - a.top;
  const isOnlyRead = (element) => {
    // Words for screen readers are one pixel large, or wholly clipped away.
    for (let at = element; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      const rect = at.getBoundingClientRect();
      if (style.clipPath.startsWith("inset(50%") || (style.position === "absolute" && rect.width <= 1 && rect.height <= 1)) return true;
    }
    return false;
  };
  /** What of a rectangle can be seen, or scrolled to: cut by everything that hides what overflows. */
  const seen = (element, rect, from = element.parentElement) => {
    let left = box(rect);
    for (let at = from; at && at !== root; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.display === "contents") continue;
      if (style.overflowX !== "visible" || style.overflowY !== "visible") left = meet(left, box(at.getBoundingClientRect()));
      if (style.position === "fixed") break;
    }
    return left;
  };

  /** What an element floats in, or is put upon something with. */
  const layerOf = (element) => {
    for (let at = element; at && at !== root; at = at.parentElement) {
      if (/fixed|sticky|absolute/.test(getComputedStyle(at).position)) return at;
    }
    return null;
  };

  // Nothing scrolls sideways.
  if (root.scrollWidth > innerWidth) {
    const wide = [...document.body.querySelectorAll("*")].filter((e) => isShown(e) && e.getBoundingClientRect().right > innerWidth + 1);
    const last = wide.filter((e) => !wide.some((other) => other !== e && e.contains(other)));
    faults.push(`the page is ${root.scrollWidth} wide in a window of ${innerWidth}: ${last.slice(0, 4).map(name).join(", ")}`);
  }

  // Nothing is larger than what it lies in, also where that is hidden: a focus or a finger would move it out of sight.
  for (const element of document.querySelectorAll("#app, .app, .table, .top, .market, .city, .cityhead, .side, .dock, .frame, main")) {
    if (!isShown(element) || getComputedStyle(element).display === "contents") continue;
    const [wide, high] = [element.scrollWidth - element.clientWidth, element.scrollHeight - element.clientHeight];
    if (wide > 1) faults.push(`${name(element)} overflows by ${wide} pixels sideways`);
    if (high > 1 && element.matches(".app, .table")) faults.push(`${name(element)} overflows by ${high} pixels`);
  }

  // No text is cut.
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const told = new Set();
  const lines = [];
  while (texts.nextNode()) {
    const node = texts.currentNode;
    const owner = node.parentElement;
    if (!node.data.trim() || !owner || owner.closest(UNCUT) || !isShown(owner)) continue;
    if (isOnlyRead(owner)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    let rect = box(range.getBoundingClientRect());
    if (width(rect) === 0 || height(rect) === 0) continue;
    // Letters are lower than their line.
    const spare = Math.max(1.5, height(rect) * 0.2);
    let mayX = true;
    let mayY = true;
    for (let at = owner; at && at !== root && (mayX || mayY); at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.display === "contents") continue;
      const edge = box(at.getBoundingClientRect());
      const cutsX = mayX && /hidden|clip/.test(style.overflowX) && (rect.left < edge.left - 1.5 || rect.right > edge.right + 1.5);
      const cutsY = mayY && /hidden|clip/.test(style.overflowY) && (rect.top < edge.top - spare || rect.bottom > edge.bottom + spare);
      // A text that ends in dots can be read in full where it has a title, or where it unfolds.
      const isDotted = !cutsY && style.textOverflow === "ellipsis" && owner.closest("[title], [aria-label], [aria-expanded]");
      if (isDotted && cutsX && owner.closest("th[scope=row]")) {
        range.setEnd(node, node.data.search(/\S(\s|$)/) + 1);
        if (range.getBoundingClientRect().right > edge.right + 1.5) faults.push(`the first word of ${name(owner)} is cut by ${name(at)}`);
        range.selectNodeContents(node);
      }
      if ((cutsX || cutsY) && !isDotted && !told.has(owner)) {
        told.add(owner);
        faults.push(`the text ${name(owner)} is cut by ${name(at)}`);
      }
      if (cutsX || cutsY) rect = meet(rect, edge);
      // What can be scrolled to is not cut.
      if (/auto|scroll/.test(style.overflowX)) mayX = false;
      if (/auto|scroll/.test(style.overflowY)) mayY = false;
      if (style.position === "fixed") break;
    }
    // No word is broken but at a soft hyphen: browsers without a dictionary of the language add none. Codes have no words.
    if (range.getClientRects().length > 1 && !owner.closest("code, [data-code]")) {
      for (const { 0: part, index } of node.data.matchAll(/\p{L}{2,}/gu)) {
        // The soft hyphen, as far as it is shown, belongs to the letter after it.
        range.setStart(node, index + Number(node.data[index - 1] === "\u00ad"));
        range.setEnd(node, index + part.length);
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) faults.push(`the word “${part}” is broken in ${name(owner)}`);
      }
      range.selectNodeContents(node);
    }
    const layer = layerOf(owner);
    for (const line of range.getClientRects()) {
      const part = seen(owner, line, owner);
      const letters = height(part) / 4; // they are lower than their line
      lines.push({ owner, rect: { ...part, top: part.top + letters, bottom: part.bottom - letters }, layer });
    }
  }

  // No text lies upon another; what is put upon something on purpose is in a layer of its own.
  for (let i = 0; i < lines.length; i++) {
    for (let j = i + 1; j < lines.length; j++) {
      const [a, b] = [lines[i], lines[j]];
      if (a.owner === b.owner || a.layer !== b.layer) continue;
      const both = meet(a.rect, b.rect);
      if (width(both) > 1.5 && height(both) > 1.5) faults.push(`the texts ${name(a.owner)} and ${name(b.owner)} lie upon each other`);
    }
  }

  // What can be bought is seen.
  for (const picture of document.querySelectorAll("[data-yard] .tile, [data-hut] .tile")) {
    const rect = picture.getBoundingClientRect();
    if (isShown(picture.parentElement) && (width(rect) < least || height(rect) < least)) {
      faults.push(`the picture of ${name(picture.closest("button"))} is ${Math.round(width(rect))} × ${Math.round(height(rect))}`);
    }
  }

  // What can be hit is large enough, and lies upon nothing else that can be.
  const dialog = [...document.querySelectorAll("dialog[open]")].filter((d) => d.matches(":modal")).at(-1);
  const targets = [];
  for (const element of (dialog ?? document.body).querySelectorAll(INTERACTIVE)) {
    if (element.matches(":disabled, [aria-disabled=true]") && element.matches("[data-cell]")) continue;
    if (!element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }) || element.closest("[inert]")) continue;
    const style = getComputedStyle(element);
    if (style.pointerEvents === "none") continue;
    let rect = element.getBoundingClientRect();
    // A box that is hidden behind its words is hit on them.
    const labels = element.labels ? [...element.labels].filter(isShown) : [];
    if (labels.length && (isOnlyRead(element) || style.opacity === "0" || /checkbox|radio/.test(element.type))) {
      const rects = labels.map((label) => label.getBoundingClientRect());
      if (!isOnlyRead(element) && style.opacity !== "0") rects.push(rect);
      rect = {
        left: Math.min(...rects.map((r) => r.left)), top: Math.min(...rects.map((r) => r.top)),
        right: Math.max(...rects.map((r) => r.right)), bottom: Math.max(...rects.map((r) => r.bottom)),
      };
    } else if (isOnlyRead(element) || !isShown(element)) {
      continue;
    }
    if (width(rect) === 0 || height(rect) === 0) continue;
    let layer = null;
    for (let at = element; at && at !== document.body; at = at.parentElement) {
      if (/fixed|sticky/.test(getComputedStyle(at).position)) layer = at;
    }
    // A link in a sentence is as high as its line.
    const isInText = element.matches(`a:not(${PRIMARY})`) && style.display.startsWith("inline") && element.parentElement.textContent.trim() !== element.textContent.trim();
    targets.push({ element, rect: box(rect), shown: seen(element, rect), layer, isInText });
  }
  for (const { element, rect, isInText } of targets) {
    if (isInText || element.closest("[data-fan]")) continue;
    const wanted = element.matches(PRIMARY) && !element.matches("[type=checkbox], [type=radio]") ? primary : least;
    if (width(rect) < wanted - 0.5 || height(rect) < wanted - 0.5) {
      faults.push(`${name(element)} is ${Math.round(width(rect))} × ${Math.round(height(rect))}, less than ${wanted}`);
    }
  }
  for (let i = 0; i < targets.length; i++) {
    for (let j = i + 1; j < targets.length; j++) {
      const [a, b] = [targets[i], targets[j]];
      if (a.layer !== b.layer || a.element.contains(b.element) || b.element.contains(a.element)) continue;
      if (a.isInText && b.isInText) continue;
      // Cards of a hand lie upon each other on purpose; what floats over the city covers no cell that can be built on.
      if (a.element.matches(CARDS) && b.element.matches(CARDS)) continue;
      if ([a, b].some(({ element }) => element.matches("[data-cell]:not([data-state=legal])"))) continue;
      const both = meet(a.shown, b.shown);
      if (width(both) > 1.5 && height(both) > 1.5) faults.push(`${name(a.element)} and ${name(b.element)} lie upon each other`);
    }
  }
  return faults;
}
