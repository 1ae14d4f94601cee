// What stays readable when the server is away. The server fills in the edition of its files, and sends this as /offline.js.
//
// Kept are the files that pages are made of, the pages without anything in them, the lessons, and what was read of the
// documentation: all of it the same for everybody. Nothing that is somebody's own is kept, and nothing else that the
// server answers passes through here. A page is always asked for at the server first, so that nobody is left with an old one.

const { edition, files, pages, lessons } = JSON.parse("EDITION");
const PARTS = `plyground-${edition}`;
const READ = "plyground-read";
const MOST_READ = 300;
const PATIENCE = 8000;
const KEPT = /^\/(docs\/|api\/(about|learn(\/[\w-]+)?)$)/;
const LEFT = /^\/(join|embed|api|ws|health|metrics|static)(\/|$)/;

// Some at a time, and whatever does not come is asked for when it is needed.
async function keep(name, addresses) {
  const cache = await caches.open(name);
  const left = [...addresses];
  const one = async () => {
    for (let address = left.shift(); address; address = left.shift()) {
      const answer = await fetch(address).catch(() => null);
      if (answer?.ok && !answer.redirected) await cache.put(address, answer);
    }
  };
  await Promise.all([one(), one(), one(), one()]);
}

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(keep(PARTS, [...files, ...pages]));
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name.startsWith("plyground-") && name !== PARTS && name !== READ) await caches.delete(name);
    await self.clients.claim();
    await keep(READ, lessons);
  })());
});

const kept = (answer) => {
  const headers = new Headers(answer.headers);
  headers.set("x-kept", "yes");
  return new Response(answer.body, { status: answer.status, headers });
};

// From the server, and if it does not answer what is kept.
async function fresh(request, name, instead) {
  const found = await instead();
  try {
    const answer = await fetch(request, found && request.mode !== "navigate" ? { signal: AbortSignal.timeout(PATIENCE) } : {});
    if (name && answer.ok && !answer.redirected && answer.type === "basic") {
      const cache = await caches.open(name);
      await cache.put(request, answer.clone());
      const all = await cache.keys();
      await Promise.all(all.slice(0, Math.max(0, all.length - MOST_READ)).map((old) => cache.delete(old)));
    }
    return answer;
  } catch (error) {
    if (found) return kept(found);
    throw error;
  }
}

async function pageFor(pathname) {
  const cache = await caches.open(PARTS);
  return (await cache.match(pathname)) ?? (await cache.match(`/${pathname.split("/")[1]}`)) ?? cache.match("/");
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (pathname.startsWith(`/static/${edition}/`)) {
    event.respondWith(caches.open(PARTS).then(async (cache) => {
      const found = await cache.match(request);
      if (found) return found;
      const answer = await fetch(request);
      if (answer.ok) await cache.put(request, answer.clone());
      return answer;
    }));
  } else if (KEPT.test(pathname)) {
    event.respondWith(fresh(request, READ, async () => (await caches.open(READ)).match(request)));
  } else if (request.mode === "navigate" && !LEFT.test(pathname)) {
    event.respondWith(fresh(request, "", () => pageFor(pathname)));
  }
});
