import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  archive,
  type Entry,
  varied,
  withTexts,
  workbookParts,
  workbookSheets,
} from '../../../tests/support/archives.ts'
import { readWorkbook, UnreadableWorkbook, type WorkbookRow } from './read-workbook.ts'

async function rowsOf(...given: Parameters<typeof readWorkbook>) {
  const rows: WorkbookRow[] = []
  for await (const batch of readWorkbook(...given)) rows.push(...batch.rows)
  return rows
}

/** The usual limit of work, with a long wait for other work of the machine; the wait has its own test. */
const patient = { workMs: 5_000, waitMs: 600_000 }

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
const plain = archive(workbookParts(`<row r="1">${text('Code')}</row>`))

describe('a workbook', () => {
  test('is read as rows of texts: numbers as shown, days, booleans, the last result of a formula', async () => {
    const cells = [
      text('=1+1'),
      '<c><v>0.30000000000000004</v></c>',
      '<c><v>45000.5</v></c>',
      '<c t="b"><v>1</v></c>',
      '<c t="str"><f>CONCAT("a","b")</f><v>ab</v></c>',
      '<c/>',
    ]
    const file = archive(workbookParts(`<row r="1">${text('Code')}</row><row r="4">${cells.join('')}</row>`))
    expect(await rowsOf(file)).toEqual([
      { line: 1, cells: ['Code'] },
      { line: 4, cells: ['=1+1', '0.3', '45000.5', 'VRAI', 'ab', ''] },
    ])
  })

  test('is read sheet by sheet, only visible ones with rows, by their names', async () => {
    const file = archive(
      workbookSheets([
        { name: 'Prix &amp; taux', sheetData: `<row r="1">${text('a')}</row>` },
        { name: 'Listes', sheetData: `<row r="1">${text('b')}</row>`, state: 'hidden' },
        { name: 'Octobre', sheetData: `<row r="3">${text('c')}</row>` },
      ]),
    )
    const parts = []
    for await (const { sheets, sheet, rows } of readWorkbook(file))
      parts.push(...rows.map(({ line, cells }) => ({ sheets, sheet, line, cells })))
    const sheets = ['Prix & taux', 'Octobre']
    expect(parts).toEqual([
      { sheets, sheet: 0, line: 1, cells: ['a'] },
      { sheets, sheet: 1, line: 3, cells: ['c'] },
    ])
  })

  test('may claim any number of columns and rows: what is read of them is limited', async () => {
    const corner = Array.from(
      { length: 1_000 },
      (_, row) => `<row r="${row + 1}"><c r="XFD${row + 1}"><v></v></c></row>`,
    )
    const rows = await rowsOf(archive(workbookParts(corner.join(''))), undefined, patient)
    expect([rows.length, rows[0]?.cells.length]).toEqual([1_000, 200])
    const filled = corner.map((row) => row.replace('<v></v>', '<v>1</v>')).join('')
    const refused = rowsOf(archive(workbookParts(filled)), undefined, patient)
    await expect(refused).rejects.toThrow(/plus de 200.colonnes/)
  })

  test('is no longer read after its reader has aborted', async () => {
    const row = `<row>${text('a').repeat(10)}</row>`
    const controller = new AbortController()
    const reading = (async () => {
      const file = archive(workbookParts(varied(row, 100_000)))
      for await (const _ of readWorkbook(file, controller.signal, patient)) {
        controller.abort(new Error('nobody wants it'))
      }
    })()
    await expect(reading).rejects.toThrow('nobody wants it')
  })
})

test('a workbook for which there is no processor time asks for another try, whatever it contains', async () => {
  const long = archive(workbookParts(varied(`<row>${'<c/>'.repeat(30)}</row>`, 100_000)))
  const busy = { workMs: 60_000, waitMs: 1 }
  await expect(rowsOf(long, undefined, busy)).rejects.toThrow(/^Le serveur est trop occupé .* Réessayez/)
})

test('the time that the consumer of the rows needs is not counted', async () => {
  const now = performance.now.bind(performance)
  let slept = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + slept)
  onTestFinished(() => clock.mockRestore())
  const long = archive(workbookParts(varied(`<row>${'<c/>'.repeat(30)}</row>`, 100_000)))
  let rows = 0
  for await (const batch of readWorkbook(long, undefined, { workMs: 60_000, waitMs: 600_000 })) {
    rows += batch.rows.length
    slept += 3_600_000
  }
  expect(rows).toBe(100_000)
})

