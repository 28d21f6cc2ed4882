import { z } from 'zod'
import type { FieldWords } from '#features/mappings/mappings.contract.ts'

/** What became of the rows of a file: `read` = `added` + `existing` + `revised` + `rejected`. */
export const importReport = z
  .object({
    read: z.int(),
    added: z.int(),
    /** The same thing was in the database, or earlier in the file. */
    existing: z.int(),
    /** It was there with another value, which is now this one. */
    revised: z.int().default(0),
    /** Not of the rows: what an earlier file of the same source had and this one no longer has. It stays. */
    withdrawn: z.int().default(0),
    rejected: z.int(),
    /** How the file was read. */
    notes: z.array(z.string()).default([]),
    /** Why rows were rejected, the most frequent first, with a line where it happened. */
    reasons: z
      .array(
        z.object({
          message: z.string(),
          count: z.int(),
          example: z.object({ line: z.int() }).default({ line: 0 }),
        }),
      )
      .default([]),
    /** The first rejections in the order of the file; line 1 is the one that names the columns. */
    errors: z.array(z.object({ line: z.int(), message: z.string() })),
  })
  .meta({ id: 'ImportReport' })
export type ImportReport = z.infer<typeof importReport>

/** A name that is close to ours: whether it is the same is for somebody to say. */
const nameQuestion = z.object({
  subject: z.enum(['market', 'product']),
  /** As the file tells it, with what tells it apart: « Zando · Kinshasa ». */
  name: z.string(),
  /** Those that wait for the answer. */
  rows: z.int(),
  /** The closest of ours, the first one most. */
  candidates: z.array(z.object({ id: z.int(), name: z.string() })),
})
export type NameQuestion = z.infer<typeof nameQuestion>
export const nameQuestions = z.array(nameQuestion)

/** What an import had to create besides what its file brings. */
export const createdCounts = z.object({
  markets: z.int().default(0),
  categories: z.int().default(0),
  types: z.int().default(0),
  brands: z.int().default(0),
  products: z.int().default(0),
})
export type Created = z.infer<typeof createdCounts>

const names = z.array(z.string()).default([])

/** What these are called, the first fifty of each. */
export const createdNamesShape = z
  .object({ markets: names, categories: names, types: names, brands: names, products: names })
  .default({ markets: [], categories: [], types: [], brands: [], products: [] })
export type CreatedNames = z.infer<typeof createdNamesShape>

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
  /** What the columns of a table of somebody else's may be; a kind without them takes no such table. */
  readonly fields?: readonly FieldWords[]
  /** What the file picker offers. */
  readonly accept: string
  /** Which files are understood. */
  readonly hint: string
  /** What stands in the way of undoing, behind its number: `['relevé de cet import a été modifié', …]`. */
  readonly changed: Forms
}
