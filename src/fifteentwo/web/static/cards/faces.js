// The drawings of the deck as SVG text. A hidden sprite holds the shapes; each card is a few <use> elements.

const SUIT_PATHS = {
  H: "M50 95C19 67 3 49 3 30 3 15 15 5 28 5c10 0 18 6 22 16C54 11 62 5 72 5c13 0 25 10 25 25 0 19-16 37-47 65Z",
  D: "M50 1c10 19 24 36 38 49-14 13-28 30-38 49C40 80 26 63 12 50 26 37 40 20 50 1Z",
  S: "M50 2c11 21 45 38 45 62 0 14-10 22-21 22-8 0-15-4-19-11 1 11 4 17 12 22H33c8-5 11-11 12-22-4 7-11 11-19 11C15 86 5 78 5 64 5 40 39 23 50 2Z",
  C: "M50 3a22 22 0 0 1 19 33 22 22 0 1 1-14 36c1 12 4 20 12 25H33c8-5 11-13 12-25a22 22 0 1 1-14-36A22 22 0 0 1 50 3Z",
};

/** Ranks as single strokes in a box 60 wide and 90 high; the ten is wider. */
const GLYPH_PATHS = {
  A: "M3 90 30 3 57 90M14 62H46",
  2: "M6 27C6-7 55-7 55 25 55 46 6 62 6 88H57",
  3: "M8 14C18-4 53-3 53 23 53 37 43 44 27 44 45 44 56 52 56 67 56 96 12 97 4 74",
  4: "M44 90V4L3 64H58",
  5: "M52 3H15L11 42C20 32 56 30 56 61 56 95 13 98 4 76",
  6: "M50 8C28-6 5 22 5 58 5 99 56 98 56 62 56 30 14 30 6 56",
  7: "M3 3H57C40 28 27 58 24 90",
  8: "M30 42C8 42 8 2 30 2S52 42 30 42C-2 42-2 88 30 88S62 42 30 42",
  9: "M10 82C32 96 55 68 55 32 55-9 4-8 4 28 4 60 46 60 54 34",
  T: "M2 17 15 4V90M50 3C25 3 25 88 50 88S75 3 50 3",
  J: "M23 3H55M42 3V62C42 96 10 97 4 73",
  Q: "M30 3C-6 3-6 87 30 87S66 3 30 3M34 62 58 92",
  K: "M8 3V90M54 3 9 54M26 36 57 90",
};

