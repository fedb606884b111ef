// Written by `python -m tests.web.wire_types` from the server's records: change those, write it again.

declare namespace Wire {
  /** Rank and suit: "5H", "TC". */
  type Card = string;

  interface TableMessage {
    t: "table";
    v: number;
    d: WholeTable;
  }

  interface WholeTable {
    view: View;
    choices: Choice[];
    match: MatchState;
    undo: boolean;
    hints: boolean;
    fallbacks: Fallback[];
    closed: boolean;
    names: string[];
    levels: (string | null)[];
    options: TableOptions;
    commitment: string;
    sentences: string[];
    invitations: Invitation[];
  }

  interface View {
    seat: number;
    rules: Rules;
    phase: Phase;
    to_act: number[];
    seating: number[];
    drawn: Card[][];
    drawing: number[];
    drawn_at: number[];
    dealer: number;
    deal: number;
    hand: Card[];
    kept: Card[];
    discarded: Card[];
    hand_sizes: number[];
    starter: Card | null;
    played: [number, Card][];
    count_ends: number[];
    count: number;
    said_go: number[];
    turn: number;
    open_hands: Card[][];
    open_crib: Card[];
    claim: number | null;
    front: number[];
    rear: number[];
    won: GameWon | null;
    past: PastDeal[];
  }

  interface Rules {
    variant: Variant;
    seats: number;
    sides: number;
    dealt: number;
    dealt_to_crib: number;
    discards: number;
    one_count: boolean;
    three_for_last: boolean;
    target: number;
    first_dealer: FirstDealer;
    partners_by_draw: boolean;
    cut_before_deal: boolean;
    starter: Starter;
    skunk: boolean;
    double_skunk: boolean;
    counting: Counting;
    muggins: Muggins;
  }

  type Variant = "six-card" | "five-card" | "three-handed" | "partners" | "four-handed";

  type FirstDealer = "low" | "high" | "named";

  type Starter = "cut" | "top";

  type Counting = "automatic" | "claimed-hands" | "claimed";

  type Muggins = "off" | "missed" | "missed-and-overclaims";

  type Phase = "name-dealer" | "draw" | "draw-turn" | "cut" | "deal" | "discard" | "cut-stock" | "starter" | "play" | "claim" | "challenge" | "over";

  interface GameWon {
    type: "GameWon";
    side: number;
    scores: number[];
    lost: number[];
    forfeited: number | null;
    why: ForfeitedFor | null;
  }

  type ForfeitedFor = "resigned" | "time" | "away" | "failed";

  interface PastDeal {
    dealer: number;
    starter: Card;
    kept: Card[][];
    discarded: Card[][];
    crib: Card[];
    played: [number, Card][];
    count_ends: number[];
  }

  interface MatchState {
    tally: number[];
    game: number;
    length: Length;
    winners: number[];
  }

  type Length = "open" | "to-2" | "to-3" | "to-5" | "to-7" | "nine";

  interface Fallback {
    seat: number;
    table: string | null;
    level: string;
  }

  interface TableOptions {
    board: Board;
    challenge_seconds: number | null;
    daily: string | null;
    evening: string;
  }

  type Board = "A" | "B";

  interface Invitation {
    seat: number;
    path: string;
  }

  interface EventMessage {
    t: "event";
    v: number;
    d: EventReport;
  }

  interface EventReport {
    event: Event | null;
    sentence: string;
    spoken: string[] | null;
    named: NamedScore[] | null;
  }

  interface NamedScore {
    name: string;
    label: string;
    cards: Card[];
    points: number;
    words: string;
  }

  interface ViewMessage {
    t: "view";
    v: number;
    d: SettledTable;
  }

  interface SettledTable {
    view: View;
    choices: Choice[];
    match: MatchState;
    undo: boolean;
    hints: boolean;
    fallbacks: Fallback[];
    closed: boolean;
  }

  interface WaitingMessage {
    t: "waiting";
    d: Awaited;
  }

  interface Awaited {
    seats: number[];
    challenge_seconds_left: number | null;
  }

  interface ClockMessage {
    t: "clock";
    d: Clock;
  }

  interface Clock {
    seats: SeatTime[];
    move_seconds: number | null;
    away_seconds: number | null;
    on_timeout: string;
  }

