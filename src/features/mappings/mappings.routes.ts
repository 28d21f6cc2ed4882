import {
  deleteMapping,
  listMappings,
  renameMapping,
  type SavedMapping,
} from '#features/mappings/mappings.contract.ts'
import { findSavedMapping, listSavedMappings, renameSavedMapping } from '#features/mappings/mappings.sql.ts'
import type { Db } from '#server/db/pool.ts'
import type { Api } from '#server/http/endpoint.ts'
import { changeRow, deleteUnlessUsed, type Entity } from '#server/writes.ts'

const mappings: Entity<SavedMapping> = {
  name: 'import-mappings',
  noun: { one: 'Correspondance', many: 'correspondances', gender: 'f' },
  table: 'import_mapping',
  versioned: 'updatedAt',
  find: findSavedMapping,
  constraints: {
    import_mapping_name_key: { field: 'name', message: 'Une correspondance porte déjà ce nom.' },
  },
}

/** Lists, renames and deletes saved mappings; imports write them. */
export function mappingRoutes(api: Api, db: Db): void {
  api.on(listMappings, async () => ({ data: await listSavedMappings(db) }))

  api.on(renameMapping, async (call) => {
    const { after } = await changeRow(db, mappings, call, (tx) =>
      renameSavedMapping(tx, call.params.id, call.body.name),
    )
    return { ...after, message: 'Correspondance renommée' }
  })

  api.on(deleteMapping, async (call) => {
    await deleteUnlessUsed(db, mappings, call)
    return { message: 'Correspondance supprimée' }
  })
}
