import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { buildApp } from '#main/app.ts'
import { createLog } from '#server/log.ts'
import { loadViews } from '#server/views.ts'
import { testDatabase } from './database.ts'

const root = resolve(import.meta.dirname, '../..')
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export const phone = { width: 360, height: 740 }
export const desktop = { width: 1440, height: 900 }

/**
 * The real application with its built pages on a private database, and a browser. After each test, every page it opened
 * must have met no violation of the content security policy, no script error and no failed load.
 */
export async function story() {
  const database = await testDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'ntalo-story-'))
  const http = await buildApp({
    ...database,
    dataDir,
    publicUrl: null,
    trustedProxies: 0,
    log: createLog('silent'),
    views: await loadViews(resolve(root, 'dist')),
  })
  const url = await http.listen({ port: 0, host: '127.0.0.1' })
  let browser: Browser | undefined
  const contexts: BrowserContext[] = []
  const complaints: string[] = []

  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args,
    })
  })
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()))
    expect(complaints.splice(0)).toEqual([])
  })
  afterAll(async () => {
    await browser?.close()
    await http.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  async function newContext(viewport = desktop): Promise<BrowserContext> {
    if (!browser) throw new Error('the browser starts before the first test')
    const context = await browser.newContext({
      viewport,
      locale: 'fr-FR',
      timezoneId: 'Africa/Kinshasa',
      reducedMotion: 'reduce',
    })
    contexts.push(context)
    context.setDefaultTimeout(10_000)
    context.on('page', (page) => watch(page, complaints))
    return context
  }

  return {
    ...database,
    http,
    url,
    newContext,
    /** A page of a new visitor at an address. */
    async open(path: string, viewport = desktop): Promise<Page> {
      const page = await (await newContext(viewport)).newPage()
      await page.goto(url + path)
      return page
    },
  }
}

function watch(page: Page, complaints: string[]): void {
  page.on('pageerror', (error) => complaints.push(`script error: ${error.message}`))
  page.on('console', (message) => {
    // A refused request is logged by the browser itself; the story asserts what the page makes of it.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      complaints.push(`console: ${message.text()}`)
    }
  })
}

/** Rules of WCAG 2.2 AA that a page breaks, as axe-core finds them: `rule: selector`. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const source = await readFile(axe, 'utf8')
  // Through the debugger, which the page's own policy does not bind.
  await page.evaluate(source)
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResult> } }
    type AxeResult = { violations: { id: string; nodes: { target: string[] }[] }[] }
    const { violations } = await axe.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    })
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
  })
}
