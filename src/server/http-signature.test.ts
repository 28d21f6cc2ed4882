import { createHash, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { verifySignature } from '#server/http-signature.ts'

// Made by hand with openssl alone, from the text that section 2.5 of RFC 9421 signs and the headers that pawaPay sends,
// without our code or the package that verifies signatures.
const keyId = 'HTTP_EC_P256_KEY:1'
const publicKey = `-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAER88XwOYFCozUb4oKg8RG6B0CULZ3
j3Q+QtjgZpJ3EhjOREwP1o8cFnBNY1W1j0kx+3H7xnMaaxcNgJCayC5wUA==
-----END PUBLIC KEY-----
`
const covered =
  '("@method" "@authority" "@path" "signature-date" "content-digest" "content-type" "content-length")'
const parameters = `${covered};alg="ecdsa-p256-sha256";keyid="${keyId}";created=1795341600;expires=1795341660`
const vector = {
  url: 'https://ntalo.cd/webhooks/pawapay',
  headers: {
    'content-type': 'application/json; charset=UTF-8',
    'content-length': '107',
    'content-digest':
      'sha-512=:rYHBBixNkd/5j6jhA1JnbW5d18NTXLMICQY8GZm3QjbK25eSUCHEIxwX63XjvVcrj4PoJDHy6YaA1EY/RdJcTg==:',
    'signature-date': '2026-11-22T10:00:00.000000Z',
    'signature-input': `sig-pp=${parameters}`,
    signature:
      'sig-pp=:IB0nTeTehgOMDkLOje6rqh1d6cOODWsZkd5d3QYWW2sGoyJl05hN2WTtr6yXj0tAAsfLRkD13OsZ53hStU0HgA==:',
  },
  body: Buffer.from(
    '{"depositId":"8917c345-4791-4285-a416-62f24b6982db","status":"COMPLETED","amount":"15000","currency":"CDF"}',
  ),
}
const findKey = async (id: string) => (id === keyId ? publicKey : undefined)

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T10:00:20Z') }))
afterAll(() => void vi.useRealTimers())

describe('a signature made elsewhere', () => {
  test('is verified', async () => {
    expect(await verifySignature(vector, findKey)).toBe(true)
  })

  test.each([
    ['another path', { ...vector, url: 'https://ntalo.cd/webhooks/other' }],
    ['another host', { ...vector, url: 'https://autre.cd/webhooks/pawapay' }],
    ['another body', { ...vector, body: Buffer.from(vector.body.toString().replace('15000', '15001')) }],
    ['another type', withHeaders({ 'content-type': 'text/plain' })],
    ['another date', withHeaders({ 'signature-date': '2026-11-22T10:00:01.000000Z' })],
    ['another key id', withHeaders({ 'signature-input': `sig-pp=${parameters.replace('KEY:1', 'KEY:2')}` })],
    ['a byte changed', withHeaders({ signature: vector.headers.signature.replace('IB0n', 'IB0m') })],
    ['no signature', withHeaders({ signature: '' })],
  ])('is refused with %s', async (_what, request) => {
    expect(await verifySignature(request, findKey)).toBe(false)
  })

  test('is refused for a body and a digest that match each other, and not the signature', async () => {
    const body = Buffer.from(vector.body.toString().replace('15000', '15001'))
    const digest = `sha-512=:${createHash('sha512').update(body).digest('base64')}:`
    expect(await verifySignature({ ...withHeaders({ 'content-digest': digest }), body }, findKey)).toBe(false)
  })

  test.each(['2026-11-22T09:50:00Z', '2026-11-22T10:06:00Z', '2026-11-22T10:30:00Z'])(
    'is refused at %s, far from its creation',
    async (now) => {
      vi.setSystemTime(new Date(now))
      expect(await verifySignature(vector, findKey)).toBe(false)
    },
  )

  test('is unknown while its key is not available', async () => {
    const away = async () => {
      throw new Error('the provider is away')
    }
    expect(await verifySignature(vector, away)).toBe('unknown')
  })
})

describe('a signature with a right key', () => {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const findPair = async () => pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()

  /** Signs these parts of the test vector as RFC 9421 says, by hand. */
  function signed(names: readonly string[]) {
    const digest = `sha-256=:${createHash('sha256').update(vector.body).digest('base64')}:`
    const headers = { ...vector.headers, 'content-digest': digest }
    const values: Record<string, string> = { ...headers, '@method': 'POST', '@path': '/webhooks/pawapay' }
    const list = `(${names.map((name) => `"${name}"`).join(' ')});alg="ecdsa-p256-sha256";keyid="k";created=1795341600`
    const base = [...names.map((name) => `"${name}": ${values[name]}`), `"@signature-params": ${list}`].join(
      '\n',
    )
    const key = {
      key: createPrivateKey(pair.privateKey.export({ type: 'pkcs8', format: 'pem' })),
      dsaEncoding: 'ieee-p1363' as const,
    }
    const signature = sign('sha256', Buffer.from(base), key).toString('base64')
    return withHeaders({ ...headers, 'signature-input': `sig=${list}`, signature: `sig=:${signature}:` })
  }

  test('must cover only the method, the path and the body, in any order', async () => {
    expect(await verifySignature(signed(['content-digest', '@path', '@method']), findPair)).toBe(true)
  })

  test.each([
    ['the body', ['@method', '@path']],
    ['the path', ['@method', 'content-digest']],
    ['the method', ['@path', 'content-digest']],
  ])('is refused when it does not cover %s', async (_what, names) => {
    expect(await verifySignature(signed(names), findPair)).toBe(false)
  })
})

function withHeaders(headers: Record<string, string>) {
  return { ...vector, headers: { ...vector.headers, ...headers } }
}
