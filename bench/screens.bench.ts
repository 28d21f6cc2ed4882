import type { Browser, BrowserContext, Page } from 'playwright-core'
import { loadDemonstration } from '#demonstration/demonstration.ts'
import { type Measure, percentile } from './measure.ts'
import { quiet, withPostgres } from './support/private-postgres.ts'
import { signedIn, withScreens } from './support/screens.ts'

export const title =
  'What a browser downloads to sign in and to see the prices, and how long a long series takes to draw'

const points = 10_000
const slowdown = 6
const drawings = 9

export async function measure(): Promise<Measure[]> {
  return withPostgres(async (postgres) => {
    await loadDemonstration(postgres.pool, { log: quiet, prices: 20_000 })
    return withScreens(postgres, 'admin', async (browser, url) => [
      ...(await measureDownloads(browser, url)),
      ...(await measureDrawing(browser, url)),
    ])
  })
}

async function measureDownloads(browser: Browser, url: string): Promise<Measure[]> {
  const visitor = await browser.newContext({ locale: 'fr-FR' })
  const signIn = await scriptsOf(visitor, `${url}/auth/login`, (page) =>
    page.getByLabel('Mot de passe').first().waitFor(),
  )
  const frame = await scriptsOf(await signedIn(browser, url), `${url}/ailleurs`, (page) =>
    page.getByRole('heading', { name: /Page non trouvée/ }).waitFor(),
  )
  const prices = await scriptsOf(await signedIn(browser, url), `${url}/prices`, (page) =>
    page.locator('figure svg').first().waitFor(),
  )
  const more = [...prices].filter(([path]) => !frame.has(path))
  const kilobytes = (files: Iterable<[string, number]>) =>
    [...files].reduce((total, [, bytes]) => total + bytes, 0) / 1000
  return [
    {
      what: 'sign-in, scripts as compressed for the wire',
      value: kilobytes(signIn),
      unit: 'kB',
      atMost: 125,
    },
    { what: 'prices as the first screen, all scripts', value: kilobytes(prices), unit: 'kB', atMost: 185 },
    { what: 'of which beyond those of every screen', value: kilobytes(more), unit: 'kB', atMost: 60 },
  ]
}

/** Path and size in bytes of each script that a page loads until it is ready. */
async function scriptsOf(
  context: BrowserContext,
  address: string,
  isReady: (page: Page) => Promise<void>,
): Promise<Map<string, number>> {
  const page = await context.newPage()
  const sizes = new Map<string, number>()
  const reading: Promise<void>[] = []
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (!pathname.endsWith('.js')) return
    reading.push(
      response
        .request()
        .sizes()
        .then(({ responseBodySize }) => void sizes.set(pathname, responseBodySize)),
    )
  })
  await page.goto(address)
  await isReady(page)
  await Promise.all(reading)
  await page.close()
  return sizes
}

/** From the click that asks for a series, whose answer is there at once, to the frame that shows it. */
async function measureDrawing(browser: Browser, url: string): Promise<Measure[]> {
  const page = await (await signedIn(browser, url)).newPage()
  const answer = await longSummary(page, url)
  await page.route('**/api/prices/analytics/summary?*', async (route) => {
    const asked = new URL(route.request().url()).searchParams
    const days =
      (Date.parse(asked.get('endDate') ?? '') - Date.parse(asked.get('startDate') ?? '')) / 86_400_000
    await route.fulfill({
      json: days > 80 ? answer : { ...answer, dailyPrices: answer.dailyPrices.slice(-7) },
    })
  })
  await page.goto(`${url}/prices`)
  // Of several products the index is shown first: a point a week.
  await page.getByRole('button', { name: 'Prix moyen', exact: true }).click()
  await page.locator('figure svg').first().waitFor()
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  const taken: number[] = []
  for (let turn = 0; turn < drawings; turn++) taken.push(await draw(page))
  taken.sort((a, b) => a - b)
  return [
    {
      what: `${points} points drawn, processor ${slowdown} times slower, median`,
      value: percentile(taken, 0.5),
      unit: 'ms',
      atMost: 100,
    },
    { what: 'the same, longest', value: percentile(taken, 1), unit: 'ms' },
  ]
}

async function longSummary(page: Page, url: string) {
  const answered = page.waitForResponse(/analytics\/summary/)
  await page.goto(`${url}/prices`)
  const summary: { dailyPrices: object[] } = await (await answered).json()
  const dailyPrices = Array.from({ length: points }, (_, day) => ({
    date: new Date(Date.UTC(1999, 0, 1 + day)).toISOString().slice(0, 10),
    count: 3,
    averagePrice: 1000 + day / 10 + 200 * Math.sin(day / 58) + ((day * 7919) % 100),
  }))
  return { ...summary, dailyPrices }
}

/** Ms of the longest task of the page's own thread from the click that asks for a series to the frame that shows it. */
async function draw(page: Page): Promise<number> {
  await page.evaluate(() => {
    const longest = { ms: 0 }
    Object.assign(globalThis, { longest })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest.ms = Math.max(longest.ms, duration)
    }).observe({ entryTypes: ['longtask'] })
  })
  await page.getByText('90j', { exact: true }).click()
  await lineIs(page, true)
  // What was put there above.
  const ms = await page.evaluate(() => (globalThis as unknown as { longest: { ms: number } }).longest.ms)
  await page.getByText('7j', { exact: true }).click()
  await lineIs(page, false)
  return ms
}

function lineIs(page: Page, isLong: boolean): Promise<unknown> {
  return page.waitForFunction(
    (wanted) =>
      [...document.querySelectorAll('figure svg path')].some(
        (path) => (path.getAttribute('d')?.length ?? 0) > 4_000,
      ) === wanted,
    isLong,
  )
}
