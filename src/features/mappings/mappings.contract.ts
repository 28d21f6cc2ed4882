import { z } from 'zod'
import { importKind } from '#features/mappings/kinds.contract.ts'
import { acknowledgement, defineEndpoint } from '#shared/contract.ts'
import { idParams, instant, text, verbatim, version } from '#shared/fields.ts'

const title = verbatim(500)
const titles = z.array(title).min(1).max(200)

/**
 * The source of a field of every row: the column with this title, or a constant text. With `isGrouped` a blank cell
 * takes the value above it, as in a workbook with merged cells. With `inTitles` the field is in column titles, either
 * every title that is a day or those listed, and a line gives one row per filled cell under them.
 */
const mappedField = z.union(
  [
    z.object({ column: title, isGrouped: z.boolean().optional() }),
    z.object({ value: text(200) }),
    z.object({
      inTitles: z.union([z.literal(true), z.array(title).min(1, 'Choisissez les colonnes').max(200)]),
    }),
  ],
  'Choisissez une colonne, ou écrivez une valeur de 200 caractères au plus',
)
export type MappedField = z.infer<typeof mappedField>

type TitleWords = { readonly cells: string } & (
  | { /** Recognises such titles automatically. */ readonly of: (title: string) => boolean }
  | { /** The label of the choice: the user selects the titles. */ readonly perColumn: string }
)

/** The description of a field of a row. */
export type FieldDescription = {
  readonly key: string
  readonly label: string
  readonly isRequired?: true
  /** It needs a column: one value for all rows is not accepted. */
  readonly isOfRow?: true
  /** A blank cell never takes the value above it. */
  readonly isNeverGrouped?: true
  /** Its values may be column titles, whose cells then hold the field with the key `cells`. */
  readonly inTitles?: TitleWords
  /** The value of a row that has none. */
  readonly otherwise?: string
  readonly hint?: string
}

/** A user's decisions on names similar to ours, by the name in the file: the id of ours, or null for a new name. */
const namesDecided = z
  .record(verbatim(500), z.object({ id: z.int().min(1).max(2_147_483_647), name: verbatim(500) }).nullable())
  .refine((names) => Object.keys(names).length <= 5_000, 'Cinq mille noms au plus')

/** How to read the columns of a foreign table. */
export const mapping = z
  .object({
    /** The name under which it is saved for later files with the same titles; null to use it for this file only. */
    name: text(100).nullable(),
    titles,
    /** Sources by field key. */
    fields: z.record(verbatim(50), mappedField),
    /** The decimal mark of amounts such as 58,000; `auto` to decide from the whole column or the last prices. */
    decimal: z.enum(['auto', ',', '.'], 'Une virgule ou un point'),
    /** The order of dates such as 03/05/2026; `auto` to decide from the whole column. */
    dateOrder: z.enum(['auto', 'day', 'month'], 'Ordre des dates inconnu'),
    names: z.object({ markets: namesDecided, products: namesDecided }),
  })
  .meta({ id: 'ImportMapping' })
export type Mapping = z.infer<typeof mapping>

/** The first rows of a table whose columns are unknown. */
export const tableHead = z
  .object({
    titles,
    /** The first ten. */
    rows: z.array(z.array(z.string())),
    /** A guess from its titles and cells, or a saved mapping of such a table. */
    proposal: mapping,
  })
  .meta({ id: 'ImportTableHead' })
export type ProposedTable = z.infer<typeof tableHead>

const savedMapping = z
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
