/** Dealing determined by everyone's seeds (docs/dealing.md): published values, and what a page has seen. */
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

  /** All published values of a game's dealing. Lists are in the order of the seats that people first took. */
  interface Published {
    /** The server's commitment. */
    commitment: string;
    /** Commitments of the seats: hexadecimal, "computer" or "nothing"; empty if the game is dealt from one secret. */
    committed: readonly string[];
    seeds: readonly string[];
    /** The links that open the draws, then each deal. */
    links: readonly string[];
    /** The lines of the draws, then of each deal. */
    deals: readonly (readonly string[])[];
  }

  /** A deal opened by its link. */
  interface Deal {
    /** The present seat of each player, by first seat. */
    seating: number[];
    /** Dealt cards by seat. */
    hands: string[][];
    /** Cards dealt to the crib. */
    crib: string[];
    eldest: number;
    /** The card turned up. */
    starter: string | null;
    /** Seat and place of the cut. */
    deckCut: [number, number] | null;
    stockCut: [number, number] | null;
    /** The part that is wrong: "link", "draw", "cut" or "cards". */
    wrong: string | null;
  }

  /** The cards of one deal that a page saw. */
  interface Seen {
    hand?: string[];
    starter?: string;
    /** Seat, place, and whether the stock was cut. */
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

  /** Stored values of one game, by table and number. */
  interface Kept {
    /** The server's commitment, as first seen. */
    commitment: string;
    /** All commitments seen before the own seed was sent. */
    committed: string[];
    /** The own seed; empty if none was sent. */
    seed: string;
    /** Cards seen, by deal. */
    seen: Record<string, Seen>;
    /** Number of checked deals. */
    checked: number;
    /** The first fault. */
    fault: Fault | null;
    /** The dealer seen before the own seed was sent; -1 for none. */
    dealer?: number;
    /** The settings of the dealing at that time. */
    agreed?: string;
    /** Whether a card or the end of the game was seen. */
    begun?: boolean;
  }

  /** The dealing of a record. */
  interface Read {
    shape: Shape;
    published: Published;
    names: string[];
  }
}
