import { expect, test } from 'vitest'
import { fileStem, toCsv } from '#web/ui/charts/chart-table.ts'
import { DataTable } from '#web/ui/charts/data-table.view.tsx'
import { repeatedKeys } from '../../../../tests/support/repeated-keys.ts'

test('a French spreadsheet opens the file directly, and no cell is a formula', () => {
  const csv = toCsv({
    columns: ['Date', 'Prix ; moyen'],
    rows: [
      ['2026-11-21', 1234.5],
      ['=1+1', null],
      ['-5', -5.5],
      ['＝1+1', 0],
    ],
  })
  expect(csv).toBe("\uFEFFDate;\"Prix ; moyen\"\r\n2026-11-21;1234,5\r\n'=1+1;\r\n'-5;-5,5\r\n'＝1+1;0\r\n")
})

test('a file is named after its chart', () => {
  expect(fileStem('Évolution du prix « Riz », Kinshasa')).toBe('evolution-du-prix-riz-kinshasa')
})

test('rows of the same name, and columns of the same title, are told apart', () => {
  const table = {
    columns: ['Marché', 'Riz (FC)', 'Riz (FC)'],
    rows: [
      ['Marché central', 1200, 1250],
      ['Marché central', 900, null],
    ],
  }
  expect(repeatedKeys(DataTable({ title: 'Prix', table, renderLink: () => null }))).toEqual([])
})
