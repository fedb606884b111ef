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

  /** The state of the page. */
  interface State {
    /** null during the setup. */
    pad: Pad | null;
    /** The side that scores. */
    active: number;
    typed: string;
    board: Pegboard.Element | null;
    /** The settings for which the board was drawn. */
    boardFor: string;
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

  /** The state of counting practice. */
  interface CountState {
    dealt: Dealt;
    round: { right: boolean; ms: number }[];
    claimed: Score[];
    chosen: string[];
    typed: string;
    /** Time of the first look at the hand, in milliseconds. */
    began: number;
    stage: "before" | "asked" | "answered" | "over";
    clock: ReturnType<typeof setInterval> | undefined;
    /** Timer of the next hand. */
    onward: ReturnType<typeof setTimeout> | undefined;
  }

  /** For each set how many were solved and right. */
  type Progress = Record<string, [done: number, right: number]>;

  /** A wrong answer. */
  interface Missed {
    hand: string[];
    kind: string;
    chosen: string[];
    result: Wire.JudgedAnswer;
    loss: number;
  }

  /** The state of decisions to solve. */
  interface SolveState {
    problem: Wire.Problem | null;
    chosen: string[];
    solved: boolean;
    /** Number of own mistakes that are due. */
    due: number;
    ladder: Ladder;
    /** The first answers to the problems of this sitting; of wrong ones what they were. */
    round: { right: boolean; missed: Missed | null }[];
    /** Problems to repeat, and the number of problems to answer before that. */
    wrong: { problem: Wire.Problem; left: number }[];
    isRepeated: boolean;
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

  interface State {
    game: { names: string[]; target: string; deals: Deal[]; deal: Deal | null };
    /** The server's answer for the whole deals. */
    checked: Checked | null;
    error: string;
    asking: boolean;
  }
}

/** The hand checker. */
declare namespace Checking {
  interface State {
    /** Chosen cards by place: the hand, then the starter. */
    places: (string | null)[];
    /** The only kind of score counted ("pairs", …) for cards without a starter, or null. */
    part: string | null;
    /** The place of the next card. */
    active: number;
    count: Wire.Count | null;
    /** Number of scores shown. */
    shown: number;
    timer: ReturnType<typeof setInterval> | undefined;
    /** Number of requests, so that only the last answer counts. */
    asked: number;
    aloud: boolean;
    example: number;
  }
}

/** The explained terms. */
declare namespace Terms {
  interface State {
    asked: Promise<Wire.TableTerm[]> | null;
    terms: Wire.TableTerm[];
    patterns: { name: RegExp; term: Wire.TableTerm }[];
  }

  /** Position of a name in a text. */
  interface Place {
    term: Wire.TableTerm;
    from: number;
    to: number;
  }
}