/** Half a court figure each, from the hat to the card's middle line (y 175). */
const COURTS = {
  J:
    '<path class="c-robe" d="M64 175V162C68 143 92 136 110 134H140C158 136 182 143 186 162V175Z"/>' +
    '<path class="c-trim" d="M64 175V162C68 143 92 136 110 134L125 150V175Z"/>' +
    '<path class="c-line" d="M125 150V175M76 175 92 146M94 175 104 152M156 175 147 152M174 175 159 146"/>' +
    '<path class="c-face" d="M116 122H134V146H116Z"/>' +
    '<path class="c-hair" d="M95 84H155V120C155 133 146 134 141 130V98H109V130C104 134 95 133 95 120Z"/>' +
    '<path class="c-face" d="M106 84H144V109C144 126 135 135 125 135S106 126 106 109Z"/>' +
    '<path class="c-paper" d="M100 137 110 131 125 142 140 131 150 137 146 152 136 145 125 157 114 145 104 152Z"/>' +
    '<path class="c-feather" d="M146 68C149 51 162 41 178 40 180 55 170 68 152 75Z"/><path class="c-line" d="M150 70 172 46"/>' +
    '<path class="c-robe" d="M95 80C86 66 102 50 126 50 150 50 162 64 156 80Z"/>' +
    '<path class="c-trim" d="M94 78H156V88H94Z"/>' +
    '<path class="c-feature" d="M114 103V105M136 103V105M125 104V113M117 121Q125 127 133 121"/>',
  Q:
    '<path class="c-hair" d="M125 66C95 66 91 92 93 116 94 134 86 146 80 152H170C164 146 156 134 157 116 159 92 155 66 125 66Z"/>' +
    '<path class="c-robe" d="M64 175V164C68 150 88 144 106 142 112 158 138 158 144 142 162 144 182 150 186 164V175Z"/>' +
    '<path class="c-face" d="M116 124H134V143C134 152 116 152 116 143Z"/>' +
    '<path class="c-face" d="M103 100C103 84 112 78 125 78S147 84 147 100C147 124 136 134 125 134S103 124 103 100Z"/>' +
    '<path class="c-hair" d="M101 104C101 84 112 75 125 75S149 84 149 104C144 92 134 88 125 84 116 88 106 92 101 104Z"/>' +
    '<path class="c-beads" d="M107 145C112 161 138 161 143 145"/>' +
    '<path class="c-trim" d="M64 175V166C72 158 82 161 86 175ZM186 175V166C178 158 168 161 164 175Z"/>' +
    '<path class="c-trim" d="M97 84 92 60 108 70 125 51 142 70 158 60 153 84Q125 69 97 84Z"/>' +
    '<g class="c-gem"><circle cx="92" cy="57" r="5"/><circle cx="125" cy="48" r="5.5"/><circle cx="158" cy="57" r="5"/><circle cx="125" cy="68" r="3.5"/></g>' +
    '<path class="c-feature" d="M110 103Q115 107 120 103M130 103Q135 107 140 103M125 106V112"/><path class="c-lips" d="M119 121Q125 125 131 121"/>',
  K:
    '<path class="c-robe" d="M64 175V160C68 142 92 134 108 132H142C158 134 182 142 186 160V175Z"/>' +
    '<path class="c-paper" d="M96 134C100 150 108 164 112 175H138C142 164 150 150 154 134L140 128H110Z"/>' +
    '<path class="c-spot" d="M104 144v5M146 144v5M110 158v5M140 158v5"/>' +
    '<path class="c-trim" d="M64 175V165L84 175ZM186 175V165L166 175Z"/>' +
    '<path class="c-hair" d="M97 84H153C158 110 154 128 148 136H102C96 128 92 110 97 84Z"/>' +
    '<path class="c-face" d="M104 84H146V112C146 128 136 136 125 136S104 128 104 112Z"/>' +
    '<path class="c-hair" d="M102 104C106 113 114 116 119 112 122 110 128 110 131 112 136 116 144 113 148 104V122C148 142 136 158 125 163 114 158 102 142 102 122Z"/>' +
    '<path class="c-trim" d="M98 88 93 50 111 68 125 43 139 68 157 50 152 88Z"/>' +
    '<path class="c-robe" d="M98 78H152L151 88H99Z"/>' +
    '<g class="c-gem"><circle cx="93" cy="48" r="5"/><circle cx="125" cy="41" r="5.5"/><circle cx="157" cy="48" r="5"/></g>' +
    '<path class="c-feature" d="M109 100Q114 97 119 100M131 100Q136 97 141 100M114 103V105M136 103V105M125 102V110"/><path class="c-smile" d="M118 122Q125 128 132 122"/>',
};

const [LEFT, MID, RIGHT] = [87, 125, 163];
const [R1, R2, R3, R4] = [66, 139, 211, 284];
const pair = (/** @type {number} */ y) => [
  [LEFT, y],
  [RIGHT, y],
];
const middle = (/** @type {number[]} */ ...ys) => ys.map((y) => [MID, y]);
/** Centres of the pips, [x, y] in the 250 × 350 card. @type {Record<string, number[][]>} */
export const PIPS = {
  2: middle(R1, R4),
  3: middle(R1, 175, R4),
  4: [...pair(R1), ...pair(R4)],
  5: [...pair(R1), ...pair(R4), ...middle(175)],
  6: [...pair(R1), ...pair(175), ...pair(R4)],
  7: [...pair(R1), ...pair(175), ...pair(R4), ...middle(120)],
  8: [...pair(R1), ...pair(175), ...pair(R4), ...middle(120, 230)],
  9: [...pair(R1), ...pair(R2), ...pair(R3), ...pair(R4), ...middle(175)],
  T: [...pair(R1), ...pair(R2), ...pair(R3), ...pair(R4), ...middle(103, 247)],
};

const symbol = (/** @type {string} */ id, /** @type {string} */ box, /** @type {string} */ body) =>
  `<symbol id="ft-${id}" viewBox="${box}" overflow="visible">${body}</symbol>`;

