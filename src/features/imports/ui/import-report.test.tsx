import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { type Import, storedReport } from '#features/imports/imports.contract.ts'
import { Rejections } from '#features/imports/ui/import-report.tsx'

// All that it looks at.
const row = { id: 1, hasFile: true } as Import
const said = (rejected: number, rejectedKept: number) => {
  const counts = { read: rejected, added: 0, existing: 0, rejected, rejectedKept, errors: [], reasons: [] }
  const created = { markets: 0, categories: 0, types: 0, brands: 0, products: 0 }
  const report = storedReport.parse({ ...counts, created })
  return renderToStaticMarkup(<Rejections row={row} report={report} />)
}

test('whoever may download only the first of the rejected lines is told how many', () => {
  expect(said(120_000, 100_000)).toContain(
    'Le fichier des lignes rejetées contient les 100\u202f000 premières.',
  )
  expect(said(100_000, 100_000)).not.toContain('Le fichier des lignes rejetées contient')
})
