// The lines of a review, as sent by the server.

/** @param {ReadableStream<Uint8Array<ArrayBuffer>>} stream @returns {AsyncGenerator<Review.Line>} */
export async function* linesOf(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const lines = (rest + next.value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line) yield JSON.parse(line);
  }
  if (rest) yield JSON.parse(rest);
}

/**
 * Request a review. A refusal is a line; a broken connection throws an error.
 * @param {{record: string} | {table: string, number: number}} game a record, or an own game on this server
 * @param {string} lang @param {AbortSignal} signal @returns {AsyncGenerator<Review.Line>}
 */
export async function* reviewed(game, lang, signal) {
  const answer =
    "record" in game
      ? await fetch(`/api/review?lang=${lang}`, {
          method: "POST",
          body: game.record,
          headers: { "Content-Type": "text/plain; charset=utf-8" },
          signal,
        })
      : await fetch(`/api/review/${game.table}?game=${game.number}&lang=${lang}`, { signal });
  if (!answer.ok || !answer.body) {
    const { message } = await answer.json();
    yield { t: "refused", d: message };
    return;
  }
  yield* linesOf(answer.body);
}
