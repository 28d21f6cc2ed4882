import { z } from 'zod'
import { seriesIn } from '#features/prices/series/series.rules.ts'

/** Maximum number of series compared at once, in charts of six lines each. */
export const mostSeries = 12

const seriesExpected = 'Séries attendues\u00a0: produit-marché, séparées par des virgules'

/** `12-3,12-4`: product 12 in market 3, and in market 4. */
export const chosenSeries = z
  .string(seriesExpected)
  .regex(/^\d{1,9}-\d{1,9}(,\d{1,9}-\d{1,9})*$/, { error: seriesExpected, abort: true })
  .refine((text) => seriesIn(text).length <= mostSeries, `${mostSeries} séries au plus`)
