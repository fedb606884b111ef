/** Dealing that everybody's seeds decide: what is known of it, and what a page saw of it (docs/dealing.md). */
declare namespace Dealing {
  /** How a variant is dealt. */
  interface Shape {
    seats: number;
    /** Cards to each seat. */
    dealt: number;
    dealt_to_crib: number;
    cut_before_deal: boolean;
    /** "cut" or "top". */
    starter: string;
    /** "low", "high" or "named". */
    first_dealer: string;
    partners_by_draw: boolean;
  }

  /** All that is published of a game's dealing; lists go by the seats people came to. */
  interface Published {
    /** The server's. */
    commitment: string;
    /** Hexadecimal, "computer" or "nothing"; none if the game is dealt from one secret. */
    committed: readonly string[];
    seeds: readonly string[];
    /** What opens the draws, then each deal. */
    links: readonly string[];
    /** The lines of the draws, then of each deal. */
    deals: readonly (readonly string[])[];
  }

  /** A deal as its link opens it. */
  interface Deal {
    /** Who came to which seat sits where. */
    seating: number[];
    /** By seat, as dealt. */
    hands: string[][];
    /** Dealt to it. */
    crib: string[];
    eldest: number;
    /** As turned up. */
    starter: string | null;
    /** Seat and place. */
    deckCut: [number, number] | null;
    stockCut: [number, number] | null;
    /** What does not fit: "link", "draw", "cut" or "cards". */
    wrong: string | null;
  }

  /** What a page saw of one deal. */
  interface Seen {
    hand?: string[];
    starter?: string;
    /** Seat, place, and whether it was the stock's. */
    cuts?: [number, number, boolean][];
    cards?: [number, string][];
    crib?: string[];
    seat?: number;
    seating?: number[];
    dealer?: number;
  }

  interface Fault {
    code: string;
    deal?: number;
    seat?: number;
  }

  /** What the browser keeps of one game, by table and number. */
  interface Kept {
    /** The server's, as first seen. */
    commitment: string;
    /** Everyone's, as seen before the own seed was sent. */
    committed: string[];
    /** The own one, empty where none was put in. */
    seed: string;
    /** By deal. */
    seen: Record<string, Seen>;
    /** Deals. */
    checked: number;
    /** The first that was found. */
    fault: Fault | null;
    /** As seen before the own seed was sent, -1 for none. */
    dealer?: number;
    /** What was agreed of the dealing then. */
    agreed?: string;
    /** Whether a card of it was seen, or its end. */
    begun?: boolean;
  }
}
