// Browsers with a persistent profile that are killed before they can write anything.
import { readdirSync, readFileSync } from 'node:fs'
import { type BrowserContext, chromium } from 'playwright-core'
import { browserArguments } from './browser.ts'
import { waitLimitMs } from './wait-limit.ts'

export async function launchKept(
  profile: string,
  options: { serviceWorkers: 'allow' | 'block'; viewport?: { width: number; height: number } },
): Promise<BrowserContext> {
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: browserArguments,
    locale: 'fr-FR',
    timezoneId: 'Africa/Kinshasa',
    ...options,
  })
  context.setDefaultTimeout(waitLimitMs)
  return context
}

/** Sends SIGKILL to every process of the browser that uses this profile. */
export async function killBrowser(context: BrowserContext, profile: string): Promise<void> {
  const gone = new Promise((resolve) => context.once('close', resolve))
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    if (commandOf(pid).includes(`--user-data-dir=${profile}`)) process.kill(Number(pid), 'SIGKILL')
  }
  await gone
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    // The process ended meanwhile.
    return ''
  }
}
