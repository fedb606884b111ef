// A passphrase can be shown while it is typed.
import { all, byId } from "../elements.js";

for (const button of all(document, "button[data-shows]", HTMLButtonElement)) {
  const field = byId(button.dataset.shows ?? "", HTMLInputElement);
  button.hidden = false;
  button.addEventListener("click", () => {
    const shown = field.type === "password";
    field.type = shown ? "text" : "password";
    button.textContent = (shown ? button.dataset.hide : button.dataset.show) ?? "";
    field.focus();
  });
  // Never sent, nor remembered by the browser, as a plain field.
  field.form?.addEventListener("submit", () => {
    field.type = "password";
  });
}
