import { isDeepStrictEqual } from 'node:util'
import { changesOf } from '#features/imports/created.rules.ts'
import { type Importers, importJob } from '#features/imports/import-job.jobs.ts'
import {
  abandonImport,
  type CurrencyMap,
  checkImport,
  confirmImport,
  findImport,
  type Import,
  type ImportState,
  importRights,
  largestImportBytes,
  listImports,
  mapImport,
  rejectedLines,
  undoImport,
  uploadImport,
} from '#features/imports/imports.contract.ts'
import { changedSince, renamed } from '#features/imports/imports.jobs.ts'
import {
  findStoredImport,
  insertImport,
  requestState,
  selectImport,
  selectImports,
  selectImportsAfter,
} from '#features/imports/imports.sql.ts'
import { rejectedKey } from '#features/imports/rejected.jobs.ts'
import { type ImportKind, importKind } from '#features/mappings/kinds.contract.ts'
import type { Mapping } from '#features/mappings/mappings.contract.ts'
import { findMappingByName, saveMapping } from '#features/mappings/mappings.sql.ts'
import { ownId, readPageAfter } from '#server/db/changes.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, conflictingField, notFound } from '#server/errors.ts'
import type { FileStore } from '#server/files/file-store.ts'
import { type Actor, may } from '#server/http/actor.ts'
import type { Api, Call } from '#server/http/endpoint.ts'
import type { Streams } from '#server/http/streams.ts'
import { receiveFile } from '#server/http/upload.ts'
import { withIdempotencyKey } from '#server/idempotency.ts'
import { authorOf, refuseStale } from '#server/writes.ts'
import { type Endpoint, paginate } from '#shared/contract.ts'
import { comparedTitle } from '#shared/csv/header.ts'

