// The examples on the board: pegs before and after each score.

import { boardElement } from "../board/board.js";
import { stepThrough } from "./steps.js";
import { byId } from "../elements.js";
import { text, wordsInPage } from "../text.js";

wordsInPage();
/** @type {Wire.SteppedBoard[]} */
const boards = JSON.parse(byId("boards-data").textContent ?? "");
/** Longest walk of a peg, in holes; farther pegs are set down at once. */
const FARTHEST = 30;
const MS_A_HOLE = 90;
const state = {
  /** @type {ReturnType<typeof boardElement> | null} */
  board: null,
  shown: -1,
};

/** @param {Wire.SteppedBoard} example */
const drawn = ({ board: type, target, skunk, double_skunk: doubleSkunk }) =>
  boardElement({
    type,
    target,
    skunk,
    doubleSkunk,
    layout: "wide",
    describe: ({ front }) => text("board.name", { scores: front.join(text("list.comma")) }),
  });

stepThrough(byId("board-list"), byId("board-felt"), 1, (number, at, before) => {
  const example = boards[number];
  const { sentence, ...pegs } = example.steps[at - 1];
  if (state.shown !== number || !state.board) {
    state.shown = number;
    state.board = drawn(example);
    byId("board-shown").replaceChildren(state.board);
  }
  const from = state.board.pegs.front[0];
  const way = pegs.front[0] - from;
  if (at > before && way > 0 && way <= FARTHEST) state.board.animate(0, from, pegs.front[0], MS_A_HOLE);
  else state.board.update(pegs);
  byId("board-status").textContent = sentence;
});
