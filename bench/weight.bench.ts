import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { loadViews } from '#server/views.ts'
import { unknownSite } from '#shared/site.ts'
import { type Measure, percentile, timeEach } from './measure.ts'

type Chunk = { file: string; css?: string[]; imports?: string[] }

const dist = join(import.meta.dirname, '../dist')
const current = join(dist, 'current')

export const title = 'What a first visit downloads'

export async function measure(): Promise<Measure[]> {
  const views = await loadViews(dist)
  const chunks = JSON.parse(readFileSync(join(current, 'manifest.json'), 'utf8')) as Record<string, Chunk>
  const entry = 'src/main/index.html'
  const script = sum(withImports(chunks, entry).map((name) => compressed(chunks[name]?.file)))
  const style = sum((chunks[entry]?.css ?? []).map(compressed))
  const props = { site: unknownSite, isDemonstration: false }
  const page = views.render('not-found', props)
  const rendering = await timeEach(1000, () => views.render('not-found', props))
  return [
    {
      what: 'page of an unknown address, its style inside',
      value: kilobytes(brotliCompressSync(page).length),
      unit: 'kB',
      atMost: 14,
    },
    { what: 'style sheet of the program', value: kilobytes(style), unit: 'kB' },
    { what: 'browser program before the first route', value: kilobytes(script), unit: 'kB', atMost: 170 },
    { what: 'rendering that page, median', value: percentile(rendering, 0.5), unit: 'ms', atMost: 1 },
  ]
}

function withImports(chunks: Record<string, Chunk>, name: string, seen = new Set<string>()): string[] {
  if (seen.has(name)) return []
  seen.add(name)
  return [name, ...(chunks[name]?.imports ?? []).flatMap((each) => withImports(chunks, each, seen))]
}

function compressed(file: string | undefined): number {
  if (!file) return 0
  const path = join(current, 'browser', file)
  return statSync(`${path}.br`, { throwIfNoEntry: false })?.size ?? statSync(path).size
}

function kilobytes(bytes: number): number {
  return bytes / 1000
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
