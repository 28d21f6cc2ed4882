import { z } from 'zod'
import {
  createdCounts,
  createdNamesShape,
  importReport,
  nameQuestions,
} from '#features/imports/report.contract.ts'
import { type ImportKind, importKind } from '#features/mappings/kinds.contract.ts'
import { mapping, tableHead } from '#features/mappings/mappings.contract.ts'
import { withCursor } from '#shared/changes.ts'
import { bytes, defineEndpoint, pagination } from '#shared/contract.ts'
import { idParams, instant, listQuery, version } from '#shared/fields.ts'
import type { Permission } from '#shared/permissions.ts'
import type { Noun } from '#shared/resource.ts'

export const importNoun: Noun = { one: 'Import', many: 'imports', gender: 'm' }

/** The permission to import each kind. */
export const importRights = {
  prices: 'prices.import',
  products: 'prices.import',
  rates: 'rates.write',
} as const satisfies Record<ImportKind, Permission>
const anyImport = [...new Set(Object.values(importRights))]

/** The largest file accepted: 200 MB. */
export const largestImportBytes = 200_000_000
/** Days that a file and its rejected rows are stored after the last change to their import. */
export const keptDays = 7

/**
 * `checking` (dry run) → `checked` → `writing` → `done` → `undoing` → `undone`; `unmapped` while the columns of its
 * table are not known, `failed` when a file cannot be read, `abandoned` when a user cancelled it.
 */
const importState = z.enum([
  'checking',
  'unmapped',
  'checked',
  'writing',
  'done',
  'undoing',
  'undone',
  'abandoned',
  'failed',
])
export type ImportState = z.infer<typeof importState>

/** The states in which a job is queued or running. */
export const activeStates = ['checking', 'writing', 'undoing'] as const satisfies readonly ImportState[]

/** The outcome of a reading. */
export const storedReport = importReport
  .extend({
    created: createdCounts,
    names: createdNamesShape,
    /** Number of rejected rows that can be downloaded, from the first one on. */
    rejectedKept: z.int().default(0),
    /** The currencies other than CDF and USD, with their number of rows. */
    currencies: z.array(z.object({ code: z.string(), count: z.int() })).default([]),
    /** Names that a user must decide on before their rows are imported. */
    questions: nameQuestions.default([]),
  })
  .meta({ id: 'StoredImportReport' })
export type StoredReport = z.infer<typeof storedReport>

const currencyMap = z
  .record(
    z.string().regex(/^[A-Z]{3}$/, 'Code de devise de trois lettres attendu'),
    z.enum(['CDF', 'USD'], 'Une devise se lit comme CDF ou USD'),
  )
  .refine((map) => Object.keys(map).length <= 20, 'Vingt devises au plus')
export type CurrencyMap = z.infer<typeof currencyMap>

export const person = z.object({ id: z.int().nullable(), name: z.string() })

const importRow = z
  .object({
    id: z.int(),
    kind: importKind,
    fileName: z.string(),
    fileBytes: z.int(),
    state: importState,
    /** What its job does now; null before it begins and after it ends. */
    stage: z.enum(['reading', 'waiting', 'matching', 'writing']).nullable(),
    rowsRead: z.int(),
    bytesRead: z.int(),
    /** Whether earlier imports must finish first. */
    isWaiting: z.boolean(),
    /** Number of earlier imports. */
    ahead: z.int(),
    currencyMap,
    /** The first rows of a table whose columns are unknown. */
    table: tableHead.nullable(),
    /** How its columns are read, for a file in a foreign format. */
    mapping: mapping.nullable(),
    report: storedReport.nullable(),
    failure: z.string().nullable(),
    /** Who sent the file. */
    author: person.nullable(),
    /** Who requested the current state. */
    actor: person.nullable(),
    /** Whether the file and its rejected rows are still stored. */
    hasFile: z.boolean(),
    createdAt: instant,
    updatedAt: instant,
    endedAt: instant.nullable(),
  })
  .meta({ id: 'Import' })
