import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { dayInKinshasa, dayMs } from '#shared/days.ts'
import { story } from '../support/browser.ts'
import { insertListedMarket, sendAllOf, storedOf, wasEmptied } from '../support/field-trial.ts'
import { beginVisitOf, newPhone, sayNext, storedVisitOf } from '../support/field-visit.ts'

const goods = 20
const restarts = 50

const { db, url, newAccount } = await story()
const market_id = await insertListedMarket(db)

test('seven days without a network and 50 kills of the browser sign no agent out; all entries are stored and then sent, each price on its day', async () => {
  const agent = await newAccount('agent')
  await sql`insert into agent_market (user_id, market_id) values (${agent.id}, ${market_id})`.execute(db)
  const end = Date.now()
  const moments = Array.from(
    { length: restarts },
    (_, n) => end - 7 * dayMs + ((n + 1) * 7 * dayMs) / restarts,
  )
  let signedOut = 0
  // The server's clock too: its responses to the phone are a week old.
  vi.setSystemTime(end - 7 * dayMs)
  const own = await newPhone(url, agent, end - 7 * dayMs)
  try {
    await beginVisitOf(own.page, 'Gambela')
    await own.setOffline(true)
    for (const [n, at] of moments.entries()) {
      vi.setSystemTime(at)
      await own.restart({ isOffline: true, at })
      if (await wasEmptied(own)) signedOut += 1
      if (n > 0 && n % goods === 0) await beginVisitOf(own.page, 'Gambela')
      await sayNext(own.page, n)
      if ((n + 1) % goods !== 0) continue
      // Each day begins the visit anew, so that its summary does not open by itself.
      if ((await own.page.locator('.count').count()) > 0)
        await own.page.getByRole('button', { name: 'Terminer la visite' }).click()
      await own.page.locator('footer').getByRole('button', { name: 'Terminer la visite' }).click()
      await own.page.getByRole('heading', { name: 'Choisissez le marché' }).waitFor()
      await expect.poll(() => storedVisitOf(own.page)).toBeUndefined()
    }
    vi.useRealTimers()
    expect(await storedOf(db, agent)).toMatchObject({ entries: 0 })
    await own.restart()
    if (await wasEmptied(own)) signedOut += 1
    await own.page
      .getByText(`${restarts} à envoyer`)
      .or(own.page.getByText('Tout est reçu'))
      .first()
      .waitFor()
    await sendAllOf(own)
    const { rows } = await sql<{ at: string }>`
      select device_at as at from collection_entry where user_id = ${agent.id} order by device_at`.execute(db)
    const days = await sql<{ day: string }>`
      select observed_on::text as day from price where written_by = ${agent.id} order by id`.execute(db)
    const stored = await storedOf(db, agent)
    console.log(
      JSON.stringify({ restarts, signedOut, days: new Set(days.rows.map(({ day }) => day)).size, ...stored }),
    )
    expect(signedOut).toBe(0)
    expect(stored).toMatchObject({ entries: restarts, prices: stored.priced })
    expect(rows.map(({ at }) => dayInKinshasa(at))).toEqual(moments.map((at) => dayInKinshasa(new Date(at))))
    const wrong = await sql<{ wrong: number }>`
      select count(*)::integer as wrong from collection_entry entry join price on price.id = entry.price_id
       where entry.user_id = ${agent.id}
         and price.observed_on <> (entry.device_at at time zone 'Africa/Kinshasa')::date`.execute(db)
    expect(wrong.rows).toEqual([{ wrong: 0 }])
  } finally {
    vi.useRealTimers()
    await own.close()
  }
})
