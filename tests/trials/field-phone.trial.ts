import { cpSync, globSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { addDays } from '#shared/days.ts'
import { type Account, story } from '../support/browser.ts'
import { insertPrice, insertProduct } from '../support/catalogue.ts'
import { insertListedMarket, sendAllOf, signInAgain, storedOf, wasEmptied } from '../support/field-trial.ts'
import { beginVisitOf, doneOf, newPhone, sayNext, storedVisitOf } from '../support/field-visit.ts'
import { daysAgo } from '../support/market-days.ts'
import { client } from '../support/server.ts'
import { slowDown } from '../support/slow-network.ts'

// A separate build, of which a trial makes a new version.
const dist = mkdtempSync(join(tmpdir(), 'ntalo-dist-'))
afterAll(() => rmSync(dist, { recursive: true, force: true }))
cpSync(realpathSync(resolve(import.meta.dirname, '../../dist/current')), join(dist, 'current'), {
  recursive: true,
})
for (const path of globSync(`${dist}/current/browser/collecte-sw.js.{br,gz}`)) rmSync(path)

const { db, url, newAccount } = await story({ dist })
const market_id = await insertListedMarket(db)

async function newAgent(): Promise<Account> {
  const agent = await newAccount('agent')
  await sql`insert into agent_market (user_id, market_id) values (${agent.id}, ${market_id})`.execute(db)
  return agent
}

async function type(page: Page, digits: string): Promise<void> {
  for (const digit of digits)
    await page.locator('.pad').getByRole('button', { name: digit, exact: true }).click()
}

/** Sets how many bytes the browser lets the site store; without an amount, restores the default. */
async function storeAtMost(page: Page, quotaSize?: number): Promise<void> {
  const debug = await page.context().newCDPSession(page)
  await debug.send('Storage.overrideQuotaForOrigin', {
    origin: url,
    ...(quotaSize !== undefined && { quotaSize }),
  })
}

test('a phone that is full ten times reports each price as not stored, shows it on the screen, and loses no price reported as stored', async () => {
  const agent = await newAgent()
  const own = await newPhone(url, agent)
  let [said, emptied] = [0, 0]
  try {
    await beginVisitOf(own.page, 'Gambela')
    let done = 0
    for (let time = 0; time < 10; time++) {
      await own.setOffline(true)
      // A price that could not be stored is a draft once there is room again.
      const erase = own.page.getByRole('button', { name: 'Effacer un chiffre' })
      while ((await own.page.getByRole('button', { name: /^OK,/ }).count()) > 0) await erase.click()
      await sayNext(own.page, time)
      await storeAtMost(own.page, 1)
      await type(own.page, '1030')
      await own.page.getByRole('button', { name: 'OK, 1' }).click()
      await own.page.getByText('Pas enregistré : le téléphone n’a plus de place.').waitFor()
      expect(await doneOf(own.page)).toBe(done + 1)
      await storeAtMost(own.page)
      // Half of the times there is room again and the price on the screen is stored; the other half there is not.
      const isStored = time % 2 === 0
      if (isStored) {
        await own.page.getByRole('button', { name: 'OK, 1' }).click()
        await expect.poll(() => doneOf(own.page)).toBe(done + 2)
        await expect.poll(() => own.page.locator('.failure').allInnerTexts()).toEqual([''])
      }
      done += isStored ? 2 : 1
      said += isStored ? 2 : 1
      // A full disk can damage the log of a database, which the browser then discards.
      await own.restart({ isOffline: true, isDamaged: time % 3 === 2 })
      if (await wasEmptied(own)) {
        emptied += 1
        await own.page.getByText(`relevés attendent`).waitFor()
        await own.setOffline(false)
        await signInAgain(own, agent)
        await beginVisitOf(own.page, 'Gambela')
        done = 0
      }
      await expect.poll(() => doneOf(own.page)).toBe(done)
    }
    await own.setOffline(false)
    await sendAllOf(own)
    const stored = await storedOf(db, agent)
    console.log(JSON.stringify({ full: 10, said, emptied, ...stored }))
    expect(stored).toMatchObject({ entries: said, prices: stored.priced })
  } finally {
    await own.close()
  }
})

test('a full phone still sends its stored entries, and reports their state correctly', async () => {
  const agent = await newAgent()
  const own = await newPhone(url, agent)
  try {
    await beginVisitOf(own.page, 'Gambela')
    await own.setOffline(true)
    for (let place = 0; place < 4; place++) await sayNext(own.page, place)
    await storeAtMost(own.page, 1)
    await own.setOffline(false)
    await own.page.locator('.status').click()
    await own.page.getByRole('button', { name: 'Envoyer maintenant' }).click()
    await expect.poll(async () => (await storedOf(db, agent)).entries).toBe(4)
    await storeAtMost(own.page)
    await own.page.getByRole('button', { name: 'Revenir' }).click()
    await sendAllOf(own)
    expect(await storedOf(db, agent)).toMatchObject({ entries: 4 })
  } finally {
    await own.close()
  }
})

test('a new version of the program during a visit takes over while the page is hidden, and loses no keystroke', async () => {
  const agent = await newAgent()
  const own = await newPhone(url, agent)
  const worker = join(dist, 'current/browser/collecte-sw.js')
  const versions = () =>
    own.page.evaluate(async () => (await caches.keys()).filter((name) => /collecte-app/.test(name)))
  const show = (isHidden: boolean) =>
    own.page.evaluate((hidden) => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
      document.dispatchEvent(new Event('visibilitychange'))
    }, isHidden)
  try {
    await own.page.reload()
    await beginVisitOf(own.page, 'Gambela')
    await sayNext(own.page, 1)
    const [former] = await versions()
    await type(own.page, '7')
    const text = readFileSync(worker, 'utf8')
    writeFileSync(worker, text.replace(former?.replace('ntalo-collecte-app-', '') ?? '', 'next'))
    // Showing the page again looks for a new version; typing continues while it is fetched.
    await show(false)
    await type(own.page, '8')
    await expect.poll(versions).toContain('ntalo-collecte-app-next')
    await type(own.page, '9')
    await show(true)
    await expect.poll(versions).toEqual(['ntalo-collecte-app-next'])
    await type(own.page, '1')
    await own.page.getByRole('button', { name: /OK, 7.891/ }).waitFor()
    await expect.poll(() => storedVisitOf(own.page)).toMatchObject({ typed: '7891' })
    await own.restart({ isOffline: true })
    await own.page.getByRole('button', { name: /OK, 7.891/ }).waitFor()
    expect(await doneOf(own.page)).toBe(1)
    expect(await versions()).toEqual(['ntalo-collecte-app-next'])
  } finally {
    await own.close()
  }
})

