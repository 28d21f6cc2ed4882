import { globSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { JournalEntry } from '#features/journal/journal.contract.ts'
import { actionWords, changedValues, entityWords, entryName } from '#features/journal/journal.rules.ts'
import { readRecords } from '../../../tests/support/csv-files.ts'
import { testServer } from '../../../tests/support/server.ts'

const server = await testServer({ trustedProxies: 1 })
const { db } = server
const admin = await server.as('admin')

async function entries(query = ''): Promise<JournalEntry[]> {
  const { body } = await admin.get(`/api/journal?limit=200${query}`)
  return (body as { data: JournalEntry[] }).data
}

test('the journal records who did what, when, from where, before and after, the latest first', async () => {
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Navigateur/1',
    'x-forwarded-for': '41.243.0.7',
  }
  const created = await admin.send('/api/brands', {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'Simba', country: 'RDC' }),
  })
  const { id } = created.body as { id: number }
  await admin.put(`/api/brands/${id}`, { country: 'RD Congo' })
  await admin.delete(`/api/brands/${id}`)
  const found = await entries(`&entity=brands&entityId=${id}`)
  expect(found.map(({ action }) => action)).toEqual(['delete', 'update', 'create'])
  expect(found[1]).toMatchObject({
    user: { id: admin.userId, name: expect.any(String) },
    before: { country: 'RDC' },
    after: { country: 'RD Congo' },
  })
  expect(found[2]).toMatchObject({ address: '41.243.0.7', userAgent: 'Navigateur/1', before: null })
})

test('the journal is filtered by person, action, object and day, and exported as a file', async () => {
  const writer = await server.as('collector')
  await writer.post('/api/brands', { name: 'Primus', country: 'RDC' })
  const own = await entries(`&userId=${writer.userId}`)
  expect(own).toMatchObject([{ action: 'create', entity: 'brands' }])
  const today = new Intl.DateTimeFormat('fr-CA', { timeZone: 'Africa/Kinshasa' }).format(
    new Date(own[0]?.at ?? ''),
  )
  expect(await entries(`&userId=${writer.userId}&startDate=${today}&endDate=${today}`)).toHaveLength(1)
  expect(await entries(`&userId=${writer.userId}&action=delete`)).toEqual([])
  expect(await entries(`&userId=${writer.userId}&endDate=2020-01-01`)).toEqual([])
  expect((await admin.get('/api/journal?startDate=2026-02-01&endDate=2026-01-01')).status).toBe(400)
  const file = await admin.get(`/api/journal/export?userId=${writer.userId}`)
  expect(readRecords(file.bytes)).toHaveLength(2)
  expect(file.text).toContain(';Création;Marque;')
  const forPrograms = await admin.get(`/api/journal/export?userId=${writer.userId}&fileFormat=csv-machine`)
  expect(forPrograms.text).toContain(',create,brands,')
})

