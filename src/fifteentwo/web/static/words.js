// @ts-check
// Pages of words: the button that prints.
for (const button of document.querySelectorAll("[data-print]")) button.addEventListener("click", () => print());
