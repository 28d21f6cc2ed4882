import { z } from 'zod'
import { forgetReportFiles } from '#features/report/kept/kept.jobs.ts'
import { madeReports } from '#features/report/made/made.contract.ts'
import { dropOldest, findPdf, findReport, insertReport, listReports } from '#features/report/made/made.sql.ts'
import { selectionFilters } from '#features/statistics/statistics.contract.ts'
import type { Db } from '#server/db/pool.ts'
import { AppError } from '#server/errors.ts'
import type { Storage } from '#server/files/storage.ts'
import { may } from '#server/http/actor.ts'
import { type Api, signedIn } from '#server/http/endpoint.ts'
import { siteOrigin } from '#server/http/site-origin.ts'
import { defineJob } from '#server/jobs/jobs.ts'
import { createRow, missing } from '#server/writes.ts'
import type { Noun } from '#shared/resource.ts'

const noun: Noun = { one: 'Rapport', many: 'rapports', gender: 'm' }

/** The job that draws one report. */
export const drawReportJob = defineJob('draw report', z.object({ reportId: z.int() }))

export function madeReportRoutes(
  api: Api,
  db: Db,
  { files, today: dayNow, publicUrl }: { files: Storage; today: () => string; publicUrl: string | null },
): void {
  api.on(madeReports.list, async ({ actor }) => ({ data: await listReports(db, signedIn(actor).userId) }))

  api.on(madeReports.create, async (call) => {
    const { userId } = signedIn(call.actor)
    const { request } = call.reply
    const today = dayNow()
    const asked = {
      // The original query string: it is parsed again when the report is drawn.
      filters: Object.fromEntries(
        [...new URLSearchParams(request.originalUrl.split('?')[1])].filter(
          ([name]) => name in selectionFilters.shape,
        ),
      ),
      today,
      origin: siteOrigin(request, publicUrl),
      mayManageUsers: may(call.actor, 'users.manage'),
    }
    const entity = {
      name: 'reports',
      noun,
      table: 'made_report',
      versioned: 'createdAt',
      constraints: {},
      find: (from: Db, id: number) => findReport(from, userId, id),
    }
    const report = await createRow(db, entity, call, async (tx) => {
      await forgetReportFiles(tx, await dropOldest(tx, userId))
      const id = await insertReport(tx, userId, { asked, fileName: `statistiques-au-${today}.pdf` })
      await drawReportJob.add(tx, { reportId: id })
      return id
    })
    return {
      ...report,
      message: 'Le rapport se prépare. Il reste 30\u00a0jours dans le menu «\u202fPDF\u202f».',
    }
  })

  api.on(madeReports.file, async (call) => {
    const found = await findPdf(db, signedIn(call.actor).userId, call.params.id)
    if (!found) throw missing(noun)
    const pdf = found.pdf ?? (found.sha256 && (await files.read(found.sha256)))
    if (!pdf) throw new AppError('conflict', 'Ce rapport n’est pas encore prêt.', { retryAfterS: 2 })
    call.reply.headers({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="${found.fileName}"`,
    })
    return once(pdf)
  })
}

async function* once(bytes: Uint8Array) {
  yield bytes
}