export function spriteMarkup() {
  const suits = Object.entries(SUIT_PATHS).map(([suit, d]) =>
    symbol(`suit-${suit}`, "0 0 100 100", `<path d="${d}"/>`),
  );
  const glyphs = Object.entries(GLYPH_PATHS).map(([name, d]) =>
    symbol(`glyph-${name}`, "0 0 60 90", `<path class="glyph" d="${d}"/>`),
  );
  const courts = Object.entries(COURTS).map(([rank, half]) =>
    symbol(
      `court-${rank}`,
      "0 0 250 350",
      `<rect class="c-frame" x="63" y="34" width="124" height="282" rx="8"/><g id="ft-half-${rank}">${half}</g>` +
        `<use href="#ft-half-${rank}" transform="rotate(180 125 175)"/>` +
        '<path class="c-sash" d="M63 175H187"/><path class="c-holes" d="M85 175h.01M105 175h.01M125 175h.01M145 175h.01M165 175h.01"/>',
    ),
  );
  const back = symbol(
    "back",
    "0 0 250 350",
    '<rect class="b-field" x="13" y="13" width="224" height="324" rx="12"/>' +
      '<rect x="25" y="25" width="200" height="300" rx="6" fill="url(#ft-lattice)"/>' +
      '<rect class="b-line" x="25" y="25" width="200" height="300" rx="6"/>' +
      '<circle class="b-medal" cx="125" cy="175" r="43"/><circle class="b-line" cx="125" cy="175" r="36"/>' +
      '<path class="b-holes" d="M125 153h.01M125 197h.01M103 175h.01M147 175h.01M125 175h.01"/>',
  );
  const lattice =
    '<pattern id="ft-lattice" width="25" height="25" patternUnits="userSpaceOnUse" x="25" y="25">' +
    '<path class="b-weave" d="M0 0 25 25M25 0 0 25"/><path class="b-dot" d="M12.5 0h.01M12.5 25h.01M0 12.5h.01M25 12.5h.01"/></pattern>';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" focusable="false"><defs>${lattice}</defs>${suits.join("")}${glyphs.join("")}${courts.join("")}${back}</svg>`;
}

const use = (
  /** @type {string} */ id,
  /** @type {number} */ x,
  /** @type {number} */ y,
  /** @type {number} */ w,
  h = w,
  more = "",
) => `<use href="#ft-${id}" x="${x}" y="${y}" width="${w}" height="${h}"${more}/>`;

/** @param {string} rank @param {string} suit */
function ordinaryFace(rank, suit) {
  const index = use(`glyph-${rank}`, rank === "T" ? 9 : 14, 17, 41, 62) + use(`suit-${suit}`, 14, 89, 41);
  const pip = (/** @type {number[]} */ [x, y]) =>
    use(`suit-${suit}`, x - 21, y - 21, 42, 42, y > 175 ? ` transform="rotate(180 ${x} ${y})"` : "");
  const art =
    rank === "A"
      ? use(`suit-${suit}`, 70, 120, 110)
      : rank in COURTS
        ? use(`court-${rank}`, 0, 0, 250, 350)
        : PIPS[rank].map(pip).join("");
  return `${art}<g>${index}</g><g transform="rotate(180 125 175)">${index}</g>`;
}

/** The large-print face: one huge rank and one huge suit. @param {string} rank @param {string} suit */
const largeFace = (rank, suit) =>
  use(`glyph-${rank}`, rank === "T" ? 18 : 24, 30, 92, 138) +
  use(`suit-${suit}`, 104, 196, 126) +
  use(`suit-${suit}`, 26, 192, 58);

const PAPER = '<rect class="card-paper" x="1.5" y="1.5" width="247" height="347" rx="17"/>';

export const backMarkup = () => PAPER + use("back", 0, 0, 250, 350);

/** @param {string} rank @param {string} suit @param {{largePrint?: boolean}} options */
export const faceMarkup = (rank, suit, { largePrint = false }) =>
  PAPER + (largePrint ? largeFace : ordinaryFace)(rank, suit);

/** Return one suit in a 100 × 100 box. @param {string} suit */
export const suitMarkup = (suit) => use(`suit-${suit}`, 0, 0, 100);
