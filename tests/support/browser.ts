import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Locator,
  type Page,
  type Response,
} from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { signedInCookie } from '#features/auth/auth.rules.ts'
import { type AppOptions, buildApp } from '#main/app.ts'
import { runJobs } from '#main/jobs.ts'
import type { Payments } from '#main/money.ts'
import { createLog } from '#server/log.ts'
import { hashPassword } from '#server/session/passwords.ts'
import { loadViews } from '#server/views.ts'
import { testDatabase } from './database.ts'
import { hasFastDirectory } from './fast-directory.ts'
import { client, insertAccount, openTokens, testDefaults } from './server.ts'
import { waitLimitMs } from './wait-limit.ts'
import { timed } from './waiting.ts'

const root = resolve(import.meta.dirname, '../..')

/** Arguments of every browser of the stories. */
export const browserArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--js-flags=--no-opt --no-maglev',
]

export const phone = { width: 360, height: 740 }
export const desktop = { width: 1440, height: 900 }

const appearance = { colorScheme: 'light', reducedMotion: 'reduce' } as const

/** The password of every account of the stories. */
export const password = 'safou et manioc 1960'

export type Account = { id: number; name: string; email: string }

type Visit = {
  /** Signed-in account, or a role for which a new account is created; a visitor when absent. */
  as?: Account | string
  viewport?: { width: number; height: number }
  /** False for a browser with scripts disabled. */
  scripts?: boolean
  /** Pages seen are cached for use without a network. */
  keepsPages?: boolean
  /**
   * The program fetches the code of other screens when idle; how much is loaded then depends on the speed of the
   * machine.
   */
  fetchesAhead?: boolean
  /**
   * Requests a new browser, for changes that cannot be reverted: a clock, a script that runs before others, a debugger
   * session.
   */
  isNew?: boolean
}

type StoryOptions = Pick<AppOptions, 'google' | 'demandsSecondFactor'> & {
  hasJobs?: boolean
  payments?: Payments
  /** Directory of the built pages; `dist` by default. */
  dist?: string
}

/**
 * Starts the real application with its built pages on a private database, and a browser. After each test, the pages it
 * opened must have had no violation of the content security policy, no script error and no missing script, style or
 * picture.
 */
export async function story(options: StoryOptions = {}) {
  const database = await testDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'ntalo-story-'))
  const views = await loadViews(options.dist ?? resolve(root, 'dist'))
  const http = await buildApp({
    ...database,
    dataDir,
    publicUrl: null,
    payments: options.payments ?? null,
    google: options.google ?? null,
    demandsSecondFactor: options.demandsSecondFactor ?? false,
    trustedProxies: 0,
    log: createLog('silent'),
    views,
  })
  const url = await http.listen({ port: 0, host: '127.0.0.1' })
  const jobs = options.hasJobs ? runJobs({ ...options, ...database, ...testDefaults, dataDir, views }) : null
  const passwordHash = await hashPassword(password)
  const contexts: BrowserContext[] = []
  // A browser that has loaded the program before loads it again in half the time, so the next visit reuses it, emptied.
  const resting: BrowserContext[] = []
  const reusable = new WeakSet<BrowserContext>()
  const complaints: string[] = []
  let people = 0

  beforeAll(async () => void (await theBrowser()))
  afterEach(async () => {
    const used = contexts.splice(0)
    try {
      expect(complaints).toEqual([])
    } finally {
      await Promise.all(used.map(leave))
      complaints.length = 0
    }
  })
  afterAll(async () => {
    await Promise.all(resting.map((context) => context.close()))
    await jobs?.stop()
    await http.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  /** Inserts an account that may sign in; its trial is over unless `ageDays` says otherwise. */
  async function newAccount(role: string, more: { name?: string; ageDays?: number } = {}): Promise<Account> {
    people += 1
    const { name = `Personne ${people}`, ageDays } = more
    const email = `personne-${people}@exemple.cd`
    const id = await insertAccount(database.db, {
      roles: [role],
      name,
      email,
      passwordHash,
      ageDays,
      isVerified: true,
    })
    return { id, name, email }
  }

  /** Changes an account in the database, and makes the server drop its cached copy at once. */
  async function followed(account: Account, change: () => Promise<unknown>): Promise<void> {
    await change()
    // Notifications would drop the cache a moment later; ending any of the account's sessions drops it before the
    // response.
    const visitor = client(url, null, null)
    const { body } = await visitor.post('/api/auth/login', { email: account.email, password })
    await client(url, Object(body).token, account.id).post('/api/auth/logout')
  }

  async function newPage({ scripts = true, keepsPages = false, fetchesAhead = false }: Visit): Promise<Page> {
    const context = await (await theBrowser()).newContext({
      javaScriptEnabled: scripts,
      // Requests that a service worker answers cannot be made to fail by a story.
      serviceWorkers: keepsPages ? 'allow' : 'block',
      locale: 'fr-FR',
      timezoneId: 'Africa/Kinshasa',
      ...appearance,
    })
    context.setDefaultTimeout(waitLimitMs)
    if (!fetchesAhead) await context.addInitScript(neverIdle)
    context.on('page', (page) => watch(page, complaints))
    return context.newPage()
  }

  /** Keeps the browser for the next visit when its state can be reset, else closes it. */
  async function leave(context: BrowserContext): Promise<void> {
    const [page, ...others] = context.pages()
    if (!page || !reusable.has(context)) return context.close()
    await Promise.all([
      ...others.map((other) => other.close()),
      page.unrouteAll({ behavior: 'ignoreErrors' }),
    ])
    await context.setOffline(false)
    // A page that loads no program, at the same origin so that the renderer process is reused.
    await page.goto(`${url}/api/health`)
    await page.emulateMedia(appearance)
    await page.evaluate(() => sessionStorage.clear())
    const debug = await context.newCDPSession(page)
    await debug.send('Storage.clearDataForOrigin', { origin: url, storageTypes: 'all' })
    await debug.send('Page.resetNavigationHistory')
    await debug.detach()
    await context.clearCookies()
    resting.push(context)
  }

  return {
    ...database,
    http,
    url,
    dataDir,
    newAccount,
    /** Opens an address in a separate browser; `page.context().newPage()` opens another tab of the same browser. */
    async open(path: string, visit: Visit = {}): Promise<Page> {
      const { as, viewport = desktop, scripts = true } = visit
      const isAny = scripts && !visit.keepsPages && !visit.isNew && !visit.fetchesAhead
      const page = (isAny && resting.pop()?.pages()[0]) || (await newPage(visit))
      const context = page.context()
      contexts.push(context)
      if (isAny) reusable.add(context)
      await page.setViewportSize(viewport)
      if (as) {
        const { id } = typeof as === 'string' ? await newAccount(as) : as
        const { refresh } = await openTokens(database.db, id, 'story')
        await context.addCookies([
          { name: 'ntalo_refresh', value: refresh, url, httpOnly: true, sameSite: 'Lax' },
          { name: signedInCookie, value: '1', url, sameSite: 'Lax' },
        ])
      }
      await page.goto(url + path)
      return page
    },
    /** Ends all sessions of an account on the server, like a revocation or 24 hours of absence. */
    async endSessions(account: Account): Promise<void> {
      await followed(account, () =>
        database.db
          .updateTable('session')
          .set({ revoked_at: new Date() })
          .where('user_id', '=', account.id)
          .execute(),
      )
    },
    followed,
  }
}

/** Runs in the page: makes idle callbacks never run. */
function neverIdle(): void {
  Object.assign(window, { requestIdleCallback: () => 0 })
}

let browser: Promise<Browser> | undefined

/** Returns the browser shared by all files of a process; Playwright ends it with the process. */
function theBrowser(): Promise<Browser> {
  browser ??= launch()
  return browser
}

async function launch(): Promise<Browser> {
  const launched = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: browserArguments,
    // Without /dev/shm, memory that the browser's processes share would be new files on the disk.
    ignoreDefaultArgs: hasFastDirectory ? ['--disable-dev-shm-usage'] : [],
  })
  const page = await launched.newPage()
  recordWaits(Object.getPrototypeOf(page.locator('body')))
  await page.close()
  return launched
}

