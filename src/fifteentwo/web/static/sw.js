// Keeps the pages that need no server working without one: each in the languages it was opened in, and its files. The
// network comes first, so that an open page is never old; what it answers is kept for when it does not. Any other page
// that cannot be had is stood in for by one that waits for the server and goes on by itself.

const STORE = "pages-1";
const PAGES = ["/pad", "/check", "/rules", "/glossary", "/summary", "/sheet", "/practice/count"];
const WAITING = "/waiting";
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
/** Whether a window shows a page that is kept; what it loads is kept too. @type {Map<string, boolean>} */
const windows = new Map();

worker.addEventListener("install", (event) => event.waitUntil(keepAll().then(() => worker.skipWaiting())));
worker.addEventListener("activate", (event) =>
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => /^(pad|pages)-/.test(name) && name !== STORE).map((name) => caches.delete(name))))
      .then(() => worker.registration.navigationPreload?.enable())
      .then(() => worker.clients.claim()),
  ),
);

/** The pages, everything they name, and every module and picture that names in turn. */
async function keepAll() {
  const store = await caches.open(STORE);
  /** @type {Set<string>} */
  const found = new Set();
  for (const path of [...PAGES, WAITING]) {
    const response = await fetch(path, { credentials: "same-origin" });
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    const html = await response.clone().text();
    await keepAs(store, path, response);
    let wanted = [...html.matchAll(/(?:src|href)="(\/static\/[^"#]+)/g)].map((match) => new URL(match[1].replaceAll("&amp;", "&"), location.origin).href);
    while (wanted.length) wanted = await keepFiles(store, wanted, found);
  }
}

/** Keep these files; the addresses they name. @param {Cache} store @param {string[]} wanted @param {Set<string>} found */
async function keepFiles(store, wanted, found) {
  /** @type {string[]} */
  const named = [];
  for (const address of wanted.filter((one) => !found.has(one))) {
    found.add(address);
    const file = await fetch(address);
    if (!file.ok) continue;
    const body = /\.(js|css|webmanifest)(\?|$)/.test(address) ? await file.clone().text() : "";
    await store.put(address, file);
    for (const match of body.matchAll(/(?:from\s+|import\s+|import\(|url\(|href: )["']?([^"')\s#]+\.(?:js|css|svg))/g)) {
      named.push(new URL(match[1], address).href);
    }
  }
  return named;
}

/** The page by its language, so that the last opened one of each is there. @param {Cache} store @param {string} path @param {Response} response */
async function keepAs(store, path, response) {
  const lang = response.headers.get("Content-Language") ?? "en";
  await store.put(`${path}?kept=${lang}`, response.clone());
  await store.put(`${path}?kept=last`, response);
}

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== location.origin) return;
  if (request.mode === "navigate") {
    const kept = PAGES.includes(address.pathname);
    windows.set(event.resultingClientId, kept);
    event.respondWith(kept ? page(event, address) : other(event, address));
  } else if (address.pathname.startsWith("/static/")) {
    const kept = windows.get(event.clientId);
    if (kept) event.respondWith(file(request));
    else if (kept === undefined) event.respondWith(shows(event.clientId).then((keep) => (keep ? file(request) : fetch(request))));
  }
});

/** Whether a window shows a kept page, for a worker that was asleep when it opened. @param {string} id */
async function shows(id) {
  const client = await worker.clients.get(id);
  const kept = client !== undefined && PAGES.includes(new URL(client.url).pathname);
  windows.set(id, kept);
  return kept;
}

/** What the network answers, begun while the worker woke up where the browser can. @param {FetchEvent} event */
const answered = async (event) => (await event.preloadResponse) ?? fetch(event.request);

/** @param {FetchEvent} event @param {URL} address */
async function page(event, address) {
  const store = await caches.open(STORE);
  try {
    const response = await answered(event);
    if (response.ok) await keepAs(store, address.pathname, response.clone());
    return response;
  } catch {
    return (await kept(store, address.pathname, address)) ?? Response.error();
  }
}

/** A page that is not kept: without a server, one that waits for it stands in its place. @param {FetchEvent} event @param {URL} address */
async function other(event, address) {
  try {
    return await answered(event);
  } catch {
    windows.set(event.resultingClientId, true);
    return (await kept(await caches.open(STORE), WAITING, address)) ?? Response.error();
  }
}

/** In the language asked for, else in that of the last visit. @param {Cache} store @param {string} path @param {URL} address */
async function kept(store, path, address) {
  const lang = address.searchParams.get("lang");
  return (lang ? await store.match(`${path}?kept=${lang}`) : undefined) ?? store.match(`${path}?kept=last`);
}

/** @param {Request} request */
async function file(request) {
  const store = await caches.open(STORE);
  try {
    const response = await fetch(request);
    if (response.ok) await store.put(request, response.clone());
    return response;
  } catch {
    return (await store.match(request)) ?? (await store.match(request, { ignoreSearch: true })) ?? Response.error();
  }
}
