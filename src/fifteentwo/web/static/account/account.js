// Show a passphrase while it is typed, if the user asks for it.
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
  // A form is never sent with the passphrase as a text field: the browser would remember it.
  field.form?.addEventListener("submit", () => {
    field.type = "password";
  });
}
