// The result of the daily deal: win probability lost by the player and by our levels with the same cards, best first.
// The levels' games appear as they are played.

import { offersResult } from "../copying.js";
import { byId, make } from "../elements.js";
import { text, wordsInPage } from "../text.js";
import { SIGNS } from "./answers.js";

wordsInPage();
const MS_AGAIN = 2500;
const MOST_ASKED = 120;

/** Format a win probability in percentage points. @param {number} lost */
const points = (lost) => (100 * lost).toFixed(1);

/** @param {Wire.DailyNow} now */
function draw(now) {
  const own = now.own;
  if (!own) return;
  byId("status").textContent =
    own.lost === null ? text("practice.daily.unknown") : text("practice.daily.said", { points: points(own.lost) });
  const known = now.levels.flatMap(({ level, score }) =>
    score.lost === null ? [] : [{ level, lost: score.lost, front: score.front }],
  );
  const better = known.filter(({ lost }) => own.lost !== null && lost > own.lost).length;
  byId("ended").textContent =
    text(own.won ? "practice.daily.won" : "practice.daily.not-won", { own: own.front[0], other: own.front[1] }) +
    (better ? text("practice.daily.better", { n: better, of: known.length }) : "");
  share(own, now.day);
  byId("more").textContent = now.more ? text("practice.daily.more") : "";
  const row = (
    /** @type {string} */ who,
    /** @type {number | null} */ lost,
    /** @type {number[]} */ front,
    isOwn = false,
  ) =>
    make(
      `tr${isOwn ? ".is-own" : ""}`,
      make("th", { scope: "row" }, who),
      make("td.number-cell", lost === null ? "–" : points(lost)),
      make("td.number-cell", front.join("–")),
    );
  const rows = [...known]
    .sort((one, other) => one.lost - other.lost)
    .map(({ level, lost, front }) => row(text(`level.${level}`), lost, front));
  const place = known.filter(({ lost }) => own.lost !== null && lost <= own.lost).length;
  rows.splice(place, 0, row(text("practice.daily.you"), own.lost, own.front, true));
  byId("rows").replaceChildren(...rows);
}

/** @param {Wire.DailyScore} own @param {string} day */
function share(own, day) {
  if (own.lost === null || !own.deals.length) return;
  const { date = day } = byId("daily").dataset;
  const signs = own.deals.map((mark) => SIGNS[mark ?? "tiny"]).join("");
  const best = own.deals.filter((mark) => mark === null).length;
  const lines = [
    text("practice.daily.text.head", { date }),
    text("practice.daily.text.signs", { signs, n: best, of: own.deals.length }),
    text(own.won ? "practice.daily.text.won" : "practice.daily.text.not-won", {
      points: points(own.lost),
      own: own.front[0],
      other: own.front[1],
    }),
    `${location.origin}/practice/daily`,
  ];
  byId("share").hidden = false;
  byId("signs").textContent = signs;
  byId("signs-in-words").textContent = own.deals
    .map((mark, at) => text("practice.daily.deal", { n: at + 1, mark: text(`review.mark.${mark ?? "tiny"}`) }))
    .join(text("list.comma"));
  byId("share-text", HTMLTextAreaElement).value = lines.join("\n");
}

offersResult("copy");
for (let asked = 0; asked < MOST_ASKED; asked += 1) {
  let more = true;
  try {
    /** @type {Wire.DailyNow} */
    const now = await (await fetch(`/practice/daily.json?day=${byId("daily").dataset.day}`)).json();
    draw(now);
    more = now.more;
  } catch {
    // The next request may succeed.
  }
  if (!more) break;
  await new Promise((resolve) => setTimeout(resolve, MS_AGAIN));
}
byId("daily").dataset.ready = "true";
