import { z } from 'zod'
import { priceAddresses } from '#features/prices/prices.addresses.ts'
import { bytes, defineEndpoint } from '#shared/contract.ts'

/** A price that was written: its product and market, and the previous ones as well when they changed. */
const written = z.object({
  id: z.int(),
  productId: z.int(),
  marketId: z.int(),
  deed: z.enum(['added', 'changed', 'removed']),
})

/**
 * The data of a `change` event. `prices` is null when there were too many to list, as after an import; `areIndicesNew`
 * means that the stored indices now include earlier writes.
 */
export const priceChange = z
  .object({ prices: z.array(written).nullable(), areIndicesNew: z.boolean().optional() })
  .meta({ id: 'PriceChange' })
export type PriceChange = z.infer<typeof priceChange>

/** Streams prices as they are written; the description of the endpoint gives the protocol. */
export const followPrices = defineEndpoint({
  ...priceAddresses.live,
  right: 'prices.read',
  summary: 'Suivre en direct les prix qui sont écrits',
  description: `Événements envoyés par le serveur (text/event-stream), chacun avec un «\u202fid\u202f»\u00a0:
- «\u202fready\u202f»\u00a0: {"quietForMs":1234}, d’abord\u00a0: ce qui suit est complet, et rien n’avait changé depuis 1234 ms.
- «\u202fchange\u202f»\u00a0: {"prices":[{"id":1,"productId":2,"marketId":3,"deed":"added"}]}, pour ce qui vient d’être écrit. «\u202fdeed\u202f» vaut added, changed ou removed\u202f; un prix déplacé est nommé à ses deux places. {"prices":null}\u00a0: trop de prix pour les nommer. {"prices":[],"areIndicesNew":true}\u00a0: les indices de grandes sélections tiennent compte de ce qui a été dit avant.
- «\u202fcut\u202f»\u00a0: {}, quand la base de données ne répond plus\u202f; un «\u202fresync\u202f» suit dès qu’elle revient.
- «\u202fresync\u202f»\u00a0: {}, quand des événements ont été perdus\u00a0: tout est à redemander.
Après une coupure, l’en-tête Last-Event-ID fait reprendre après le dernier événement reçu. Un commentaire vient toutes les 25 s. Le flux se termine avec la session ou le droit de lire les prix.`,
  media: ['text/event-stream'],
  response: bytes,
})
