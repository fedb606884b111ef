/** The state of a table on a page and the actions there: played, spectated, or reviewed. */
declare namespace Table {
  /** A hand or crib that is being counted or was counted. */
  interface Counted {
    seat: number;
    crib: boolean;
    cards: string[];
    starter: string;
    scores: Wire.Score[];
    /** The spoken form of each score. */
    spoken: string[];
    /** The scores as learners count them. */
    named?: Wire.NamedScore[];
    points: number;
    /** Why it scores nothing although it nearly does. */
    near?: string[];
    /** The claimed points. */
    claimed?: number;
    /** The seat that called muggins, and its points. */
    caller?: [number, number];
    done?: boolean;
  }

  /** A settled claim, and the reasons why its card or hand scores nothing. */
  type SettledClaim = Wire.ClaimSettled & { nothing: string[] };

  type Opened = Pick<Counted, "seat" | "crib" | "cards">;

  /** A button next to the prompt while a player is away. */
  interface Offer {
    id: string;
    action: string;
    words: string;
    primary: boolean;
    message: Wire.PageMessage;
    /** The seat whose time the button counts down; it can be pressed once the time is up. */
    counts: number | null;
    open: boolean;
  }

  interface LogLine {
    words: string;
    /** Whether the felt shows the line too. */
    felt: boolean;
  }

  /** The state of a table, made by `newState`. Scripts draw it; nothing is read back from the page. */
  interface State {
    // The table, as the server describes it
    /** Identifier in the address; "" for a spectator or a review. */
    readonly game: string;
    /** "shared" for pass-and-play, where nobody is addressed as "you". */
    role: "player" | "shared" | "spectator";
    /** Whether a view has been received. Reading `view` before is an error. */
    readonly begun: boolean;
    view: Wire.View;
    names: string[];
    /** Levels of the computers by seat, null for a person. */
    levels: (string | null)[];
    /** Date of the daily deal, null for other games. */
    daily: string | null;
    /** The evening whose table it is, empty for other games. */
    evening: string;
    match: Wire.MatchState | null;
    /** Computers that play below their level. */
    fallbacks: Wire.Fallback[];
    people: Wire.People | null;
    /** Whether hints are allowed. */
    hints: boolean;
    /** Whether the table is closed for good. */
    closed: boolean;
    /** Whether the server offers undo. */
    undo: boolean;
    /** Actions that the rules allow the reader now. */
    choices: Wire.Choice[];
    /** Seconds for a challenge, null without a limit. */
    challengeSeconds: number | null;
    /** Clocks as last received, and the time of receipt. */
    clock: { now: Wire.Clock; at: number } | null;
    /** Everyone's cards in a recorded game. */
    open: { hands: string[][]; crib: string[] } | null;
    /** What is known of the dealing. */
    dealing: ReturnType<typeof import("../static/dealing/monitor.js").monitorDealing>["stands"] | null;

    // The connection
    connection: "open" | "lost" | "gone";
    /** Whether an action was sent and not yet answered; prevents double taps. */
    sent: boolean;

    // What is being shown
    /** Whether the page shows the server's latest view, with no event left to show. */
    settled: boolean;
    log: LogLine[];
    /** A scene that stays for a while: the cards drawn, or the summary of a deal. */
    scene: "" | "drawn" | "read";
    /** Text of each seat's bubble. */
    bubbles: string[];
    /** Points just pegged, by side. */
    gains: number[];
    /** Hands counted in this deal. */
    shows: Counted[];
    /** The scores as a deal began, if the page has seen it. */
    dealt: { deal: number; front: number[] } | null;
    counting: Counted | null;
    board: Pegboard.Element | null;
    /** Target of the first game's helpers until a side has reached it. */
    goal: number | null;

    // Questions of the page itself
    /** Ends a pause for reading. */
    resume: (() => void) | null;
    /** A question of the page, and its buttons. */
    question: { words: string; buttons: () => Element[] } | null;
    /** Prompt and buttons while a player is away. */
    away: { prompt: string; offers: Offer[] } | null;
    /** End of the time for a challenge, in milliseconds since 1970; 0 without one. */
    deadline: number;

