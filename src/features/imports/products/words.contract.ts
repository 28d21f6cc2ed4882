import type { ImportWords } from '#features/imports/report.contract.ts'

/** The words of imports of products. */
export const productImportWords: ImportWords = {
  label: 'Produits',
  noun: ['produit', 'produits'],
  adds: 'products',
  accept: '.csv,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  hint: 'CSV ou XLSX, exporté d’ici ou rempli d’après le modèle, dont les deux lignes d’exemple sont ignorées. Rien n’est écrit avant votre accord.',
  changed: [
    'produit de cet import a été modifié ou supprimé, ou sert ailleurs',
    'produits de cet import ont été modifiés ou supprimés, ou servent ailleurs',
  ],
}
