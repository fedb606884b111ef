// Keeps the pages that need no server, with their files, for when there is none. What is kept is one version, which
// comes in one answer: a browser has the whole of it or none, and the one before it stays until the next is whole.
// An open server always comes first. Where it cannot be had, a page and all its files are those of the version; any
// other page is stood in for by one that waits for the server and goes on by itself.

/** The digest of all that is kept, this file with it: the server writes it here. */
const VERSION = "unversioned";
const KEPT = `fifteentwo-${VERSION}`;
const LANGUAGE = "fifteentwo-language";
const WAITING = "/waiting";
const OURS = /^(pad|pages|fifteentwo)-/;
/** What a proxy answers whose server is away; the server's own pages name their language too. */
const AWAY = [502, 503, 504];
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
/** Whether a window's page came out of the version: its files do too. @type {Map<string, boolean>} */
const windows = new Map();
/** The language of the page last shown. @type {string | undefined} */
let lang;

worker.addEventListener("install", (event) => event.waitUntil(keep().then(() => worker.skipWaiting())));
worker.addEventListener("activate", (event) => event.waitUntil(begin()));

async function keep() {
  const answer = await fetch(`/offline/${VERSION}.json`);
  if (!answer.ok) throw new Error(`version ${VERSION}: ${answer.status}`);
  /** @type {[address: string, type: string, body: string][]} */
  const entries = await answer.json();
  const headers = new Headers(answer.headers);
  for (const name of ["Cache-Control", "Content-Encoding", "Content-Length", "Vary"]) headers.delete(name);
  // What an installation left that was broken off.
  await caches.delete(KEPT);
  const cache = await caches.open(KEPT);
  for (const [address, type, body] of entries) {
    headers.set("Content-Type", type);
    await cache.put(address, new Response(body, { headers }));
  }
}

async function begin() {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => OURS.test(name) && name !== KEPT && name !== LANGUAGE).map((name) => caches.delete(name)),
  );
  await worker.registration.navigationPreload?.enable();
  await worker.clients.claim();
}

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(event, address));
  else if (address.pathname.startsWith("/static/")) {
    const isKept = windows.get(event.clientId);
    if (isKept) event.respondWith(kept(request.url).then((file) => file ?? fetch(request)));
    // Opened before this worker woke up: what it shows is not known.
    else if (isKept === undefined)
      event.respondWith(fetch(request).catch(async () => (await kept(request.url)) ?? Response.error()));
  }
});

/** @param {FetchEvent} event @param {URL} address */
async function page(event, address) {
  /** @type {Response | undefined} */
  let answer;
  try {
    // Begun while the worker woke up, where the browser can.
    answer = (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    // No server can be reached.
  }
  const shown = answer?.headers.get("Content-Language");
  if (answer && (shown || !AWAY.includes(answer.status))) {
    windows.set(event.resultingClientId, false);
    event.waitUntil(remember(shown));
    return answer;
  }
  windows.set(event.resultingClientId, true);
  return (await standIn(event, address)) ?? answer ?? Response.error();
}

/**
 * The page of the version at this address, else the one that waits; in the language asked for, else the last one.
 * @param {FetchEvent} event @param {URL} address
 */
async function standIn(event, address) {
  const wanted = address.searchParams.get("lang");
  const rest = new URLSearchParams(address.search);
  rest.delete("lang");
  for (const one of [wanted, await language(), "en"]) {
    for (const place of [
      `${address.pathname}?${rest}&lang=${one}`,
      `${address.pathname}?lang=${one}`,
      `${WAITING}?lang=${one}`,
    ]) {
      const found = one ? await kept(place) : undefined;
      if (!found) continue;
      event.waitUntil(remember(one));
      return found;
    }
  }
}

/** @param {string} address */
const kept = async (address) => (await caches.open(KEPT)).match(address);

/** The language of the page last shown, else the browser's own. */
async function language() {
  lang ??= await (await (await caches.open(LANGUAGE)).match("/"))?.text();
  return lang ?? navigator.language.slice(0, 2);
}

/** @param {string | null | undefined} shown */
async function remember(shown) {
  if (!shown || shown === lang) return;
  lang = shown;
  await (await caches.open(LANGUAGE)).put("/", new Response(shown));
}
