// The settings outside a game; the next table reads them.

import { openLooks } from "../looks/looks.js";
import { find } from "../elements.js";
import { openHelpers, openSettings } from "./settings.js";

openSettings(() => {});
openHelpers(() => {})();
find(document, '[data-action="looks"]')?.addEventListener("click", openLooks);
