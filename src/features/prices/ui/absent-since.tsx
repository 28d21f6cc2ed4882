import type { AbsenceSince } from '#features/prices/absence/absence.contract.ts'
import { formatDate } from '#web/format.ts'

/** « absent depuis le 24 nov. 2026 (rupture) », beside an earlier last price; empty where the product is not absent. */
export function AbsentSince({ absence }: { absence: AbsenceSince | null }) {
  if (!absence) return null
  const reason = absence.reason ? ` (${absence.reason})` : ''
  return (
    <span className="block text-xs font-medium text-amber">
      {`absent depuis le ${formatDate(absence.since)}${reason}`}
    </span>
  )
}
