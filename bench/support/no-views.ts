import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { AppOptions } from '#main/app.ts'

/** What an application whose pages nobody asks for is given instead, with the directory of assets that it wants. */
export function noViews(dataDir: string): AppOptions['views'] {
  mkdirSync(join(dataDir, 'assets'), { recursive: true })
  const page = '<!doctype html>'
  return { render: () => page, shell: page, styleHash: '', browserDir: dataDir, bundle: '' }
}
