import type { ImportWords } from '#features/imports/report.contract.ts'
import { mappedFields } from '#features/mappings/mapped-fields.contract.ts'

/** The words of imports of prices. */
export const priceImportWords: ImportWords = {
  label: 'Prix',
  fields: mappedFields,
  noun: ['relevé', 'relevés'],
  accept: '.csv,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  hint: 'CSV ou XLSX\u00a0: du PAM (HDX), exporté d’ici, ou tout autre tableau, dont vous direz les colonnes\u202f; 200\u00a0Mo au plus, 20\u00a0Mo pour un XLSX. Rien n’est écrit avant votre accord.',
  changed: [
    'relevé de cet import a été modifié ou supprimé',
    'relevés de cet import ont été modifiés ou supprimés',
  ],
}
