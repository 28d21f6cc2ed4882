import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { story } from '../support/browser.ts'
import { type Fault, startCuttingProxy } from '../support/cutting-proxy.ts'
import { collectUnderFaults, insertListedMarket, sendAllOf, storedOf } from '../support/field-trial.ts'
import { newPhone } from '../support/field-visit.ts'
import { buildWeakened, type weakenings } from '../support/weakened-program.ts'

type Control = {
  without: keyof typeof weakenings
  plan: Parameters<typeof collectUnderFaults>[3]
  faults?: Fault[]
}

/** Each protection of the field tool that is removed, and the plan of visits that then fails. */
const controls: Control[] = [
  { without: 'no second copy outside the database', plan: { entries: 60, killEvery: 10, damageEvery: 1 } },
  { without: 'another id at each sending', plan: { entries: 60, sendEvery: 2 } },
  { without: 'any answer of 200 is a receipt', plan: { entries: 60, sendEvery: 2 }, faults: ['other'] },
]

for (const { without, plan, faults } of controls) {
  const { db, url, newAccount } = await story({ dist: await buildWeakened(without) })
  const proxy = await startCuttingProxy(url, 7, faults)
  afterAll(() => proxy.close())
  const market_id = await insertListedMarket(db)

  describe(without, () => {
    test(`the server does not have exactly the ${plan.entries} entries`, async () => {
      const agent = await newAccount('agent')
      await sql`insert into agent_market (user_id, market_id) values (${agent.id}, ${market_id})`.execute(db)
      const own = await newPhone(proxy.url, agent)
      try {
        const done = await collectUnderFaults(own, agent, proxy, plan)
        await sendAllOf(own)
        const stored = await storedOf(db, agent)
        console.log(JSON.stringify({ without, ...done, ...stored }))
        if (without === 'another id at each sending') expect(stored.entries).toBeGreaterThan(plan.entries)
        else expect(stored.entries).toBeLessThan(plan.entries)
      } finally {
        proxy.cut(false)
        await own.close()
      }
    })
  })
}
