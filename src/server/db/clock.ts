import type { ClientBase, Pool } from 'pg'
import { clockToleranceMs, dayMs } from '#shared/days.ts'
import { DatabaseStartError } from './errors.ts'

type Clocks = { database: number; newest: number | null; entry: number }

/**
 * Throws a {@link DatabaseStartError} when the clock of this machine, or the database's, is before the newest entry of the
 * journal, or when the two are more than a day apart: sessions, periods and days depend on them.
 *
 * @param at current time of this machine
 * @param isAccepted an operator confirms the clock: existing journal entries are then excluded from later checks
 * @returns the fault that the operator accepted, in French; null when there is none
 */
export async function assertClock(
  client: ClientBase | Pool,
  { at, isAccepted }: { at: Date; isAccepted: boolean },
): Promise<string | null> {
  const { rows } = await client.query<Clocks>(`
    select extract(epoch from now())::float8 * 1000 as database,
           (select extract(epoch from max(at))::float8 * 1000 from audit_entry, installation
             where audit_entry.id > clock_accepted_entry) as newest,
           (select coalesce(max(id), 0) from audit_entry) as entry`)
  const clocks = rows[0]!
  const fault = faultOf(clocks, at.getTime())
  if (!fault) return null
  if (!isAccepted) {
    throw new DatabaseStartError(
      `${fault} Ntalo ne démarre pas : tout ce qui va par des dates en serait faux. Réglez l’horloge ; si elle est juste, démarrez une fois avec ACCEPT_CLOCK=1.`,
    )
  }
  await client.query('update installation set clock_accepted_entry = $1', [clocks.entry])
  return fault
}

function faultOf({ database, newest }: Clocks, here: number): string | null {
  if (Math.abs(here - database) > dayMs) {
    return `L’horloge de cette machine dit ${inWords(here)}, celle de la base de données ${inWords(database)}.`
  }
  const earliest = Math.min(here, database)
  if (newest !== null && earliest < newest - clockToleranceMs) {
    const whose = earliest === here ? 'de cette machine' : 'de la base de données'
    return `L’horloge ${whose} dit ${inWords(earliest)}, avant la dernière écriture du journal, le ${inWords(newest)}.`
  }
  return null
}

/** « 2026-11-26 à 04:05 UTC » */
function inWords(instantMs: number): string {
  const [day, time] = new Date(instantMs).toISOString().split('T')
  return `${day} à ${time?.slice(0, 5)} UTC`
}
