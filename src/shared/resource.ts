import { z } from 'zod'
import { resourceAddresses } from '#shared/addresses.ts'
import { readByCursor } from '#shared/changes.ts'
import {
  acknowledgement,
  bytes,
  defineEndpoint,
  pagination,
  type Right,
  type WritingRight,
} from '#shared/contract.ts'
import { type ExportColumn, fileMedia, listFormat } from '#shared/export.ts'
import { idParams, listQuery, reference, searchText, version } from '#shared/fields.ts'

/** The French noun of a resource: « Marque créée », « la marque Simba ». */
export type Noun = { one: string; many: string; gender: 'f' | 'm' }

/** Rights to read, and to create, change and delete; writing always requires a session. */
export type ResourceRights = { read: Right; write: Exclude<WritingRight, 'public' | 'session'> }

/** The version of a row that was read, in both spellings. */
export const versions = { updated_at: version, updatedAt: version }

type Optional<Input extends z.ZodObject> = z.ZodObject<
  { [Field in keyof Input['shape']]: z.ZodOptional<Input['shape'][Field]> },
  Input['_zod']['config']
>

/**
 * Declares what the routes and the three screens of a resource share, as plain data.
 *
 * @param name the path under /api, and of the screen
 * @param listed the name of the list in a response: the resource's own, or `data`
 * @param row one row as the API shows it
 * @param permission rights to read and write; when everybody may read, exporting the list requires the right to write
 * @param input the body that creates a row
 * @param change the body that changes a row; by default `input` with every field optional
 * @param filters query parameters besides page, limit and sort
 * @param columns columns of the exported list; the only source of their titles
 * @param labels titles of fields that are not exported, such as a password
 * @param figures counts over the whole selection, not only the page shown, with their titles, in order
 * @param versioned the field of `row` that PUT may send back to detect a concurrent change
 */
export function defineResource<
  const Name extends string,
  const Listed extends string,
  Row extends z.ZodObject,
  Input extends z.ZodObject,
  Filters extends z.ZodRawShape,
  const Sortable extends readonly string[],
  const Key extends string,
  const Versioned extends 'updated_at' | 'updatedAt' = 'updated_at',
  Change extends z.ZodObject = Optional<Input>,
  const Other extends string = never,
  const Figure extends string = never,
>(resource: {
  name: Name
  listed: Listed
  noun: Noun
  permission: ResourceRights
  row: Row
  input: Input
  change?: Change
  filters: Filters
  sortable: Sortable
  columns: readonly (ExportColumn<z.output<Row>> & { readonly key?: Key })[]
  labels?: Readonly<Record<Other, string>>
  figures?: Readonly<Record<Figure, string>>
  versioned?: Versioned
  defaultLimit?: number
}) {
  const { name, listed, noun, permission, row, input, filters, sortable, columns } = resource
  const pages = listQuery(sortable, resource.defaultLimit)
  const query = pages.extend(filters)
  const addresses = resourceAddresses(name)
  const wholeQuery = pages
    .omit({ page: true, limit: true })
    .extend(filters)
    .extend({ fileFormat: listFormat })
  // The cast matches the default of the type parameter `Change`.
  const change = resource.change ?? (input.partial() as z.ZodObject as Change)
  // Responses to creations and changes are the row itself, with the message that the screen shows.
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
    change,
    query,
    sortable,
    columns,
    labels: labelsOf(noun, columns, resource.labels),
    figureLabels: resource.figures,
    versioned: (resource.versioned ?? 'updated_at') as Versioned,
    list: readByCursor(
      defineEndpoint({
        ...addresses.list,
        right: permission.read,
        summary: `Liste\u00a0: ${noun.many}`,
        description: 'Page par page. Les filtres se combinent, chacun restreint la liste.',
        query,
        response: page,
      }),
      row,
    ),
    exportAll: defineEndpoint({
      ...addresses.exportAll,
      right: isForAll(permission.read) ? permission.write : permission.read,
      summary: `Exporter en CSV ou en classeur XLSX\u00a0: ${noun.many}`,
      description: 'Toute la sélection, sans pages, dans l’ordre demandé.',
      query: wholeQuery,
      media: fileMedia,
      response: bytes,
    }),
    /** Only served by resources whose routes implement it. */
    figures: defineEndpoint({
      method: 'GET',
      path: `/api/${name}/figures`,
      right: permission.read,
      summary: `Chiffres\u00a0: ${noun.many}`,
      description: 'Les nombres de toute la sélection, quelle que soit la page montrée.',
      query: z.object(filters),
      response: countsOf(resource.figures, row),
    }),
    find: defineEndpoint({
      ...addresses.find,
      right: permission.read,
      summary: `Une fiche\u00a0: ${noun.one}`,
      description: 'Une fiche, par son identifiant.',
      params: idParams,
      response: row,
    }),
    create: defineEndpoint({
      method: 'POST',
      path: `/api/${name}`,
      right: permission.write,
      summary: `Créer\u00a0: ${noun.one}`,
      description: 'Répond la fiche créée, avec son identifiant.',
      body: input,
      status: 201,
      response: written,
    }),
    update: defineEndpoint({
      method: 'PUT',
      path: `/api/${name}/{id}`,
      right: permission.write,
      summary: `Modifier\u00a0: ${noun.one}`,
      description:
        'Les champs absents ne changent pas. Avec l’instant de la dernière modification, refusé (`stale`) si la fiche a changé depuis.',
      params: idParams,
      // The return type of `extend` loses the fields of a generic shape.
      body: change.extend(versions) as z.ZodObject as z.ZodObject<
        Change['shape'] & typeof versions,
        Change['_zod']['config']
      >,
      response: written,
    }),
    /** Only served by resources whose routes implement it. */
    merge: defineEndpoint({
      method: 'POST',
      path: `/api/${name}/{id}/merge`,
      right: permission.write,
      summary: `Fusionner dans une autre fiche\u00a0: ${noun.one}`,
      description: 'Tout ce qui dépend de la fiche passe à l’autre, puis la fiche est supprimée.',
      params: idParams,
      body: z.object({ intoId: reference(`Choisissez ${noun.gender === 'f' ? 'une autre' : 'un autre'}`) }),
      response: written,
    }),
    remove: defineEndpoint({
      method: 'DELETE',
      path: `/api/${name}/{id}`,
      right: permission.write,
      summary: `Supprimer\u00a0: ${noun.one}`,
      description: 'Refusé (`in_use`) tant que d’autres données en dépendent.',
      params: idParams,
      response: acknowledgement,
    }),
  }
}

