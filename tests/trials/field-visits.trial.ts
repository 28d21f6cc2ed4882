import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { story } from '../support/browser.ts'
import { startCuttingProxy } from '../support/cutting-proxy.ts'
import { collectUnderFaults, insertListedMarket, sendAllOf, storedOf } from '../support/field-trial.ts'
import { newPhone } from '../support/field-visit.ts'

const { db, url, newAccount } = await story()
const proxy = await startCuttingProxy(url, 20_261_126)
afterAll(() => proxy.close())
const market_id = await insertListedMarket(db)

test('600 entries, 60 kills of the browser, 12 damaged databases, half of the exchanges cut: no entry is lost or doubled', async () => {
  const agent = await newAccount('agent')
  await sql`insert into agent_market (user_id, market_id) values (${agent.id}, ${market_id})`.execute(db)
  const own = await newPhone(proxy.url, agent)
  try {
    const done = await collectUnderFaults(own, agent, proxy, { entries: 600, killEvery: 10, damageEvery: 5 })
    await sendAllOf(own)
    const stored = await storedOf(db, agent)
    console.log(JSON.stringify({ ...done, ...stored }))
    expect(done).toMatchObject({ entered: 600, kills: 60, damaged: 12 })
    expect(stored).toMatchObject({ entries: 600, prices: stored.priced })
  } finally {
    proxy.cut(false)
    await own.close()
  }
})
