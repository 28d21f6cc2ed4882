import { z } from 'zod'
import { bytes, defineEndpoint } from '#shared/contract.ts'

/** A price that was written: where it stands in lists, and before that when it moved. */
const written = z.object({
  id: z.int(),
  productId: z.int(),
  marketId: z.int(),
  deed: z.enum(['added', 'changed', 'removed']),
})

/** What an event `change` says. Null when too many prices were written to name them, as by an import. */
export const priceChange = z.object({ prices: z.array(written).nullable() }).meta({ id: 'PriceChange' })
export type PriceChange = z.infer<typeof priceChange>

/**
 * Server-sent events: `ready` `{ quietForMs }` first, then `change` for what is written. After a cut, the header
 * `Last-Event-ID` brings what was missed; where that is not known any more, `resync` comes instead of `ready`, and
 * lists must be asked for again.
 */
export const followPrices = defineEndpoint({
  method: 'GET',
  path: '/api/prices/live',
  right: 'prices.read',
  summary: 'Suivre en direct les prix qui sont écrits (événements ready, change, resync ; Last-Event-ID)',
  media: ['text/event-stream'],
  response: bytes,
})
