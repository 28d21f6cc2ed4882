import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { password, phone, story } from '../support/browser.ts'
import { insertListedMarket } from '../support/field-trial.ts'
import { killBrowser, launchKept } from '../support/killed-browsers.ts'
import { buildWeakened } from '../support/weakened-program.ts'

const opened = 9
const slowedBy = 6
const mostTimes = 1.5

const tool = await story()
const empty = await story({ dist: await buildWeakened('nothing but React') })
const market_id = await insertListedMarket(tool.db)
const profiles = [
  mkdtempSync(join(tmpdir(), 'ntalo-tool-')),
  mkdtempSync(join(tmpdir(), 'ntalo-empty-')),
] as const
afterAll(() => {
  for (const profile of profiles) rmSync(profile, { recursive: true, force: true, maxRetries: 10 })
})

/**
 * Starts a browser and opens the page without a network on a slow processor; returns the time (ms) until its title is
 * drawn.
 */
async function openingMs(profile: string, url: string): Promise<number> {
  const context = await launchKept(profile, { serviceWorkers: 'allow', viewport: phone })
  try {
    await context.setOffline(true)
    await context.addInitScript(() => {
      const look = () => {
        if (document.querySelector('h1'))
          requestAnimationFrame(() =>
            setTimeout(() => Object.assign(window, { openedMs: performance.now() })),
          )
        else requestAnimationFrame(look)
      }
      look()
    })
    const page = context.pages()[0] ?? (await context.newPage())
    const debug = await context.newCDPSession(page)
    await debug.send('Emulation.setCPUThrottlingRate', { rate: slowedBy })
    await page.goto(`${url}/collecte`)
    const ms = await page.waitForFunction(() => Reflect.get(window, 'openedMs') as number | undefined)
    return Number(await ms.jsonValue())
  } finally {
    await killBrowser(context, profile)
  }
}

test('without a network, the field tool opens in at most one and a half times the time of an empty React page', async () => {
  const agent = await tool.newAccount('agent')
  await sql`insert into agent_market (user_id, market_id) values (${agent.id}, ${market_id})`.execute(tool.db)
  for (const [place, { url }] of [tool, empty].entries()) {
    const context = await launchKept(profiles[place] ?? '', { serviceWorkers: 'allow', viewport: phone })
    const page = context.pages()[0] ?? (await context.newPage())
    await page.goto(`${url}/collecte`)
    if (place === 0) {
      await page.getByLabel('Adresse e-mail').fill(agent.email)
      await page.getByLabel('Mot de passe').fill(password)
      await page.getByRole('button', { name: 'Se connecter' }).click()
      await page.getByRole('button', { name: 'Gambela' }).waitFor()
    } else await page.getByRole('heading', { name: 'Prêt' }).waitFor()
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    await context.close()
  }
  const taken: [tool: number[], empty: number[]] = [[], []]
  // In turns, so that other work of the machine affects both.
  for (let turn = 0; turn < opened; turn++) {
    taken[0].push(await openingMs(profiles[0], tool.url))
    taken[1].push(await openingMs(profiles[1], empty.url))
  }
  const [toolMs, emptyMs] = taken.map(median) as [number, number]
  console.log(JSON.stringify({ toolMs, emptyMs, times: toolMs / emptyMs, taken }))
  expect(toolMs / emptyMs).toBeLessThanOrEqual(mostTimes)
})

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
