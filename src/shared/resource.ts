import { z } from 'zod'
import { acknowledgement, bytes, defineEndpoint, pagination } from '#shared/contract.ts'
import { type ExportColumn, fileMedia, listFormat } from '#shared/export.ts'
import { idParams, listQuery, version } from '#shared/fields.ts'
import type { Permission } from '#shared/permissions.ts'

/** How French speaks of the thing: « Marque créée », « la marque Simba ». */
export type Noun = { one: string; many: string; gender: 'f' | 'm' }

type ReadPermission = Extract<Permission, `${string}.read`>
type WritePermission = Extract<Permission, `${string}.write`>

/**
 * Everything that the six routes and the three screens of a resource have in common, as plain data.
 *
 * @param name the path under /api, and of the screen
 * @param listed the name of the list in an answer: the resource's own, or `data`
 * @param row one row as the API shows it
 * @param input what creates one; PUT takes the same fields, each optional
 * @param filters query parameters beside page, limit and sort
 * @param columns of the file that the whole list can be had as
 * @param versioned the field of `row` that PUT may send back to detect a concurrent change
 */
export function defineResource<
  const Name extends string,
  const Listed extends string,
  Row extends z.ZodObject,
  Input extends z.ZodObject,
  Filters extends z.ZodRawShape,
  const Sortable extends readonly string[],
  const Versioned extends 'updated_at' | 'updatedAt' = 'updated_at',
>(resource: {
  name: Name
  listed: Listed
  noun: Noun
  permission: { read: ReadPermission; write: WritePermission }
  row: Row
  input: Input
  filters: Filters
  sortable: Sortable
  columns: readonly ExportColumn<z.output<Row>>[]
  versioned?: Versioned
  defaultLimit?: number
}) {
  const { name, listed, noun, permission, row, input, filters, sortable, columns } = resource
  const pages = listQuery(sortable, resource.defaultLimit)
  const query = pages.extend(filters)
  const wholeQuery = pages
    .omit({ page: true, limit: true })
    .extend(filters)
    .extend({ fileFormat: listFormat })
  const change = input.partial().extend({ updated_at: version, updatedAt: version })
  // Created and changed rows come back bare, with the sentence that the screen shows.
  const written = row.extend({ message: z.string() })
  const page = z.object({ [listed]: z.array(row), pagination } as Record<Listed, z.ZodArray<Row>> & {
    pagination: typeof pagination
  })
  return {
    name,
    listed,
    noun,
    permission,
    row,
    input,
    query,
    sortable,
    columns,
    versioned: (resource.versioned ?? 'updated_at') as Versioned,
    list: defineEndpoint({
      method: 'GET',
      path: `/api/${name}`,
      right: permission.read,
      summary: `Liste : ${noun.many}`,
      query,
      response: page,
    }),
    exportAll: defineEndpoint({
      method: 'GET',
      path: `/api/${name}/export`,
      right: permission.read,
      summary: `Exporter en CSV ou en classeur XLSX\u00a0: ${noun.many}`,
      query: wholeQuery,
      media: fileMedia,
      response: bytes,
    }),
    find: defineEndpoint({
      method: 'GET',
      path: `/api/${name}/{id}`,
      right: permission.read,
      summary: `Une fiche : ${noun.one}`,
      params: idParams,
      response: row,
    }),
    create: defineEndpoint({
      method: 'POST',
      path: `/api/${name}`,
      right: permission.write,
      summary: `Créer : ${noun.one}`,
      body: input,
      status: 201,
      response: written,
    }),
    update: defineEndpoint({
      method: 'PUT',
      path: `/api/${name}/{id}`,
      right: permission.write,
      summary: `Modifier : ${noun.one}`,
      params: idParams,
      body: change,
      response: written,
    }),
    remove: defineEndpoint({
      method: 'DELETE',
      path: `/api/${name}/{id}`,
      right: permission.write,
      summary: `Supprimer : ${noun.one}`,
      params: idParams,
      response: acknowledgement,
    }),
  }
}

/** `Catégorie créée avec succès`, with the agreement of the noun. */
export function succeeded(noun: Noun, deed: 'créé' | 'mis à jour' | 'supprimé'): string {
  const done =
    noun.gender === 'm'
      ? deed
      : deed === 'mis à jour'
        ? 'mise à jour'
        : deed === 'créé'
          ? 'créée'
          : 'supprimée'
  return `${noun.one} ${done} avec succès`
}