export type Import = z.infer<typeof importRow>

const acknowledged = importRow.extend({ message: z.string() })

export const listImports = withCursor(
  defineEndpoint({
    method: 'GET',
    path: '/api/imports',
    right: anyImport,
    summary: 'Lister les imports, du plus récent au plus ancien',
    description:
      'Avec l’avancement et le rapport de chacun\u202f; avec `cursor`, du plus ancien au plus récent.',
    query: listQuery([], 10).omit({ sort: true }),
    response: z.object({ data: z.array(importRow), pagination }),
  }),
  importRow,
)

export const findImport = defineEndpoint({
  method: 'GET',
  path: '/api/imports/{id}',
  right: anyImport,
  summary: 'Lire un import, son avancement et son rapport',
  description: 'À redemander tant que `state` est checking, writing ou undoing.',
  params: idParams,
  response: importRow,
})

/** The body holds one file, under any field name. */
export const uploadImport = defineEndpoint({
  method: 'POST',
  path: '/api/imports',
  right: anyImport,
  summary: 'Envoyer un fichier, aussitôt essayé à blanc',
  description: 'Un fichier par demande, 200 Mo au plus. Rien n’est écrit avant `confirm`.',
  query: z.object({ kind: importKind }),
  multipart: true,
  status: 201,
  response: acknowledged,
})

export const checkImport = defineEndpoint({
  method: 'POST',
  path: '/api/imports/{id}/check',
  right: anyImport,
  summary: 'Refaire l’essai à blanc, en lisant des devises comme d’autres',
  description: 'Rien n’est écrit. Le rapport change quand la lecture est finie.',
  params: idParams,
  body: z.object({ currencyMap: currencyMap.default({}) }).meta({ id: 'ImportCheckBody' }),
  response: acknowledged,
})

export const mapImport = defineEndpoint({
  method: 'POST',
  path: '/api/imports/{id}/map',
  right: anyImport,
  summary: 'Dire ce que sont les colonnes d’un tableau, et l’essayer à blanc',
  description: 'La correspondance est gardée pour les fichiers de mêmes titres quand elle a un nom.',
  params: idParams,
  body: mapping,
  response: acknowledged,
})

export const confirmImport = defineEndpoint({
  method: 'POST',
  path: '/api/imports/{id}/confirm',
  right: anyImport,
  summary: 'Importer ce que l’essai à blanc annonce\u202f; le demander deux fois n’importe qu’une fois',
  description:
    'L’import se fait en arrière-plan. Son avancement se lit par GET. Avec l’`updatedAt` du rapport lu, refusé (`stale`) si un autre essai l’a remplacé.',
  params: idParams,
  body: z.object({ updatedAt: version }).nullish().meta({ id: 'ImportConfirmBody' }),
  response: acknowledged,
})

export const abandonImport = defineEndpoint({
  method: 'POST',
  path: '/api/imports/{id}/abandon',
  right: anyImport,
  summary: 'Renoncer à un import qui n’a rien écrit',
  description: 'Le fichier est effacé.',
  params: idParams,
  response: acknowledged,
})

export const undoImport = defineEndpoint({
  method: 'POST',
  path: '/api/imports/{id}/undo',
  right: anyImport,
  summary: 'Annuler un import\u00a0: retirer tout ce qu’il a écrit',
  description: 'Refusé quand un relevé de l’import a été modifié depuis.',
  params: idParams,
  response: acknowledged,
})

export const rejectedLines = defineEndpoint({
  method: 'GET',
  path: '/api/imports/{id}/rejected',
  right: anyImport,
  summary: 'Télécharger les lignes rejetées, avec leurs raisons',
  description: 'En CSV, à corriger puis à envoyer de nouveau.',
  params: idParams,
  media: ['text/csv'],
  response: bytes,
})
