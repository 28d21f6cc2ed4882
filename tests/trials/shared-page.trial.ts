import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { loadDemonstration } from '#demonstration/demonstration.ts'
import { phone, story } from '../support/browser.ts'
import { client, insertAccount, openSession } from '../support/server.ts'
import { slowDown } from '../support/slow-network.ts'

const visits = 5
const mostTimes = 1.2
const { url, pool, db, open } = await story()

/**
 * Returns the time (ms) until the largest part of a page is painted, on slow 3G, on a phone without a cache of the
 * site.
 */
async function paintedMs(path: string): Promise<number> {
  const page = await open('/api/health', { viewport: phone, isNew: true })
  await slowDown(page, 'slow 3G')
  await page.addInitScript(() => {
    const note = (list: PerformanceObserverEntryList) =>
      Object.assign(window, { paintedMs: list.getEntries().at(-1)?.startTime })
    new PerformanceObserver(note).observe({ type: 'largest-contentful-paint', buffered: true })
  })
  await page.goto(url + path, { waitUntil: 'networkidle' })
  const painted = await page.waitForFunction(() => Reflect.get(window, 'paintedMs') as number | undefined)
  return Number(await painted.jsonValue())
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN

test('a shared page is painted on slow 3G in at most 1.2 times the time of the landing page', async () => {
  await loadDemonstration(pool, { log: { info: () => undefined }, prices: 20_000 })
  const userId = await insertAccount(db, { roles: ['manager'] })
  const author = client(url, await openSession(db, userId), userId)
  const { rows } = await sql<{ product: number; market: number }>`
    select product_id as product, market_id as market from price group by 1, 2 order by count(*) desc limit 1`.execute(
    db,
  )
  const [{ product, market } = { product: 0, market: 0 }] = rows
  const shared = async (path: string, search = '') => {
    const { body } = await author.post('/api/shares', { path, search, isFrozen: false })
    return `/p/${(body as { id: string }).id}`
  }
  const pages = {
    landing: '/',
    price: await shared(`/series/${product}/${market}`),
    prices: await shared('/prices', `productId=${product}`),
    comparison: await shared('/statistiques/comparaison', `series=${product}-${market}`),
  }
  const times: Record<string, number[]> = {}
  // In turns: other work of the machine affects all of them.
  for (let visit = 0; visit < visits; visit++) {
    for (const [name, path] of Object.entries(pages))
      times[name] = [...(times[name] ?? []), await paintedMs(path)]
  }
  const { landing = NaN, ...others } = Object.fromEntries(
    Object.entries(times).map(([name, all]) => [name, median(all)]),
  )
  console.log({ landing, ...others })
  for (const [name, ms] of Object.entries(others)) expect(ms / landing, name).toBeLessThanOrEqual(mostTimes)
})