  interface SeatTime {
    running: "away" | "move" | null;
    seconds_left: number | null;
    level: string | null;
  }

  interface DealingMessage {
    t: "dealing";
    d: Dealing;
  }

  interface Dealing {
    game: number;
    stage: "committing" | "dealing" | "revealing";
    commitment: string;
    committed: string[];
    seeds: string[];
    awaited: number[];
    links: string[];
    deals: string[][];
  }

  interface PeopleMessage {
    t: "people";
    d: People;
  }

  interface People {
    present: boolean[];
    open: boolean[];
    player_numbers: number[];
    spectators: number;
  }

  interface PassMessage {
    t: "pass-screen";
    d: ScreenPass;
  }

  interface ScreenPass {
    number: number;
    to_seat: number | null;
    is_covered: boolean;
    own_seats: number[];
    names: string[];
    waiting_seats: number[];
    front: number[];
    sentences: string[];
  }

  interface QuickChatMessage {
    t: "chat";
    d: ChatLine;
  }

  interface ChatLine {
    person: number;
    message: "again" | "back" | "good-game" | "leaving" | "luck" | "moment" | "nice-hand" | "nice-peg" | "sorry" | "thanks";
  }

  interface HintMessage {
    t: "hint";
    d: Advice;
  }

  interface Advice {
    nudge: string;
    idea: string;
    cards: Card[];
    sentence: string;
    value: string;
    others: string[];
  }

  interface CoachMessage {
    t: "coach";
    d: Verdict;
  }

  interface Verdict {
    mark: string | null;
    cost: string;
    best: Card[];
    reasons: string[];
    is_paused: boolean;
  }

  interface PongMessage {
    t: "pong";
    d: null;
  }

  interface RefusedMessage {
    t: "refused";
    d: Refusal;
  }

  interface Refusal {
    code: string;
    rule: string | null;
    message: string;
  }

  type ServerMessage =
    | TableMessage
    | EventMessage
    | ViewMessage
    | WaitingMessage
    | ClockMessage
    | DealingMessage
    | PeopleMessage
    | PassMessage
    | QuickChatMessage
    | HintMessage
    | CoachMessage
    | PongMessage
    | RefusedMessage;

  interface Act {
    t: "act";
    d: Choice;
    v: number | null;
  }

  interface NextGame {
    t: "next-game";
    d: string | null;
  }

  interface Commit {
    t: "commit";
    d: string;
  }

  interface Reveal {
    t: "reveal";
    d: string;
  }

  interface Undo {
    t: "undo";
  }

  interface Resign {
    t: "resign";
    d: number;
  }

  interface ClaimAbsent {
    t: "claim-absent";
    d: Absent;
  }

  interface Absent {
    seat: number;
    outcome: "forfeit" | "level";
  }

  interface ComeBack {
    t: "come-back";
  }

  interface Ping {
    t: "ping";
  }

  interface AskHint {
    t: "hint";
    d: Card[];
  }

  interface Coach {
    t: "coach";
    d: boolean;
  }

  interface Continue {
    t: "continue";
  }

  interface Lang {
    t: "lang";
    d: "en" | "ja";
  }

  interface SendChat {
    t: "chat";
    d: "again" | "back" | "good-game" | "leaving" | "luck" | "moment" | "nice-hand" | "nice-peg" | "sorry" | "thanks";
  }

  interface UncoverScreen {
    t: "uncover-screen";
    d: number;
  }

  type PageMessage =
    | Act
    | NextGame
    | Commit
    | Reveal
    | Undo
    | Resign
    | ClaimAbsent
    | ComeBack
    | Ping
    | AskHint
    | Coach
    | Continue
    | Lang
    | SendChat
    | UncoverScreen;

  interface SpectatorTableMessage {
    t: "spectator-table";
    v: number;
    d: SpectatorTable;
  }

  interface SpectatorTable {
    view: PublicView;
    match: MatchState;
    names: string[];
    levels: (string | null)[];
    options: TableOptions;
    commitment: string;
    sentences: string[];
    last_deal: LastDeal | null;
    is_abandoned: boolean;
    is_awaiting_seeds: boolean;
  }

