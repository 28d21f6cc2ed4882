// Service worker that caches the public pages visited, so that they can be read offline; for other pages it shows a
// French page that says there is no network. The first rule below that matches handles the request; a request without a
// matching rule goes to the network unchanged.

const pages = 'ntalo-pages-1'
const assets = 'ntalo-assets-1'
const mostPages = 40
// Enough for the files of two versions.
const mostAssets = 700
const patienceMs = 3_000

const publicPage =
  /^\/(?:$|marches(?:\/\d+)?$|methode$|contact$|mentions-legales$|confidentialite$|conditions$|auth\/(?:login|register|forgot-password)$)/
// Forms whose query only fills in a field or reports a result. A page with a token in its address is never cached.
const formPage = /^\/(?:contact|auth\/(?:login|register|forgot-password))$/

const rules = [
  {
    takes: ({ request, url }) => request.mode === 'navigate' && publicPage.test(url.pathname) && !url.search,
    answer: fromNetworkFirst,
  },
  {
    takes: ({ request, url }) => request.mode === 'navigate' && formPage.test(url.pathname),
    answer: fromNetworkOrPlain,
  },
  {
    // File names change with their contents.
    takes: ({ url }) => /^\/assets\/[\w.-]+-[\w-]{8}\.(?:js|css)$/.test(url.pathname),
    answer: fromCacheFirst,
  },
  {
    takes: ({ request }) => request.mode === 'navigate',
    answer: fromNetworkOrNotice,
  },
]

const notice = `<!doctype html>
<html lang="fr">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Hors ligne · Ntalo</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; background: light-dark(#faf9f6, #0b111a) }
main { max-width: 28rem; margin: 20vh auto 0; padding: 0 1.5rem }
h1 { font-size: 28px }
a { display: inline-block; padding: .6rem 1rem; border-radius: .5rem; background: #0b5aa8; color: #fff; text-decoration: none }
a.other { background: none; color: inherit; text-decoration: underline }
strong { color: light-dark(#0b5aa8, #7db5f0) }
</style>
<main>
<p><strong>Ntalo</strong></p>
<h1>Hors ligne</h1>
<p>Cette page n’a pas pu être chargée. Veuillez vérifier votre connexion et réessayer.</p>
<p><a href="">Réessayer</a> <a class="other" href="/">Accueil</a></p>
</main>
</html>`

self.addEventListener('install', () => self.skipWaiting())

self.addEventListener('activate', (event) => {
  const kept = [pages, assets]
  event.waitUntil(
    caches
      .keys()
      .then((names) => names.filter((name) => /^ntalo-(pages|assets)-/.test(name) && !kept.includes(name)))
      .then((old) => Promise.all(old.map((name) => caches.delete(name)))),
  )
})

// The page that registers this worker was loaded before the worker existed, so it asks to be cached.
self.addEventListener('message', (event) => {
  if (event.data !== 'keep this page' || !event.source?.url) return
  event.waitUntil(forgetOldest(assets, mostAssets))
  const { pathname, search } = new URL(event.source.url)
  if (publicPage.test(pathname) && (!search || formPage.test(pathname)))
    event.waitUntil(fetchAndKeep(new Request(pathname)).catch(() => {}))
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (url.origin !== location.origin) return
  // A form that is submitted before its script has loaded.
  if (request.method === 'POST' && request.mode === 'navigate') event.respondWith(fromNetworkOrNotice(event))
  if (request.method !== 'GET') return
  const rule = rules.find(({ takes }) => takes({ request, url }))
  if (rule) event.respondWith(rule.answer(event))
})

/** Returns the network's answer; when it fails or takes more than three seconds, the cached page. */
async function fromNetworkFirst(event) {
  const fresh = fetchAndKeep(event.request)
  const known = await caches.match(event.request, { cacheName: pages, ignoreVary: true })
  if (!known) return fresh.catch(tellOffline)
  event.waitUntil(fresh.catch(() => {}))
  return Promise.race([fresh.catch(() => known), after(patienceMs, known)])
}

/** Returns the network's answer, uncached; when it fails, the cached page without the query. */
async function fromNetworkOrPlain({ request }) {
  try {
    return await fetch(request)
  } catch {
    const known = await caches.match(request, { cacheName: pages, ignoreVary: true, ignoreSearch: true })
    return known ?? tellOffline()
  }
}

/**
 * Returns the network's answer, uncached; when it fails, a page that says so instead of the browser's own error page.
 */
function fromNetworkOrNotice({ request }) {
  return fetch(request).catch(tellOffline)
}

function tellOffline() {
  return new Response(notice, { status: 503, headers: { 'content-type': 'text/html; charset=utf-8' } })
}

async function fetchAndKeep(request) {
  const response = await fetch(request)
  // Refuses the answer of a captive portal.
  const isOurs = response.ok && !response.redirected && response.headers.has('x-request-id')
  if (isOurs && (await keep(pages, request.url, response.clone()))) await forgetOldest(pages, mostPages)
  return response
}

/** Caches a response. @returns false when the browser refuses, for example because its storage is full */
function keep(name, key, response) {
  return caches
    .open(name)
    .then((cache) => cache.put(key, response))
    .then(
      () => true,
      () => false,
    )
}

async function forgetOldest(name, most) {
  const cache = await caches.open(name)
  const kept = await cache.keys()
  await Promise.all(kept.slice(0, Math.max(0, kept.length - most)).map((request) => cache.delete(request)))
}

async function fromCacheFirst({ request }) {
  const known = await caches.match(request, { cacheName: assets })
  if (known) return known
  const response = await fetch(request)
  if (response.ok) await keep(assets, request, response.clone())
  return response
}

function after(ms, value) {
  return new Promise((resolve) => setTimeout(() => resolve(value), ms))
}
