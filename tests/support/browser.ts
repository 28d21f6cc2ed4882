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
import type { PaymentProvider } from '#features/payments/checkout/checkout.routes.ts'
import { type AppOptions, buildApp } from '#main/app.ts'
import { runJobs } from '#main/jobs.ts'
import { createLog } from '#server/log.ts'
import { hashPassword } from '#server/session/passwords.ts'
import { loadViews } from '#server/views.ts'
import { testDatabase } from './database.ts'
import { hasFastDirectory } from './fast-directory.ts'
import { client, insertAccount, openTokens, testDefaults } from './server.ts'
import { waitLimitMs } from './wait-limit.ts'
import { timed } from './waiting.ts'

const root = resolve(import.meta.dirname, '../..')

/** What every browser of the stories is started with. */
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
  /** Who is signed in already: an account, or a role for a new one; a visitor without it. */
  as?: Account | string
  viewport?: { width: number; height: number }
  /** False for a browser that runs no script. */
  scripts?: boolean
  /** Pages seen are cached for when there is no network. */
  keepsPages?: boolean
  /** Once idle it fetches the code of other screens: what is there by then depends on how fast the machine is. */
  fetchesAhead?: boolean
  /** For what no browser takes back: a clock, a script before others, a session of the debugger. */
  isNew?: boolean
}

type StoryOptions = Pick<AppOptions, 'google' | 'demandsSecondFactor'> & {
  hasJobs?: boolean
  payments?: PaymentProvider
  /** Where the built pages are, when not in `dist`. */
  dist?: string
}

/**
 * The real application with its built pages on a private database, and a browser. After each test, every page it opened
 * must have met no violation of the content security policy, no script error and no missing script, style or picture.
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
  // A browser that has loaded the program loads it again in half the time: the next visit takes it as if it were new.
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

  /** Somebody who may sign in, out of any trial unless `ageDays` says otherwise. */
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

  /** Changes the database about an account, and has the server forget at once what it cached of it. */
  async function followed(account: Account, change: () => Promise<unknown>): Promise<void> {
    await change()
    // Notifications would do the same a moment later; the end of any of its sessions does it before it is answered.
    const visitor = client(url, null, null)
    const { body } = await visitor.post('/api/auth/login', { email: account.email, password })
    await client(url, Object(body).token, account.id).post('/api/auth/logout')
  }

  async function newPage({ scripts = true, keepsPages = false, fetchesAhead = false }: Visit): Promise<Page> {
    const context = await (await theBrowser()).newContext({
      javaScriptEnabled: scripts,
      // What a service worker answers, no story could have fail.
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

  /** Rests when the next visit cannot tell it from a new one, else closes. */
  async function leave(context: BrowserContext): Promise<void> {
    const [page, ...others] = context.pages()
    if (!page || !reusable.has(context)) return context.close()
    await Promise.all([
      ...others.map((other) => other.close()),
      page.unrouteAll({ behavior: 'ignoreErrors' }),
    ])
    await context.setOffline(false)
    // A page without a program, at the same origin so that the process stays.
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
    /** A page in a browser of its own, at an address; `page.context().newPage()` is another tab of the same. */
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
    /** Ends all sessions of an account at the server, as a revocation or 24 hours away would. */
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

/** In the page: what it does once it has nothing else to do, it never does. */
function neverIdle(): void {
  Object.assign(window, { requestIdleCallback: () => 0 })
}

let browser: Promise<Browser> | undefined

/** One for all the files of a process; Playwright ends it with the process. */
function theBrowser(): Promise<Browser> {
  browser ??= launch()
  return browser
}

async function launch(): Promise<Browser> {
  const launched = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: browserArguments,
    // Pictures that its processes share are else files on the disk, each made anew.
    ignoreDefaultArgs: hasFastDirectory ? ['--disable-dev-shm-usage'] : [],
  })
  const page = await launched.newPage()
  recordWaits(Object.getPrototypeOf(page.locator('body')))
  await page.close()
  return launched
}

/** Records how long places of a page are waited for. */
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
 * Goes to another address of the program as its own links do, without loading the document again, and waits until its title
 * is there, or has the focus.
 */
export async function goInside(page: Page, path: string): Promise<void> {
  // What is on its way comes first.
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

/** Takes the network away from a page, and waits until what it asks for fails. */
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

/** Waits for a notification. */
export async function notified(page: Page, text: string): Promise<void> {
  await page.getByRole('region', { name: 'Notifications' }).getByText(text).first().waitFor()
}

const assets = new Set(['script', 'stylesheet', 'image', 'font'])

function watch(page: Page, complaints: string[]): void {
  page.on('pageerror', (error) => complaints.push(`script error: ${error.message}`))
  page.on('console', (message) => {
    // A refused request is logged by the browser itself; the story asserts what the page makes of it.
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