test('every action and object that the source writes to the journal has its words', async () => {
  const sources = globSync('src/**/*.ts')
    .filter((path) => !/\.test\.ts$/.test(path))
    .map((path) => readFileSync(path, 'utf8'))
  const written = sources.filter((text) => text.includes('insertAudit('))
  const literals = (texts: string[], of: RegExp) => [
    ...new Set(
      texts.flatMap((text) =>
        [...text.matchAll(of)].flatMap(([found]) =>
          [...found.matchAll(/(?<!=== )'([a-z][a-z -]*)'/g)].map(([, word]) => word ?? ''),
        ),
      ),
    ),
  ]
  const actions = literals(written, /\baction(?::| =)[^\n,{]*/g)
  const entities = literals(written, /\bentity: '[^\n']*'/g)
  const resources = literals(sources, /defineResource\(\{\s*name: '[^\n']*'/g)
  expect(actions).toEqual(expect.arrayContaining(['create', 'undo import', 'registration-refused']))
  expect(resources).toEqual(expect.arrayContaining(['brands', 'type-weights']))
  expect(actions.filter((action) => actionWords(action) === action)).toEqual([])
  expect([...entities, ...resources].filter((entity) => entityWords(entity) === entity)).toEqual([])
})

test('a day of the journal is one of Kinshasa, an hour ahead of UTC, whatever the time is now', async () => {
  const times = [
    '2025-03-09T22:59:59.999Z',
    '2025-03-09T23:00:00.000Z',
    '2025-03-10T22:59:59.999Z',
    '2025-03-10T23:00:00.000Z',
  ]
  for (const at of times) {
    await db
      .insertInto('audit_entry')
      .values({ at: new Date(at), action: 'create', entity: 'brands' })
      .execute()
  }
  const timesOf = async (query: string) => (await entries(query)).map(({ at }) => at)
  const until = '&endDate=2025-12-31'
  expect(await timesOf('&startDate=2025-03-10&endDate=2025-03-10')).toEqual([times[2], times[1]])
  expect(await timesOf('&endDate=2025-03-09')).toEqual([times[0]])
  expect(await timesOf(`&startDate=2025-03-11${until}`)).toEqual([times[3]])
})

test('no user changes or deletes an entry, through the application’s own connection or otherwise', async () => {
  await admin.post('/api/brands', { name: 'Tembo', country: 'RDC' })
  for (const statement of [
    sql`update audit_entry set action = 'rien'`,
    sql`update audit_entry set before = '{}'`,
    sql`delete from audit_entry`,
    sql`truncate audit_entry`,
  ]) {
    await expect(statement.execute(db)).rejects.toThrow('audit entries are only added')
  }
  for (const method of ['put', 'delete'] as const) {
    expect((await admin[method]('/api/journal/1')).status).toBe(404)
  }
})

test('erasing an account can only remove texts from an entry', async () => {
  const { body } = await admin.post('/api/brands', { name: 'Mosaka', country: 'RDC' })
  const { id } = body as { id: number }
  const changed = (statement: ReturnType<typeof sql>) =>
    db.transaction().execute(async (tx) => {
      await sql`select set_config('ntalo.erases', 'on', true)`.execute(tx)
      await statement.execute(tx)
    })
  const entry = sql`entity = 'brands' and entity_id = ${id}`
  for (const change of [
    sql`after = jsonb_set(after, '{name}', '"Autre"')`,
    sql`after = after - 'name'`,
    sql`after = after || '{"more": "(effacé)"}'`,
    sql`after = jsonb_set(after, '{id}', '"(effacé)"')`,
    sql`after = null`,
    sql`after = '"(effacé)"'`,
    sql`before = '{}'`,
    sql`address = '10.0.0.1'`,
    sql`action = 'delete'`,
    sql`at = now() - interval '1 day'`,
  ]) {
    await expect(changed(sql`update audit_entry set ${change} where ${entry}`)).rejects.toThrow('only added')
  }
  await changed(sql`update audit_entry set after = erased(after, 'name'), address = null where ${entry}`)
  const [erased] = await entries(`&entity=brands&entityId=${id}`)
  expect(erased).toMatchObject({ after: { name: '(effacé)', country: 'RDC' }, address: null })
})

test('a change is listed field by field', () => {
  expect(changedValues({ a: 1, b: 'x', c: [1] }, { a: 2, b: 'x', c: [2] })).toEqual([
    { field: 'a', before: '1', after: '2' },
    { field: 'c', before: '[1]', after: '[2]' },
  ])
  expect(changedValues(null, { a: 1 })).toEqual([{ field: 'a', before: null, after: '1' }])
})

test('an entry of a price is labelled by product, market and amounts, another by its name', () => {
  const price = { product: { name: 'Riz' }, market: { name: 'Gambela' }, priceValue: 1000, currency: 'CDF' }
  const plain = (before: unknown, after: unknown) => entryName({ before, after })?.replaceAll(/\s/g, ' ')
  expect(plain(null, price)).toBe('Riz, Gambela : 1 000 FC')
  expect(plain(price, { ...price, priceValue: 1200 })).toBe('Riz, Gambela : 1 000 FC → 1 200 FC')
  expect(plain(price, null)).toBe('Riz, Gambela : 1 000 FC')
  expect(plain({ name: 'Riz Lion' }, { name: 'Riz du Lion' })).toBe('Riz Lion → Riz du Lion')
  expect(plain({ amount: 9.5, currency: 'USD' }, null)).toBe('9,50 $US')
  expect(plain(null, null)).toBeUndefined()
})
