// The last step of the lesson: the answers that were right the first time, later, or never, and what was learned.

import { byId, make } from "../elements.js";
import { loadStyleSheet } from "../lazy.js";
import { text } from "../text.js";
import { shownCard } from "./draw.js";

/** What steps teach, in cards or numbers. @type {Record<string, string>} */
const LEARNED = {
  ...{ fifteen: "5H JS", pair: "JS JH", run: "4D 5H 6C", flush: "2C 3C 8C QC", nobs: "JS 6S", heels: "JD" },
  ...{ go: "30", "thirty-one": "31", order: "1 2 3" },
};

/** Draw the last step. @param {Wire.Screen[]} screens @param {{done: string[], first: string[], learned: string[]}} answers */
export async function drawEnd(screens, { done, first, learned }) {
  await loadStyleSheet("learn/end");
  const [n, of] = [first.length, screens.length - 1];
  const tiles = Object.entries(LEARNED).map(([id, shown]) => {
    const title = screens.find((screen) => screen.id === id)?.title;
    const picture = shown.split(" ").map((one) => (Number(one) ? make("b.disc", one) : shownCard(one)));
    return make("li", make("span.learn-picture.aligned.centred", picture), title);
  });
  const missed = done.filter((id) => ![...first, ...learned].includes(id));
  const told = Object.entries({ later: learned, missed }).map(([when, ids]) => {
    const titles = screens.filter(({ id }) => ids.includes(id)).map(({ title }) => title);
    const steps = titles.join(text("list.comma"));
    return steps && make("p.flush.small", text(`learn.result.${when}`, { steps }));
  });
  const parts = [
    done.length > 0 && make("h2.flush", text(n === of ? "learn.result.all" : "learn.result", { n, of })),
    n > 0 && make("div.learn-track.full-width.rounded", { "--of": of, "--right": n, "aria-hidden": "true" }),
    ...told,
    make("p.flush.small.felt-quiet", { id: "learned" }, text("learn.learned")),
    make("ul.learn-learned.plain-list.grid.full-width", { "aria-labelledby": "learned" }, tiles),
  ];
  const end = make("div.column.middle.text-center.gap-2.full-width", parts);
  if (byId("begin").checkVisibility()) byId("lies").replaceChildren(end);
}
