// Shown in place of an unavailable page: ask repeatedly and show the page once the server answers.

const EVERY_MS = 2000;

async function ask() {
  try {
    await fetch(location.href, { method: "HEAD", cache: "no-store" });
    location.reload();
  } catch {
    // The server is still unavailable.
  }
}

setInterval(ask, EVERY_MS);
addEventListener("online", ask);
