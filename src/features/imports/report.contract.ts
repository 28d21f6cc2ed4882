import { z } from 'zod'
import type { FieldDescription } from '#features/mappings/mappings.contract.ts'

/** The outcome of the rows of a file: `read` = `added` + `existing` + `revised` + `rejected`. */
export const importReport = z
  .object({
    read: z.int(),
    added: z.int(),
    /** Rows already in the database, or earlier in the file. */
    existing: z.int(),
    /** Rows already in the database with another value, which they replace. */
    revised: z.int().default(0),
    /** Not rows of this file: those of an earlier file of the same source that this one lacks. They are not deleted. */
    withdrawn: z.int().default(0),
    rejected: z.int(),
    /** Remarks on how the file was read. */
    notes: z.array(z.string()).default([]),
    /** The reasons of rejections, the most frequent first, with a line as example. */
    reasons: z
      .array(
        z.object({
          message: z.string(),
          count: z.int(),
          example: z.object({ line: z.int() }).default({ line: 0 }),
        }),
      )
      .default([]),
    /** The first rejections in the order of the file; line 1 is the header. */
    errors: z.array(z.object({ line: z.int(), message: z.string() })),
  })
  .meta({ id: 'ImportReport' })
export type ImportReport = z.infer<typeof importReport>

/** A name similar to ours: a user must decide whether it is the same. */
const nameQuestion = z.object({
  subject: z.enum(['market', 'product']),
  /** The name in the file, with its distinguishing details: « Zando · Kinshasa ». */
  name: z.string(),
  /** Number of rows that wait for the decision. */
  rows: z.int(),
  /** The most similar names in our catalogue, best first. */
  candidates: z.array(z.object({ id: z.int(), name: z.string() })),
})
export type NameQuestion = z.infer<typeof nameQuestion>
export const nameQuestions = z.array(nameQuestion)

/** The rows that an import had to create besides those of its file. */
export const createdCounts = z.object({
  markets: z.int().default(0),
  categories: z.int().default(0),
  types: z.int().default(0),
  brands: z.int().default(0),
  products: z.int().default(0),
})
export type Created = z.infer<typeof createdCounts>

const names = z.array(z.string()).default([])

/** The names of the created rows, the first fifty of each. */
export const createdNamesShape = z
  .object({ markets: names, categories: names, types: names, brands: names, products: names })
  .default({ markets: [], categories: [], types: [], brands: [], products: [] })
export type CreatedNames = z.infer<typeof createdNamesShape>

/** A rejected row: its first line, the reason, and its text. */
export type Rejection = {
  readonly line: number
  readonly reason: string
  readonly text: string
  /** The unknown currency that it was rejected for. */
  readonly foreignCurrency?: string
}

/** A noun with its plural. */
export type Forms = readonly [one: string, many: string]

/** The words of imports of a kind. */
export type ImportWords = {
  /** The content of the file: « Prix ». */
  readonly label: string
  /** The rows of this kind: `['relevé', 'relevés']`. */
  readonly noun: Forms
  /** The counter of `Created` that counts these rows, if any. */
  readonly adds?: keyof Created
  /** The possible meanings of columns in a foreign format; absent for a kind that accepts none. */
  readonly fields?: readonly FieldDescription[]
  /** The file types of the file picker. */
  readonly accept: string
  /** The sentence on the accepted files. */
  readonly hint: string
  /** Why undoing is refused, after the number: `['relevé de cet import a été modifié', …]`. */
  readonly changed: Forms
}