/** Returns the titles of a resource's fields; the id of another row has the title of that row: `ownerId` as `owner`. */
function labelsOf<Key extends string, Other extends string>(
  { gender }: Noun,
  columns: readonly { key?: Key; title: string }[],
  others?: Readonly<Record<Other, string>>,
) {
  const e = gender === 'f' ? 'e' : ''
  const written = `Créé${e} le`
  const changed = `Modifié${e} le`
  const instants = { created_at: written, createdAt: written, updated_at: changed, updatedAt: changed }
  const titles = columns.flatMap(({ key, title }) =>
    key
      ? [
          [key, title],
          [`${key}Id`, title],
        ]
      : [],
  )
  return { ...instants, ...Object.fromEntries(titles), ...others } as Readonly<
    Record<keyof typeof instants | Key | `${Key}Id` | Other, string>
  >
}

function countsOf<Figure extends string>(
  figures: Readonly<Record<Figure, string>> | undefined,
  row: z.ZodObject,
) {
  const shape = Object.fromEntries(Object.keys(figures ?? {}).map((name) => [name, z.int()]))
  const counts = z.object(shape as Record<Figure, z.ZodInt>)
  return figures ? counts.meta({ id: `${row.meta()?.id}Figures` }) : counts
}

/**
 * Declares the endpoint that suggests, for filters and forms, the distinct texts of a field that contain what is typed.
 */
export function defineTexts<const Path extends string>(path: Path, right: Right, summary: string) {
  return defineEndpoint({
    method: 'GET',
    path,
    right,
    summary,
    description: 'Les textes déjà employés, chacun une fois, qui contiennent ce qui est cherché.',
    query: z.object({ search: searchText }),
    response: z.object({ data: z.array(z.string()) }),
  })
}

/** The body that changes a row, without its version. */
export type ChangeOf<Of extends { change: z.ZodType }> = z.output<Of['change']>

function isForAll(right: Right): right is 'public' | 'session' {
  return right === 'public' || right === 'session'
}

/** Returns « Catégorie créée avec succès », with the participle in agreement with the noun. */
export function succeeded(noun: Noun, participle: 'créé' | 'mis à jour' | 'supprimé' | 'fusionné'): string {
  const done =
    noun.gender === 'm' ? participle : participle === 'mis à jour' ? 'mise à jour' : `${participle}e`
  return `${noun.one} ${done} avec succès`
}
