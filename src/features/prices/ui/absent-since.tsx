import type { AbsenceSince } from '#features/prices/absence/absence.contract.ts'
import { formatDate } from '#web/format.ts'

/** « absent depuis le 24 nov. 2026 (rupture) », beside a last price that is from before; nothing where it is not absent. */
export function AbsentSince({ absence }: { absence: AbsenceSince | null }) {
  if (!absence) return null
  const reason = absence.reason ? ` (${absence.reason})` : ''
  return (
    <span className="block text-xs font-medium text-amber">
      {`absent depuis le ${formatDate(absence.since)}${reason}`}
    </span>
  )
}
