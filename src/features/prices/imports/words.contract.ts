import type { ImportWords } from '#features/imports/report.contract.ts'

/** How an import of prices is spoken of. */
export const priceImportWords: ImportWords = {
  label: 'Prix',
  noun: ['relevé', 'relevés'],
  accept: '.csv,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  hint: 'CSV ou XLSX, du PAM (HDX) ou exporté d’ici\u202f; 200\u00a0Mo au plus, 20\u00a0Mo pour un XLSX. Rien n’est écrit avant votre accord.',
  changed: [
    'relevé de cet import a été modifié ou supprimé',
    'relevés de cet import ont été modifiés ou supprimés',
  ],
}
