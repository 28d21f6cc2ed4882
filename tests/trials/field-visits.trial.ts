import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { addDays } from '#shared/days.ts'
import { type Account, password, story } from '../support/browser.ts'
import { insertMarket, insertPrice, insertProduct } from '../support/catalogue.ts'
import { startCuttingProxy } from '../support/cutting-proxy.ts'
import { beginVisitOf, doneOf, newPhone, type Phone, sayNext } from '../support/field-visit.ts'

const goods = 20
const visits = 30
const killsPerVisit = 2
const damages = 12

const { db, url, newAccount } = await story()
const proxy = await startCuttingProxy(url, 20_261_126)
afterAll(() => proxy.close())

const today = new Date().toISOString().slice(0, 10)
const market_id = await insertMarket(db, { name: 'Gambela' })
for (let n = 0; n < goods; n++) {
  const product_id = await insertProduct(db, { name: `Produit ${String(n).padStart(2, '0')}` })
  await sql`insert into market_list (market_id, product_id) values (${market_id}, ${product_id})`.execute(db)
  await insertPrice(db, { product_id, market_id, price_value: 1000, day: addDays(today, -3) })
}

test('600 entries, some 50 kills of the browser, 12 damaged databases, half of the exchanges cut: nothing is lost, nothing doubled', async () => {
  const agent = await newAccount('agent')
  await sql`insert into agent_market (user_id, market_id) values (${agent.id}, ${market_id})`.execute(db)
  const own = await newPhone(proxy.url, agent)
  let [entered, kills, damaged] = [0, 0, 0]
  try {
    for (let visit = 0; visit < visits; visit++) {
      proxy.cut(false)
      await beginVisitOf(own.page, 'Gambela')
      proxy.cut(true)
      let done = 0
      for (let part = 0; part <= killsPerVisit; part++) {
        const upTo = Math.round((goods * (part + 1)) / (killsPerVisit + 1))
        for (; done < upTo; done++) await sayNext(own.page, visit + done)
        if (part === killsPerVisit) break
        kills += 1
        const isDamaged = damaged < damages && kills % 5 === 0
        if (isDamaged) damaged += 1
        proxy.cut(false)
        await own.restart({ isDamaged })
        if (await wasEmptied(own)) {
          await signInAgain(own, agent)
          await beginVisitOf(own.page, 'Gambela')
          // The visit itself was in the database: what was said stays, and is said no second time.
          for (let place = 0; place < goods - done; place++) await sayNext(own.page, visit + place)
          entered += done
          done = goods - done
          break
        }
        await expect.poll(() => doneOf(own.page)).toBe(done)
        proxy.cut(true)
      }
      entered += done
      await endVisit(own, done === goods)
    }
    proxy.cut(true)
    await own.page.locator('.status').click()
    const isReceived = async () => {
      const button = own.page.getByRole('button', { name: 'Envoyer maintenant' })
      if ((await button.count()) > 0) await button.click()
      return (await own.page.getByText('Tout est reçu').count()) > 0
    }
    await expect.poll(isReceived, { interval: 300 }).toBe(true)
    const { rows } = await sql<{ entries: number; prices: number; priced: number }>`
      select count(*)::integer as entries, count(*) filter (where kind <> 'absent')::integer as priced,
             (select count(*)::integer from price where written_by = ${agent.id}) as prices
        from collection_entry where user_id = ${agent.id}`.execute(db)
    console.log(JSON.stringify({ entered, kills, damaged, cut: proxy.faults(), ...rows[0] }))
    expect(rows[0]).toMatchObject({ entries: entered, prices: rows[0]?.priced })
  } finally {
    await own.close()
  }
})

/** The summary comes by itself once all goods are said; else it is asked for. */
async function endVisit({ page }: Phone, isWhole: boolean): Promise<void> {
  const summary = page.locator('footer').getByRole('button', { name: 'Terminer la visite' })
  if (!isWhole) await page.locator('header').getByRole('button', { name: 'Terminer la visite' }).click()
  await summary.click()
  await page.getByRole('heading', { name: 'Choisissez le marché' }).waitFor()
}

async function wasEmptied({ page }: Phone): Promise<boolean> {
  const isSignedOut = async () => (await page.getByLabel('Mot de passe').count()) > 0
  await expect
    .poll(async () => (await isSignedOut()) || (await page.locator('header h1').count()) > 0)
    .toBe(true)
  return isSignedOut()
}

async function signInAgain({ page }: Phone, agent: Account): Promise<void> {
  await page.getByLabel('Adresse e-mail').fill(agent.email)
  await page.getByLabel('Mot de passe').fill(password)
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await page.getByRole('heading', { name: 'Choisissez le marché' }).waitFor()
}
