// @ts-check

/** @typedef {{seat: number, table: string, level: string}} Trouble a computer that plays below its level, and why */

/**
 * The table as this page shows it just now; `table.js` makes the only one.
 * @typedef {object} Desk
 * @property {string} game
 * @property {import("./follow.js").View} view
 * @property {string[]} names
 * @property {(string | null)[]} levels of the computers, by seat
 * @property {number | null} moment seconds in which a claim may be challenged
 * @property {Trouble[]} trouble
 * @property {{seat: number, path: string}[]} invitations
 * @property {any} match
 * @property {any[]} choices what the reader may do now
 * @property {boolean} settled whether the picture is the server's, with nothing left to show
 * @property {"" | "drawn"} scene
 * @property {string[]} picked cards lifted for the crib
 * @property {string[]} says what each seat has just said, beside its name
 * @property {number[]} gains points just pegged, by side
 * @property {import("./show.js").Counted[]} shows hands counted in this deal
 * @property {(import("./show.js").Counted & {starter: string}) | null} counting
 * @property {any} lastClaim
 * @property {string} face which faces the cards have
 * @property {any} board
 * @property {(type: string) => boolean} may
 * @property {(action: any) => void} act
 * @property {(type: string, data?: any) => boolean} send
 * @property {(words: string) => void} toast
 * @property {(card: string, size: "s" | "m" | "l" | "fill", more?: {class?: string, label?: string}) => SVGSVGElement} card
 * @property {(event: any) => void} pegTo
 * @property {number} lift which part of the pack is lifted
 * @property {(size: number) => number} cutAt
 * @property {() => void} render
 */

export {};
