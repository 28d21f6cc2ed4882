import { z } from 'zod'

const absenceReasons = ['rupture', 'saison', 'refus', 'marché fermé'] as const
export const absenceReason = z.enum(absenceReasons, `Motif attendu\u00a0: ${absenceReasons.join(', ')}`)

/** Absences of a product that visits reported after its last price. They are not prices and enter no average. */
export const absenceSince = z
  .object({
    /** Local day of the first of these visits. */
    since: z.string(),
    /** Reason given by the last one. */
    reason: absenceReason.nullable(),
  })
  .meta({ id: 'AbsenceSince' })
export type AbsenceSince = z.infer<typeof absenceSince>
