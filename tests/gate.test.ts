import { expect, test } from 'vitest'
import { createAdmission } from '#server/http/overload.ts'
import { routesOf } from './support/routes.ts'
import { testServer } from './support/server.ts'

const usual = createAdmission()
const entered: string[] = []
const server = await testServer({
  admission: {
    ...usual,
    visitors: {
      ...usual.visitors,
      enter(share, response, start, refuse) {
        entered.push(`${share} ${response.req.method} ${response.req.url}`)
        usual.visitors.enter(share, response, start, refuse)
      },
    },
  },
})

/** Files that are served without a check. */
const free = /^\/assets\//

test("every route of the program counts against the share of the client's network, even before the handler runs", async () => {
  const routes = routesOf(server.http.printRoutes({ commonPrefix: false }))
  expect(routes.length).toBeGreaterThan(150)
  const asked = routes.flatMap(({ path, methods }) =>
    methods.map((method) => ({
      method,
      path: path.replaceAll(/:\w+(?:\([^)]*\))?/g, '1').replace('*', 'rien'),
    })),
  )
  const missing: string[] = []
  for (const { method, path } of [
    ...asked,
    { method: 'GET', path: '/nulle-part' },
    { method: 'PATCH', path: '/' },
  ]) {
    entered.length = 0
    // A stream of events never ends, so the response is aborted.
    const left = new AbortController()
    const answer = await fetch(server.url + path, { method, redirect: 'manual', signal: left.signal })
    left.abort(answer.status)
    const share = path.startsWith('/api/health') ? 'health' : '127.0.0.1'
    if (!free.test(path) && entered.join() !== `${share} ${method} ${path}`)
      missing.push(`${method} ${path}: ${entered.join()}`)
  }
  expect(missing).toEqual([])
})
