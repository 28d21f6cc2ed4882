import { beforeAll, describe, expect, test } from 'vitest'
import { routesOf } from './support/routes.ts'
import { type Client, insertAccount, testServer } from './support/server.ts'

const server = await testServer()

const people = [
  'visitor',
  'user without access',
  'user with access',
  'agent',
  'collector',
  'manager',
  'admin',
  'super admin',
] as const
type Person = (typeof people)[number]

/** Result of a request: the status of the refusal, or `yes` when the request reaches the handler. */
type Fate = 'yes' | 401 | 402 | 403

const row = (...fates: Fate[]) =>
  Object.fromEntries(people.map((person, i) => [person, fates[i]])) as Record<Person, Fate>

// Rows of the table of rights promised to users; columns in the order of `people`.
const everybody = row('yes', 'yes', 'yes', 'yes', 'yes', 'yes', 'yes', 'yes')
const signedIn = row(401, 'yes', 'yes', 'yes', 'yes', 'yes', 'yes', 'yes')
const readData = row(401, 402, 'yes', 'yes', 'yes', 'yes', 'yes', 'yes')
const writeData = row(401, 403, 403, 403, 'yes', 403, 'yes', 'yes')
const importFiles = row(401, 403, 403, 403, 403, 403, 'yes', 'yes')
const administer = row(401, 403, 403, 403, 403, 403, 'yes', 'yes')
const collectPrices = row(401, 403, 403, 'yes', 'yes', 403, 'yes', 'yes')

const promised: Record<string, Record<Person, Fate>> = {
  'GET /api': everybody,
  'GET /api/health': everybody,
  'GET /api/ready': everybody,
  'GET /api/system': row(401, 403, 403, 403, 403, 403, 403, 'yes'),
  'POST /api/auth/login': everybody,
  'POST /api/auth/refresh': everybody,
  'POST /api/auth/logout': everybody,
  'GET /api/auth/me': signedIn,
  'POST /api/auth/register': everybody,
  'POST /api/auth/verify-email': everybody,
  'POST /api/auth/resend-verification': everybody,
  'POST /api/auth/forgot-password': everybody,
  'POST /api/auth/reset-password': everybody,
  'GET /api/auth/google/initiate': everybody,
  'GET /api/auth/google/callback': everybody,
  'POST /api/auth/google/second-step': everybody,
}
for (const name of ['brands', 'categories', 'product-types', 'products', 'markets', 'prices']) {
  promised[`GET /api/${name}`] = readData
  promised[`GET /api/${name}/{id}`] = readData
  promised[`GET /api/${name}/export`] = readData
  promised[`POST /api/${name}`] = name === 'prices' ? collectPrices : writeData
  promised[`PUT /api/${name}/{id}`] = name === 'prices' ? collectPrices : writeData
  promised[`DELETE /api/${name}/{id}`] = writeData
}
for (const name of ['users', 'roles', 'permissions', 'agents']) {
  for (const what of ['', '/{id}', '/export']) promised[`GET /api/${name}${what}`] = administer
  promised[`POST /api/${name}`] = administer
  for (const method of ['PUT', 'DELETE']) promised[`${method} /api/${name}/{id}`] = administer
}
for (const name of ['users', 'agents']) promised[`GET /api/${name}/figures`] = administer
promised['PUT /api/users/{id}/change-password'] = signedIn
for (const what of ['PUT /api/auth/me', 'GET /api/auth/me/export', 'POST /api/auth/me/close']) {
  promised[what] = signedIn
}
promised['GET /api/auth/sessions'] = signedIn
promised['GET /api/auth/second-factor'] = signedIn
promised['DELETE /api/users/{id}/second-factor'] = administer
for (const what of ['', '/confirm', '/remove', '/recovery-codes'])
  promised[`POST /api/auth/second-factor${what}`] = signedIn
for (const method of ['GET', 'PUT']) promised[`${method} /api/auth/notifications`] = signedIn
promised['DELETE /api/auth/sessions/{id}'] = signedIn
for (const what of ['', '/export', '/check']) promised[`GET /api/journal${what}`] = administer
promised['POST /api/journal/check'] = administer
for (const what of ['brands/countries', 'markets/locations', 'products/origins', 'products/formats']) {
  promised[`GET /api/${what}`] = readData
}
for (const name of ['brands', 'categories', 'product-types', 'products'])
  promised[`POST /api/${name}/{id}/merge`] = writeData
