import { z } from 'zod'

/** What became of the rows of a file: `read` = `added` + `existing` + `revised` + `rejected`. */
export const importReport = z
  .object({
    read: z.int(),
    added: z.int(),
    /** The same thing was in the database, or earlier in the file. */
    existing: z.int(),
    /** It was there with another value, which is now this one. */
    revised: z.int(),
    /** Not of the rows: what an earlier file of the same source had and this one no longer has. It stays. */
    withdrawn: z.int(),
    rejected: z.int(),
    /** What is to be known of how the file was read. */
    notes: z.array(z.string()),
    /** Why rows were rejected, the most frequent first, with a line where it happened. */
    reasons: z.array(z.object({ message: z.string(), count: z.int(), example: z.object({ line: z.int() }) })),
    /** The first rejections in the order of the file; line 1 is the one that names the columns. */
    errors: z.array(z.object({ line: z.int(), message: z.string() })),
  })
  .meta({ id: 'ImportReport' })
export type ImportReport = z.infer<typeof importReport>

/** What an import had to create besides what its file brings. */
export const createdCounts = z.object({
  markets: z.int(),
  categories: z.int(),
  types: z.int(),
  brands: z.int(),
  products: z.int(),
})
export type Created = z.infer<typeof createdCounts>

/** A row that was refused: the line it starts on, why, and what it holds. */
export type Rejection = {
  readonly line: number
  readonly reason: string
  readonly text: string
  /** The currency that it was refused for. */
  readonly foreignCurrency?: string
}

/** A noun with its plural. */
export type Forms = readonly [one: string, many: string]

/** How an import of a kind is spoken of. */
export type ImportWords = {
  /** « Prix »: what the file holds. */
  readonly label: string
  /** What a file of this kind brings: `['relevé', 'relevés']`. */
  readonly noun: Forms
  /** The counter of `Created` that tells these, when one does. */
  readonly adds?: keyof Created
  /** What the file picker offers. */
  readonly accept: string
  /** Which files are understood. */
  readonly hint: string
  /** What stands in the way of undoing, behind its number: `['relevé de cet import a été modifié', …]`. */
  readonly changed: Forms
}
