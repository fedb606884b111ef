// In place of a page that could not be had: asks again by itself, and shows the page as soon as its server answers.

const EVERY_MS = 2000;

async function ask() {
  try {
    await fetch(location.href, { method: "HEAD", cache: "no-store" });
    location.reload();
  } catch {
    // Not yet.
  }
}

setInterval(ask, EVERY_MS);
addEventListener("online", ask);