promised['POST /api/products/{id}/image'] = writeData
promised['GET /api/products/{id}/latest-prices'] = readData
for (const name of ['categories', 'products', 'markets']) promised[`GET /api/${name}/figures`] = readData
promised['GET /api/prices/analytics/summary'] = readData
promised['GET /api/prices/live'] = readData
for (const what of ['', '/{product}/{market}', '/{product}/{market}/gaps'])
  promised[`GET /api/series${what}`] = readData
promised['GET /api/prices/movers'] = readData
for (const what of ['', '/events']) promised[`GET /api/alerts${what}`] = readData
promised['GET /api/alerts/unread'] = signedIn
promised['GET /api/channels'] = signedIn
for (const what of ['link', 'code', 'confirm', 'stop']) promised[`POST /api/channels/${what}`] = signedIn
for (const what of ['', '/preview', '/events/read']) promised[`POST /api/alerts${what}`] = readData
for (const method of ['PUT', 'DELETE']) promised[`${method} /api/alerts/{id}`] = readData
for (const what of ['', '/{id}', '/{id}/issues']) promised[`GET /api/reports${what}`] = readData
for (const what of ['', '/preview', '/{id}/issues']) promised[`POST /api/reports${what}`] = readData
for (const method of ['PUT', 'DELETE']) promised[`${method} /api/reports/{id}`] = readData
promised['GET /api/reports/issues/{token}/file'] = everybody
promised['POST /api/shares'] = readData
// What was shared can be withdrawn after the access has ended.
for (const what of ['GET /api/shares', 'DELETE /api/shares/{id}'])
  promised[what] = { ...readData, [people[1]]: 'yes' }
for (const what of ['GET /api/follows', 'POST /api/follows', 'DELETE /api/follows/{id}'])
  promised[what] = readData
for (const what of [
  'overview',
  'markets/activity',
  'prices/trends',
  'categories/distribution',
  'brands/ranking',
  'subscriptions/growth',
  'dashboard',
  'dashboard/changes',
  'export',
]) {
  promised[`GET /api/statistics/${what}`] = readData
  for (const what of ['', '/{id}/file']) promised[`GET /api/editions${what}`] = readData
  promised['POST /api/editions'] = importFiles
}
for (const what of ['GET /api/statistics/reports', 'POST /api/statistics/reports']) promised[what] = readData
promised['GET /api/statistics/reports/{id}/file'] = readData
for (const what of ['latest-prices', 'collectors']) promised[`GET /api/markets/{id}/${what}`] = readData
promised['GET /api/prices/collectors'] = collectPrices
promised['GET /api/prices/check'] = collectPrices
const supervise = row(401, 403, 403, 403, 'yes', 'yes', 'yes', 'yes')
for (const what of ['devices', 'lists/{id}']) promised[`GET /api/collection/${what}`] = supervise
promised['PUT /api/collection/lists/{id}'] = writeData
promised['DELETE /api/collection/devices/{id}'] = writeData
promised['POST /api/collection/devices'] = row(401, 'yes', 'yes', 'yes', 'yes', 'yes', 'yes', 'yes')
promised['POST /api/collection/session'] = everybody
promised['GET /api/collection/plans'] = row(401, 403, 403, 'yes', 'yes', 'yes', 'yes', 'yes')
promised['POST /api/collection/plans'] = writeData
promised['PUT /api/collection/plans/{id}'] = writeData
promised['DELETE /api/collection/plans/{id}'] = writeData
promised['GET /api/collection/visits/export'] = supervise
promised['GET /api/prices/{id}/photos'] = supervise
promised['PUT /api/collection/photos/{sha256}'] = collectPrices
promised['GET /api/collection/availability'] = readData
for (const what of [
  'GET /api/collection/returns',
  'GET /api/collection/catalogue',
  'GET /api/collection/rounds',
  'GET /api/collection/rounds/{marketId}',
])
  promised[what] = collectPrices
promised['POST /api/collection/batches'] = collectPrices
promised['GET /api/collection/work'] = row(401, 403, 403, 'yes', 'yes', 'yes', 'yes', 'yes')
for (const what of ['', '/log', '/log/export']) promised[`GET /api/reviews${what}`] = supervise
promised['POST /api/reviews/{priceId}'] = writeData
promised['GET /api/products/import-template'] = importFiles
for (const what of ['', '/{id}', '/{id}/rejected']) promised[`GET /api/imports${what}`] = importFiles
for (const what of ['', '/{id}/check', '/{id}/map', '/{id}/confirm', '/{id}/abandon', '/{id}/undo']) {
  promised[`POST /api/imports${what}`] = importFiles
}

