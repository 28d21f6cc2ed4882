import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { type Import, storedReport } from '#features/imports/imports.contract.ts'
import { priceImportWords } from '#features/imports/prices/words.contract.ts'
import { Rejections, ReportCard } from '#features/imports/ui/import-report.tsx'
import { contentText, ImportKinds } from '#features/imports/ui/kinds.ts'

// The only fields that it uses.
const row = { id: 1, hasFile: true } as Import
const reportOf = (counts: object) =>
  storedReport.parse({
    read: 2,
    added: 0,
    existing: 0,
    rejected: 0,
    errors: [],
    reasons: [],
    created: { markets: 0, categories: 0, types: 0, brands: 0, products: 0 },
    ...counts,
  })
const said = (rejected: number, rejectedKept: number, of = row) =>
  renderToStaticMarkup(<Rejections row={of} report={reportOf({ rejected, rejectedKept })} />)

test('a user who may download only the first rejected lines sees their number', () => {
  expect(said(120_000, 100_000)).toContain(
    'Le fichier des lignes rejetées contient les 100\u202f000 premières.',
  )
  expect(said(100_000, 100_000)).not.toContain('Le fichier des lignes rejetées contient')
  // An import by command has no such file.
  expect(said(3, 0, { ...row, hasFile: false })).not.toContain('Le fichier des lignes rejetées contient')
})

test('prices revised by an import are reported as restored once the import is undone', () => {
  const kinds = { prices: priceImportWords, products: priceImportWords, rates: priceImportWords }
  const of = (state: Import['state']) => {
    const report = reportOf({ revised: 2 })
    const card = <ReportCard row={{ id: 1, kind: 'rates', state } as Import} report={report} />
    return renderToStaticMarkup(<ImportKinds value={kinds}>{card}</ImportKinds>)
  }
  expect(of('checked')).toContain('À réviser')
  expect(of('done')).toContain('Révisés')
  expect(of('undone')).not.toContain('Révisés')
  expect(of('undone')).toContain('Rétablis')
})

test('the list says what an import adds or revises, and what was removed or restored once it is undone', () => {
  const said = (state: Import['state'], added: number, revised: number) =>
    contentText(priceImportWords, state, reportOf({ added, revised }))
  expect(said('checked', 0, 0)).toBe('0 relevé à ajouter')
  expect(said('done', 25, 0)).toBe('25 relevés ajoutés')
  expect(said('done', 1, 2)).toBe('1 relevé ajouté et 2 relevés révisés')
  expect(said('undone', 25, 0)).toBe('25 relevés retirés')
  expect(said('undone', 0, 3)).toBe('3 relevés rétablis')
})
