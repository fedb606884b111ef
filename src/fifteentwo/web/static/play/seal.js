// The seal of the dealing: quiet while everything fits, red where anything does not; it opens into the proof.

import { ALL_PLACES } from "../dealing/promises.js";
import { watchOver } from "../dealing/watch.js";
import { byId, make, refresh } from "../elements.js";
import { listed, text } from "../text.js";
import { warn } from "../toast.js";
import { cameTo } from "./state.js";

/** Whether everyone's numbers decide where people draw and cut. @param {Table.State} state */
export const placesFixed = ({ dealing }) => (dealing?.told?.rules ?? 0) >= ALL_PLACES;

/** Whether pages have still to commit: while a dealer is named all have. @param {Table.State} state */
export const gathers = ({ dealing }) => dealing?.told?.stage === "committing" && dealing.told.awaited.length > 0;

/** Whose commitment or seed the table waits for, in words, or "". @param {Table.State} state */
export const sealWaits = (state) => (sealOf(state)[0] === "waiting" ? awaited(state) : "");

/** @param {Table.State} state */
function awaited(state) {
  const names = (state.dealing?.told?.awaited ?? []).map((seat) => cameTo(state, seat));
  return names.length ? text("seal.waiting", { names: listed(names) }) : "";
}

/** The seal's kind, and the sentence for it. @param {Table.State} state @returns {[string, string]} */
function sealOf(state) {
  if (!state.dealing) return ["", ""];
  const { told, game, own, shown, unseen } = state.dealing;
  // The dealing is sent before the table is.
  if (!told) return shown ? ["wrong", text("seal.wrong.silent")] : ["", ""];
  if (game?.fault) return ["wrong", faultWords(state, game.fault)];
  if (!told.committed.length) return ["none", text(told.commitment ? "seal.one-secret" : "seal.none")];
  if (told.stage !== "dealing") return ["waiting", awaited(state) || text("seal.naming")];
  if (!told.committed.some((promised) => promised.length === 64)) return ["none", text("seal.server-alone")];
  const checked = { n: game?.checked ?? 0 };
  if (!placesFixed(state)) return ["none", text("seal.free-places", checked)];
  if (told.committed[own] === "nothing" || !game?.seed)
    return ["none", checked.n ? text("seal.without-own", checked) : text("seal.without-own.begun")];
  if (unseen) return ["none", text("seal.unseen", { n: unseen, all: checked.n })];
  return ["whole", checked.n ? text("seal.whole", checked) : text("seal.whole.begun")];
}

/** @param {Table.State} state @param {Dealing.Fault} fault */
function faultWords(state, { code, deal, seat }) {
  const where = deal === undefined ? "" : deal ? text("seal.where.deal", { n: deal }) : text("seal.where.draw");
  return text(`seal.wrong.${code}`, { where, name: seat === undefined ? "" : cameTo(state, seat) });
}

/**
 * Watch over the dealing of this table, and draw its seal.
 * @param {Table.State} state @param {Table.Actions} actions
 */
export function watchDealing(state, actions) {
  const watch = watchOver(state.game, () => {
    state.dealing = watch.stands;
    actions.render();
  });
  const button = byId("seal");
  const dialog = byId("proof", HTMLDialogElement);
  let warned = "";

  function render() {
    const [kind, words] = sealOf(state);
    button.hidden = byId("seal-tool").hidden = !kind;
    button.dataset.state = kind;
    const checked = state.dealing?.game?.checked;
    refresh(button, [kind, words, checked], () => [
      make("span.seal-sign", { "data-state": kind, "aria-hidden": "true" }),
      make(
        "span.seal-number",
        { "aria-hidden": "true" },
        kind === "wrong" ? "!" : kind === "whole" && checked ? String(checked) : "",
      ),
      make("span.visually-hidden", null, `${text("seal.title")}: ${words}`),
    ]);
    if (kind === "wrong" && warned !== words) {
      warned = words;
      warn(words);
    }
    if (dialog.open) void renderProof();
  }

  async function renderProof() {
    const [{ proof }, { moreWords }] = await Promise.all([import("./proof.js"), import("./more.js")]);
    await moreWords("proof");
    const { dealing } = state;
    const [kind, words] = sealOf(state);
    if (dealing)
      refresh(byId("proof-body"), [kind, words, dealing.told, state.names], () => proof(state, dealing, kind, words));
  }

  for (const opens of [button, byId("seal-tool")])
    opens.addEventListener("click", async () => {
      await renderProof();
      dialog.showModal();
    });

  /** @param {Wire.ServerMessage} message @returns {Wire.PageMessage | null} */
  function receive(message) {
    if (message.t === "pass") watch.share(message.d.own);
    if (message.t === "table" || message.t === "view") return watch.see(message.d.view);
    if (message.t === "event" && message.d.event) watch.note(message.d.event);
    return message.t === "dealing" ? watch.hear(message.d) : null;
  }

  return {
    opening: watch.opening,
    /** Take what a message says of the dealing; return what to send back. @param {Wire.ServerMessage} message */
    receive(message) {
      const reply = receive(message);
      state.dealing = watch.stands;
      return reply;
    },
    render,
  };
}
