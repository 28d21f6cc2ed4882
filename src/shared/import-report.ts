import { z } from 'zod'

/** What became of the rows of a file: `read` = `added` + `existing` + `rejected`. */
export const importReport = z
  .object({
    read: z.int(),
    added: z.int(),
    /** The same thing was in the database, or earlier in the file; of a price: series, day, flag, currency and amount. */
    existing: z.int(),
    rejected: z.int(),
    /** The first rejections in the order of the file; line 1 is the one that names the columns. */
    errors: z.array(z.object({ line: z.int(), message: z.string() })),
  })
  .meta({ id: 'ImportReport' })
export type ImportReport = z.infer<typeof importReport>

/** How many rejections a report tells one by one; `rejected` counts them all. */
export const longestErrorList = 1000

/** A row that was refused: the line it starts on, why, and what it holds. */
export type Rejection = {
  readonly line: number
  readonly reason: string
  readonly text: string
  /** The currency that it was refused for. */
  readonly foreignCurrency?: string
}

/** What an import had to create besides prices. */
export type Created = { markets: number; categories: number; types: number; brands: number; products: number }
