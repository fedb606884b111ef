// The page of all exercises: the cards on its tiles, and the progress that this browser stores: how far each set is solved,
// the skills, whether the daily deal is done, and what to do next.

import { cardElement } from "../cards/cards.js";
import { all, byId, find, make } from "../elements.js";
import { readStored, readStoredObject } from "../storage.js";
import { text, wordsInPage } from "../text.js";
import { drawRungs, storedLadder } from "./ladder.js";
import { skillShares } from "./skills.js";

wordsInPage();
for (const band of all(document, "[data-cards]")) {
  for (const card of (band.dataset.cards ?? "").split(" ").filter(Boolean))
    band.append(cardElement(card === "?" ? null : card, { size: "s" }));
}

/** @param {number} share */
const bar = (share) => make("i.share-bar.block", { "--share": `${100 * share}%` });

/** Write the progress on the tile of an exercise. @param {string} path @param {(Node | string)[]} parts */
function tell(path, ...parts) {
  const tile = find(document, `.practice-tile[href="/practice/${path}"]`);
  if (tile) find(tile, "[data-done]")?.replaceChildren(...parts);
}

const { rung } = storedLadder(all(document, "[data-ladder] i").length);
drawRungs(rung);
const progress = readStoredObject("fifteentwo.practice.sets");
for (const tile of all(document, ".practice-tile[data-size]")) {
  const path = (tile.getAttribute("href") ?? "").replace("/practice/", "");
  const [stored, of] = [progress[path.replace("sets/", "")], Number(tile.dataset.size)];
  const n = Math.min(Array.isArray(stored) ? Number(stored[0]) || 0 : 0, of);
  tell(path, text("practice.solved", { n, of }), bar(n / of));
}
const skills = skillShares();
byId("skills").hidden = !skills.length;
byId("skill-list").replaceChildren(
  ...skills.map(({ name, href, n, of, share }) =>
    make(
      "li",
      make(
        "a.practice-skill.row.between.touch.small",
        { href },
        make("span", name),
        make("b", `${n}/${of}`),
        bar(share),
      ),
    ),
  ),
);
const { hands: of, right: n } = readStoredObject("fifteentwo.practice.count");
if (Number(of)) tell("count", text("practice.right", { n: Number(n), of: Number(of) }), bar(Number(n) / Number(of)));
const isStarted = readStored("fifteentwo.practice.ladder");
if (isStarted)
  tell("sets/ladder", text(`level.${["beginner", "casual", "club", "expert", "master"][rung]}`), bar(rung / 4));
const isDone = readStoredObject("fifteentwo.daily").day === byId("next").dataset.day;
if (isDone) tell("daily", text("practice.daily.is-done"));
if (isDone && byId("next").dataset.due === undefined) {
  const before = readStored("fifteentwo.practice.stopped");
  const stopped = before ?? "/practice/sets/ladder";
  const title = all(document, ".practice-tile").find((tile) => tile.getAttribute("href") === stopped);
  byId("next").setAttribute("href", stopped);
  find(byId("next"), "small")?.replaceChildren(text(`practice.next-why.${before ? "stopped" : "untried"}`));
  find(byId("next"), "b")?.replaceChildren((title && find(title, "b")?.textContent) ?? text("practice.title"));
}
