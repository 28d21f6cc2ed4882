import type { Browser, CDPSession, Page } from 'playwright-core'
import type { Measure } from '../measure.ts'

// Networks from Chromium's own presets, with the factors that Lighthouse applies to them: latency in ms, throughput in
// bytes per second.
const networks = [
  { name: 'slow 3G', latency: 400, throughput: (400 * 1000) / 8, slowdown: 6, atMost: 2000 },
  { name: 'EDGE', latency: 840, throughput: (240 * 1000) / 8, slowdown: 6, atMost: 4500 },
]
type Network = (typeof networks)[number]
type Seen = { paint: number; shift: number; answered: number }

const turns = 3
/** Browsers report no interaction that was answered sooner (ms). */
const leastSeenMs = 16

/**
 * Measures a page of a phone on slow networks: when its largest part is painted, how much the layout shifts, and, on
 * the slowest, how long a tap or a key takes to show.
 *
 * @param use performs the actions of visitors on the page
 */
export async function readSlowly(
  browser: Browser,
  { name, address, use }: { name: string; address: string; use: (page: Page) => Promise<void> },
): Promise<Measure[]> {
  const measures: Measure[] = []
  for (const network of networks) {
    const seen: Seen[] = []
    for (let turn = 0; turn < turns; turn++) seen.push(await read(browser, address, network, use))
    const paints = seen.map(({ paint }) => paint).sort((a, b) => a - b)
    measures.push(
      {
        what: `${name}, ${network.name}, largest contentful paint`,
        value: paints[turns >> 1] ?? 0,
        unit: 'ms',
        atMost: network.atMost,
      },
      {
        what: `${name}, ${network.name}, layout shift`,
        value: Math.max(...seen.map(({ shift }) => shift)),
        unit: '',
        atMost: 0.05,
      },
      {
        what: `${name}, ${network.name}, longest interaction`,
        value: Math.max(leastSeenMs, ...seen.map(({ answered }) => answered)),
        unit: 'ms',
        atMost: 200,
      },
    )
  }
  return measures
}

async function read(
  browser: Browser,
  address: string,
  network: Network,
  use: (page: Page) => Promise<void>,
): Promise<Seen> {
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    serviceWorkers: 'block',
  })
  const page = await context.newPage()
  await slow(await context.newCDPSession(page), network)
  await page.addInitScript({ content: observer })
  await page.goto(address, { waitUntil: 'load', timeout: 60_000 })
  await page.waitForTimeout(1_000)
  // The largest paint is final at the first interaction, and later shifts are caused by the user.
  const { paint, shift } = await seenOn(page)
  await use(page)
  await page.waitForTimeout(500)
  const { answered } = await seenOn(page)
  await context.close()
  return { paint, shift, answered }
}

function seenOn(page: Page): Promise<Seen> {
  return page.evaluate(() => ({ ...(globalThis as unknown as { seen: Seen }).seen }))
}

async function slow(session: CDPSession, { latency, throughput, slowdown }: Network): Promise<void> {
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  })
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
}

// A string, because the browser's observer types are not those of this program.
const observer = `
  const seen = (globalThis.seen = { paint: 0, shift: 0, answered: 0 })
  const observe = (type, note) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note))
      .observe({ type, buffered: true, durationThreshold: ${leastSeenMs} })
  observe('largest-contentful-paint', ({ startTime }) => { seen.paint = Math.max(seen.paint, startTime) })
  observe('layout-shift', ({ value, hadRecentInput }) => { if (!hadRecentInput) seen.shift += value })
  observe('event', ({ duration, interactionId }) => {
    if (interactionId) seen.answered = Math.max(seen.answered, duration)
  })`
