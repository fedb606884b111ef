// Read the dealing of a record (docs/record.md) and check it.

import { checkGame } from "./check.js";
import { bytesOf, hex, sha256 } from "./hash.js";

/** Version of the rules that turn seeds into cards (docs/dealing.md). */
const DEALING = "1";

/** Seats, cards per seat, cards dealt to the crib. @type {Record<string, [number, number, number]>} */
const VARIANTS = {
  "six-card": [2, 6, 0],
  "five-card": [2, 5, 0],
  "three-handed": [3, 5, 1],
  partners: [4, 5, 0],
  "four-handed": [4, 5, 0],
};

/** Read the dealing of a record. Throw an error with a code if it is invalid. @param {string} text @returns {Dealing.Read} */
export function readRecord(text) {
  const lines = text
    .replace(/^\uFEFF/, "")
    .trimEnd()
    .split(/\r\n|\r|\n/);
  if (lines[0]?.trim() !== "fifteentwo record 1") throw new Error("not-a-record");
  const last = lines[lines.length - 1];
  if (last.startsWith("sum ")) {
    lines.pop();
    if (hex(sha256(bytesOf(lines.map((line) => `${line}\n`).join("")))) !== last.slice(4).trim())
      throw new Error("damaged");
  }
  if (!lines[lines.length - 1].startsWith("end ")) throw new Error("cut-short");
  /** @type {Record<string, string>} */
  const header = {};
  /** @type {{seat: number, committed: string[], seed: string[], link: string[], name: string[]}} */
  const many = { seat: 0, committed: [], seed: [], link: [], name: [] };
  /** @type {string[][]} */
  const deals = [[]];
  lines.slice(1, -1).forEach((line, at, all) => {
    const [word, second, ...rest] = line.trim().split(" ");
    if (word === "committed" || word === "seed" || word === "link") many[word][Number(second)] = rest.join(" ");
    else if (word === "seat") many.name[Number(second)] = rest.join(" ");
    else if (["draw", "turn", "name", "cut", "deal"].includes(word)) {
      const opens =
        word === "cut" ? all[at + 1]?.startsWith("deal ") : word === "deal" && !all[at - 1]?.startsWith("cut ");
      if (opens) deals.push([]);
      deals[deals.length - 1].push(line.trim());
    } else header[word] = [second, ...rest].join(" ");
  });
  const variant = VARIANTS[header.variant];
  if (!variant) throw new Error("not-a-record");
  const [seats, dealt, dealt_to_crib] = variant;
  const shape = {
    seats,
    dealt,
    dealt_to_crib,
    cut_before_deal: header["cut-before-deal"] !== "no",
    starter: header.starter ?? "cut",
    first_dealer: header["first-dealer"] ?? "low",
    partners_by_draw: header["partners-by-draw"] === "yes" && header.start !== "named",
  };
  const seeds = Array.from({ length: seats }, (_, seat) => many.seed[seat] ?? "");
  if (header.dealing !== (header.commitment ? DEALING : undefined)) throw new Error("unknown-rules");
  return {
    shape,
    published: {
      commitment: header.commitment ?? "",
      committed: many.committed,
      seeds,
      links: many.link,
      deals,
    },
    names: many.name,
  };
}

/**
 * Check a record. Return the number of right deals, or the first fault.
 * @param {string} text @param {string} [expected] the commitment seen before the first card
 * @returns {{deals: number, commitment: string, wrong: string | null, deal: number | null, seat: number | null, read:
 *   Dealing.Read | null}}
 */
export function checkRecord(text, expected = "") {
  /** @param {string | null} wrong @param {{deal?: number, seat?: number, deals?: number, read?: Dealing.Read}} [more] */
  const finding = (wrong, more = {}) => ({
    deals: 0,
    commitment: more.read?.published.commitment ?? "",
    wrong,
    deal: null,
    seat: null,
    read: null,
    ...more,
  });
  /** @type {Dealing.Read} */
  let read;
  try {
    read = readRecord(text);
  } catch (error) {
    return finding(error instanceof Error ? error.message : "not-a-record");
  }
  const { shape, published } = read;
  if (!published.commitment) return finding("nothing-committed", { read });
  if (expected.trim() && expected.trim().toLowerCase() !== published.commitment.toLowerCase())
    return finding("another-commitment", { read });
  if (published.committed.length !== shape.seats) return finding("not-a-record", { read });
  const { seats, begun, deals } = checkGame(shape, published);
  if (seats.length) return finding("seed", { read, seat: seats[0] });
  if (begun.wrong) return finding(begun.wrong, { read, deal: 0 });
  const wrong = deals.findIndex((deal) => deal.wrong);
  return wrong < 0
    ? finding(null, { read, deals: deals.length })
    : finding(deals[wrong].wrong, { read, deal: wrong + 1 });
}
