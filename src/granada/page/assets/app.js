// The page: its head, and what is shown at which address.

import { el, redraw } from "./elements.js";
import { TablePage } from "./game.js";
import { Home, field, select } from "./home.js";
import { loadBox } from "./pieces.js";
import { LANGUAGES, chooseLanguage, currentLanguage, loadWords, t } from "./words.js";

const top_ = document.getElementById("top");
const main = document.getElementById("main");
let shown = null;

function show() {
  shown?.close();
  main.replaceChildren();
  const table = /^\/t\/([\w-]+)$/.exec(location.pathname)?.[1];
  shown = table ? new TablePage(main, table, go) : new Home(main, go);
  draw();
}

function draw() {
  document.title = t("app.title");
  const languages = select("language", Object.entries(LANGUAGES), currentLanguage(), (tag) => {
    chooseLanguage(tag);
    draw();
  });
  redraw(top_, [
    el("a", { class: "skip", href: "#main" }, t("app.skip")),
    el("a", { class: "brand", href: "/", "data-go": "", "aria-label": `${t("app.title")}: ${t("app.home")}` }, "Alhambra · Granada"),
    field(t("app.language"), languages),
  ]);
  shown.draw();
}

function go(path) {
  history.pushState(null, "", path);
  show();
  main.focus({ preventScroll: true });
  scrollTo(0, 0);
}

addEventListener("popstate", show);
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-go]");
  if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  go(link.getAttribute("href"));
});

await loadWords();
await loadBox().catch(() => {});
show();
