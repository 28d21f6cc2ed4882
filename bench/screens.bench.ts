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

/** Returns path and size in bytes of each script that a page loads until it is ready. */
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

/**
 * Measures the time from a response with many days, already in the page, to the frame that shows its line, on a screen
 * that showed another.
 */
async function measureDrawing(browser: Browser, url: string): Promise<Measure[]> {
  const page = await (await signedIn(browser, url)).newPage()
  const { summary, list } = await firstAnswers(page, url)
  await page.route('**/api/prices/analytics/summary?*', (route) => {
    const turn = new URL(route.request().url()).searchParams.get('search')?.length ?? 0
    return route.fulfill({ json: { ...summary, dailyPrices: dailyPrices(turn === 0 ? 7 : points, turn) } })
  })
  await page.addInitScript(() => {
    const read = Response.prototype.text
    Response.prototype.text = async function text() {
      const answer = await read.call(this)
      if (this.url.includes('analytics/summary')) performance.mark('answer')
      return answer
    }
  })
  // The list below does not change, so that it is not measured.
  await page.route('**/api/prices?*', (route) => route.fulfill({ json: list }))
  await page.goto(`${url}/prices`)
  // With several products the index is shown first, which has a point a week.
  await page.getByRole('button', { name: 'Prix moyen', exact: true }).click()
  await page.locator('figure svg').first().waitFor()
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  const search = page.getByLabel('Rechercher un prix')
  const taken: number[] = []
  for (let turn = 1; turn <= drawings; turn++) {
    const drawn = msToFrame(page)
    await search.fill('r'.repeat(turn))
    taken.push(await drawn)
  }
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

/** Returns the server's own summary and list, which the measured responses reuse except for the daily prices. */
async function firstAnswers(page: Page, url: string): Promise<{ summary: object; list: object }> {
  const summary = page.waitForResponse(/analytics\/summary/)
  const list = page.waitForResponse(/api\/prices\?/)
  await page.goto(`${url}/prices`)
  return { summary: await (await summary).json(), list: await (await list).json() }
}

/** Returns prices for this many days, different for each turn. */
function dailyPrices(days: number, turn: number): object[] {
  return Array.from({ length: days }, (_, day) => ({
    date: new Date(Date.UTC(1999, 0, 1 + day)).toISOString().slice(0, 10),
    count: 3,
    averagePrice: 1000 + day / 10 + 200 * Math.sin(day / 58 + turn) + ((day * 7919) % 100),
  }))
}

/** Returns the ms from the next response, read and not yet parsed, to the frame that shows another line than now. */
function msToFrame(page: Page): Promise<number> {
  return page.evaluate(() => {
    const figure = document.querySelector('figure')
    const lines = () =>
      [...document.querySelectorAll('figure svg path')].map((path) => path.getAttribute('d'))
    const line = () => lines().find((each) => each && each.length > 4_000)
    const before = line()
    return new Promise<number>((resolve) => {
      const tell = () => resolve(performance.now() - performance.getEntriesByName('answer').at(-1)!.startTime)
      const observer = new MutationObserver(() => {
        const now = line()
        if (!now || now === before) return
        observer.disconnect()
        requestAnimationFrame(() => {
          const channel = new MessageChannel()
          // This message arrives after the frame has been drawn.
          channel.port1.onmessage = tell
          channel.port2.postMessage(null)
        })
      })
      if (figure) observer.observe(figure, { subtree: true, childList: true, attributeFilter: ['d'] })
    })
  })
}
