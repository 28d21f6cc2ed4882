import type { Import } from '#features/imports/imports.contract.ts'
import { formatCount } from '#web/format.ts'
import { Card } from '#web/ui/card.tsx'
import { fileWeight } from '#web/ui/file-field.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'

const stages: Record<NonNullable<Import['stage']>, string> = {
  reading: 'Lecture du fichier',
  waiting: 'Attente de la fin d’un autre import',
  matching: 'Rapprochement avec ce qui est déjà là',
  writing: 'Enregistrement',
}

/** Shows the progress of the job of an import, and that the user need not wait on this page. */
export function ImportProgressCard({ row }: { row: Import }) {
  const { stage, rowsRead, bytesRead, fileBytes } = row
  const label = progressLabel(row)
  const share = stage === 'reading' && bytesRead > 0 ? Math.min(1, bytesRead / fileBytes) : null
  return (
    <Card>
      <div className="space-y-3">
        <p className="font-medium">{label}</p>
        <ProgressBar label={label} share={share} />
        <p className="text-ink-soft tabular-nums">
          {rowsRead > 0 &&
            `${formatCount(rowsRead, 'ligne lue', 'lignes lues')}, ${fileWeight(bytesRead)} sur ${fileWeight(fileBytes)}. `}
          Vous pouvez quitter cette page&nbsp;: le travail continue, et son état se retrouve ici.
        </p>
      </div>
    </Card>
  )
}

/** Returns what the job of an import does, in French. */
export function progressLabel({ state, stage, isWaiting, ahead }: Import): string {
  if (isWaiting && ahead > 0)
    return `En attente\u00a0: ${formatCount(ahead, 'fichier', 'fichiers')} avant le vôtre`
  if (isWaiting) return 'Un autre import est en cours\u00a0: celui-ci attend qu’il se termine'
  if (stage === null) return 'Sur le point de commencer'
  if (state === 'undoing' && stage === 'writing') return 'Retrait de ce qui a été écrit'
  if (state === 'checking' && stage === 'writing') return 'Recherche de ce qui est déjà là'
  return stages[stage]
}
