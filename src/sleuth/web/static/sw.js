// The service worker, served as /sw.js with a line before it that says what belongs to this version (pages.py).
// Pages come from the server while it answers, files of a version from here, and questions are left alone.

/* global SHELL */

const CACHE = `sleuth-${SHELL.version}`;
const KEPT = 2; // versions: pages that are open may still need files of the one before
const AWAY = [502, 503, 504];

self.addEventListener("install", (event) => {
  event.waitUntil(install());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(activate());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate" && SHELL.views.includes(pathname)) event.respondWith(page(request));
  else if (pathname.startsWith("/static/")) event.respondWith(file(request));
});

async function install() {
  const cache = await caches.open(CACHE);
  await cache.addAll([new Request("/", { cache: "reload" }), ...SHELL.files.map((name) => SHELL.folder + name)]);
  await self.skipWaiting();
}

async function activate() {
  const names = (await caches.keys()).filter((name) => name.startsWith("sleuth-"));
  const old = names.filter((name) => name !== CACHE).slice(0, -(KEPT - 1));
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
  for (const client of await self.clients.matchAll()) client.postMessage({ files: SHELL.folder });
}

/** Return the page from the server, or the one kept here where no server answers. */
async function page(request) {
  const kept = async () => (await caches.open(CACHE)).match("/", { ignoreVary: true });
  try {
    const response = await fetch(request);
    return AWAY.includes(response.status) ? ((await kept()) ?? response) : response;
  } catch (error) {
    const response = await kept();
    if (!response) throw error;
    return response;
  }
}

/** Return a file as it is kept here, of whichever version, else from the server. */
async function file(request) {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}
