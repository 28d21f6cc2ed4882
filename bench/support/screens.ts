import { join } from 'node:path'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'
import { buildApp } from '#main/app.ts'
import { createLog } from '#server/log.ts'
import { hashPassword } from '#server/session/passwords.ts'
import { loadViews } from '#server/views.ts'
import { insertAccount } from '../../tests/support/server.ts'
import type { PrivatePostgres } from './private-postgres.ts'

/** The Chromium used for measurements. */
export const browserPath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

const email = 'mesure@exemple.cd'
const password = 'safou et manioc 1960'

/** Runs the application on a free port with a signed-in user of a role, and a browser. */
export async function withScreens<Result>(
  { db, connection, dataDir }: PrivatePostgres,
  role: string,
  work: (browser: Browser, url: string) => Promise<Result>,
): Promise<Result> {
  await insertAccount(db, { roles: [role], email, passwordHash: await hashPassword(password) })
  const views = await loadViews(join(import.meta.dirname, '../../dist'))
  const log = createLog('silent')
  const http = await buildApp({ db, connection, dataDir, publicUrl: null, trustedProxies: 0, log, views })
  const url = await http.listen({ port: 0, host: '127.0.0.1' })
  const browser = await chromium.launch({
    executablePath: browserPath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
  })
  try {
    return await work(browser, url)
  } finally {
    await browser.close()
    await http.close()
  }
}

export async function signedIn(
  browser: Browser,
  url: string,
  more: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'fr-FR', reducedMotion: 'reduce', ...more })
  const answer = await context.request.post(`${url}/api/auth/login`, { data: { email, password } })
  if (!answer.ok()) throw new Error(`signing in: ${answer.status()}`)
  return context
}
