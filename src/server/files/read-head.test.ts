import { expect, onTestFinished, test } from 'vitest'
import { readHead } from '#server/files/read-head.ts'
import { timeLimits } from '#server/time-limits.ts'
import { archive, varied, workbookSheets } from '../../../tests/support/archives.ts'
import { bytesOf } from '../../../tests/support/price-files.ts'

test.each([
  ['a table once it has seen enough of it', 'Jour;Produit;Prix\n'.repeat(100_000), 3],
  ['what is no table', '\x1f\x8b and the rest of an archive', null],
])('the file of %s is closed', async (_, text, columns) => {
  let isOpen = true
  async function* source() {
    try {
      for (let at = 0; at < text.length; at += 1000) yield Buffer.from(text.slice(at, at + 1000), 'latin1')
      yield Buffer.from('the end')
    } finally {
      isOpen = false
    }
  }
  const head = await readHead(source())
  expect({ columns: head?.titles.length ?? null, isOpen }).toEqual({ columns, isOpen: false })
})

test('the head of a workbook is that of its first sheet that has one', async () => {
  const row = (...texts: string[]) =>
    `<row>${texts.map((each) => `<c t="inlineStr"><is><t>${each}</t></is></c>`).join('')}</row>`
  const file = archive(
    workbookSheets([
      { name: 'Lisez-moi', sheetData: row('Ce classeur a les prix de mai.') },
      { name: 'Mai', sheetData: row('Jour', 'Produit', 'Prix') + row('2026-05-01', 'Riz', '3000') },
      { name: 'Juin', sheetData: row('Date', 'Article', 'Montant') },
    ]),
  )
  expect(await readHead(bytesOf(file))).toEqual({
    titles: ['Jour', 'Produit', 'Prix'],
    rows: [['2026-05-01', 'Riz', '3000']],
  })
})

test('a workbook without time to be read is not reported as no table', async () => {
  const { workbook } = timeLimits
  timeLimits.workbook = -1
  onTestFinished(() => {
    timeLimits.workbook = workbook
  })
  const long = varied(`<row>${'<c/>'.repeat(30)}</row>`, 100_000)
  const file = archive(workbookSheets([{ name: 'Mai', sheetData: long }]))
  await expect(readHead(bytesOf(file))).rejects.toThrow('Le serveur est trop occupé')
})
