// Runs before the first paint so that a dark room never flashes white. A classic script: modules come too late.
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
  const show = (theme) => {
    root.dataset.theme = themes.includes(theme) ? theme : "auto";
    for (const button of document.querySelectorAll("[data-set-theme]")) {
      button.setAttribute("aria-pressed", String(button.dataset.setTheme === root.dataset.theme));
    }
  };
  show(read());
  document.addEventListener("DOMContentLoaded", () => show(read()));
  addEventListener("storage", () => show(read()));
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-set-theme]");
    if (!button) return;
    try {
      localStorage.setItem("theme", button.dataset.setTheme);
    } catch {
      // Private windows may refuse: the choice then lasts for this page.
    }
    show(button.dataset.setTheme);
  });
})();
