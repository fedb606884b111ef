// The seal of the dealing: quiet while everything fits, red where anything does not; it opens into the proof.

import { ALL_PLACES } from "../dealing/promises.js";
import { watchOver } from "../dealing/watch.js";
import { byId, make, refresh } from "../elements.js";
import { listed, say } from "../say.js";
import { cameTo } from "./desk.js";

/** @typedef {import("./desk.js").Desk} Desk */

/** @param {Desk} desk */
export function sealOf(desk) {
  const watch = watchOver(desk.game, () => desk.render());
  const button = byId("seal");
  const dialog = byId("proof", HTMLDialogElement);
  let warned = "";

  const nameOf = (/** @type {number} */ seat) => cameTo(desk, seat);

  /** What the seal says: its state, and the sentence for it. @returns {[string, string]} */
  function state() {
    const { told, game, own, shown, unseen } = watch.stands;
    // Whatever is to be known of the dealing is told before the table is.
    if (!told) return shown ? ["wrong", say("seal.wrong.silent")] : ["", ""];
    if (game?.fault) return ["wrong", faultWords(game.fault)];
    if (!told.committed.length) return ["none", say(told.commitment ? "seal.one-secret" : "seal.none")];
    if (told.stage !== "dealing") return ["waiting", waits() || say("seal.naming")];
    if (!told.committed.some((promised) => promised.length === 64)) return ["none", say("seal.server-alone")];
    const checked = { n: game?.checked ?? 0 };
    if (!(told.rules >= ALL_PLACES)) return ["none", say("seal.free-places", checked)];
    if (told.committed[own] === "nothing" || !game?.seed)
      return ["none", checked.n ? say("seal.without-own", checked) : say("seal.without-own.begun")];
    if (unseen) return ["none", say("seal.unseen", { n: unseen, all: checked.n })];
    return ["whole", checked.n ? say("seal.whole", checked) : say("seal.whole.begun")];
  }

  /** @param {import("../dealing/watch.js").Fault} fault */
  function faultWords({ code, deal, seat }) {
    const where = deal === undefined ? "" : deal ? say("seal.where.deal", { n: deal }) : say("seal.where.draw");
    return say(`seal.wrong.${code}`, { where, name: seat === undefined ? "" : nameOf(seat) });
  }

  function waits() {
    const { told } = watch.stands;
    const names = (told?.awaited ?? []).map(nameOf);
    return names.length ? say("seal.waiting", { names: listed(names) }) : "";
  }

  function render() {
    const [kind, words] = state();
    button.hidden = byId("seal-tool").hidden = !kind;
    button.dataset.state = kind;
    const { game } = watch.stands;
    refresh(button, [kind, words, game?.checked], () => [
      sign(kind),
      make(
        "span.seal-number",
        { "aria-hidden": "true" },
        kind === "wrong" ? "!" : kind === "whole" && game?.checked ? String(game.checked) : "",
      ),
      make("span.visually-hidden", null, `${say("seal.title")}: ${words}`),
    ]);
    if (kind === "wrong" && warned !== words) {
      warned = words;
      desk.warn(words);
    }
    if (dialog.open) void renderProof();
  }

  const sign = (/** @type {string} */ kind) => make("span.seal-sign", { "data-state": kind, "aria-hidden": "true" });

  async function renderProof() {
    const [{ proof }, { moreWords }] = await Promise.all([import("./proof.js"), import("./more.js")]);
    await moreWords("proof");
    const [kind, words] = state();
    refresh(byId("proof-body"), [kind, words, watch.stands.told, desk.names], () =>
      proof(desk, watch.stands, kind, words),
    );
  }

  for (const opens of [button, byId("seal-tool")])
    opens.addEventListener("click", async () => {
      await renderProof();
      dialog.showModal();
    });

  return {
    opening: watch.opening,
    /** Whether the places of draws and cuts follow from everyone's numbers. */
    fixed: () => (watch.stands.told?.rules ?? 0) >= ALL_PLACES,
    /** Whether pages have still to commit: while a dealer is named all have. */
    gathers: () => watch.stands.told?.stage === "committing" && watch.stands.told.awaited.length > 0,
    waits: () => (state()[0] === "waiting" ? waits() : ""),
    /**
     * Hear whatever has to do with the dealing; what is to be answered.
     * @param {Wire.ServerMessage} message @returns {Wire.PageMessage | null}
     */
    hear(message) {
      if (message.t === "pass") watch.share(message.d.own);
      if (message.t === "table" || message.t === "view") return watch.see(message.d.view);
      if (message.t === "event" && message.d.event) watch.note(message.d.event);
      return message.t === "dealing" ? watch.hear(message.d) : null;
    },
    render,
  };
}