promised['GET /api/import-mappings'] = importFiles
for (const method of ['PUT', 'DELETE']) promised[`${method} /api/import-mappings/{id}`] = importFiles

promised['GET /api/public/overview'] = everybody
promised['GET /api/public/search'] = everybody
promised['POST /api/contact'] = everybody
for (const what of ['', '/{id}', '/export']) promised[`GET /api/messages${what}`] = administer
promised['POST /api/messages'] = administer
for (const method of ['PUT', 'DELETE']) promised[`${method} /api/messages/{id}`] = administer
promised['GET /api/plans'] = everybody
promised['GET /api/plans/{id}'] = everybody
const manage = row(401, 403, 403, 403, 403, 403, 'yes', 'yes')
for (const [method, path] of [
  ['POST', ''],
  ['PUT', '/{id}'],
  ['DELETE', '/{id}'],
  ['GET', '/export'],
]) {
  promised[`${method} /api/plans${path}`] = manage
}
const readOthers = row(401, 403, 403, 403, 403, 'yes', 'yes', 'yes')
promised['GET /api/subscriptions'] = readOthers
promised['GET /api/subscriptions/export'] = readOthers
// The handler distinguishes one's own rows from those of others.
promised['GET /api/subscriptions/{id}'] = signedIn
promised['POST /api/subscriptions'] = signedIn
promised['GET /api/subscriptions/access'] = signedIn
for (const what of ['POST /cancel', 'POST /resume', 'PUT /plan'])
  promised[what.replace(' ', ' /api/subscriptions/mine')] = signedIn
promised['GET /api/subscriptions/user/{userId}'] = row(401, 403, 403, 403, 403, 'yes', 'yes', 'yes')
promised['GET /api/subscriptions/subscribers'] = manage
promised['PUT /api/subscriptions/{id}'] = manage
for (const what of ['pause', 'resume']) promised[`POST /api/subscriptions/{id}/${what}`] = manage
promised['DELETE /api/subscriptions/{id}'] = manage
for (const what of ['', '/export', '/analytics/summary']) promised[`GET /api/payments${what}`] = manage
promised['POST /api/payments'] = manage
for (const what of ['PUT /api/payments/{id}', 'PUT /api/payments/{id}/status', 'DELETE /api/payments/{id}']) {
  promised[what] = manage
}
for (const what of [
  'GET /api/payments/{id}',
  'GET /api/payments/mine',
  'GET /api/payments/methods',
  'GET /api/payments/upgrade',
]) {
  promised[what] = signedIn
}
promised['POST /api/payments/checkout'] = signedIn
promised['POST /api/payments/{id}/leave'] = signedIn
promised['GET /api/invoices'] = signedIn
promised['GET /api/invoices/{id}/pdf'] = signedIn
promised['GET /api/invoices/export'] = manage
promised['GET /api/billing-details'] = signedIn
promised['GET /api/payments/revenue'] = readOthers
promised['GET /api/payments/reconciliation'] = manage
promised['POST /api/payments/reconciliation'] = manage
promised['POST /api/payments/{id}/ask'] = manage
for (const what of [
  'GET /api/payments/strays',
  'POST /api/payments/strays',
  'POST /api/payments/strays/{id}/refund',
])
  promised[what] = manage
promised['GET /api/organisation'] = signedIn
promised['POST /api/organisation/members'] = signedIn
promised['DELETE /api/organisation/members/{id}'] = signedIn
promised['POST /api/organisation/invitations/{id}/accept'] = signedIn
promised['DELETE /api/organisation/membership'] = signedIn
promised['GET /api/transfers'] = signedIn
promised['POST /api/transfers'] = signedIn
promised['GET /api/transfers/{id}/pdf'] = signedIn
promised['DELETE /api/transfers/{id}'] = signedIn
promised['POST /api/transfers/{id}/receipts'] = manage
promised['GET /api/transfers/{id}/receipts'] = manage
promised['POST /api/transfers/{id}/cancellations'] = manage
promised['GET /api/payments/mine/export'] = signedIn
promised['GET /api/payments/revenue/export'] = readOthers
promised['PUT /api/billing-details'] = signedIn
for (const what of ['GET /api/payments/links', 'POST /api/payments/links', 'DELETE /api/payments/links/{id}'])
  promised[what] = signedIn
promised['POST /api/public/payment-links/{token}'] = everybody

