// The seal of the dealing: quiet if everything is right, red otherwise. It opens the proof.

import { monitorDealing } from "../../dealing/monitor.js";
import { byId, make, refresh } from "../../elements.js";
import { listed, text } from "../../text.js";
import { warn } from "../../toast.js";
import { playerAt } from "../state.js";

/** Whether everyone's seeds determine the places of draws and cuts. @param {Table.State} state */
export const placesFixed = ({ dealing }) => Boolean(dealing?.published?.commitment);

/** Whether pages may still commit. While a dealer is being named, all have committed. @param {Table.State} state */
export const gathers = ({ dealing }) =>
  dealing?.published?.stage === "committing" && dealing.published.awaited.length > 0;

/** Return in words whose commitment or seed the table waits for, or "". @param {Table.State} state */
export const waitsForSeeds = (state) => (sealOf(state)[0] === "waiting" ? awaited(state) : "");

/** @param {Table.State} state */
function awaited(state) {
  const names = (state.dealing?.published?.awaited ?? []).map((seat) => playerAt(state, seat));
  return names.length ? text("seal.waiting", { names: listed(names) }) : "";
}

/** Return the kind of the seal and its sentence. @param {Table.State} state @returns {[string, string]} */
function sealOf(state) {
  if (!state.dealing) return ["", ""];
  const { published, game, own, shown, unseen } = state.dealing;
  // The server sends the dealing before the table.
  if (!published) return shown ? ["wrong", text("seal.wrong.silent")] : ["", ""];
  if (game?.fault) return ["wrong", faultWords(state, game.fault)];
  if (!published.committed.length) return ["none", text("seal.none")];
  if (published.stage !== "dealing") return ["waiting", awaited(state) || text("seal.naming")];
  if (!published.committed.some((promised) => promised.length === 64)) return ["none", text("seal.server-alone")];
  const checked = { n: game?.checked ?? 0 };
  if (published.committed[own] === "nothing" || !game?.seed)
    return ["none", checked.n ? text("seal.without-own", checked) : text("seal.without-own.begun")];
  if (unseen) return ["none", text("seal.unseen", { n: unseen, all: checked.n })];
  return ["whole", checked.n ? text("seal.whole", checked) : text("seal.whole.begun")];
}

/** @param {Table.State} state @param {Dealing.Fault} fault */
function faultWords(state, { code, deal, seat }) {
  const where = deal === undefined ? "" : deal ? text("seal.where.deal", { n: deal }) : text("seal.where.draw");
  return text(`seal.wrong.${code}`, { where, name: seat === undefined ? "" : playerAt(state, seat) });
}

/** @param {Table.State} state @param {Table.Actions} actions */
export function dealingSeal(state, actions) {
  const monitor = monitorDealing(state.game, () => {
    state.dealing = monitor.stands;
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
        "span.seal-number.small",
        { "aria-hidden": "true" },
        kind === "wrong" ? "!" : kind === "whole" && checked ? String(checked) : "",
      ),
      make("span.visually-hidden", `${text("seal.title")}: ${words}`),
    ]);
    if (kind === "wrong" && warned !== words) {
      warned = words;
      warn(words);
    }
    if (dialog.open) void renderProof();
  }

  async function renderProof() {
    const [{ proof }, lazy] = await Promise.all([import("./proof.js"), import("../../lazy.js")]);
    await Promise.all([lazy.loadMoreWords("proof"), lazy.loadStyleSheet("play/dealing/proof")]);
    const { dealing } = state;
    const [kind, words] = sealOf(state);
    if (dealing)
      refresh(byId("proof-body"), [kind, words, dealing.published, state.names], () =>
        proof(state, dealing, kind, words),
      );
  }

  for (const opens of [button, byId("seal-tool")])
    opens.addEventListener("click", async () => {
      await renderProof();
      dialog.showModal();
    });

  /** @param {Wire.ServerMessage} message @returns {Wire.PageMessage | null} */
  function receive(message) {
    if (message.t === "pass-screen") monitor.share(message.d.own_seats);
    if (message.t === "table" || message.t === "view") return monitor.see(message.d.view);
    if (message.t === "event" && message.d.event) monitor.note(message.d.event);
    return message.t === "dealing" ? monitor.hear(message.d) : null;
  }

  return {
    opening: monitor.opening,
    /** Take a message about the dealing. Return the messages to send. @param {Wire.ServerMessage} message */
    receive(message) {
      const reply = receive(message);
      state.dealing = monitor.stands;
      return reply;
    },
    render,
  };
}
