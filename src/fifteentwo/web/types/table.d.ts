/** What a page knows of a table, and what it can do there: played on, spectated, or reviewed. */
declare namespace Table {
  /** A hand or crib being counted, or counted. */
  interface Counted {
    seat: number;
    crib: boolean;
    cards: string[];
    starter: string;
    scores: Wire.Score[];
    /** One a score. */
    spoken: string[];
    /** As learners count it. */
    named?: Wire.NamedScore[];
    points: number;
    /** Why it makes nothing, though it nearly does. */
    near?: string[];
    /** What was claimed for it. */
    claimed?: number;
    /** Who called muggins, and for how many points. */
    caller?: [number, number];
    done?: boolean;
  }

  /** A claim that is settled, and why what it was for makes nothing. */
  type SettledClaim = Wire.ClaimSettled & { nothing: string[] };

  type Opened = Pick<Counted, "seat" | "crib" | "cards">;

  /** A button next to the prompt while a player is away. */
  interface Offer {
    id: string;
    action: string;
    words: string;
    primary: boolean;
    message: Wire.PageMessage;
    /** The seat whose time is counted on it; it can be pressed once that is up. */
    counts: number | null;
    open: boolean;
  }

  interface LogLine {
    words: string;
    /** Whether the felt shows it too. */
    felt: boolean;
  }

  /** Made by `newState`; every page has one. Scripts draw it; nothing is read back from the page. */
  interface State {
    /** The table's address; "" for a spectator or a review. */
    readonly game: string;
    /** A player; several who pass and play, where no one is "you"; or none of the players. */
    role: "player" | "shared" | "spectator";
    /** Whether there is a view: before the first message there is none, and reading it is an error. */
    readonly begun: boolean;
    view: Wire.View;
    names: string[];
    /** Of the computers, by seat. */
    levels: (string | null)[];
    /** The day whose deal this is. */
    daily: string | null;
    match: Wire.MatchState | null;
    fallbacks: Wire.Fallback[];
    people: Wire.People | null;
    /** Whether hints may be asked for. */
    hints: boolean;
    /** Whether play at this table has ended for good. */
    closed: boolean;
    /** Whether the server offers undo. */
    undo: boolean;
    choices: Wire.Choice[];

    /** Whether the picture is the server's, with nothing left to show. */
    settled: boolean;
    /** An action is on its way, so that a double tap is one tap. */
    sent: boolean;
    connection: "open" | "lost" | "gone";
    /** Ends what the reader is given time to read. */
    goOn: (() => void) | null;
    /** What the page itself asks for meanwhile, and the buttons for it. */
    asks: { words: string; buttons: () => Element[] } | null;
    /** Seconds for a challenge, and when they are over. */
    challengeSeconds: number | null;
    deadline: number;
    log: LogLine[];

    /** What stays in sight a while: the cards drawn, or the counted hands of a deal. */
    scene: "" | "drawn" | "read";
    /** What each seat has just said, in a bubble next to its name. */
    bubbles: string[];
    /** Points just pegged, by side. */
    gains: number[];
    /** Hands counted in this deal. */
    shows: Counted[];
    counting: Counted | null;
    /** How often a hand has been counted again: each time the stage is drawn for it. */
    replays: number;
    /** The score that a first game is played to, until a side has reached it; else null. */
    goal: number | null;
    lastClaim: SettledClaim | null;
    board: Pegboard.Element | null;
    /** Everybody's cards, where a recorded game shows them. */
    open: { hands: string[][]; crib: string[] } | null;

    /** Cards lifted for the crib. */
    picked: string[];
    /** The points put together for a claim, and the card or hand they are for. */
    tally: import("../static/play/claims/tally.js").Tally;
    tallyFor: string;
    /** A card on its way, and the points claimed with it. */
    cardAndClaim: { card: string; points: number } | null;
    /** The picture before a card that lies on the table and is not sent, or not answered; open: it may be taken back. */
    ahead: { view: Wire.View; open: boolean } | null;
    /** The claim of nothing that stands by itself soon, and when. */
    glance: { of: string; timer: ReturnType<typeof setTimeout> | undefined; until: number } | null;
    /** Whether the deck is cut as soon as it may be. */
    cutNext: boolean;
    /** Whether the reader's last move was with the keyboard. */
    byKeyboard: boolean;

    /** The picture a hint was asked for, and the last one with its picture. */
    hintAsked: string;
    hintRaised: string;
    hint: { advice: Wire.Advice; of: string; raised: string } | null;
    /** Whether the server judges each choice; the last verdict and its deal. */
    coached: boolean;
    verdict: { verdict: Wire.Verdict; deal: number } | null;
    /** What the server said of everybody's time, and when. */
    clock: { now: Wire.Clock; at: number } | null;
    /** What stands in place of the prompt and the buttons while a player is away. */
    away: { prompt: string; offers: Offer[] } | null;
    /** What is known of the dealing. */
    dealing: ReturnType<typeof import("../static/dealing/monitor.js").monitorDealing>["stands"] | null;
  }

  /** What a page can do with a table; for a spectator or a review most of it does nothing. */
  interface Actions {
    act(action: Wire.Choice): void | Promise<void>;
    /** Send a message; false where it could not be sent. */
    send(message: Wire.PageMessage): boolean;
    /** Draw the state. */
    render(): void;
  }

  /** What a script that comes by itself is notified of. */
  interface Subscriber {
    picture?(state: State, actions: Actions): void;
    connection?(state: State): void;
    chat?(message: Wire.ChatLine): void;
    before?(state: State, event: Wire.Event): void | Promise<void>;
    after?(state: State, event: Wire.Event): void | Promise<void>;
    counted?(score: Wire.NamedScore, words: Element): void | Promise<void>;
  }
}
