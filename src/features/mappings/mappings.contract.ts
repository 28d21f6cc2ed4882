import { z } from 'zod'
import { importKind } from '#features/mappings/kinds.contract.ts'
import { acknowledgement, defineEndpoint } from '#shared/contract.ts'
import { idParams, instant, text, version } from '#shared/fields.ts'

const title = z.string().max(500)
const titles = z.array(title).min(1).max(200)

/**
 * Where a field of every row comes from: the column of this title, or one text for all of them. With `isGrouped` a blank cell
 * holds what the one above it does, as where a workbook merges the cells of a group. With `inTitles` it is each title that
 * is a day, or each of those that are listed, so that a line tells as many rows as it fills of their cells.
 */
const mappedField = z.union([
  z.object({ column: title, isGrouped: z.boolean().optional() }),
  z.object({ value: text(200) }),
  z.object({
    inTitles: z.union([z.literal(true), z.array(title).min(1, 'Choisissez les colonnes').max(200)]),
  }),
])
export type MappedField = z.infer<typeof mappedField>

type TitleWords = { readonly cells: string } & (
  | { /** Such titles need no description. */ readonly of: (title: string) => boolean }
  | { /** They are chosen, and this is the choice. */ readonly perColumn: string }
)

/** How a field of a row is spoken of. */
export type FieldWords = {
  readonly key: string
  readonly label: string
  readonly isRequired?: true
  /** It comes of a column, never of one value for all. */
  readonly isOfRow?: true
  /** A blank cell never holds what the one above it does. */
  readonly isNeverGrouped?: true
  /** It may stand in the titles of columns, whose cells then hold the field of the key `cells`. */
  readonly inTitles?: TitleWords
  /** What a row gets when nothing tells it. */
  readonly otherwise?: string
  readonly hint?: string
}

/** What somebody decided of names close to ours, by the name as the file writes it; null for one of its own. */
const namesDecided = z
  .record(
    z.string().max(500),
    z.object({ id: z.int().min(1).max(2_147_483_647), name: z.string().max(500) }).nullable(),
  )
  .refine((names) => Object.keys(names).length <= 5_000, 'Cinq mille noms au plus')

/** How the columns of a table that is none of ours are read. */
export const mapping = z
  .object({
    /** Under which it is saved for the next file with the same titles; null to keep it with this file only. */
    name: text(100).nullable(),
    titles,
    /** By the key of the field. */
    fields: z.record(z.string().max(50), mappedField),
    /** The decimal mark of amounts such as 58,000; `auto` when the whole column, or the last prices, are to tell. */
    decimal: z.enum(['auto', ',', '.'], 'Une virgule ou un point'),
    /** Of dates such as 03/05/2026; `auto` when the whole column is to tell. */
    dateOrder: z.enum(['auto', 'day', 'month'], 'Ordre des dates inconnu'),
    names: z.object({ markets: namesDecided, products: namesDecided }),
  })
  .meta({ id: 'ImportMapping' })
export type Mapping = z.infer<typeof mapping>

/** The start of a table whose columns are unknown. */
export const tableHead = z
  .object({
    titles,
    /** The first ten. */
    rows: z.array(z.array(z.string())),
    /** What its titles and cells suggest, or how such a file was read before. */
    proposal: mapping,
  })
  .meta({ id: 'ImportTableHead' })
export type TableHeadRow = z.infer<typeof tableHead>

export const savedMapping = z
  .object({
    id: z.int(),
    kind: importKind,
    name: z.string(),
    titles: z.array(z.string()),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'SavedImportMapping' })
export type SavedMapping = z.infer<typeof savedMapping>

const right = 'prices.import'

export const listMappings = defineEndpoint({
  method: 'GET',
  path: '/api/import-mappings',
  right,
  summary: 'Lister les correspondances de colonnes enregistrées, par nom',
  description: 'Une correspondance dit comment lire les colonnes d’un fichier d’ailleurs.',
  response: z.object({ data: z.array(savedMapping) }),
})

export const renameMapping = defineEndpoint({
  method: 'PUT',
  path: '/api/import-mappings/{id}',
  right,
  summary: 'Renommer une correspondance',
  description: 'Change le nom seul.',
  params: idParams,
  body: z.object({ name: text(100), updatedAt: version }).meta({ id: 'ImportMappingName' }),
  response: savedMapping.extend({ message: z.string() }),
})

export const deleteMapping = defineEndpoint({
  method: 'DELETE',
  path: '/api/import-mappings/{id}',
  right,
  summary: 'Supprimer une correspondance\u202f; les imports faits avec elle restent',
  description: 'Un nouveau fichier de mêmes titres devra être décrit de nouveau.',
  params: idParams,
  response: acknowledgement,
})
