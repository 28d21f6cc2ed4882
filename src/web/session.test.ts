import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const aline = {
  id: 1,
  name: 'Aline',
  email: 'aline@ntalo.cd',
  avatar_url: null,
  roles: ['admin'],
  permissions: [],
}
const things = { method: 'GET', path: '/api/things' } as const

let isUnsaved = false

beforeEach(() => {
  isUnsaved = false
  vi.stubGlobal('localStorage', storage())
  vi.stubGlobal('sessionStorage', storage())
  vi.doMock('#web/unsaved.ts', () => ({ isWorkUnsaved: () => isUnsaved }))
})
afterEach(() => {
  vi.unstubAllGlobals()
})

test('a cookie that still opens a session signs its user in', async () => {
  const tab = await openTab(server({ cookie: 'good' }))
  await tab.start()
  expect(tab.session()).toMatchObject({ status: 'in', user: { name: 'Aline' }, isExpired: false })
})

test('without a session the user is signed out, and without a response the state is unknown', async () => {
  const visitor = await openTab(server({ cookie: null }))
  await visitor.start()
  expect(visitor.session()).toEqual({ status: 'out', how: 'over' })
  const cut = await openTab(server({ isCut: true }))
  await cut.start()
  expect(cut.session()).toEqual({ status: 'unreachable' })
})

test('many calls with an expired token renew it once, and all succeed', async () => {
  const remote = server({ cookie: 'good' })
  const tab = await openTab(remote)
  await tab.start()
  remote.expireTokens()
  const answers = await Promise.all(Array.from({ length: 8 }, () => tab.call(things, {})))
  expect(answers).toHaveLength(8)
  expect(remote.refreshes).toBe(2)
})

test('a session that is over redirects to the sign-in page, which stores the address', async () => {
  const remote = server({ cookie: 'good' })
  const tab = await openTab(remote)
  await tab.start()
  await tab.signIn({ email: 'aline@ntalo.cd', password: 'x' })
  remote.end()
  await expect(tab.call(things, {})).rejects.toMatchObject({ status: 401 })
  expect(tab.session()).toEqual({ status: 'out', how: 'over' })
  expect(sessionStorage.getItem('ntalo.sign-in-email')).toBe('aline@ntalo.cd')
})

test('a network failure during a renewal does not end the session', async () => {
  const remote = server({ cookie: 'good' })
  const tab = await openTab(remote)
  await tab.start()
  remote.expireTokens()
  remote.cutRefresh = true
  await expect(tab.call(things, {})).rejects.toMatchObject({ statement: '500 • Erreur réseau' })
  expect(tab.session()).toMatchObject({ status: 'in' })
  remote.cutRefresh = false
  await expect(tab.call(things, {})).resolves.toEqual({ done: true })
})

test('with an edited form, the page stays and the call waits for the user to sign in again', async () => {
  const remote = server({ cookie: 'good' })
  const tab = await openTab(remote)
  await tab.start()
  isUnsaved = true
  remote.end()
  const saved = tab.call(things, {})
  await expect.poll(() => tab.session()).toMatchObject({ status: 'in', isExpired: true })
  const other = tab.call(things, {})
  await tab.signIn({ email: 'aline@ntalo.cd', password: 'x' })
  await expect(Promise.all([saved, other])).resolves.toEqual([{ done: true }, { done: true }])
  expect(tab.session()).toMatchObject({ status: 'in', isExpired: false })
})

test('signing out clears the browser’s storage, and fails the waiting calls', async () => {
  const remote = server({ cookie: 'good' })
  const tab = await openTab(remote)
  await tab.start()
  isUnsaved = true
  remote.end()
  const saved = tab.call(things, {})
  await expect.poll(() => tab.session()).toMatchObject({ isExpired: true })
  localStorage.setItem('anything', '1')
  sessionStorage.setItem('anything', '1')
  await tab.signOut()
  await expect(saved).rejects.toMatchObject({ status: 401 })
  expect(tab.session()).toEqual({ status: 'out', how: 'left' })
  // Only the message for the sign-in page is left.
  expect([localStorage.length, sessionStorage.length]).toEqual([0, 1])
})

