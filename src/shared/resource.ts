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

/** How French speaks of the thing: « Marque créée », « la marque Simba ». */
export type Noun = { one: string; many: string; gender: 'f' | 'm' }

/** Who may read, and who may create, change and delete: for that, somebody is always signed in. */
export type ResourceRights = { read: Right; write: Exclude<WritingRight, 'public' | 'session'> }

const versions = { updated_at: version, updatedAt: version }

type Optional<Input extends z.ZodObject> = z.ZodObject<
  { [Field in keyof Input['shape']]: z.ZodOptional<Input['shape'][Field]> },
  Input['_zod']['config']
>

/**
 * Everything that the routes and the three screens of a resource have in common, as plain data.
 *
 * @param name the path under /api, and of the screen
 * @param listed the name of the list in an answer: the resource's own, or `data`
 * @param row one row as the API shows it
 * @param permission what everybody may read is a file for those who may write it
 * @param input what creates one
 * @param change what changes one, when it is not the same fields, each optional
 * @param filters query parameters beside page, limit and sort
 * @param columns of the file that the whole list can be had as; their titles are said nowhere else, on no screen
 * @param labels of the fields that are no column of the file: a password
 * @param figures what is counted of a whole selection, whatever page is shown, and what each is called, in their order
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
  // The default of its type says what it then is.
  const change = resource.change ?? (input.partial() as z.ZodObject as Change)
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
    /** Served where the routes say how. */
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
      // What `extend` is said to give forgets the fields of a shape that is generic here.
      body: change.extend(versions) as z.ZodObject as z.ZodObject<
        Change['shape'] & typeof versions,
        Change['_zod']['config']
      >,
      response: written,
    }),
    /** Served where the routes say how. */
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

/** What the fields of a resource are called; the id of another row as that row: `ownerId` as `owner`. */
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

/** The texts that one field of a resource has, each once, by what is typed of them: what filters and forms suggest. */
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

/** What changes one of a resource, its version aside. */
export type ChangeOf<Of extends { change: z.ZodType }> = z.output<Of['change']>

function isForAll(right: Right): right is 'public' | 'session' {
  return right === 'public' || right === 'session'
}

/** `Catégorie créée avec succès`, with the agreement of the noun. */
export function succeeded(noun: Noun, deed: 'créé' | 'mis à jour' | 'supprimé' | 'fusionné'): string {
  const done = noun.gender === 'm' ? deed : deed === 'mis à jour' ? 'mise à jour' : `${deed}e`
  return `${noun.one} ${done} avec succès`
}