test('on 2G, a rejected price is in its agent’s list with its reason and its day, and is corrected there', async () => {
  const [agent, collector] = [await newAgent(), await newAccount('collector')]
  const series = { product_id: await insertProduct(db, { name: 'Savon' }), market_id }
  for (const age of [21, 22, 23, 24, 25]) {
    await insertPrice(db, { ...series, price_value: 2800, day: daysAgo(age) })
  }
  const visitors = { agent: await signedIn(agent), collector: await signedIn(collector) }
  const { body } = await visitors.agent.post('/api/prices', {
    productId: series.product_id,
    marketId: market_id,
    priceValue: 28_000,
    collectorName: 'Amina',
  })
  const { id } = Object(body)
  const own = await newPhone(url, agent)
  try {
    await slowDown(own.page)
    const dueOn = addDays(daysAgo(0), 3)
    const back = await visitors.collector.post(`/api/reviews/${id}`, {
      decision: 'return',
      reason: 'Zéro de trop ?',
      dueOn,
    })
    expect(back.status).toBe(200)
    await own.page.locator('.status').click()
    await own.page.getByRole('button', { name: 'Envoyer maintenant' }).click()
    const card = own.page.getByRole('region', { name: 'Renvoyé par votre superviseur : Zéro de trop ?' })
    await card.getByText('À répondre avant le').waitFor()
    await card.getByLabel('Un autre prix').fill('2850')
    await card.getByRole('button', { name: 'Corriger' }).click()
    await card.waitFor({ state: 'hidden' })
    await expect
      .poll(async () => (await visitors.collector.get(`/api/prices/${id}`)).body)
      .toMatchObject({ priceValue: 2850, isUnderReview: false })
    await own.page.getByText('Tout est reçu. Rien').waitFor()
  } finally {
    await own.close()
  }

  async function signedIn({ id: userId, email }: Account) {
    const answer = await client(url, null, null).post('/api/auth/login', {
      email,
      password: 'safou et manioc 1960',
    })
    return client(url, Object(answer.body).token, userId)
  }
})
