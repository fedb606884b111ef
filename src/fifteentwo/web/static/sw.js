// Keeps the scoring pad working without a connection: the page in each language it was opened in, and its files.
// The network comes first, so that an open pad is never old; what it answers is kept for when it does not.

const STORE = "pad-1";
const PAGE = "/pad";
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

worker.addEventListener("install", (event) => event.waitUntil(keepPage().then(() => worker.skipWaiting())));
worker.addEventListener("activate", (event) =>
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name.startsWith("pad-") && name !== STORE).map((name) => caches.delete(name))))
      .then(() => worker.clients.claim()),
  ),
);

/** The pad, everything its page names, and every module and picture those name. */
async function keepPage() {
  const store = await caches.open(STORE);
  const response = await fetch(PAGE, { credentials: "same-origin" });
  if (!response.ok) throw new Error(`the pad answered ${response.status}`);
  const html = await response.clone().text();
  await keepAs(store, response);
  /** @type {Set<string>} */
  const found = new Set();
  let wanted = [...html.matchAll(/(?:src|href)="(\/static\/[^"]+)"/g)].map((match) => new URL(match[1].replaceAll("&amp;", "&"), location.origin).href);
  while (wanted.length) {
    /** @type {string[]} */
    const named = [];
    for (const address of wanted.filter((one) => !found.has(one))) {
      found.add(address);
      const file = await fetch(address);
      if (!file.ok) continue;
      const body = /\.(js|css|webmanifest)(\?|$)/.test(address) ? await file.clone().text() : "";
      await store.put(address, file);
      for (const match of body.matchAll(/(?:from\s+|import\s+|import\(|url\()["']?([^"')\s]+\.(?:js|css|svg))["']?/g)) {
        named.push(new URL(match[1], address).href);
      }
    }
    wanted = named;
  }
}

/** The page by its language, so that the last opened one of each is there. @param {Cache} store @param {Response} response */
async function keepAs(store, response) {
  const lang = response.headers.get("Content-Language") ?? "en";
  await store.put(`${PAGE}?kept=${lang}`, response.clone());
  await store.put(`${PAGE}?kept=last`, response);
}

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== location.origin) return;
  if (request.mode === "navigate" && address.pathname === PAGE) event.respondWith(page(request, address));
  else if (address.pathname.startsWith("/static/")) event.respondWith(file(request));
});

/** @param {Request} request @param {URL} address */
async function page(request, address) {
  const store = await caches.open(STORE);
  try {
    const response = await fetch(request);
    if (response.ok) await keepAs(store, response.clone());
    return response;
  } catch {
    const lang = address.searchParams.get("lang");
    const kept = lang ? await store.match(`${PAGE}?kept=${lang}`) : undefined;
    return kept ?? (await store.match(`${PAGE}?kept=last`)) ?? Response.error();
  }
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
