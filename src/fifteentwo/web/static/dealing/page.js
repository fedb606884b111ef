// The page about the dealing: check a record, count a million decks, all in this browser.

import { byId, make } from "../elements.js";
import { cardName, lang, text, wordsInPage } from "../text.js";
import { chance, chiSquare } from "./evenness.js";
import { checkRecord } from "./record.js";
import { ORDERED } from "./streams.js";

const DECKS = 1_000_000;
const SHOWN = [1, 2, 3, 4, 5, 6, 26, 52];
/** A result rarer than one in a thousand is worth a second trial. */
const ODD = 0.001;

wordsInPage();
const expected = byId("expected", HTMLInputElement);
const file = byId("file", HTMLInputElement);

/** Draw the result of a check. @param {ReturnType<typeof checkRecord>} found */
function resultOf({ deals, commitment, wrong, deal, seat, read }) {
  if (wrong) {
    const where = deal === null ? "" : deal ? text("seal.where.deal", { n: deal }) : text("seal.where.draw");
    const name = seat === null ? "" : read?.names[seat] || text("dealing.bad.seat", { n: seat + 1 });
    return [make("p.dealing-bad", text(`dealing.bad.${wrong}`, { where, name, commitment }))];
  }
  const committed = read?.published.committed ?? [];
  const more = committed.length && !committed.some((promised) => promised.length === 64) ? "dealing.good.server" : "";
  return [
    make("p.dealing-good", text("dealing.good", { n: deals })),
    make("p", text("dealing.rules")),
    more && make("p", text(more)),
    make("p", text("dealing.promise", { commitment })),
  ];
}

/** @param {File | null | undefined} chosen */
async function check(chosen) {
  if (!chosen) return;
  const found = checkRecord(await chosen.text(), expected.value);
  byId("result").replaceChildren(...resultOf(found).filter((part) => part instanceof Node));
}

file.addEventListener("change", () => check(file.files?.[0]));
expected.addEventListener("change", () => check(file.files?.[0]));
document.addEventListener("dragover", (event) => {
  if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
});
document.addEventListener("drop", (event) => {
  if (!event.dataTransfer?.types.includes("Files")) return;
  event.preventDefault();
  void check(event.dataTransfer.files[0]);
});

// ── A million decks ──

/** @type {Worker | null} */
let worker = null;
const begin = byId("tally-begin");
const progress = byId("tally-progress", HTMLProgressElement);

const number = (/** @type {number} */ n, digits = 0) =>
  n.toLocaleString(lang, { minimumFractionDigits: digits, maximumFractionDigits: digits });

function stop() {
  worker?.terminate();
  worker = null;
  begin.textContent = text("dealing.tally.begin");
}

/** Draw how often each card was dealt to some places. @param {number[][]} places */
function table(places) {
  const head = make(
    "tr",
    make("th", { scope: "col" }, text("dealing.tally.card")),
    ...SHOWN.map((n) => make("th", { scope: "col" }, text("dealing.tally.place", { n }))),
  );
  const rows = ORDERED.map((card, at) =>
    make(
      "tr",
      make("th", { scope: "row" }, cardName(card)),
      ...SHOWN.map((n) => make("td", number(places[at][n - 1]))),
    ),
  );
  return make("table", make("caption", text("dealing.tally.table")), make("thead", head), make("tbody", ...rows));
}

/** @param {{done: number, places: number[][]}} data */
function count({ done, places }) {
  progress.value = done;
  const chi = chiSquare(places);
  const odds = chance(chi);
  const percent = `${number(100 * odds, odds < 0.01 ? 3 : 0)}%`;
  const last = done === DECKS;
  if (last || done % 100_000 === 0)
    byId("tally-result").replaceChildren(
      make("p", text("dealing.tally.done", { n: number(done) })),
      last
        ? make(
            odds < ODD ? "p.dealing-bad" : "p.dealing-good",
            null,
            text(odds < ODD ? "dealing.tally.odd" : "dealing.tally.even", { percent }),
          )
        : "",
      make("p", text("dealing.tally.chi", { chi: number(chi) })),
    );
  if (!last) return;
  const place = byId("tally-table");
  place.replaceChildren(table(places));
  place.hidden = false;
  stop();
}

begin.addEventListener("click", () => {
  if (worker) return stop();
  worker = new Worker(begin.dataset.worker ?? "", { type: "module" });
  worker.addEventListener("message", ({ data }) => count(data));
  worker.addEventListener("error", stop);
  progress.hidden = false;
  progress.value = 0;
  begin.textContent = text("dealing.tally.stop");
  worker.postMessage(DECKS);
});
