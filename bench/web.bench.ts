import { brotliCompressSync } from 'node:zlib'
import Fastify from 'fastify'
import type { Browser, Page, Request } from 'playwright-core'
import { loadDemonstration } from '#demonstration/demonstration.ts'
import { goodput, load } from '../tests/support/load.ts'
import type { Measure } from './measure.ts'
import { judgePages } from './support/lighthouse.ts'
import { quiet, withPostgres } from './support/private-postgres.ts'
import { withScreens } from './support/screens.ts'
import { readSlowly } from './support/slow-reading.ts'

export const title =
  'What a visitor’s first page weighs, when it is read on a slow network, and what it costs the server'

const turns = 3
const connections = 50
const seconds = 5

export async function measure(): Promise<Measure[]> {
  return withPostgres(async (postgres) => {
    await loadDemonstration(postgres.pool, { log: quiet, prices: 20_000 })
    return withScreens(postgres, 'admin', async (browser, url) => {
      const market = /\/marches\/\d+/.exec(await (await fetch(`${url}/marches`)).text())?.[0] ?? '/marches'
      const measures: Measure[] = []
      for (const path of ['/', market, '/methode', '/contact', '/auth/login']) {
        measures.push(...(await weigh(browser, url, path)))
      }
      for (const { path, use } of [
        { path: '/', use: choosePlan },
        { path: market, use: openMenu },
        { path: '/contact', use: writeMessage },
        { path: '/auth/login', use: typePassword },
      ]) {
        measures.push(...(await readSlowly(browser, { name: nameOf(path), address: url + path, use })))
      }
      const judged = ['/', market, '/methode', '/auth/login']
      measures.push(...(await judgePages(new Map(judged.map((path) => [nameOf(path), url + path])))))
      measures.push(...(await compareRates(url)))
      return measures
    })
  })
}

const nameOf = (path: string) => path.replace(/\d+$/, '…')

async function choosePlan(page: Page): Promise<void> {
  await page.getByText('Voir les données').first().tap()
  await page.getByText('Ce qu’elle comprend').first().tap()
}

async function openMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Menu' }).tap()
  await page.keyboard.press('Escape')
}

async function writeMessage(page: Page): Promise<void> {
  await page.getByLabel('Nom complet').tap()
  await page.keyboard.type('Awa')
  await page.getByRole('button', { name: 'Envoyer le message' }).tap()
}

async function typePassword(page: Page): Promise<void> {
  await page.locator('#password').tap()
  await page.keyboard.type('safou')
  await page.getByRole('button', { name: 'Afficher le mot de passe' }).tap()
  await page.getByRole('button', { name: 'Se connecter', exact: true }).tap()
}

/** Measures the download of a first visit. Scripts load after the page, which has the same content without them. */
async function weigh(browser: Browser, url: string, path: string): Promise<Measure[]> {
  const name = nameOf(path)
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
    { what: `${name}, requests`, value: requests.length, unit: '', atMost: 6 },
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

/** Compares the landing document with a bare Fastify that sends the same bytes, both requested from another process. */
async function compareRates(url: string): Promise<Measure[]> {
  // Bytes, as in our server: a string would be encoded again for each request.
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
