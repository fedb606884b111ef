// The record of the game as a file and as a link, and a new table that continues from a move.

import { byId, download, field } from "../elements.js";
import { offer } from "../offer.js";
import { fragmentAt, fragmentOf } from "./link.js";
import { titleOf } from "./screens.js";
import { lang, text } from "../text.js";
import { toast, warn } from "../toast.js";

/** @typedef {import("./reviewed.js").Reviewed} Reviewed */

/** Return the record; that of an own game is fetched when needed. @param {Reviewed["source"]} source */
async function recordFrom(source) {
  if ("record" in source) return source.record;
  const answer = await fetch(`/game/${source.table}/record?game=${source.number}`);
  if (!answer.ok) throw new Error(`record: ${answer.status}`);
  return answer.text();
}

/** Save the record as a file. The review can be computed from it. @param {Reviewed} game */
export async function save(game) {
  download(new File([await recordFrom(game.source)], "fifteentwo-game.txt", { type: "text/plain" }));
}

/** Copy a link with the record and the present move. @param {Reviewed} game */
export async function copyLink(game) {
  const fragment = await fragmentOf(await recordFrom(game.source));
  const address = `${location.origin}/review${fragmentAt(fragment, game.at + 1)}`;
  const place = byId("link", HTMLInputElement);
  place.value = address;
  place.hidden = false;
  place.select();
  try {
    await navigator.clipboard.writeText(address);
    toast(text("review.link_copied"));
  } catch {
    toast(text("review.link_copy"));
  }
}

/** Store the record on the server, say until when, and offer its short address. @param {Reviewed} game */
export async function shareReview(game) {
  const answer = await fetch(`/api/share?lang=${lang}`, {
    method: "POST",
    body: (await fragmentOf(await recordFrom(game.source))).replace(/^[^=]*=/, ""),
    headers: { "Content-Type": "text/plain" },
  });
  const { path, until, message } = await answer.json();
  if (!answer.ok) return warn(message);
  const place = byId("link", HTMLInputElement);
  place.value = location.origin + path;
  place.hidden = false;
  const copied = await offer(place.value, titleOf(game));
  toast([copied ? text("review.link_copied") : place.value, text("review.share.until", { date: until })].join(" "));
}

/** Create a new table that continues from here. @param {Reviewed} game */
export async function playOn({ decision, source }) {
  if (!decision) return;
  const level = field(byId("play-on", HTMLFormElement), "level", HTMLSelectElement).value;
  const from = "record" in source ? source : { game: source.table, number: source.number };
  const answer = await fetch(`/api/play-on?lang=${lang}`, {
    method: "POST",
    body: JSON.stringify({ ...from, step: decision.step, level }),
    headers: { "Content-Type": "application/json" },
  });
  const { path, message } = await answer.json();
  if (answer.ok) location.assign(path);
  else warn(message);
}
