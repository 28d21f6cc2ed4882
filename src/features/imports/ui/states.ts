import { changesOf } from '#features/imports/created.rules.ts'
import type { Import, ImportState } from '#features/imports/imports.contract.ts'
import { formatNumber } from '#web/format.ts'
import type { Tone } from '#web/ui/badge.tsx'

type Shown = { label: string; tone: Tone }

const states: Record<ImportState, Shown> = {
  checking: { label: 'À l’essai', tone: 'blue' },
  unmapped: { label: 'Colonnes à décrire', tone: 'amber' },
  checked: { label: 'À confirmer', tone: 'amber' },
  writing: { label: 'Import en cours', tone: 'blue' },
  done: { label: 'Importé', tone: 'green' },
  undoing: { label: 'Annulation en cours', tone: 'blue' },
  undone: { label: 'Annulé', tone: 'grey' },
  abandoned: { label: 'Abandonné', tone: 'grey' },
  failed: { label: 'Échoué', tone: 'red' },
}

/** Returns the label and style of the state of an import; an import that would add nothing needs no confirmation. */
export function stateOf(row: Pick<Import, 'state' | 'isWaiting' | 'ahead' | 'report'>): Shown {
  const { state, isWaiting, ahead, report } = row
  if (isWaiting) {
    const label = ahead > 0 ? `En attente, ${formatNumber(ahead)} avant` : 'En attente'
    return { label, tone: states[state].tone }
  }
  if (state === 'checked' && report && changesOf(report) === 0)
    return { label: 'Rien à ajouter', tone: 'grey' }
  return states[state]
}

/** Whether a job is queued or running for it. */
export function isActive({ state }: Pick<Import, 'state'>): boolean {
  return state === 'checking' || state === 'writing' || state === 'undoing'
}

const quickMs = 1_000
const slowMs = 10_000

/**
 * Returns the delay (ms) before polling the imports again: false when no job is active, a second while one makes
 * progress, up to ten while it does not.
 */
export function pauseBefore(
  imports: readonly Pick<Import, 'state' | 'updatedAt'>[] | undefined,
): number | false {
  const moved = imports?.filter(isActive).map(({ updatedAt }) => Date.parse(updatedAt)) ?? []
  if (moved.length === 0) return false
  const stillMs = Date.now() - Math.max(...moved)
  return Math.min(slowMs, Math.max(quickMs, stillMs / 4))
}