  interface PublicView {
    rules: Rules;
    phase: Phase;
    to_act: number[];
    seating: number[];
    drawn: Card[][];
    drawing: number[];
    drawn_at: number[];
    dealer: number;
    deal: number;
    hand_sizes: number[];
    starter: Card | null;
    played: [number, Card][];
    count_ends: number[];
    count: number;
    said_go: number[];
    turn: number;
    open_hands: Card[][];
    open_crib: Card[];
    claim: number | null;
    front: number[];
    rear: number[];
    won: GameWon | null;
  }

  interface LastDeal {
    hands: Card[][];
    crib: Card[];
    starter: Card | null;
    dealer: number;
  }

  interface SpectatorCountMessage {
    t: "spectator-count";
    d: SpectatorCount;
  }

  interface SpectatorCount {
    delay_seconds: number;
    count: number;
  }

  type SpectatorMessage =
    | SpectatorTableMessage
    | SpectatorCountMessage
    | DealingMessage
    | RefusedMessage
    | PongMessage;

  interface Picked {
    type: "Picked";
    seat: number;
    at: number;
  }

  interface Drew {
    type: "Drew";
    seat: number;
    card: Card;
  }

  interface DrawTied {
    type: "DrawTied";
    seats: number[];
  }

  interface PartnersMade {
    type: "PartnersMade";
    seating: number[];
  }

  interface DealerChosen {
    type: "DealerChosen";
    dealer: number;
  }

  interface DeckCut {
    type: "DeckCut";
    seat: number;
    at: number;
  }

  interface Dealt {
    type: "Dealt";
    hands: Card[][];
    crib: Card[];
  }

  interface Discarded {
    type: "Discarded";
    seat: number;
    cards: Card[];
  }

  interface StockCut {
    type: "StockCut";
    seat: number;
    at: number;
  }

  interface StarterTurned {
    type: "StarterTurned";
    card: Card;
  }

  interface Played {
    type: "Played";
    seat: number;
    card: Card;
    count: number;
  }

  interface WentGo {
    type: "WentGo";
    seat: number;
  }

  interface CountCleared {
    type: "CountCleared";
    count: number;
  }

  interface Shown {
    type: "Shown";
    seat: number;
    cards: Card[];
    crib: boolean;
  }

  interface Claimed {
    type: "Claimed";
    seat: number;
    points: number;
  }

  interface MugginsCalled {
    type: "MugginsCalled";
    seat: number;
  }

  interface Accepted {
    type: "Accepted";
    seat: number;
  }

  interface ClaimSettled {
    type: "ClaimSettled";
    seat: number;
    claimed: number;
    right: number;
    scores: Score[];
    caller: number | null;
  }

  interface Score {
    name: ScoreName;
    cards: Card[];
    points: number;
    rule: string;
  }

  type ScoreName = "fifteen" | "pair" | "pair_royal" | "double_pair_royal" | "run" | "flush" | "nobs" | "thirty_one" | "last_card" | "heels" | "three_for_last" | "muggins";

  interface Pegged {
    type: "Pegged";
    seat: number;
    side: number;
    points: number;
    score: number;
    reason: PeggedFor;
    scores: Score[];
  }

  type PeggedFor = "play" | "last_card" | "hand" | "crib" | "heels" | "three_for_last" | "muggins";

  interface DealEnded {
    type: "DealEnded";
    dealer: number;
  }

  type Event =
    | Picked
    | Drew
    | DrawTied
    | PartnersMade
    | DealerChosen
    | DeckCut
    | Dealt
    | Discarded
    | StockCut
    | StarterTurned
    | Played
    | WentGo
    | CountCleared
    | Shown
    | Claimed
    | MugginsCalled
    | Accepted
    | ClaimSettled
    | Pegged
    | DealEnded
    | GameWon;

  interface Draw {
    type: "Draw";
    seat: number;
    at: number;
  }

  interface Cut {
    type: "Cut";
    seat: number;
    at: number;
  }

  interface Discard {
    type: "Discard";
    seat: number;
    cards: Card[];
  }

  interface Play {
    type: "Play";
    seat: number;
    card: Card;
  }

  interface Go {
    type: "Go";
    seat: number;
  }

  interface Claim {
    type: "Claim";
    seat: number;
    points: number;
  }

  interface CallMuggins {
    type: "CallMuggins";
    seat: number;
  }

  interface Accept {
    type: "Accept";
    seat: number;
  }

