import { z } from 'zod'
import { today } from '#features/prices/ui/price-selection.ts'
import { parseJson } from '#shared/parse-json.ts'
import { readChoice, storeChoice } from '#web/device-choices.ts'

const shape = z.object({
  marketId: z.int(),
  collectorName: z.string(),
  collectedAt: z.string(),
  on: z.string(),
})
const name = 'price-entry'

/** Returns the market, collector and day of the last price entered on this device; the day is forgotten at midnight. */
export function readLastEntry(): Partial<z.infer<typeof shape>> {
  const { data } = shape.safeParse(parseJson(readChoice(name) ?? ''))
  return data?.on === today() ? data : { ...data, collectedAt: undefined }
}

export function keepLastEntry(entry: {
  marketId: number
  collectorName: string
  collectedAt?: unknown
}): void {
  const { marketId, collectorName, collectedAt } = entry
  storeChoice(name, JSON.stringify({ marketId, collectorName, collectedAt, on: today() }))
}
