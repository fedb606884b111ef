// Runs before the first paint, so that a dark page never flashes white. A classic script, because modules run too late.
(() => {
  const themes = ["auto", "light", "dark"];
  const root = document.documentElement;
  const read = () => {
    try {
      return localStorage.getItem("theme") ?? root.dataset.theme;
    } catch {
      return root.dataset.theme;
    }
  };
  const show = (/** @type {string | undefined} */ theme) => {
    root.dataset.theme = theme && themes.includes(theme) ? theme : "auto";
    for (const button of document.querySelectorAll("[data-set-theme]")) {
      button.setAttribute("aria-pressed", String(button.getAttribute("data-set-theme") === root.dataset.theme));
    }
  };
  // The looks chosen at the table (looks/looks.js); their style sheet is loaded only if needed.
  try {
    const looks = JSON.parse(localStorage.getItem("fifteentwo.looks") ?? "{}");
    const parts = ["back", "felt", "wood", "pegs"].filter((part) => typeof looks[part] === "string");
    for (const part of parts) root.dataset[part] = looks[part];
    const sheet = Object.assign(document.createElement("link"), { rel: "stylesheet", href: root.dataset.looks });
    sheet.setAttribute("blocking", "render");
    if (parts.length) document.head.append(sheet);
  } catch {
    // Storage is refused: use the usual looks.
  }
  show(read());
  document.addEventListener("DOMContentLoaded", () => show(read()));
  addEventListener("storage", () => show(read()));
  document.addEventListener("click", ({ target }) => {
    const theme = target instanceof Element ? target.closest("[data-set-theme]")?.getAttribute("data-set-theme") : null;
    if (!theme) return;
    try {
      localStorage.setItem("theme", theme);
    } catch {
      // Private windows may refuse storage: the choice is valid for this page.
    }
    show(theme);
  });
})();
