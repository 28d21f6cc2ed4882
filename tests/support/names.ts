// What a name may be: each one stands for one thing in the whole of src/.
import type { Facts } from './source-facts.ts'

// src/server/db/embedded/ was being rewritten on 2026-11-22: it goes when that has landed, and no other comes in.
const namesToPart: readonly string[] = ['Log']

// What every view of a whole page exports beside its component.
const byConvention = ['head']

/** Each name that two files of src/ export, with the files. */
function findSharedNames(all: readonly Facts[]): Map<string, string[]> {
  const files = new Map<string, string[]>()
  for (const { path, exports } of all) {
    if (!path.startsWith('src/') || /\.test\.tsx?$/.test(path)) continue
    for (const name of exports) files.set(name, [...(files.get(name) ?? []), path])
  }
  return new Map([...files].filter(([name, paths]) => paths.length > 1 && !byConvention.includes(name)))
}

/** The shared names that are no longer awaited to part, one sentence each. */
export function checkSharedNames(all: readonly Facts[]): string[] {
  return [...findSharedNames(all)]
    .filter(([name]) => !namesToPart.includes(name))
    .map(([name, paths]) => `${paths.join(' and ')} both export ${name}: one name, one thing`)
}
