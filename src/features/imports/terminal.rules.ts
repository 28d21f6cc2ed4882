import { counted, createdText } from '#features/imports/created.rules.ts'
import type { Created, ImportReport } from '#features/imports/report.contract.ts'

type Told = ImportReport & { created: Created; fileName: string; isDryRun: boolean }

// A screen holds these; `--json` tells a thousand.
const reasonsShown = 20
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
  const created = createdText(told.created)
  if (created) lines.push(`${isDryRun ? 'À créer' : 'Créés'} : ${created}.`)
  if (rejected > 0) lines.push(reasonLines(told))
  return lines.join('\n')
}

function table(rows: [string, number][]): string {
  const values = rows.map(([, value]) => figures.format(value))
  const width = Math.max(...values.map((value) => value.length))
  return rows.map(([label], index) => `  ${label.padEnd(16)}${values[index]?.padStart(width)}`).join('\n')
}

/** What was refused, by reason: how often, and a line where it happened. */
function reasonLines({ reasons, rejected }: ImportReport): string {
  const shown = reasons.slice(0, reasonsShown)
  const others = rejected - shown.reduce((sum, { count }) => sum + count, 0)
  const lines = shown.map(({ message, count, example: { line } }) =>
    count === 1
      ? `  ligne\u00a0${line} : ${message}`
      : `  ${counted(count, ['ligne', 'lignes'])} : ${message} (par exemple la ligne\u00a0${line})`,
  )
  if (others > 0) lines.push(`  … et ${counted(others, ['autre', 'autres'])}.`)
  return ['Lignes rejetées :', ...lines].join('\n')
}
