/** The cribbage board: how it is asked for, and how its drawing is laid out. */
declare namespace Pegboard {
  interface Options {
    type?: "A" | "B";
    /** 2 to 4; type B seats two. */
    sides?: number;
    /** 121, 61, or any other for the long track. */
    target?: number;
    /** One a side, for the spoken description. */
    names?: string[];
    skunk?: boolean;
    doubleSkunk?: boolean;
    /**
     * auto: tall from 900 px of window width, wide and folded below; fit: what fills the space given by fit() best,
     * whole where its holes can then be distinguished.
     */
    layout?: "auto" | "fit" | "tall" | "wide";
    /** The words on the fold button. */
    labels?: { whole: string; fold: string };
    /** The picture's name for a screen reader. */
    describe?: (pegs: Pegs, names: string[]) => string;
  }

  interface Pegs {
    front: number[];
    rear: number[];
    games: number[];
  }

  /** A peg in the reader's hand: where a hole lies, if it is shown, and the peg over it. */
  interface MovingPeg {
    node: SVGGElement;
    at(score: number): Point | null;
    put(score: number): void;
  }

  interface Moves {
    update(next: Partial<Pegs>): void;
    animate(side: number, from: number, to: number, msPerHole?: number): Promise<void>;
    /** End every walk at once. */
    finish(): void;
    setCollapsed(fold: boolean): void;
    movingPeg(side: number, from: number, to: number): MovingPeg;
    /** How many pixels it may have. */
    fit(width: number, height: number): void;
  }

  type Element = HTMLDivElement & Moves & { readonly pegs: Pegs };

  /** How the board lies. */
  interface Lie {
    tall: boolean;
    folded: boolean;
  }

  interface Point {
    x: number;
    y: number;
  }

  interface Hole {
    lap: number;
    column: string | number;
    row: number;
  }

  /** A line that decides skunks, and the hole it follows. */
  interface SkunkLine {
    after: number;
    mark: string;
  }

  interface Layout {
    sides: number;
    target: number;
    /** Streets stand upright. */
    tall: boolean;
    /** Those shown. */
    streets: number[];
    /** Between the tracks of a street. */
    spacing: number;
    /** Space in the board's middle. */
    centre: number;
    /** How far the track swings out between streets `d` apart. */
    bend: (d: number, least: number) => number;
  }

  interface Plan {
    width: number;
    height: number;
    /** The board's middle line, across the streets; null where a part of it is folded away. */
    middle: number | null;
    /** `u` along the streets, `v` across them. */
    point: (u: number, v: number) => Point;
    /** Where a score stands, if that is shown. */
    at: (side: number, score: number, start?: number) => Point | null;
  }

  /** What else is known of the long track. */
  interface Tracks {
    streets: number[];
    /** A street's breadth. */
    across: number;
    /** Where a shown street begins, across the board. */
    start: (street: number) => number;
    lane: (side: number, street: number) => number;
    /** Between the innermost tracks of a street and the next. */
    joint: (street: number) => number;
  }

  /** What else is known of the columns of type B. */
  interface Columns {
    columns: number[];
    own: (side: number, u: number, inner: boolean) => Point;
  }

  type PlanA = Plan & Tracks;
  type PlanB = Plan & Columns;
  type Drawn = Layout & { lines: SkunkLine[] };
}
