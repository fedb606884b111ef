// The button that prints the page.
import { all } from "./elements.js";

for (const button of all(document, "[data-print]")) button.addEventListener("click", () => print());
