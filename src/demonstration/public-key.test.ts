import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { loadDemonstration } from '#demonstration/demonstration.ts'
import { DevelopersView } from '#features/reference/developers.view.tsx'
import { referencePages } from '#features/reference/reference.routes.ts'
import type { Db } from '#server/db/pool.ts'
import { unknownSite } from '#shared/site.ts'
import { testDatabase } from '../../tests/support/database.ts'
import { expectRefusal } from '../../tests/support/price-calls.ts'
import { client, listenOn } from '../../tests/support/server.ts'

/** Returns the page of the developers' guide. */
async function guideOf(db: Db, url: string) {
  const around = async () => ({ site: unknownSite, isDemonstration: true })
  const [guide] = referencePages(db, () => ({ paths: {} }), around)
  return (await guide?.load({}, url))?.props as Parameters<typeof DevelopersView>[0]
}

test('the key shown in a demonstration answers the request beside it, and may only read', async () => {
  const database = await testDatabase()
  await loadDemonstration(database.pool, { log: { info() {} }, prices: 200 })
  const { url } = await listenOn(database)
  const guide = await guideOf(database.db, url)
  const page = renderToStaticMarkup(createElement(DevelopersView, guide))
  const [, key = ''] = /export NTALO_KEY=(ntalo_live_\w+)/.exec(page)!
  const { first } = guide
  const [, address = '', scheme] = /curl "(.+?)" .*-H "Authorization: (\w+) \$NTALO_KEY"/s.exec(
    first[0]!.code,
  )!
  const shown = await fetch(address, { headers: { authorization: `${scheme} ${key}` } })
  expect(shown.status).toBe(200)
  expect(await shown.json()).toMatchObject({ data: Array(5).fill({ priceValue: expect.any(Number) }) })
  expect(shown.headers.get('ratelimit-policy')).toBe('"minute";q=60;w=60, "month";q=10000;w=2678400')
  const reader = client(url, key, null)
  for (const path of [
    '/api/follows',
    '/api/alerts',
    '/api/shares',
    '/api/statistics/reports',
    '/api/prices',
  ]) {
    expectRefusal(await reader.post(path, {}), 403, { message: 'lire' })
  }
  for (const path of ['/api/keys', '/api/users', '/api/payments', '/api/webhooks']) {
    expect((await reader.get(path)).status, path).toBe(403)
  }
})

test('the guide shows no key outside a demonstration', async () => {
  const { db } = await testDatabase()
  const page = renderToStaticMarkup(createElement(DevelopersView, await guideOf(db, 'https://ntalo.example')))
  expect(page).toContain('export NTALO_KEY=ntalo_live_…')
  expect(page).not.toContain('démonstration, ci-dessous')
})
