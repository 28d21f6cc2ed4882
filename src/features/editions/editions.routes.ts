import { z } from 'zod'
import { editions } from '#features/editions/editions.contract.ts'
import { citationOf, endOfMonth, lastSettledMonth, monthName } from '#features/editions/editions.rules.ts'
import { listEditions, type StoredEdition } from '#features/editions/editions.sql.ts'
import { insertAudit } from '#server/audit.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { invalidField, notFound } from '#server/errors.ts'
import type { FileStore } from '#server/files/file-store.ts'
import type { Api } from '#server/http/endpoint.ts'
import { siteOrigin } from '#server/http/site-origin.ts'
import type { Streams } from '#server/http/streams.ts'
import { defineJob } from '#server/jobs/jobs.ts'
import { spend } from '#server/session/rate-limit.sql.ts'
import { authorOf } from '#server/writes.ts'

/** The job that makes the edition of a month now. */
export const makeEdition = defineJob('make edition', z.object({ month: z.string() }))

/** Most editions requested per hour: each takes several seconds of processor time. */
const mostPerHour = 10

type Dependencies = {
  /** The storage of the files of editions. */
  files: FileStore
  downloads: Streams
  today: () => string
  publicUrl: string | null
}

/** Serves the editions and their files, and the request to make one again. */
export function editionRoutes(api: Api, db: Db, { files, downloads, today, publicUrl }: Dependencies): void {
  api.on(editions.list, async ({ request }) => {
    const origin = siteOrigin(request, publicUrl)
    return { data: (await listEditions(db)).map((edition) => shownEdition(edition, origin)) }
  })

  api.on(editions.file, async (call) => {
    const [edition] = await listEditions(db, call.params.id)
    const file = edition?.files.find(({ format }) => format === call.query.format)
    if (!file || !(await files.has(file.storedAs))) throw notFound('Cette édition n’existe pas.')
    downloads.admit(call)
    call.reply.headers({
      'content-type': types[file.format],
      'content-disposition': `attachment; filename="${file.name}"`,
      etag: `"${file.sha256}"`,
    })
    return files.read(file.storedAs)
  })

  api.on(editions.publish, async (call) => {
    const month = call.body.month ?? lastSettledMonth(today())
    if (endOfMonth(month) >= today()) throw invalidField('month', 'Ce mois n’est pas fini.')
    await spend(db, 'edition:publish:all', { hits: mostPerHour, windowS: 3_600 })
    await inTransaction(db, async (tx) => {
      await insertAudit(tx, authorOf(call), { action: 'publish', entity: 'editions', after: { month } })
      await makeEdition.add(tx, { month })
    })
    return {
      message: `L’édition se prépare (${monthName(month)}). Elle paraît ici dans quelques minutes si les données ont changé.`,
    }
  })
}

const types = {
  csv: 'application/gzip',
  parquet: 'application/vnd.apache.parquet',
  datapackage: 'application/json',
}

function shownEdition(edition: StoredEdition, origin: string) {
  const { number, month, rows, createdAt, files } = edition
  const lastDay = endOfMonth(month)
  const sha256 = files.find(({ format }) => format === 'parquet')?.sha256 ?? ''
  return {
    ...edition,
    day: lastDay,
    lastDay,
    sha256,
    files: files.map(({ storedAs: _, ...file }) => ({
      ...file,
      url: `${origin}/api/editions/${number}/file?format=${file.format}`,
    })),
    citation: citationOf({ number, month, rows, lastDay, createdAt, sha256, url: `${origin}/donnees` }),
  }
}
