// Stores the pages that work without a server, with their files. One version is stored, received in one response, so a
// browser has all of it or none; the old version stays until the new one is complete. A reachable server is always
// used. Otherwise a page and its files come from the stored version; another page is shown as it was last seen, or
// replaced by one that waits for the server.

/** The digest of all stored responses and this file; the server inserts it. */
const VERSION = "unversioned";
const CACHE = `fifteentwo-${VERSION}`;
const LANGUAGE = "fifteentwo-language";
/** The last pages that were seen, without tables and without what belongs to an account. */
const SEEN = `${CACHE}-seen`;
const MAX_SEEN = 30;
const WAITING = "/waiting";
const OURS = /^(pad|pages|fifteentwo)-/;
/** Status codes of a proxy whose server is down. The server's own pages have a Content-Language. */
const AWAY = [502, 503, 504];
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
/** Whether a window's page, and so its files, came from the stored version. @type {Map<string, boolean>} */
const windows = new Map();
/** The language of the last page. @type {string | undefined} */
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
  // Remove the rest of an interrupted installation.
  await caches.delete(CACHE);
  const cache = await caches.open(CACHE);
  for (const [address, type, body] of entries) {
    headers.set("Content-Type", type);
    await cache.put(address, new Response(body, { headers }));
  }
}

async function begin() {
  const names = await caches.keys();
  await Promise.all(
    names
      .filter((name) => OURS.test(name) && ![CACHE, LANGUAGE, SEEN].includes(name))
      .map((name) => caches.delete(name)),
  );
  await worker.registration.navigationPreload?.enable();
  await worker.clients.claim();
  // A lesson that was opened before this worker started is stored too.
  for (const { url } of await worker.clients.matchAll())
    if (new URL(url).pathname === "/learn")
      await fetch(url)
        .then((answer) => remain(new Request(url), answer))
        .catch(() => {});
}

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (address.origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(event, address));
  else if (request.method === "GET" && address.pathname.startsWith("/static/")) {
    const isKept = windows.get(event.clientId);
    if (isKept) event.respondWith(kept(request.url).then((file) => file ?? fetch(request)));
    // The page was opened before this worker started: its source is unknown.
    else if (isKept === undefined)
      event.respondWith(fetch(request).catch(async () => (await kept(request.url)) ?? Response.error()));
  }
});

/** @param {FetchEvent} event @param {URL} address */
async function page(event, address) {
  /** @type {Response | undefined} */
  let answer;
  try {
    // The preload, if the browser started one.
    answer = (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    // The server cannot be reached.
  }
  const shown = answer?.headers.get("Content-Language");
  if (answer && (shown || !AWAY.includes(answer.status))) {
    windows.set(event.resultingClientId, false);
    event.waitUntil(Promise.all([remember(shown), remain(event.request, answer.clone())]));
    return answer;
  }
  windows.set(event.resultingClientId, true);
  return (await standIn(event, address)) ?? answer ?? Response.error();
}

/** Return the stored page, otherwise the waiting page. @param {FetchEvent} event @param {URL} address */
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
      const found = place.startsWith(WAITING)
        ? ((await seen(event.request)) ?? (await kept(place)))
        : await kept(place);
      if (!one || !found) continue;
      event.waitUntil(remember(one));
      return place.startsWith(WAITING) ? found : marked(found);
    }
  }
}

/** Store a page that may be shown again; forget all pages when somebody signs in or out. @param {Request} request @param {Response} answer */
async function remain({ method, url }, answer) {
  const { pathname } = new URL(url);
  if (method !== "GET") return pathname.startsWith("/account") && caches.delete(SEEN);
  if (!answer.ok || /^\/(game|account)/.test(pathname) || /no-store/.test(answer.headers.get("Cache-Control") ?? ""))
    return;
  const cache = await caches.open(SEEN);
  await cache.put(url, answer);
  for (const old of (await cache.keys()).slice(0, -MAX_SEEN)) await cache.delete(old);
}

/** @param {Request} request */
async function seen({ method, url }) {
  const page = method === "GET" ? await (await caches.open(SEEN)).match(url) : undefined;
  return page && marked(page);
}

/** Return a page that says that it is a stored one. @param {Response} page */
const marked = async (page) =>
  new Response((await page.text()).replace("<html ", '<html data-stored="yes" '), { headers: page.headers });

/** @param {string} address */
const kept = async (address) => (await caches.open(CACHE)).match(address);

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
