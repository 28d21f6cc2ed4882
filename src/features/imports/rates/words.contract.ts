import type { ImportWords } from '#features/imports/report.contract.ts'

/** The words of imports of exchange rates. */
export const rateImportWords: ImportWords = {
  label: 'Taux',
  noun: ['taux', 'taux'],
  accept: '.csv,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  hint: 'CSV ou XLSX, avec les colonnes Jour, Taux (francs pour un dollar) et, au besoin, Source. Rien n’est écrit avant votre accord.',
  changed: [
    'taux de cet import a été modifié ou supprimé',
    'taux de cet import ont été modifiés ou supprimés',
  ],
}
