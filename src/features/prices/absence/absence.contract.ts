import { z } from 'zod'

export const absenceReasons = ['rupture', 'saison', 'refus', 'marché fermé'] as const
export const absenceReason = z.enum(absenceReasons, `Motif attendu\u00a0: ${absenceReasons.join(', ')}`)

/** What visits said of a product after its last price: it was not there. No price, and in no average. */
export const absenceSince = z
  .object({
    /** The local day of the first of these visits. */
    since: z.string(),
    /** Of the last one. */
    reason: absenceReason.nullable(),
  })
  .meta({ id: 'AbsenceSince' })
export type AbsenceSince = z.infer<typeof absenceSince>
