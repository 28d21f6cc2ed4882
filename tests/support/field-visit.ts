// An agent's phone in the stories of the field tool.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { type Account, password, phone } from './browser.ts'
import { killBrowser, launchKept } from './killed-browsers.ts'

export type Phone = {
  page: Page
  /** Kills the browser and restarts it on the same profile, at the field tool. */
  restart(options?: { isOffline?: boolean; isDamaged?: boolean; at?: number }): Promise<void>
  setOffline(isOffline: boolean): Promise<void>
  close(): Promise<void>
}

/**
 * Starts a phone with the field tool installed and its agent signed in.
 *
 * @param at first time (ms) of its clock, which stands still until a restart gives it another
 */
export async function newPhone(url: string, agent: Account, at?: number): Promise<Phone> {
  const profile = mkdtempSync(join(tmpdir(), 'ntalo-phone-'))
  const start = () => launchKept(profile, { serviceWorkers: 'allow', viewport: phone })
  let context: BrowserContext = await start()
  const opened: Phone = {
    page: context.pages()[0] ?? (await context.newPage()),
    async restart({ isOffline = false, isDamaged = false, at: now } = {}) {
      await killBrowser(context, profile)
      if (isDamaged) damageDatabase(profile)
      context = await start()
      await context.setOffline(isOffline)
      if (now !== undefined) await context.clock.setFixedTime(now)
      opened.page = context.pages()[0] ?? (await context.newPage())
      await opened.page.goto(`${url}/collecte`)
    },
    setOffline: (isOffline) => context.setOffline(isOffline),
    async close() {
      await context.close().catch(() => undefined)
      rmSync(profile, { recursive: true, force: true, maxRetries: 10 })
    },
  }
  const { page } = opened
  if (at !== undefined) await context.clock.setFixedTime(at)
  await page.goto(`${url}/collecte`)
  await page.getByLabel('Adresse e-mail').fill(agent.email)
  await page.getByLabel('Mot de passe').fill(password)
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await page.getByRole('heading', { name: 'Choisissez le marché' }).waitFor()
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  return opened
}

/** Starts the visit of a market whose list is loaded. */
export async function beginVisitOf(page: Page, market: string): Promise<void> {
  await page.getByRole('button', { name: market }).click()
  await page.locator('.dock').waitFor()
}

/** Returns how many products of the visit are done, as the page shows it. */
export async function doneOf(page: Page): Promise<number> {
  return Number((await page.locator('.count').innerText()).split(' ')[0])
}

/** Returns the visit as it is on the disk: the screen shows each digit and each choice before. */
export function storedVisitOf(page: Page): Promise<{ typed: string; current: string | null } | undefined> {
  return page.evaluate(
    () =>
      new Promise<{ typed: string; current: string | null } | undefined>((resolve) => {
        const opening = indexedDB.open('ntalo-collecte')
        opening.onsuccess = () => {
          const visit = opening.result.transaction('settings').objectStore('settings').get('visit')
          visit.onsuccess = () => {
            opening.result.close()
            resolve(visit.result ?? undefined)
          }
        }
      }),
  )
}

/**
 * Enters one answer for the current product, chosen by its place: unchanged, a price, or absent; waits for the next
 * product.
 */
export async function sayNext(page: Page, place: number): Promise<void> {
  const dock = page.locator('.dock')
  const before = await doneOf(page)
  const unchanged = dock.getByRole('button', { name: 'inchangé' })
  if (place % 7 === 3) {
    await dock.getByRole('button', { name: 'Absent' }).click()
    await dock.getByRole('button', { name: 'Rupture' }).click()
  } else if (place % 3 !== 1 && (await unchanged.count()) > 0) {
    await unchanged.click()
  } else {
    for (const digit of '1020') await dock.getByRole('button', { name: digit, exact: true }).click()
    await dock.getByRole('button', { name: 'OK, 1' }).click()
  }
  await expect.poll(() => isPast(page, before), { interval: 10 }).toBe(true)
}

async function isPast(page: Page, before: number): Promise<boolean> {
  // Read without waiting: the last product leads to the summary, which has no count.
  const [text] = await page.locator('.count').allInnerTexts()
  return text === undefined || Number(text.split(' ')[0]) > before
}

/** Overwrites the log of the phone's database, like a torn write: the browser then discards the whole database. */
function damageDatabase(profile: string): void {
  const folder = join(profile, 'Default/IndexedDB')
  for (const base of readdirSync(folder).filter((name) => name.endsWith('.leveldb'))) {
    for (const name of readdirSync(join(folder, base)).filter((file) => file.endsWith('.log'))) {
      const path = join(folder, base, name)
      const bytes = readFileSync(path)
      bytes.fill(0x5a, Math.floor(bytes.length / 3), Math.floor(bytes.length / 2))
      writeFileSync(path, bytes)
    }
  }
}
