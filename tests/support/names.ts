// What a name may be: each one stands for one thing in the whole of src/.
import type { Facts } from './source-facts.ts'

// What every view of a whole page exports beside its component.
const byConvention = ['head']

/** Each name that two files of src/ export, in a sentence. */
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
