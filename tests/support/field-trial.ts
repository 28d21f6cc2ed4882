// Visits on a phone whose browser is killed and whose database is damaged, on a network that cuts half of the
// exchanges.
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Db } from '#server/db/pool.ts'
import { addDays, dayInKinshasa } from '#shared/days.ts'
import { type Account, password } from './browser.ts'
import { insertMarket, insertPrice, insertProduct } from './catalogue.ts'
import type { CuttingProxy } from './cutting-proxy.ts'
import { beginVisitOf, doneOf, type Phone, sayNext } from './field-visit.ts'

const market = 'Gambela'
const goods = 20

/** Inserts a market with a list of products, each with a price of three days ago. */
export async function insertListedMarket(db: Db): Promise<number> {
  const day = addDays(dayInKinshasa(new Date()), -3)
  const market_id = await insertMarket(db, { name: market })
  for (let n = 0; n < goods; n++) {
    const product_id = await insertProduct(db, { name: `Produit ${String(n).padStart(2, '0')}` })
    await sql`insert into market_list (market_id, product_id) values (${market_id}, ${product_id})`.execute(
      db,
    )
    await insertPrice(db, { product_id, market_id, price_value: 1000, day })
  }
  return market_id
}

type Plan = {
  entries: number
  /** Entries between two kills of the browser; kills between two damages of its database. */
  killEvery?: number
  damageEvery?: number
  /** Entries between two forced sends; when absent, only the tool's own sending is used. */
  sendEvery?: number
}

/** Enters `plan.entries` products, visit after visit; a visit lost with the database is started again. */
export async function collectUnderFaults(own: Phone, agent: Account, proxy: CuttingProxy, plan: Plan) {
  const never = 2 * plan.entries + 2
  const { entries, killEvery = never, damageEvery = never, sendEvery = never } = plan
  const count = { entered: 0, kills: 0, damaged: 0, emptied: 0 }
  let left = 0
  while (count.entered < entries) {
    if (left === 0) {
      proxy.cut(false)
      await beginVisitOf(own.page, market)
      proxy.cut(true)
      left = goods
    }
    await sayNext(own.page, count.entered)
    count.entered += 1
    left -= 1
    if (left === 0) await endVisit(own)
    if (count.entered % sendEvery === 0) await sendOnce(own)
    if (count.entered % killEvery !== Math.floor(killEvery / 2)) continue
    count.kills += 1
    const isDamaged = count.kills % damageEvery === 0
    if (isDamaged) count.damaged += 1
    proxy.cut(false)
    await own.restart({ isDamaged })
    if (await wasEmptied(own)) {
      count.emptied += 1
      await signInAgain(own, agent)
      left = 0
    } else if (left > 0) await expect.poll(() => doneOf(own.page)).toBe(goods - left)
    proxy.cut(true)
  }
  return { ...count, cut: proxy.faults() }
}

/** Sends repeatedly until the phone says that everything was received. */
export async function sendAllOf({ page }: Phone): Promise<void> {
  await page.locator('.status').click()
  const isReceived = async () => {
    const button = page.getByRole('button', { name: 'Envoyer maintenant' })
    if ((await button.count()) > 0) await button.click()
    return (await page.getByText('Tout est reçu').count()) > 0
  }
  await expect.poll(isReceived, { interval: 300 }).toBe(true)
}

/** Returns what the server has stored for an agent. */
export async function storedOf(db: Db, { id }: Account) {
  const { rows } = await sql<{ entries: number; priced: number; prices: number }>`
    select count(*)::integer as entries, count(*) filter (where kind <> 'absent')::integer as priced,
           (select count(*)::integer from price where written_by = ${id}) as prices
      from collection_entry where user_id = ${id}`.execute(db)
  return rows[0] ?? { entries: 0, priced: 0, prices: 0 }
}

export async function signInAgain({ page }: Phone, agent: Account): Promise<void> {
  await page.getByLabel('Adresse e-mail').fill(agent.email)
  await page.getByLabel('Mot de passe').fill(password)
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await page.getByRole('heading', { name: 'Choisissez le marché' }).waitFor()
}

/** Whether the database was lost with the agent's key: the agent is then asked to sign in. */
export async function wasEmptied({ page }: Phone): Promise<boolean> {
  const isSignedOut = async () => (await page.getByLabel('Mot de passe').count()) > 0
  await expect
    .poll(async () => (await isSignedOut()) || (await page.locator('header h1').count()) > 0)
    .toBe(true)
  return isSignedOut()
}

/** Ends the visit; the summary opens automatically once every product has an entry. */
async function endVisit({ page }: Phone): Promise<void> {
  await page.locator('footer').getByRole('button', { name: 'Terminer la visite' }).click()
  await page.getByRole('heading', { name: 'Choisissez le marché' }).waitFor()
}

/** Tries to send once, whether or not it succeeds. */
async function sendOnce({ page }: Phone): Promise<void> {
  await page.locator('.status').click()
  const button = page.getByRole('button', { name: 'Envoyer maintenant' })
  await button.click()
  await button.waitFor()
  await page.getByRole('button', { name: 'Revenir' }).click()
}
