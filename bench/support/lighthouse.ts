import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import * as z from 'zod'
import type { Measure } from '../measure.ts'
import { browserPath } from './screens.ts'

// Downloaded when needed: with its dependencies it is larger than all our packages.
const version = '13.5.0'
const goals = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 95 }
const flags = '--headless=new --no-sandbox --disable-gpu --disable-background-networking'
const longestMs = 180_000

const category = z.object({ score: z.number().nullable() })
const report = z.object({ categories: z.record(z.string(), category) })

/**
 * Returns Lighthouse's scores of pages on its phone, 0 to 100 in each of its four categories.
 *
 * @param pages name → address
 * @returns an empty list, with a message, when npm cannot download it
 */
export async function judgePages(pages: ReadonlyMap<string, string>): Promise<Measure[]> {
  if (!(await isThere())) {
    console.log('Lighthouse : non mesuré, npm ne peut pas l’obtenir ici.')
    return []
  }
  const measures: Measure[] = []
  for (const [name, address] of pages) {
    const only = Object.keys(goals).join(',')
    const output = ['--output=json', '--output-path=stdout', '--quiet']
    const text = await lighthouse(address, `--only-categories=${only}`, `--chrome-flags=${flags}`, ...output)
    const { categories } = report.parse(JSON.parse(text))
    for (const [key, atLeast] of Object.entries(goals)) {
      // Null is a category that Lighthouse could not judge.
      const value = Math.round(100 * (categories[key]?.score ?? 0))
      measures.push({
        what: `${name}, Lighthouse ${version} on a telephone, ${key}`,
        value,
        unit: '',
        atLeast,
      })
    }
  }
  return measures
}

async function isThere(): Promise<boolean> {
  try {
    await lighthouse('--version')
    return true
  } catch {
    return false
  }
}

async function lighthouse(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(
    'npm',
    ['exec', '--yes', `--package=lighthouse@${version}`, '--', 'lighthouse', ...args],
    { env: { ...process.env, CHROME_PATH: browserPath }, timeout: longestMs, maxBuffer: 100e6 },
  )
  return stdout
}