for (const what of ['', '/{id}', '/export']) promised[`GET /api/exchange-rates${what}`] = readData
for (const what of [
  'POST /api/exchange-rates',
  'PUT /api/exchange-rates/{id}',
  'DELETE /api/exchange-rates/{id}',
]) {
  promised[what] = importFiles
}

for (const name of ['type-weights', 'published-inflation']) {
  for (const what of ['', '/{id}', '/export']) promised[`GET /api/${name}${what}`] = readData
  promised[`POST /api/${name}`] = writeData
  for (const method of ['PUT', 'DELETE']) promised[`${method} /api/${name}/{id}`] = writeData
}
for (const what of [
  'GET /api/views',
  'POST /api/views',
  'PUT /api/views/{id}',
  'DELETE /api/views/{id}',
  'GET /api/keys',
  'POST /api/keys',
  'DELETE /api/keys/{id}',
  'GET /api/usage',
  'GET /api/webhooks',
  'POST /api/webhooks',
  'PUT /api/webhooks/{id}',
  'DELETE /api/webhooks/{id}',
  'POST /api/webhooks/{id}/secret',
  'POST /api/webhooks/{id}/test',
  'GET /api/webhooks/{id}/deliveries',
  'POST /api/webhooks/{id}/replay',
]) {
  promised[what] = signedIn
}
for (const what of ['inflation', 'comparison', 'map', 'alerts'])
  promised[`GET /api/statistics/${what}`] = readData

type Operation = { method: string; path: string; name: string }
const operations: Operation[] = Object.entries(server.http.swagger().paths ?? {}).flatMap(([path, methods]) =>
  Object.keys(methods ?? {}).map((method) => ({
    method: method.toUpperCase(),
    path,
    name: `${method.toUpperCase()} ${path}`,
  })),
)

const accounts = {} as Record<Exclude<Person, 'visitor'>, number>
beforeAll(async () => {
  accounts['user without access'] = await insertAccount(server.db, { roles: ['user'] })
  accounts['user with access'] = await insertAccount(server.db, { roles: ['individual'], ageDays: 1 })
  for (const role of ['agent', 'collector', 'manager', 'admin', 'super admin'] as const) {
    accounts[role] = await insertAccount(server.db, { roles: [role] })
  }
})

// A separate session for each request, since signing out ends the session that requests it.
async function clientOf(person: Person): Promise<Client> {
  return person === 'visitor' ? server.visitor : server.clientOf(accounts[person])
}

test('every endpoint has a row in the table, and every row an endpoint', () => {
  expect(operations.map(({ name }) => name).sort()).toEqual(Object.keys(promised).sort())
})

test('no route of the router is missing from these endpoints', async () => {
  const routes = routesOf(server.http.printRoutes({ commonPrefix: false }))
  const answered = new Set<string>()
  for (const { path, isForm, methods } of routes) {
    if (/^\/api(\/|$)/.test(path)) {
      // Every address refuses unknown methods, and lists those it accepts.
      const { headers } = await server.visitor.send(path.replaceAll(/:\w+/g, '1'), { method: 'OPTIONS' })
      for (const method of headers.get('allow')?.split(', ') ?? methods) {
        if (method !== 'HEAD') answered.add(`${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
      }
    } else if (!isForm) {
      // The second spelling of an endpoint, `/auth/refresh`; all other addresses are read only.
      const written = methods.filter((method) => method !== 'GET' && method !== 'HEAD')
      for (const method of written)
        expect(operations.map(({ name }) => name)).toContain(`${method} /api${path}`)
    }
  }
  expect([...answered].sort()).toEqual(
    ['GET /api/openapi.json', ...operations.map(({ name }) => name)].sort(),
  )
})

// An endpoint without a row has failed above, once for all people.
const promisedOperations = operations.filter(({ name }) => name in promised)

describe.each(people)('as %s', (person) => {
  test.each(promisedOperations)('$name is answered as the table says', async ({ method, path, name }) => {
    // An unknown id and an empty body: enough to pass or fail the check of rights, and never to change anything.
    const { status } = await (await clientOf(person)).send(path.replace(/\{\w+\}/, '2147483000'), {
      method,
      ...(method !== 'GET' &&
        method !== 'DELETE' && { body: '{}', headers: { 'content-type': 'application/json' } }),
    })
    const fate: Fate =
      status === 401 && promised[name] === everybody ? 'yes' : isRefusal(status) ? status : 'yes'
    expect(fate).toBe(promised[name]?.[person])
  })
})

function isRefusal(status: number): status is 401 | 402 | 403 {
  return status === 401 || status === 402 || status === 403
}
