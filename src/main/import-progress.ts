import type { ImportProgress } from '#features/imports/importer.jobs.ts'

const width = 24
const redrawMs = 100
const figures = new Intl.NumberFormat('fr-FR')
const stages = {
  reading: 'Lecture',
  waiting: 'Attente d’un autre import',
  matching: 'Rapprochement',
  writing: 'Enregistrement',
}

/**
 * Draws the progress of an import on the last line of a terminal; does nothing elsewhere.
 *
 * @param totalBytes the size of the file, 0 when it is unknown
 */
export function progressBar(
  screen: NodeJS.WriteStream,
  totalBytes: number,
): (progress: ImportProgress) => void {
  if (!screen.isTTY) return () => {}
  const startedAt = performance.now()
  let drawnAt = 0
  let drawn = ''
  return ({ stage, rows, bytes }) => {
    if (stage === 'done') {
      screen.write('\r\u001b[K')
      return
    }
    const now = performance.now()
    if (stage === drawn && now - drawnAt < redrawMs) return
    drawnAt = now
    drawn = stage
    const seconds = Math.max(0.001, (now - startedAt) / 1000)
    const share = stage === 'reading' && totalBytes > 0 ? Math.min(1, bytes / totalBytes) : 1
    const filled = Math.round(share * width)
    const bar = '█'.repeat(filled) + '░'.repeat(width - filled)
    const figure = `${figures.format(rows)} lignes, ${figures.format(Math.round(rows / seconds))} lignes/s`
    screen.write(`\r\u001b[K${stages[stage]} ${bar} ${Math.floor(share * 100)}\u00a0% ${figure}`)
  }
}