const zeros = Buffer.alloc(60 * 1024 * 1024)
const [types, rels, workbook, workbookRels, sheet] = workbookParts('')
const withSheet = (claims: Entry['claims'], content: string | Buffer = zeros): Entry[] =>
  [types, rels, workbook, workbookRels, { name: sheet?.name ?? '', content, claims }].filter(
    (each) => each !== undefined,
  )
const laughs = `<!DOCTYPE w [<!ENTITY a "${'ha'.repeat(50)}">${[...'bcdefgh']
  .map((name, index) => `<!ENTITY ${name} "${`&${'abcdefgh'[index]};`.repeat(50)}">`)
  .join('')}]>`

// Larger ones, by their time and memory: `tests/trials/workbooks.trial.ts`.
test('a workbook with more shared texts than fit is refused', async () => {
  const file = archive(withTexts(14_000_000))
  await expect(rowsOf(file, undefined, patient)).rejects.toThrow(/12.Mo/)
})

describe('a hostile file is refused in French, and the process stays small:', () => {
  test.each<[string, () => Buffer, RegExp]>([
    ['a bomb of 60 MB', () => archive(withSheet({})), /50.Mo/],
    ['a bomb of 40 MB', () => archive(withSheet({}, zeros.subarray(20 * 1024 * 1024))), /cent fois/],
    ['a bomb that claims to be small', () => archive(withSheet({ unpacked: 1_000 })), /abîmé ou démesuré/],
    ['a bomb that claims to be nothing', () => archive(withSheet({ unpacked: 0 })), /abîmé/],
    [
      'a bomb whose size stands behind it',
      () => archive(withSheet({ packed: 0, unpacked: 0, flags: 8 })),
      /abîmé/,
    ],
    [
      'a bomb in many parts',
      () =>
        archive(
          Array.from({ length: 60 }, (_, part) => ({
            name: `${part}`,
            content: zeros.subarray(0, 1024 * 1024),
          })),
        ),
      /50.Mo/,
    ],
    [
      '1 001 entries',
      () => archive(Array.from({ length: 1_001 }, (_, part) => ({ name: `${part}`, content: `${part}` }))),
      /1.000/,
    ],
    ['more entries announced than there are', () => archive(workbookParts(''), 900), /abîmé/],
    [
      'entries that share their bytes',
      () =>
        archive(
          Array.from({ length: 500 }, (_, part) => ({
            name: `${part}`,
            content: varied('x', 2_000),
            claims: { local: 0 },
          }))
            .slice(0, 1)
            .concat(
              Array.from({ length: 300 }, (_, part) => ({
                name: `s${part}`,
                content: '',
                claims: { local: 0, packed: 5_000, unpacked: 6_000 },
              })),
            ),
        ),
      /abîmé/,
    ],
    ['an entry twice', () => archive([...workbookParts(''), ...workbookParts('')]), /abîmé/],
    ['an entry that is encrypted', () => archive(withSheet({ flags: 1 }, 'x')), /mot de passe/],
    ['an unknown compression', () => archive(withSheet({ method: 99 }, 'x')), /abîmé/],
    ['an entry outside of the file', () => archive(withSheet({ local: 4_000_000_000 }, 'x')), /abîmé/],
    ['ZIP64', () => archive(withSheet({ packed: 0xffffffff, unpacked: 0xffffffff }, 'x')), /abîmé/],
    ['an archive without a workbook', () => archive([{ name: 'a.txt', content: 'bonjour' }]), /abîmé/],
    ['an empty archive', () => archive([]), /abîmé/],
    [
      'a text that begins like an archive',
      () => Buffer.from('PK\x03\x04 bonjour, ceci n’est pas une archive'),
      /abîmé/,
    ],
    ['nothing', () => Buffer.alloc(0), /abîmé/],
    ...[1, 10, 100, plain.length / 2, plain.length - 23].map((kept): [string, () => Buffer, RegExp] => [
      `a workbook cut after ${Math.floor(kept)} bytes`,
      () => plain.subarray(0, kept),
      /abîmé/,
    ]),
  ])('%s', async (_, make, said) => {
    const file = make()
    const before = process.memoryUsage().rss
    const refusal = await rowsOf(file).catch((error: unknown) => error)
    expect((process.memoryUsage().rss - before) / 1e6).toBeLessThan(150)
    expect(refusal).toBeInstanceOf(UnreadableWorkbook)
    expect((refusal as Error).message).toMatch(said)
  })

  test('a billion laughs: entities are never expanded', async () => {
    const outcome = await rowsOf(archive(workbookParts(`<row>${text('&h;')}</row>`, laughs))).catch(String)
    expect(JSON.stringify(outcome).length).toBeLessThan(1_000)
  })
})
