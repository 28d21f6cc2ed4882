import { z } from 'zod'
import type { Importer } from '#features/imports/importer.jobs.ts'
import { person } from '#features/imports/imports.contract.ts'
import type { ImportKind } from '#features/mappings/kinds.contract.ts'
import type { Database } from '#server/db/pool.ts'
import type { FileStore } from '#server/files/file-store.ts'
import { defineJob } from '#server/jobs/jobs.ts'
import type { Log } from '#server/log.ts'

/**
 * Runs the work for the current state of an import, which the table decides. `actor` requested the state before, which a
 * failed undo restores.
 */
export const importJob = defineJob('import', z.object({ importId: z.int(), actor: person.nullish() }))

/** The dependencies of the jobs of imports. */
export type ImportDependencies = {
  db: Database['db']
  pool: Database['pool']
  files: FileStore
  importers: Importers
  log: Log
}

/** The importer of each kind of file. */
export type Importers = Readonly<Record<ImportKind, Importer>>
