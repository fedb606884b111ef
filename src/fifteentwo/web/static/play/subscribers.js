// Lazily loaded scripts, notified of every drawing, of every event before and after it is shown, and of every counted
// score.

/** @type {Table.Subscriber[]} */
const subscribers = [];
/** @type {[Table.State, Table.Actions] | null} */
let latest = null;

/** A late subscriber is notified of the last drawing too. @param {Table.Subscriber} subscriber */
export function subscribe(subscriber) {
  subscribers.push(subscriber);
  if (latest) subscriber.picture?.(...latest);
}

/** @param {Table.State} state @param {Table.Actions} actions */
export function publishPicture(state, actions) {
  latest = [state, actions];
  for (const { picture } of subscribers) picture?.(state, actions);
}

/** @param {Table.State} state */
export function publishConnection(state) {
  for (const { connection } of subscribers) connection?.(state);
}

/** @param {Wire.ChatLine} message */
export function publishChat(message) {
  for (const { chat } of subscribers) chat?.(message);
}

/** @param {"before" | "after"} when @param {Table.State} state @param {Wire.Event} event */
export async function publishEvent(when, state, event) {
  for (const subscriber of subscribers) await subscriber[when]?.(state, event);
}

/** @param {Wire.NamedScore} score @param {Element} words the element that shows it */
export async function publishScore(score, words) {
  for (const { counted } of subscribers) await counted?.(score, words);
}
