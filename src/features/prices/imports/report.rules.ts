import type { Created, ImportReport } from '#shared/import-report.ts'

type Told = ImportReport & { created: Created; fileName: string; isDryRun: boolean }

// A screen holds these; `--json` tells a thousand.
const errorsShown = 20
const figures = new Intl.NumberFormat('fr-FR')

/** The outcome of an import as lines of French text. */
export function reportText(told: Told): string {
  const { fileName, isDryRun, read, added, existing, rejected } = told
  const lines = [
    isDryRun ? `Essai à blanc de ${fileName} : rien n’a été écrit.` : `Import de ${fileName} terminé.`,
    table([
      ['Lignes lues', read],
      [isDryRun ? 'Prix à ajouter' : 'Prix ajoutés', added],
      ['Déjà là', existing],
      ['Rejetées', rejected],
    ]),
  ]
  const parts = createdParts(told.created)
  if (parts.length > 0) lines.push(`${isDryRun ? 'À créer' : 'Créés'} : ${parts.join(', ')}.`)
  if (rejected > 0) lines.push(errorLines(told))
  return lines.join('\n')
}

function table(rows: [string, number][]): string {
  const values = rows.map(([, value]) => figures.format(value))
  const width = Math.max(...values.map((value) => value.length))
  return rows.map(([label], index) => `  ${label.padEnd(16)}${values[index]?.padStart(width)}`).join('\n')
}

function createdParts(created: Created): string[] {
  return [
    counted(created.markets, 'marché'),
    counted(created.categories, 'catégorie'),
    counted(created.types, 'type'),
    counted(created.brands, 'marque'),
    counted(created.products, 'produit'),
  ].filter((part) => part !== '')
}

/** « 2 marchés », or nothing for none. */
function counted(count: number, noun: string): string {
  return count === 0 ? '' : `${figures.format(count)}\u00a0${noun}${count > 1 ? 's' : ''}`
}

function errorLines({ errors, rejected }: ImportReport): string {
  const shown = errors.slice(0, errorsShown).map(({ line, message }) => `  ligne\u00a0${line} : ${message}`)
  const others = rejected - shown.length
  if (others > 0) shown.push(`  … et ${counted(others, 'autre')}.`)
  return ['Lignes rejetées :', ...shown].join('\n')
}
