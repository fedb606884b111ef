// A file chosen or dropped goes into the text; where a line was refused, it is shown.
// @ts-check

const text = /** @type {HTMLTextAreaElement} */ (document.getElementById("text"));
const file = /** @type {HTMLInputElement} */ (document.getElementById("file"));

/** @param {File | undefined} chosen */
const take = async (chosen) => {
  if (!chosen) return;
  text.value = await chosen.text();
  text.focus();
  text.setSelectionRange(0, 0);
};

/** @type {HTMLElement} */ (document.getElementById("file-button")).hidden = false;
file.addEventListener("change", () => take(file.files?.[0]));
for (const kind of /** @type {const} */ (["dragover", "drop"])) {
  document.addEventListener(kind, (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    if (kind === "drop") take(event.dataTransfer.files[0]);
  });
}

const line = Number(text.dataset.line);
if (line) {
  const lines = text.value.split("\n");
  const begin = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  text.focus({ preventScroll: true });
  text.setSelectionRange(begin, begin + (lines[line - 1]?.length ?? 0));
  text.scrollTop = Math.max(0, (line - 3) * Number.parseFloat(getComputedStyle(text).lineHeight));
}
