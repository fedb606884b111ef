// The settings outside a game; the next table reads them.

import { openLooks } from "../looks/looks.js";
import { byId, find } from "../elements.js";
import { readStoredObject } from "../storage.js";
import { FIRST_GAME, openHelpers, openSettings } from "./settings.js";

openSettings(() => {});
openHelpers(() => {})();
const { over, won } = readStoredObject(FIRST_GAME);
byId("helpers").hidden = Boolean(over && won);
find(document, '[data-action="looks"]')?.addEventListener("click", openLooks);