/** Records how long each locator of a page is waited for. */
function recordWaits(locators: Pick<Locator, 'waitFor' | 'click'>): void {
  const { waitFor, click } = locators
  locators.waitFor = function (this: Locator, options) {
    return timed(String(this), options?.timeout ?? waitLimitMs, () => waitFor.call(this, options))
  }
  locators.click = function (this: Locator, options) {
    return timed(String(this), options?.timeout ?? waitLimitMs, () => click.call(this, options))
  }
}

/**
 * Goes to another address of the program as its own links do, without loading the document again, and waits until its
 * title is shown or has the focus.
 */
export async function goInside(page: Page, path: string): Promise<void> {
  // A navigation that is under way ends first.
  await page.locator('[data-app-header] ~ main h1').first().waitFor()
  await page.evaluate((href) => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    document.querySelector('main h1')?.setAttribute('data-left', '')
    history.pushState({}, '', href)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
  const isThere = () =>
    page.evaluate(() => {
      const title = document.querySelector('main h1:not([data-left])')
      return title !== null || Boolean(document.activeElement?.closest('main, dialog'))
    })
  await expect.poll(isThere, { message: path, interval: 20 }).toBe(true)
}

/** Disconnects a page from the network, and waits until its requests fail. */
export async function cutNetwork(page: Page): Promise<void> {
  await page.context().setOffline(true)
  const isCut = () =>
    page.evaluate(() =>
      fetch('/api/health').then(
        () => false,
        () => true,
      ),
    )
  await expect.poll(isCut, { interval: 20 }).toBe(true)
}

/** Waits until a notification shows this text. */
export async function notified(page: Page, text: string): Promise<void> {
  await page.getByRole('region', { name: 'Notifications' }).getByText(text).first().waitFor()
}

const assets = new Set(['script', 'stylesheet', 'image', 'font'])

function watch(page: Page, complaints: string[]): void {
  page.on('pageerror', (error) => complaints.push(`script error: ${error.message}`))
  page.on('console', (message) => {
    // The browser itself logs a refused request; the story asserts what the page shows for it.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      complaints.push(`console: ${message.text()}`)
    }
  })
  page.on('response', (response: Response) => {
    if (response.status() >= 400 && assets.has(response.request().resourceType())) {
      complaints.push(`${response.status()} ${response.url()}`)
    }
  })
}
