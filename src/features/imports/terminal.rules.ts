import { counted, createdNames, createdText } from '#features/imports/created.rules.ts'
import type { Created, CreatedNames, ImportReport, NameQuestion } from '#features/imports/report.contract.ts'

type Row = [label: string, count: number]
type ReportOfImport = ImportReport & {
  created: Created
  names: CreatedNames
  currencies: { code: string; count: number }[]
  questions: readonly NameQuestion[]
  fileName: string
  isDryRun: boolean
}

// Fits on a screen; `--json` lists a thousand.
const reasonsShown = 20
const figures = new Intl.NumberFormat('fr-FR')

/** Formats the outcome of an import as lines of French text. */
export function reportText(report: ReportOfImport): string {
  const { fileName, isDryRun, read, added, existing, revised, withdrawn, rejected } = report
  const lines = [
    isDryRun ? `Essai à blanc de ${fileName} : rien n’a été écrit.` : `Import de ${fileName} terminé.`,
    table([
      ['Lignes lues', read],
      [isDryRun ? 'Prix à ajouter' : 'Prix ajoutés', added],
      ['Déjà là', existing],
      ...(revised > 0 ? [[isDryRun ? 'À réviser' : 'Révisés', revised] as Row] : []),
      ['Rejetées', rejected],
      ...(withdrawn > 0 ? [['Retirés du fichier', withdrawn] as Row] : []),
    ]),
  ]
  lines.push(...report.notes)
  const created = createdText(report.created)
  if (created) lines.push(`${isDryRun ? 'À créer' : 'Créés'} : ${created}.`)
  for (const { label, text } of createdNames(report.created, report.names))
    lines.push(`  ${label}\u00a0: ${text}`)
  if (rejected > 0) lines.push(reasonLines(report))
  return [...lines, ...adviceOn(report)].join('\n')
}

/**
 * Returns advice on how to import a file whose rows are all in one unknown currency, and where to decide on names
 * similar to ours.
 */
export function adviceOn({
  currencies,
  read,
  questions,
}: Pick<ReportOfImport, 'currencies' | 'read' | 'questions'>): string[] {
  const advice: string[] = []
  const [currency] = currencies
  if (currency && currency.count === read) {
    advice.push(
      `Toutes les lignes sont en ${currency.code}. Pour les lire en francs congolais\u00a0: --currency-map ${currency.code}=CDF`,
    )
  }
  if (questions.length > 0) {
    const names = counted(questions.length, ['nom ressemble', 'noms ressemblent'])
    advice.push(
      `${names} aux nôtres. Pour en décider, envoyez ce fichier à la page Imports\u00a0: vos réponses sont retenues avec la correspondance.`,
    )
  }
  return advice
}

function table(rows: Row[]): string {
  const values = rows.map(([, value]) => figures.format(value))
  const width = Math.max(...values.map((value) => value.length))
  const labels = Math.max(16, ...rows.map(([label]) => label.length + 2))
  return rows.map(([label], index) => `  ${label.padEnd(labels)}${values[index]?.padStart(width)}`).join('\n')
}

/** Lists the reasons of rejections: the count of each, and a line as example. */
function reasonLines({ reasons, rejected }: ImportReport): string {
  const shown = reasons.slice(0, reasonsShown)
  const others = rejected - shown.reduce((sum, { count }) => sum + count, 0)
  const lines = shown.map(({ message, count, example: { line } }) =>
    count === 1
      ? `  ligne\u00a0${line}\u00a0: ${message}`
      : `  ${counted(count, ['ligne', 'lignes'])}\u00a0: ${message} (par exemple la ligne\u00a0${line})`,
  )
  if (others > 0) lines.push(`  … et ${counted(others, ['autre', 'autres'])}.`)
  return ['Lignes rejetées\u00a0:', ...lines].join('\n')
}
