import { z } from 'zod'
import { actionWords, entityWords, entryName } from '#features/journal/journal.rules.ts'
import { acknowledgement, bytes, defineEndpoint, pagination } from '#shared/contract.ts'
import { type ExportColumn, fileMedia, listFormat } from '#shared/export.ts'
import {
  dayFilter,
  idFilter,
  inOrder,
  instant,
  listQuery,
  optionalQuery,
  reversedPeriod,
  searchText,
} from '#shared/fields.ts'

const journalEntry = z
  .object({
    id: z.int(),
    at: instant,
    /** The author; null for the platform itself. `name` is the current name, null once the account is deleted. */
    user: z.object({ id: z.int(), name: z.string().nullable() }).nullable(),
    action: z.string(),
    entity: z.string(),
    entityId: z.int().nullable(),
    address: z.string().nullable(),
    userAgent: z.string().nullable(),
    requestId: z.string().nullable(),
    before: z.unknown(),
    after: z.unknown(),
  })
  .meta({ id: 'JournalEntry' })
export type JournalEntry = z.infer<typeof journalEntry>

const word = optionalQuery(
  z.string('Un seul texte est attendu').regex(/^[a-z][a-z -]{0,49}$/, 'Valeur inconnue'),
)
const filters = {
  search: searchText,
  userId: idFilter,
  action: word,
  entity: word,
  entityId: idFilter,
  startDate: dayFilter,
  endDate: dayFilter,
}
const pages = listQuery(['at'], 20)
const query = pages.extend(filters).refine(inOrder, reversedPeriod)

const columns: readonly (ExportColumn<JournalEntry> & { key: string })[] = [
  { key: 'at', title: 'Quand', kind: 'instant', value: ({ at }) => at },
  { key: 'userId', title: 'Qui (n°)', kind: 'number', value: ({ user }) => user?.id ?? null },
  { key: 'user', title: 'Qui', value: ({ user }) => user?.name ?? null },
  {
    key: 'action',
    title: 'Action',
    value: ({ action }) => action,
    words: ({ action }) => actionWords(action),
  },
  {
    key: 'entity',
    title: 'Objet',
    value: ({ entity }) => entity,
    words: ({ entity }) => entityWords(entity),
  },
  { key: 'entityId', title: 'Objet (n°)', kind: 'number', value: ({ entityId }) => entityId },
  { key: 'name', title: 'Nom', value: entryName },
  { key: 'address', title: 'Adresse', value: ({ address }) => address },
  { key: 'before', title: 'Avant', value: ({ before }) => (before === null ? null : JSON.stringify(before)) },
  { key: 'after', title: 'Après', value: ({ after }) => (after === null ? null : JSON.stringify(after)) },
]

/** The journal can be read and exported; only the program writes it. */
export const journal = {
  name: 'journal',
  listed: 'data',
  noun: { one: 'Entrée', many: 'entrées du journal', gender: 'f' as const },
  query,
  columns,
  list: defineEndpoint({
    method: 'GET',
    path: '/api/journal',
    right: 'journal.read',
    summary: 'Journal d’audit',
    description: 'Chaque écriture, son auteur, et les valeurs d’avant et d’après.',
    query,
    response: z.object({ data: z.array(journalEntry), pagination }),
  }),
  exportAll: defineEndpoint({
    method: 'GET',
    path: '/api/journal/export',
    right: 'journal.read',
    summary: 'Exporter le journal en CSV ou en classeur XLSX',
    description: 'Toute la sélection, sans pages.',
    query: pages
      .omit({ page: true, limit: true })
      .extend({ ...filters, fileFormat: listFormat })
      .refine(inOrder, reversedPeriod),
    media: fileMedia,
    response: bytes,
  }),
}

/** Possible faults of the journal's chain. */
const journalFault = z.enum(['altered', 'missing', 'cut', 'unlinked'])
export type JournalFault = z.infer<typeof journalFault>

/** Checks that the journal was not changed. */
export const journalCheck = {
  last: defineEndpoint({
    method: 'GET',
    path: '/api/journal/check',
    right: 'journal.read',
    summary: 'La dernière vérification du journal',
    description:
      '`head` est l’empreinte de la dernière entrée\u00a0: notée ailleurs, elle prouve plus tard que rien n’a changé avant elle.',
    response: z.object({
      last: z
        .object({
          at: instant,
          links: z.int(),
          /** Number of entries whose personal data was erased. */
          erased: z.int(),
          head: z.string(),
          entryId: z.int().nullable(),
          fault: journalFault.nullable(),
        })
        .meta({ id: 'JournalCheck' })
        .nullable(),
    }),
  }),
  ask: defineEndpoint({
    method: 'POST',
    path: '/api/journal/check',
    right: 'journal.read',
    summary: 'Vérifier tout le journal',
    description: 'Refait la chaîne des empreintes, entrée par entrée.',
    response: acknowledgement,
  }),
}
