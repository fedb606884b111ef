// A bot that plays its highest card that fits, in JavaScript: fifteentwo arena "node high_card.mjs" random --games 20
import { createInterface } from "node:readline";

const RANKS = "A23456789TJQK";
const value = (card) => Math.min(10, RANKS.indexOf(card[0]) + 1);
const answer = (message) => console.log(JSON.stringify(message));

function choose({ seat, phase, rules, hand, count, drawn_at: drawn }) {
  const low = [...hand].sort((one, other) => value(one) - value(other));
  switch (phase) {
    case "discard":
      return { type: "Discard", seat, cards: low.slice(0, rules.discards) };
    case "play":
      return { type: "Play", seat, card: low.filter((card) => count + value(card) <= 31).at(-1) };
    case "draw":
      return { type: "Draw", seat, at: [...Array(52).keys()].find((place) => !drawn.includes(place)) };
    case "cut":
    case "cut-stock":
      return { type: "Cut", seat, at: 10 };
    case "claim":
      return { type: "Claim", seat, points: 0 };
    default:
      return { type: "Accept", seat };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  try {
    const message = JSON.parse(line);
    if (message.type === "quit") process.exit();
    if (message.type === "hello") {
      answer({ type: "hello", name: "High card in JavaScript", protocol: 1 });
      answer({ type: "ready" });
    } else if (message.type === undefined) answer(choose(message));
  } catch (error) {
    answer({ type: "error", code: "not-readable", why: String(error) });
  }
}
