import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { defineEndpoint } from '#shared/contract.ts'
import { scopeNames } from '#shared/permissions.ts'
import { insertMarket, insertProduct } from '../../../tests/support/catalogue.ts'
import { insertAccount, testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const [productId, marketId] = [await insertProduct(db), await insertMarket(db)]
const session = await server.clientOf(await insertAccount(db, { roles: ['super admin'] }))

async function keyWith(scopes: readonly string[]) {
  const { body } = await session.post('/api/keys', { name: 'essai', scopes })
  const authorization = `Bearer ${Object(body).key}`
  return (method: string, path: string, sent: unknown = {}) =>
    server.visitor.send(path, {
      method,
      headers: { authorization, ...(method !== 'DELETE' && { 'content-type': 'application/json' }) },
      ...(method !== 'DELETE' && { body: JSON.stringify(sent) }),
    })
}

const operations = Object.entries(server.http.swagger().paths ?? {}).flatMap(([path, methods]) =>
  Object.entries(methods ?? {}).map(([method, operation]) => ({
    path,
    method: method.toUpperCase(),
    name: `${method.toUpperCase()} ${path}`,
    isPublic: Object(operation).security.length === 0,
    ownScope: Object(operation)['x-own-scope'],
  })),
)
const closed = operations.filter(({ method, isPublic }) => method !== 'GET' && !isPublic)
const reading = scopeNames.filter((scope) => scope.endsWith('.read'))
// They answer what a change would do, and store nothing.
const asking = ['POST /api/alerts/preview', 'POST /api/reports/preview']

test('a key that only reads is refused by every operation that writes, and writes nothing', async () => {
  const send = await keyWith(reading)
  const writes = async () =>
    (await sql<{ count: number }>`select count(*) as count from audit_entry`.execute(db)).rows[0]?.count
  const before = await writes()
  const passed: string[] = []
  for (const { name, method, path } of closed) {
    const { status, body } = await send(method, path.replaceAll(/\{\w+\}/g, '2147483000'))
    if (status !== 403 || Object(body).code !== 'scope_missing') passed.push(name)
  }
  expect(passed.sort()).toEqual(asking)
  expect(await writes()).toBe(before)
})

describe('a user’s own data', () => {
  const wanted = closed.filter(({ ownScope }) => ownScope === 'own.write').map(({ name }) => name)

  test('need their own scope besides the one for reading, and the refusal says so', async () => {
    expect(wanted.sort()).toEqual([
      'DELETE /api/alerts/{id}',
      'DELETE /api/follows/{id}',
      'DELETE /api/reports/{id}',
      'DELETE /api/shares/{id}',
      'POST /api/alerts',
      'POST /api/alerts/events/read',
      'POST /api/follows',
      ...[
        'POST /api/reports',
        'POST /api/reports/{id}/issues',
        'POST /api/shares',
        'POST /api/statistics/reports',
      ],
      'PUT /api/alerts/{id}',
      'PUT /api/reports/{id}',
    ])
    const follow = { productId, marketId }
    const reader = await keyWith(['prices.read'])
    expect(await reader('POST', '/api/follows', follow)).toMatchObject({
      status: 403,
      body: { code: 'scope_missing', message: expect.stringContaining('own.write') },
    })
    const blind = await keyWith(['own.write'])
    expect(await blind('POST', '/api/follows', follow)).toMatchObject({ status: 403 })
    const owner = await keyWith(['prices.read', 'own.write'])
    expect(await owner('POST', '/api/follows', follow)).toMatchObject({ status: 201 })
  })

  test('cannot be written with a permission to read unless it is declared', () => {
    const described = { summary: 'Essai', description: 'Essai.', response: undefined as never }
    // @ts-expect-error it writes, and asks for a permission to read
    const forgotten = defineEndpoint({ ...described, method: 'POST', path: '/api/x', right: 'prices.read' })
    expect(forgotten.right).toBe('prices.read')
  })
})

test('a page of another site may use every method of an address with a key', async () => {
  const refused: string[] = []
  for (const { name, method, path } of operations) {
    const { status, headers } = await server.visitor.send(path.replaceAll(/\{\w+\}/g, '1'), {
      method: 'OPTIONS',
      headers: {
        origin: 'https://tableur.example',
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,content-type,idempotency-key',
      },
    })
    const allowed = headers.get('access-control-allow-methods')?.split(', ') ?? []
    const isOpen = headers.get('access-control-allow-origin') === '*'
    if (status !== 204 || !isOpen || !allowed.includes(method)) refused.push(name)
  }
  expect(refused).toEqual([])
  expect(new Set(operations.map(({ method }) => method))).toEqual(new Set(['GET', 'POST', 'PUT', 'DELETE']))
})