test('a renewal that is answered after the sign-out does not sign in again', async () => {
  const remote = server({ cookie: 'good' })
  const [first, second] = [await openTab(remote), await openTab(remote)]
  await first.start()
  await second.start()
  remote.expireTokens()
  const answerRefresh = remote.holdRefreshes()
  const calls = [first.call(things, {}), second.call(things, {})]
  await expect.poll(() => remote.held).toBeGreaterThan(0)
  const signedOut = first.signOut()
  await expect.poll(() => second.session()).toMatchObject({ status: 'out' })
  answerRefresh()
  expect((await Promise.allSettled(calls)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await signedOut
  expect(first.session()).toEqual({ status: 'out', how: 'left' })
  await expect.poll(() => second.session()).toEqual({ status: 'out', how: 'left' })
})

test('a sign-out that the server missed is sent before the cookie is used again', async () => {
  const remote = server({ cookie: 'good' })
  const tab = await openTab(remote)
  await tab.start()
  remote.cutSignOut = true
  await tab.signOut()
  remote.cutSignOut = false
  const reloaded = await openTab(remote)
  await reloaded.start()
  expect(reloaded.session()).toEqual({ status: 'out', how: 'over' })
  expect(localStorage.length).toBe(0)
})

test('a sign-out in another tab does not clear a sign-out that the server has not confirmed', async () => {
  const remote = server({ cookie: 'good' })
  const [first, second] = [await openTab(remote), await openTab(remote)]
  await first.start()
  await second.start()
  remote.cutSignOut = true
  await first.signOut()
  await expect.poll(() => second.session()).toEqual({ status: 'out', how: 'leaving' })
  remote.cutSignOut = false
  const reloaded = await openTab(remote)
  await reloaded.start()
  expect(reloaded.session()).toEqual({ status: 'out', how: 'over' })
})

test('signing out in one tab signs the others out, and signing in brings them back', async () => {
  const remote = server({ cookie: 'good' })
  const [first, second] = [await openTab(remote), await openTab(remote)]
  await first.start()
  await second.start()
  await first.signOut()
  await expect.poll(() => second.session()).toEqual({ status: 'out', how: 'left' })
  await first.signIn({ email: 'aline@ntalo.cd', password: 'x' })
  await expect.poll(() => second.session()).toMatchObject({ status: 'in' })
})

/** Loads the program as one tab does, with separate modules. */
async function openTab(remote: ReturnType<typeof server>) {
  vi.resetModules()
  const session = await import('#web/session.ts')
  const api = await import('#web/api.ts')
  vi.stubGlobal('fetch', remote.fetch)
  const open = (path: string) => () => api.exchange({ method: 'POST', path }, {}) as Promise<never>
  return {
    start: () =>
      session.startSession({
        refresh: open('/api/auth/refresh'),
        signIn: open('/api/auth/login'),
        signOut: open('/api/auth/logout'),
      }),
    session: session.getSession,
    signIn: session.signIn,
    signOut: session.signOut,
    call: api.call,
  }
}

/** Starts a server with one account, whose cookie all tabs share. */
function server(given: { cookie?: 'good' | null; isCut?: boolean }) {
  let cookie = given.cookie ?? null
  let tokens = 0
  let oldest = 1
  let refreshed = Promise.resolve()
  const open = () => {
    tokens += 1
    return json(200, { user: aline, token: `token-${tokens}`, message: 'Connexion réussie' })
  }
  const remote = {
    refreshes: 0,
    /** Renewals that wait for the function that `holdRefreshes` returned. */
    held: 0,
    holdRefreshes: () => {
      let answer = () => {}
      refreshed = new Promise((resolve) => {
        answer = resolve
      })
      return answer
    },
    cutRefresh: false,
    cutSignOut: false,
    expireTokens: () => {
      oldest = tokens + 1
    },
    end: () => {
      cookie = null
      remote.expireTokens()
    },
    fetch: async (url: string, init: { headers: Record<string, string> }) => {
      if (given.isCut) throw new TypeError('Failed to fetch')
      if (url === '/api/auth/login') {
        cookie = 'good'
        return open()
      }
      if (url === '/api/auth/logout') {
        if (remote.cutSignOut) throw new TypeError('Failed to fetch')
        cookie = null
        return json(200, { message: 'Déconnexion réussie' })
      }
      if (url === '/api/auth/refresh') {
        if (remote.cutRefresh) throw new TypeError('Failed to fetch')
        remote.refreshes += 1
        remote.held += 1
        await refreshed
        remote.held -= 1
        return cookie ? open() : json(401, { message: 'Votre session est terminée.' })
      }
      const token = Number(/Bearer token-(\d+)/.exec(init.headers.authorization ?? '')?.[1])
      return token >= oldest ? json(200, { done: true }) : json(401, { message: 'Connectez-vous.' })
    },
  }
  return remote
}

function json(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
}

function storage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'clear' | 'length'> {
  const stored = new Map<string, string>()
  return {
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, value) => void stored.set(key, value),
    removeItem: (key) => void stored.delete(key),
    clear: () => stored.clear(),
    get length() {
      return stored.size
    },
  }
}
