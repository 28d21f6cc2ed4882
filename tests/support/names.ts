// Rules for names: each has one meaning in the whole of src/.
import type { Facts } from './source-facts.ts'

// Exported by every view of a whole page, besides its component.
const byConvention = ['head']

/** Returns a sentence for each name that two files of src/ export. */
export function checkSharedNames(all: readonly Facts[]): string[] {
  const files = new Map<string, string[]>()
  for (const { path, exports } of all) {
    if (!path.startsWith('src/') || /\.test\.tsx?$/.test(path)) continue
    for (const name of exports) files.set(name, [...(files.get(name) ?? []), path])
  }
  return [...files]
    .filter(([name, paths]) => paths.length > 1 && !byConvention.includes(name))
    .map(([name, paths]) => `${paths.join(' and ')} both export ${name}: one name, one thing`)
}
