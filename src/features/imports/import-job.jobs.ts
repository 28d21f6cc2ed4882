import { z } from 'zod'
import type { Importer } from '#features/imports/importer.jobs.ts'
import type { ImportKind } from '#features/mappings/kinds.contract.ts'
import type { Database } from '#server/db/pool.ts'
import type { KeptFiles } from '#server/files/kept-files.ts'
import { defineJob } from '#server/jobs/jobs.ts'
import type { Log } from '#server/log.ts'

/** Does what the state of an import asks for; the state is the truth, this only says that it has changed. */
export const importJob = defineJob('import', z.object({ importId: z.int() }))

/** What the jobs of imports work on. */
export type World = {
  db: Database['db']
  pool: Database['pool']
  files: KeptFiles
  importers: Importers
  log: Log
}

/** What imports each kind of file. */
export type Importers = Readonly<Record<ImportKind, Importer>>