    // What the reader is doing
    /** Cards chosen for the crib. */
    picked: string[];
    /** Whether to cut the deck as soon as possible. */
    cutNext: boolean;
    /** Whether the last input was by keyboard. */
    byKeyboard: boolean;
    /** An unsent or unanswered card: the view before it, and whether it can be taken back. */
    unsentCard: { view: Wire.View; open: boolean } | null;
    /** A choice that is sent when the connection is back, and what the reader saw then. */
    delayed: { action: Wire.Choice; position: string } | null;

    // Claimed counting
    /** The claim being put together, and the card or hand it is for. */
    tally: Claims.Tally;
    tallyFor: string;
    /** The card being played, and the points claimed with it. */
    cardAndClaim: { card: string; points: number } | null;
    /** The claim of 0 that will be accepted, and when. */
    zeroClaim: { of: string; timer: ReturnType<typeof setTimeout> | undefined; until: number } | null;
    lastClaim: SettledClaim | null;

    // Hint and coach
    /** The position and the raised cards for which a hint was requested. */
    hintAsked: string;
    hintRaised: string;
    /** The last hint with its position, its raised cards and the step that is shown. */
    hint: { advice: Wire.Advice; of: string; raised: string; step: number } | null;
    /** The position of the last choice (`choiceKey`). */
    chosenAt: string;
    /** Whether the helpers of a first game give hints and verdicts. */
    advised: boolean;
    /** Whether the server judges each choice. */
    coached: boolean;
    /** The last verdict and its deal. */
    verdict: { verdict: Wire.Verdict; deal: number } | null;
  }

  /** Actions of a page at a table; for a spectator or a review most do nothing. */
  interface Actions {
    act(action: Wire.Choice): void | Promise<void>;
    /** Send a message. Return false if it could not be sent. */
    send(message: Wire.PageMessage): boolean;
    render(): void;
  }

  /** The callbacks of a lazily loaded script. */
  interface Subscriber {
    picture?(state: State, actions: Actions): void;
    connection?(state: State): void;
    chat?(message: Wire.ChatLine): void;
    before?(state: State, event: Wire.Event): void | Promise<void>;
    after?(state: State, event: Wire.Event): void | Promise<void>;
    counted?(score: Wire.NamedScore, words: Element): void | Promise<void>;
  }

  /** The data of an event that is shown for a while. */
  interface Scene {
    state: State;
    actions: Actions;
    sentence: string;
    /** The count of a hand. */
    words: { spoken?: string[]; named?: Wire.NamedScore[] };
    /** Whether the reader caused the event. */
    own: boolean;
    /** Shows the view after the event and logs the event. */
    step: () => void;
    /** Resolves to the next event. */
    next: () => Promise<Wire.Event | null>;
    /** Waits until the reader continues. */
    gate: () => Promise<void>;
  }

  type Performer<T extends Wire.Event["type"]> = (
    scene: Scene,
    event: Extract<Wire.Event, { type: T }>,
  ) => Promise<void> | void;

  /** How far the first game is; the browser stores it. */
  interface FirstGame {
    game: string;
    /** The side that reached the goal first, if the page has shown it. */
    winner: number | null;
    /** Whether the reader reached it first. */
    won: boolean;
    /** Terms already explained. */
    explained: string[];
    over: boolean;
  }

  /** The callbacks of a connection. */
  interface LineHandlers<M extends { t: string }> {
    /** Further parameters of each connection. */
    query?: () => Record<string, string>;
    receive: (message: M) => unknown;
    state: (state: "open" | "lost" | "gone") => void;
  }
}

/** The claim that the reader puts together. */
declare namespace Claims {
  /** What may be counted, and its points. */
  type Item = [name: string, points: number];

  /** An item counted, the sum with it, and its cards. */
  interface Counted {
    item: Item;
    sum: number;
    cards: string;
  }

  interface Tally {
    sum: number;
    items: Counted[];
    /** Cards to be counted next. */
    chosen: string[];
    /** Why the last cards counted for nothing. */
    no: "" | "none" | "claimed";
  }

  interface Hand {
    cards: string[];
    crib: boolean;
  }
}