/** `uploads` and `downloads` limit how many files may be sent and fetched. */
export function importRoutes(
  api: Api,
  db: Db,
  files: FileStore,
  importers: Importers,
  { uploads, downloads }: { uploads: Streams; downloads: Streams },
): void {
  api.on(listImports, async ({ query, actor }) => {
    const kinds = importKind.options.filter((kind) => mayImport(actor, kind))
    const { cursor, limit } = query
    if (cursor !== undefined) {
      return readPageAfter(
        { cursor, limit },
        (id, most) => selectImportsAfter(db, kinds, { id, most }),
        ownId,
      )
    }
    const { rows, total } = await selectImports(db, kinds, query)
    return { data: rows, pagination: paginate(query, total) }
  })

  api.on(findImport, ({ params, actor }) => get(db, params.id, actor))

  api.on(uploadImport, async (call) => {
    const { kind } = call.query
    if (!mayImport(call.actor, kind)) throw forbidden()
    uploads.admit(call)
    const { key, fileName, bytes } = await receiveFile(call.request, files, largestImportBytes)
    try {
      return await inTransaction(db, async (tx) => {
        const given = { kind, fileName, fileBytes: bytes, storedAs: key }
        const importId = await insertImport(tx, given, authorOf(call))
        await importJob.add(tx, { importId })
        return { ...(await get(tx, importId, call.actor)), message: 'Fichier reçu. Il est essayé à blanc.' }
      })
    } catch (error) {
      await files.remove(key)
      throw error
    }
  })

  api.on(checkImport, (call) =>
    move(call, {
      from: ['checked', 'failed'],
      to: 'checking',
      currencyMap: call.body.currencyMap,
      needsFile: true,
      message: 'Nouvel essai à blanc.',
    }),
  )

  api.on(mapImport, async (call) => {
    const { body } = call
    const found = await get(db, call.params.id, call.actor)
    const mapped = importers[found.kind].mapped
    if (!mapped || !found.table) throw new AppError('conflict', 'Les colonnes de ce fichier sont connues.')
    // Always use the titles of the stored file, not those of the request.
    const mapping = { ...body, titles: found.table.titles }
    const faults = mapped.faults(mapping)
    if (faults.length > 0) {
      throw new AppError('invalid', faults.map(({ message }) => message).join(' '), { fields: faults })
    }
    return move(
      call,
      {
        from: ['unmapped', 'checked', 'failed'],
        to: 'checking',
        mapping,
        needsFile: true,
        message: 'Le fichier est essayé à blanc.',
      },
      (tx) => saveNamedMapping(tx, found, mapping, mapped.lastingTitles(mapping)),
    )
  })

  api.on(confirmImport, (call) =>
    move(call, {
      from: ['checked'],
      to: 'writing',
      already: ['writing', 'done'],
      needsFile: true,
      read: call.body?.updatedAt,
      message: 'L’import commence.',
    }),
  )

  api.on(abandonImport, (call) =>
    move(call, {
      from: ['checking', 'unmapped', 'checked', 'failed'],
      to: 'abandoned',
      already: ['abandoned'],
      message: 'Import abandonné.',
    }),
  )

  api.on(undoImport, async (call) => {
    const found = await findStoredImport(db, call.params.id)
    if (found?.state === 'done') {
      const { id, ids, created, kind, report } = found
      const importer = importers[kind]
      const changed = changesOf(report) - (await importer.countKept(db, { importId: id, ids, created }))
      if (changed > 0) throw new AppError('stale', changedSince(importer.words, changed))
    }
    return move(call, {
      from: ['done'],
      to: 'undoing',
      already: ['undoing', 'undone'],
      message: 'L’annulation commence.',
    })
  })

  api.on(rejectedLines, async (call) => {
    const { params, reply } = call
    await get(db, params.id, call.actor)
    const { storedAs = null, report = null } = (await findStoredImport(db, params.id)) ?? {}
    if (!storedAs || !report || !(await files.has(rejectedKey(storedAs)))) {
      throw notFound('Les lignes rejetées de cet import ne sont pas, ou plus, gardées.')
    }
    downloads.admit(call)
    reply.headers({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="ntalo-import-${params.id}-lignes-rejetees.csv"`,
    })
    return files.read(rejectedKey(storedAs))
  })

  /**
   * Moves an import to another state and queues the job for it. Idempotent: a repeated request has no further effect.
   */
  async function move(call: Moving, wanted: Move, first: (tx: Db) => Promise<void> = async () => {}) {
    const { id } = call.params
    const work = async (tx: Db) => {
      const found = await get(tx, id, call.actor)
      if (wanted.needsFile && !found.hasFile) throw new AppError('conflict', fileForgotten)
      if (wanted.from.includes(found.state)) refuseStale(wanted.read, found.updatedAt)
      await first(tx)
      const by = authorOf(call)
      const isMoved = await requestState(tx, id, { ...wanted, by }, wanted)
      if (isMoved && wanted.to !== 'abandoned') await importJob.add(tx, { importId: id, actor: found.actor })
      const now = await get(tx, id, call.actor)
      if (isMoved) return { ...now, message: wanted.message }
      if (!wanted.already?.includes(now.state)) throw new AppError('conflict', outOfTurn[now.state])
      return { ...now, message: 'C’était déjà demandé.' }
    }
    return inTransaction(db, (tx) => withIdempotencyKey(tx, call, () => work(tx)))
  }
}

type Moving = Pick<Call<Endpoint>, 'actor' | 'request'> & { params: { id: number } }
type Move = {
  from: readonly ImportState[]
  to: ImportState
  /** The states in which the request is already fulfilled, or about to be. */
  already?: readonly ImportState[]
  needsFile?: true
  /** The version of the import that the user read. */
  read?: string | null | undefined
  currencyMap?: CurrencyMap
  mapping?: Mapping
  message: string
}

const fileForgotten = 'Le fichier de cet import n’est plus gardé. Envoyez-le de nouveau.'

/** Why an action is refused in each state of an import. */
const outOfTurn: Record<ImportState, string> = {
  checking: 'Cet import est encore à l’essai. Attendez son rapport.',
  unmapped: 'Dites d’abord ce que sont les colonnes de ce fichier.',
  checked: 'Cet import n’a rien écrit\u00a0: il peut être confirmé ou abandonné.',
  writing: 'Cet import est en cours d’enregistrement. Attendez qu’il se termine.',
  done: 'Cet import est terminé.',
  undoing: 'Cet import est en cours d’annulation.',
  undone: 'Cet import a été annulé.',
  abandoned: 'Cet import a été abandonné. Envoyez le fichier de nouveau.',
  failed: 'Cet import a échoué. Corrigez le fichier, puis envoyez-le de nouveau.',
}

/**
 * Saves a named mapping for the next file with the same titles. Replaces the mapping that this import saved under that
 * name, but not one that another user has saved under it meanwhile.
 */
async function saveNamedMapping(
  tx: Db,
  { kind, table, mapping: before }: Import,
  mapping: Mapping,
  titles: readonly string[],
): Promise<void> {
  const { name } = mapping
  if (name === null) return
  const existing = await findMappingByName(tx, kind, name)
  const id = await saveMapping(tx, kind, { ...mapping, name }, titles.map(comparedTitle))
  if (id === null) throw conflictingField('name', 'Une correspondance de ce nom décrit un autre tableau.')
  if (!existing) return
  const isReadAs = readingOf(renamed(existing, mapping.titles))
  if (
    ![mapping, before, table?.proposal].some((each) => each && isDeepStrictEqual(readingOf(each), isReadAs))
  ) {
    throw conflictingField('name', nameTaken)
  }
}

/** Picks how a mapping reads columns, without the decisions on names made since. */
function readingOf({ fields, decimal, dateOrder }: Mapping) {
  return { fields, decimal, dateOrder }
}

const nameTaken =
  'Une correspondance de ce nom lit ces colonnes autrement\u00a0: donnez un autre nom à celle-ci, ou supprimez l’autre à la page Imports.'

function mayImport(actor: Actor | null, kind: ImportKind): boolean {
  return may(actor, importRights[kind])
}

function forbidden(): AppError {
  return new AppError('forbidden', 'Vous n’avez pas le droit de faire cela.')
}

async function get(from: Db, id: number, actor: Actor | null): Promise<Import> {
  const found = await selectImport(from, id)
  if (!found) throw notFound('Import introuvable\u00a0: il n’existe pas ou a été supprimé.')
  if (!mayImport(actor, found.kind)) throw forbidden()
  return found
}
