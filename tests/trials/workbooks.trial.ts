import { randomBytes } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { describe, expect, test } from 'vitest'
import { readWorkbook, type WorkbookRow } from '#server/workbook/read-workbook.ts'
import { archive, varied, withTexts, workbookParts } from '../support/archives.ts'

async function rowsOf(...given: Parameters<typeof readWorkbook>) {
  const rows: WorkbookRow[] = []
  for await (const batch of readWorkbook(...given)) rows.push(...batch.rows)
  return rows
}

/** The usual limit of work, with a long wait for other work of the machine. */
const patient = { workMs: 5_000, waitMs: 600_000 }

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`

describe('a hostile workbook takes less than 150 MB and ten seconds of processor time:', () => {
  test.each<[string, () => Buffer, RegExp | number]>([
    ['45 MB of shared texts', () => archive(withTexts(45_000_000)), /12.Mo/],
    [
      'three million empty cells',
      () => archive(workbookParts(varied(`<row>${'<c/>'.repeat(30)}</row>`, 100_000))),
      100_000,
    ],
    [
      'ten million empty cells in a row, beside what keeps them from packing too well',
      () =>
        archive([
          ...workbookParts(`<row>${'<c/>'.repeat(10_000_000)}</row>`),
          { name: 'xl/media/image1.png', content: randomBytes(500_000) },
        ]),
      /démesuré/,
    ],
    [
      'a comment that is never closed',
      () =>
        archive(workbookParts(`<row>${text('a')}</row><!--${varied('', 1_500_000)}`.replaceAll('-->', '>'))),
      /démesuré/,
    ],
    [
      'a text of 30 MB in a cell',
      () => archive(workbookParts(`<row>${text(varied('', 1_000_000).replaceAll(/[<>]/g, ''))}</row>`)),
      /démesuré/,
    ],
  ])('%s', async (_, make, wanted) => {
    const file = make()
    // The same as the server's option.
    setFlagsFromString('--max-old-space-size=384')
    const before = process.memoryUsage().rss
    let peak = before
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss)
    }, 20)
    const unused = process.cpuUsage()
    const outcome = await rowsOf(file, undefined, patient).then(
      (rows) => rows.length,
      (error: unknown) => error,
    )
    clearInterval(watch)
    const { user, system } = process.cpuUsage(unused)
    expect((user + system) / 1000).toBeLessThan(10_000)
    expect((peak - before) / 1e6).toBeLessThan(150)
    if (typeof wanted === 'number') expect(outcome).toBe(wanted)
    else expect((outcome as Error).message).toMatch(wanted)
  })
})
