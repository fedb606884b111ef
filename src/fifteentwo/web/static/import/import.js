// Put a chosen or dropped file into the text field, and show a refused line.

import { byId } from "../elements.js";

const text = byId("text", HTMLTextAreaElement);
const file = byId("file", HTMLInputElement);

/** Decode a file like `formats/encodings.py`. @param {ArrayBuffer} data */
function decoded(data) {
  const [first, second] = new Uint8Array(data, 0, Math.min(2, data.byteLength));
  for (const encoding of first === 0xff && second === 0xfe
    ? ["utf-16le"]
    : first === 0xfe && second === 0xff
      ? ["utf-16be"]
      : ["utf-8", "shift_jis"]) {
    try {
      const found = new TextDecoder(encoding, { fatal: true }).decode(data);
      if (encoding !== "shift_jis" || !/[\uff61-\uff9f]|[A-Za-z][^\0-\x7f]/.test(found)) return found;
    } catch {
      // Try the next encoding.
    }
  }
  return new TextDecoder("windows-1252").decode(data);
}

/** @param {File | undefined} chosen */
async function take(chosen) {
  if (!chosen) return;
  text.value = decoded(await chosen.arrayBuffer());
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
