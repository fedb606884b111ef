// The button that prints the page.
import { all } from "./elements.js";

for (const button of all(document, "[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
