import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { createLog } from '#server/log.ts'
import { insertAccount, testServer } from './support/server.ts'

const lines: string[] = []
const into = new Writable({
  write(chunk, _encoding, done) {
    lines.push(String(chunk))
    done()
  },
})
const server = await testServer({ log: createLog('debug', into), hasJobs: true })

// Values that occur nowhere else: if one is found in the log, it leaked from these requests.
const canary = {
  name: 'Canari Mwamba-Serin',
  email: 'canari-serin@exemple.cd',
  password: 'canari jaune 1960 serin',
  phone: '+243970000417',
  card: '4929939187355598',
  code: '417417',
  token: 'canari'.padEnd(43, 'A'),
}

test('no secret and no personal data sent to the API is logged, whether the request is refused or not', async () => {
  const admin = await server.as('super admin')
  await insertAccount(server.db, { roles: ['user'], email: canary.email.replace('@', '2@') })
  const bodies = [
    canary,
    { ...canary, password: undefined },
    { ...canary, email: 'pas une adresse', phone: { nested: canary.phone } },
    { ...canary, currentPassword: canary.password, newPassword: canary.password },
  ]
  const paths = Object.entries(server.http.swagger().paths ?? {}).flatMap(([path, methods]) =>
    Object.keys(methods ?? {}).map((method) => ({ path, method: method.toUpperCase() })),
  )
  for (const { path, method } of paths) {
    if (/live|logout|close$/.test(path)) continue
    const address = path.replaceAll(/\{\w+\}/g, canary.phone.slice(1))
    const query = `?search=${encodeURIComponent(canary.name)}&token=${canary.token}&code=${canary.code}&email=${canary.email}`
    for (const body of method === 'GET' || method === 'DELETE' ? [undefined] : bodies) {
      for (const who of [server.visitor, admin]) {
        await who.send(address + query, {
          method,
          headers: {
            'content-type': 'application/json',
            cookie: `ntalo_refresh=${canary.token}`,
            ...(who === server.visitor && { authorization: `Bearer ${canary.token}` }),
          },
          ...(body && { body: JSON.stringify(body) }),
        })
      }
    }
  }
  // The random ids of requests could contain a code of six digits.
  const log = lines.join('').replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '')
  // The log is not empty: it contains the requests.
  expect(log).toMatch(/"route":"\/api\/auth\/login"/)
  for (const [what, value] of Object.entries(canary)) {
    expect(log.includes(value), `${what} in the log`).toBe(false)
    expect(log.includes(encodeURIComponent(value)), `${what} in the log, encoded`).toBe(false)
  }
  expect(log).not.toContain(admin.token)
})
