/** The state of the scoring pad. */
declare namespace Scoring {
  interface Setup {
    /** six-card, half-game, five-card, three-handed, partners, four-handed or other */
    form: string;
    /** One per side. */
    names: string[];
    target: number;
    board: "A" | "B" | "none";
    /** A loser below this loses 2 games (R18, R19). */
    skunk: number | null;
    /** A loser below this loses 4 (R20). */
    doubleSkunk: number | null;
    /** The side that deals first. */
    dealer?: number;
  }

  type Entry =
    | { kind: "points"; side: number; points: number; what: string }
    | { kind: "deal" }
    | { kind: "next" };

  interface Pad {
    setup: Setup;
    entries: Entry[];
    /** Entries that redo restores, the next one last. */
    undone: Entry[];
  }

  interface Standing {
    front: number[];
    /** The rear peg of each side (R115). */
    rear: number[];
    /** Games won; a skunk counts 2 and a double skunk 4 (R22). */
    games: number[];
    /** From 1. */
    game: number;
    /** The side with the dealer's marker (R11, R30); absent in other games. */
    dealer: number | null;
    won: { side: number; lost: number[] } | null;
    log: { side: number; points: number; what: string; score: number; game: number }[];
  }
}

/** The exercises. */
declare namespace Practice {
  interface Dealt {
    hand: string[];
    starter: string;
    crib: boolean;
  }

  type Score = Pick<Wire.CountedScore, "name" | "cards" | "points">;

  /** Hands seen and missed, by pattern. */
  type Kept = Record<string, [seen: number, missed: number]>;

  /** Returns a number from 0 up to 1. */
  type Chance = () => number;

  /** The stored results of counting. */
  interface Memory {
    patterns: Kept;
    streak: number;
    best: number;
    hands: number;
    right: number;
    how: string;
    seconds: number;
  }

  interface Ladder {
    /** From 0. */
    rung: number;
    /** Right or wrong answers in a row on this rung. */
    right: number;
    wrong: number;
    /** Right answers in a row, on any rung. */
    streak: number;
    /** The longest streak. */
    best: number;
    /** Answers given on each rung. */
    done: number[];
  }
}

/** A deal entered card by card. */
declare namespace ByHand {
  interface Deal {
    dealer: number;
    starter: string | null;
    play: { card: string; who: number }[];
    crib: { card: string; who: number }[];
    goes: boolean;
  }

  /** The server's answer for the deals entered. */
  interface Checked {
    front: number[];
    deals: { after: number[]; before: number[] }[];
    over: boolean;
    result: string | null;
  }
}
