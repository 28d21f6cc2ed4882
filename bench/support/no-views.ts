import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { AppOptions } from '#main/app.ts'

/** Returns views for an application whose pages are not requested, with the directory of assets that it requires. */
export function noViews(dataDir: string): AppOptions['views'] {
  mkdirSync(join(dataDir, 'assets'), { recursive: true })
  const page = '<!doctype html>'
  return { render: () => page, shell: page, styleHash: '', browserDir: dataDir, bundle: '' }
}
