// A file chosen or dropped goes into the text; where a line was refused, it is shown.

import { byId } from "../elements.js";

const text = byId("text", HTMLTextAreaElement);
const file = byId("file", HTMLInputElement);

/** @param {File | undefined} chosen */
async function take(chosen) {
  if (!chosen) return;
  text.value = await chosen.text();
  text.focus();
  text.setSelectionRange(0, 0);
}

byId("file-button").hidden = false;
file.addEventListener("change", () => take(file.files?.[0]));
document.addEventListener("dragover", (event) => {
  if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
});
document.addEventListener("drop", (event) => {
  if (!event.dataTransfer?.types.includes("Files")) return;
  event.preventDefault();
  take(event.dataTransfer.files[0]);
});

const line = Number(text.dataset.line);
if (line) {
  const lines = text.value.split("\n");
  const begin = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  text.focus({ preventScroll: true });
  text.setSelectionRange(begin, begin + (lines[line - 1]?.length ?? 0));
  text.scrollTop = Math.max(0, (line - 3) * Number.parseFloat(getComputedStyle(text).lineHeight));
}