  interface NameDealer {
    type: "NameDealer";
    dealer: number;
  }

  type Choice =
    | Draw
    | Cut
    | Discard
    | Play
    | Go
    | Claim
    | CallMuggins
    | Accept
    | NameDealer;

  interface Count {
    hand: Card[];
    starter: Card | null;
    crib: boolean;
    five: boolean;
    part: string | null;
    points: number;
    scores: CountedScore[];
    named: NamedScore[];
    shape: Shape | null;
    nothing: string[];
  }

  interface CountedScore {
    name: ScoreName;
    label: string;
    cards: Card[];
    points: number;
    total: number;
    rule: string;
    spoken: string;
  }

  interface Shape {
    name: string;
    label: string;
    points: number;
  }

  interface SteppedPlay {
    id: string;
    group: string;
    names: string[];
    hands: Card[][];
    steps: Step[];
    makes: string;
  }

  interface Step {
    seat: number;
    step: string;
    count: number;
    in_count: [number, Card][];
    points: number;
    rules: string[];
    lit: Card[];
    sentence: string;
    front: number[];
  }

  interface SteppedBoard {
    id: string;
    group: string;
    title: string;
    board: Board;
    target: number;
    skunk: boolean;
    double_skunk: boolean;
    steps: BoardStep[];
  }

  interface BoardStep {
    front: number[];
    rear: number[];
    games: number[];
    sentence: string;
  }

  interface TableTerm {
    id: string;
    name: string;
    other_name: string;
    names: string[];
    meaning: string;
    cards: string[];
  }

  interface Screen {
    id: string;
    lesson: number;
    title: string;
    text: string;
    before: Page[];
    after: Page[];
    done: string;
    cards: Card[];
    pick: number;
    accept: Card[][];
    good: Reason[];
    wrong: Reason[];
    hint: string;
    better: string;
    choices: string[];
    labels: string[];
    right: string[];
    played: Card[];
    count: number | null;
    counts: (number | null)[];
    discards: boolean;
    starter: Card | null;
    pegs: [number, number][];
    points: number;
    front: number[];
    rear: number[];
    lit: Card[];
    held: Card[] | null;
  }

  interface Page {
    words: string;
    title: string;
    scores: ScoreToFind[];
    cards: Card[];
    shown: Card[];
    starter: Card | null;
    count: number | null;
    total: number | null;
    front: number[];
    rear: number[];
    held: Card[] | null;
  }

  interface ScoreToFind {
    name: string;
    label: string;
    cards: Card[];
    points: number;
    ask: string;
  }

  interface Reason {
    answer: string[];
    why: string;
  }

  interface DailyNow {
    day: string;
    game: string | null;
    over: boolean;
    own: DailyScore | null;
    levels: LevelScore[];
    more: boolean;
  }

  interface DailyScore {
    lost: number | null;
    decisions: number;
    front: number[];
    won: boolean;
    deals: (string | null)[];
  }

  interface LevelScore {
    level: string;
    score: DailyScore;
  }

  interface DailyTasks {
    day: string;
    deal: Problem;
    problem: Problem;
    hand: Card[];
    starter: Card;
  }

  interface Problem {
    id: string;
    kind: string;
    pick: number;
    hand: Card[];
    own: number;
    other: number;
    target: number;
    own_deal: boolean;
    own_crib: boolean;
    starter: Card | null;
    discarded: Card[];
    count: number;
    in_count: PlayedCard[];
    before: PlayedCard[];
    fits: Card[];
  }

  interface PlayedCard {
    card: Card;
    own: boolean;
  }

  interface DailyVerdict {
    deal: JudgedAnswer;
    problem: JudgedAnswer | null;
    discards: DiscardCount[];
  }

  interface JudgedAnswer {
    right: boolean;
    mark: string | null;
    loss: number;
    by_chance: boolean;
    best: Card[];
    choices: WeighedChoice[];
    why: string[];
    due: number | null;
    before: Card[];
  }

  interface WeighedChoice {
    cards: Card[];
    points: number;
    win: number | null;
    loss: number;
    chosen: boolean;
  }

  interface DiscardCount {
    cards: Card[];
    count: number;
  }

  interface NextProblem {
    problem: Problem | null;
    now: number;
    later: number;
    waiting: number;
    days: number | null;
  }
}
