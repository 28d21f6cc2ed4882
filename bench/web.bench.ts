import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import Fastify from 'fastify'
import { type Browser, type CDPSession, chromium, type Request } from 'playwright-core'
import { loadDemonstration } from '#demonstration/demonstration.ts'
import { buildApp } from '#main/app.ts'
import { createLog } from '#server/log.ts'
import { loadViews } from '#server/views.ts'
import { goodput, load } from '../tests/support/load.ts'
import type { Measure } from './measure.ts'
import { quiet, withPostgres } from './support/private-postgres.ts'

export const title =
  'What a visitor’s first page weighs, when it is read on a slow network, and what it costs the server'

// Of Chromium's own presets, with the factors that Lighthouse gives them: latency in ms, bytes per second.
const networks = [
  { name: 'slow 3G', latency: 400, throughput: (400 * 1000) / 8, slowdown: 6, atMost: 2000 },
  { name: 'EDGE', latency: 840, throughput: (240 * 1000) / 8, slowdown: 6, atMost: 4500 },
]
const turns = 3
const connections = 50
const seconds = 5

export async function measure(): Promise<Measure[]> {
  return withPostgres(async ({ pool, db, connection, dataDir }) => {
    await loadDemonstration(pool, { log: quiet, prices: 20_000 })
    const views = await loadViews(join(import.meta.dirname, '../dist'))
    const log = createLog('silent')
    const http = await buildApp({ db, connection, dataDir, publicUrl: null, trustedProxies: 0, log, views })
    const url = await http.listen({ port: 0, host: '127.0.0.1' })
    const browser = await chromium.launch({
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
    })
    try {
      const market = /\/marches\/\d+/.exec(await (await fetch(`${url}/marches`)).text())?.[0] ?? '/marches'
      const measures: Measure[] = []
      for (const path of ['/', market, '/methode', '/auth/login']) {
        measures.push(...(await weigh(browser, url, path)))
      }
      for (const network of networks) measures.push(...(await readSlowly(browser, `${url}/`, network)))
      measures.push(...(await compareRates(url)))
      return measures
    } finally {
      await browser.close()
      await http.close()
    }
  })
}

/** What a first visit downloads. Scripts come after the page is read, and without them it says the same. */
async function weigh(browser: Browser, url: string, path: string): Promise<Measure[]> {
  const name = path.replace(/\d+$/, '…')
  const html = brotliCompressSync(await (await fetch(url + path)).text()).length
  const page = await (await browser.newContext({ serviceWorkers: 'block' })).newPage()
  const requests: Request[] = []
  page.on('requestfinished', (each) => requests.push(each))
  await page.goto(url + path, { waitUntil: 'networkidle' })
  const sizes = await Promise.all(requests.map((each) => each.sizes()))
  const bytes = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0)
  await page.context().close()
  const text = await readWithoutScript(browser, url + path)
  return [
    { what: `${name}, HTML with its style`, value: html / 1000, unit: 'kB', atMost: 25 },
    { what: `${name}, everything`, value: bytes / 1000, unit: 'kB', atMost: 60 },
    { what: `${name}, requests`, value: requests.length, unit: '' },
    { what: `${name}, letters read without a script`, value: text, unit: '', atLeast: 100 },
  ]
}

async function readWithoutScript(browser: Browser, address: string): Promise<number> {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
  await page.goto(address)
  const text = await page.locator('body').innerText()
  await page.context().close()
  return text.length
}

/** The median time of the largest contentful paint, and the worst shift of the layout. */
async function readSlowly(
  browser: Browser,
  address: string,
  network: (typeof networks)[number],
): Promise<Measure[]> {
  const paints: number[] = []
  const shifts: number[] = []
  for (let turn = 0; turn < turns; turn++) {
    const context = await browser.newContext({
      viewport: { width: 360, height: 740 },
      serviceWorkers: 'block',
    })
    const page = await context.newPage()
    await slow(await context.newCDPSession(page), network)
    await page.addInitScript({ content: observer })
    await page.goto(address, { waitUntil: 'load', timeout: 60_000 })
    await page.waitForTimeout(1_000)
    const { paint, shift } = await page.evaluate(
      () => (globalThis as unknown as { seen: { paint: number; shift: number } }).seen,
    )
    paints.push(paint)
    shifts.push(shift)
    await context.close()
  }
  paints.sort((a, b) => a - b)
  const { name, atMost } = network
  return [
    {
      what: `landing, ${name}, largest contentful paint`,
      value: paints[turns >> 1] ?? 0,
      unit: 'ms',
      atMost,
    },
    { what: `landing, ${name}, layout shift`, value: Math.max(...shifts), unit: '', atMost: 0.05 },
  ]
}

async function slow(session: CDPSession, { latency, throughput, slowdown }: (typeof networks)[number]) {
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  })
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
}

// Text, since the types of a browser's observers are not those of this program's.
const observer = `
  const seen = (globalThis.seen = { paint: 0, shift: 0 })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.paint = Math.max(seen.paint, entry.startTime)
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })`

/** The landing document beside a bare Fastify that sends the same bytes, both asked from another process. */
async function compareRates(url: string): Promise<Measure[]> {
  // Bytes, as ours are: a string would be encoded again for each request.
  const page = Buffer.from(await (await fetch(url)).arrayBuffer())
  const bare = Fastify()
  bare.get('/', async (_request, reply) => reply.type('text/html; charset=utf-8').send(page))
  const bareUrl = await bare.listen({ port: 0, host: '127.0.0.1' })
  const rateOf = async (address: string) =>
    goodput(await load({ url: `${address}/`, token: null, rate: null, connections, seconds }), seconds)
  const rates: { ours: number; theirs: number }[] = []
  for (let turn = 0; turn < turns; turn++) {
    rates.push({ theirs: await rateOf(bareUrl), ours: await rateOf(url) })
  }
  await bare.close()
  const best = (of: 'ours' | 'theirs') => Math.max(...rates.map((each) => each[of]))
  return [
    { what: 'landing document, before compression', value: page.length / 1000, unit: 'kB' },
    { what: 'landing document, a bare route with the same bytes', value: best('theirs'), unit: 'req/s' },
    { what: 'landing document, ours', value: best('ours'), unit: 'req/s', atLeast: best('theirs') / 2 },
  ]
}
