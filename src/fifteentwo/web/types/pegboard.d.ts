/** The cribbage board: its options and its layout. */
declare namespace Pegboard {
  interface Options {
    type?: "A" | "B";
    /** 2 to 4; type B has two. */
    sides?: number;
    /** 121, 61, or any target on the long track. */
    target?: number;
    /** Names of the sides, for the spoken description. */
    names?: string[];
    skunk?: boolean;
    doubleSkunk?: boolean;
    /**
     * auto: tall from 900 px of window width, otherwise wide and folded. fit: the layout that fills the space of fit()
     * best, whole if the holes can be distinguished.
     */
    layout?: "auto" | "fit" | "tall" | "wide";
    /** Labels of the fold button. */
    labels?: { whole: string; fold: string };
    /** Returns the accessible name of the picture. */
    describe?: (pegs: Pegs, names: string[]) => string;
  }

  interface Pegs {
    front: number[];
    rear: number[];
    games: number[];
  }

  /** A peg moved by the reader: places of visible holes, and the peg above the drawing. */
  interface MovingPeg {
    node: SVGGElement;
    at(score: number): Point | null;
    put(score: number): void;
  }

  interface Moves {
    update(next: Partial<Pegs>): void;
    animate(side: number, from: number, to: number, msPerHole?: number): Promise<void>;
    /** End every walk. */
    finish(): void;
    setCollapsed(fold: boolean): void;
    movingPeg(side: number, from: number, to: number): MovingPeg;
    /** Set the available pixels. */
    fit(width: number, height: number): void;
  }

  type Element = HTMLDivElement & Moves & { readonly pegs: Pegs };

  /** The layout of the board. */
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

  /** A skunk line and the hole before it. */
  interface SkunkLine {
    after: number;
    mark: string;
  }

  interface Layout {
    sides: number;
    target: number;
    /** Whether the streets are vertical. */
    tall: boolean;
    /** The visible streets. */
    streets: number[];
    /** Distance between the tracks of a street. */
    spacing: number;
    /** Space in the middle of the board. */
    centre: number;
    /** How far the track swings out between streets `d` apart. */
    bend: (d: number, least: number) => number;
  }

  interface Plan {
    width: number;
    height: number;
    /** The middle line of the board, across the streets; null if it is folded away. */
    middle: number | null;
    /** Return the point `u` along the streets and `v` across them. */
    point: (u: number, v: number) => Point;
    /** Return the place of a score, if visible. */
    at: (side: number, score: number, start?: number) => Point | null;
  }

  /** Layout of the long track. */
  interface Tracks {
    streets: number[];
    /** Width of a street. */
    across: number;
    /** Return where a visible street begins, across the board. */
    start: (street: number) => number;
    lane: (side: number, street: number) => number;
    /** Return the distance between the innermost tracks of a street and the next. */
    joint: (street: number) => number;
  }

  /** Layout of the columns of type B. */
  interface Columns {
    columns: number[];
    own: (side: number, u: number, inner: boolean) => Point;
  }

  type PlanA = Plan & Tracks;
  type PlanB = Plan & Columns;
  type Drawn = Layout & { lines: SkunkLine[] };
}
