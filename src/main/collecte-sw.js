// Service worker that opens the field tool offline. The build inserts the list of its files; file names change with
// their contents.
const files = ['__FILES__']
const page = '/collecte'
const prefix = 'ntalo-collecte-app-'
const cacheName = `${prefix}__VERSION__`

self.addEventListener('install', (event) => event.waitUntil(install()))

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => names.filter((name) => name.startsWith(prefix) && name !== cacheName))
      .then((old) => Promise.all(old.map((name) => caches.delete(name)))),
  )
})

self.addEventListener('message', (event) => {
  if (event.data === 'take over') self.skipWaiting()
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== location.origin) return
  const isPage = request.mode === 'navigate' && url.pathname === page
  if (isPage || files.includes(url.pathname))
    event.respondWith(fromCache(isPage ? page : url.pathname, request))
})

async function install() {
  const cache = await caches.open(cacheName)
  // Files that the page has just loaded come from the browser's HTTP cache, so a slow connection downloads them once.
  await Promise.all(files.map(async (path) => cache.put(path, await fetched(path))))
  const answer = await fetched(page)
  // Refuses the answer of a captive portal, which would otherwise remain in the cache.
  if (!(await answer.clone().text()).includes('name="ntalo-program"')) throw new Error('not our page')
  await cache.put(page, answer)
}

async function fetched(path) {
  const answer = await fetch(path)
  const type = answer.headers.get('content-type') ?? ''
  const isHtml = type.startsWith('text/html')
  if (!answer.ok || answer.redirected || isHtml !== (path === page)) throw new Error(`no ${path}`)
  return answer
}

async function fromCache(path, request) {
  const cache = await caches.open(cacheName)
  return (await cache.match(path)) ?? fetch(request)
}
