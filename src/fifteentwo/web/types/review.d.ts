/** The review of a game: its pictures, its decisions, and what the page draws of them. */
declare namespace Review {
  /** A view without a seat, with all cards. */
  type Picture = Omit<Wire.View, "seat" | "hand" | "kept" | "discarded"> & {
    hands: string[][];
    hands_kept: string[][];
    discarded: string[][];
    crib: string[];
  };

  interface Moment {
    /** The actions that it spans. */
    first: number;
    last: number;
    deal: number;
    /** Numbers of the pictures before and after it. */
    before: number;
    after: number;
    sentences: string[];
    counted: Table.Counted | null;
  }

  interface Option {
    /** Cards to discard, or the rank of one to play. */
    choice: string;
    points: number;
    win: number | null;
    hand?: number;
    crib?: number;
    play?: number;
  }

  type Mark = "small" | "mistake" | "blunder";

  interface Decision {
    deal: number;
    step: number;
    seat: number;
    kind: "discard" | "play" | "claim" | "muggins";
    score: number[];
    hand: string[];
    count: number | null;
    card: string | null;
    chosen: string;
    best: string;
    loss_points: number;
    loss_win: number | null;
    win: number | null;
    win_chosen: number | null;
    mark: Mark | null;
    obvious: boolean;
    /** Best first. */
    options: Option[];
    why: string[];
    /** Why the best choice is better than each other one, by discard or card, if the decision was costly. */
    why_of?: Record<string, string[]>;
  }

  /** The win probability of seat 0 after an action, and of each seat by what it saw. */
  interface Point {
    step: number;
    deal: number;
    win: number;
    views?: number[];
  }

  interface Luck {
    deal: number;
    step: number;
    seat: number;
    kind: string;
    luck: number;
  }

  interface SeatTotal {
    decisions: number;
    counted: number;
    loss_points: number;
    loss_win: number | null;
    luck: number | null;
    rating: number | null;
    rating_error: number | null;
    result: number | null;
    adjusted_result: number | null;
    luck_adjusted_result: number | null;
    band: string | null;
  }

  interface Whole {
    by_chance: boolean;
    curve: Point[];
    seats: SeatTotal[];
  }

  interface Story {
    names: string[];
    pictures: Partial<Picture>[];
    moments: Moment[];
  }

  /** One line of the server's answer. */
  type Line =
    | { t: "story"; d: Story }
    | { t: "ahead"; d: number }
    | { t: "decision"; d: Decision }
    | { t: "luck"; d: Luck }
    | { t: "point"; d: Point }
    | { t: "whole"; d: Whole }
    | { t: "refused"; d: string };

  interface CourseLine {
    side: number;
    points: { step: number; value: number }[];
  }

  /** The drawing of a game's course. */
  interface Course {
    /** Number of actions. */
    length: number;
    /** The greatest value. */
    top: number;
    lines: CourseLine[];
    /** The value at which neither side is ahead. */
    middle: number | null;
    /** The first action of each deal. */
    deals: { step: number; words: string }[];
    marks: { step: number; value: number; mark: Mark; side: number }[];
    /** Values marked by a line. */
    rules: number[];
    /** What the greatest and the least value mean. */
    ends?: string[];
    write: (value: number) => string;
    /** What the numbers below the drawing count. */
    across: string;
    /** Accessible name of the drawing. */
    name: string;
  }

  /** One screen of the story. */
  interface Screen {
    kind: "result" | "mistake" | "well" | "drill" | "onward";
    title: string;
    /** Sentences; of a mistake those before the reader has chosen. */
    lines: string[];
    decision: Decision | null;
    /** A counted hand and its starter. */
    shown?: { cards: string[]; starter: string };
    /** The address of the next game. */
    href?: string;
    /** A set of problems like the costliest mistake, and the link to the full review. */
    drill?: { href: string; words: string; full: string };
  }

  /** What the table shows. */
  interface Sight {
    picture: Picture;
    /** The seat from which the game is seen. */
    seat: number;
    moment: Moment;
    /** Whether all cards are shown. */
    open: boolean;
    prompt: string;
    /** Cards of the best choice, and of the choice made. */
    best: string[];
    chosen: string[];
    /** The word beside the cards of the choice made. */
    tag: string;
  }

  /** What the lists of decisions need. */
  interface ListOptions {
    names: string[];
    sideOf: (seat: number) => number;
    ownCrib: (decision: Decision) => boolean;
    go: (decision: Decision) => void;
  }
}
