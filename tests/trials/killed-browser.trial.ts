import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext } from 'playwright-core'
import { expect, test } from 'vitest'
import { password, story } from '../support/browser.ts'
import { killBrowser, launchKept } from '../support/killed-browsers.ts'

const { url, newAccount } = await story()

// Chromium writes cookies to disk every 30 s, and when it is closed: a killed browser loses those it got since.
test('a browser that is killed soon after a renewal is still signed in when it restarts', async () => {
  const { email } = await newAccount('collector')
  const profile = mkdtempSync(join(tmpdir(), 'ntalo-profile-'))
  let context = await launchKept(profile, { serviceWorkers: 'block' })
  try {
    const answer = await context.request.post(`${url}/api/auth/login`, { data: { email, password } })
    expect(answer.status()).toBe(200)
    let had = await refreshCookie(context)
    await context.close()
    let lost = 0
    for (let kill = 1; kill <= 3; kill++) {
      context = await launchKept(profile, { serviceWorkers: 'block' })
      const kept = await refreshCookie(context)
      if (kept !== had) lost++
      const page = context.pages()[0] ?? (await context.newPage())
      await page.goto(`${url}/profile`)
      await page.getByRole('heading', { name: 'Profil', level: 1 }).waitFor()
      had = await refreshCookie(context)
      expect(had).not.toBe(kept)
      await killBrowser(context, profile)
    }
    // The new token of the first killed browser was not on its disk: the previous token was accepted.
    expect(lost).toBeGreaterThan(0)
  } finally {
    await context.close().catch(() => undefined)
    rmSync(profile, { recursive: true, force: true, maxRetries: 10 })
  }
})

async function refreshCookie(context: BrowserContext): Promise<string | undefined> {
  return (await context.cookies()).find(({ name }) => name === 'ntalo_refresh')?.value
}
