import { forgetReportFiles } from '#features/report/kept/kept.jobs.ts'
import { type Reading, readBulletin } from '#features/reports/blocks/blocks.routes.ts'
import { makeIssueJob, planIssue, shownIssue } from '#features/reports/issues/issues.routes.ts'
import { findIssueFile, listFileHashes, listIssues } from '#features/reports/issues/issues.sql.ts'
import { issueFile, type Report, reports, type Schedule } from '#features/reports/reports.contract.ts'
import { isSameTime, mostReports, nextInstant } from '#features/reports/reports.rules.ts'
import {
  countReports,
  deleteRecipients,
  findOwner,
  insertRecipient,
  insertUserReport,
  listUserReports,
  updateUserReport,
} from '#features/reports/reports.sql.ts'
import { invite } from '#features/reports/sending/recipients.routes.ts'
import { insertAudit } from '#server/audit.sql.ts'
import { deleteRow } from '#server/db/delete-row.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, notFound } from '#server/errors.ts'
import type { Storage } from '#server/files/storage.ts'
import { type Api, signedIn } from '#server/http/endpoint.ts'
import { siteOrigin } from '#server/http/site-origin.ts'
import { withIdempotencyKey } from '#server/idempotency.ts'
import { spend } from '#server/session/rate-limit.sql.ts'
import { hashToken, newToken } from '#server/session/tokens.ts'
import { authorOf, changeRow, createRow, deleteUnlessUsed, missing } from '#server/writes.ts'
import { type Noun, succeeded } from '#shared/resource.ts'

type Dependencies = Pick<Reading, 'summarise'> & {
  /** Storage of the files of issues. */
  files: Storage
  today: () => string
  clock: () => Date
  /** Base address of the site; null when not configured: then the address that the browser uses. */
  publicUrl: string | null
}

const noun: Noun = { one: 'Rapport', many: 'rapports', gender: 'm' }
/**
 * Limits of issues requested and of addresses invited, since each costs work, or a mail to someone who did not ask for
 * it.
 */
const mostPerDay = { issues: 50, invitations: 100, invitationsOfAPerson: 3 }

/** The journal must not store addresses of people without an account. */
const withoutAddresses = ({ recipients, ...row }: Report) => ({ ...row, recipients: recipients.length })

export function reportRoutesOfUsers(api: Api, db: Db, dependencies: Dependencies): void {
  const find = async (from: Db, userId: number, id: number) => (await listUserReports(from, userId, id))[0]
  // Restricted to one user: reports of others do not exist here.
  const entityOf = (userId: number) => ({
    name: 'reports',
    noun,
    table: 'report',
    versioned: 'updatedAt',
    constraints: {},
    find: async (from: Db, id: number) => {
      const row = await find(from, userId, id)
      return row && withoutAddresses(row)
    },
  })
  const get = async (from: Db, userId: number, id: number) => (await find(from, userId, id)) ?? missing(noun)
  const nextAt = (schedule: Schedule | null) => schedule && nextInstant(schedule, dependencies.clock())

  /** Replaces the list of recipients, and invites new ones except the owner. */
  async function setRecipients(
    tx: Db,
    report: { id: number; userId: number; title: string },
    emails: readonly string[],
    origin: string,
  ) {
    await deleteRecipients(tx, report.id, emails)
    const owner = await findOwner(tx, report.userId)
    for (const email of emails) {
      const isConfirmed = email.toLowerCase() === owner.confirmed?.toLowerCase()
      const token = newToken()
      const state = await insertRecipient(tx, { reportId: report.id, email, token, isConfirmed })
      if (state !== 'waiting') continue
      if (!owner.confirmed) {
        throw new AppError('forbidden', 'Confirmez votre adresse e-mail avant d’inviter des destinataires.')
      }
      await spend(tx, `report:invite:${report.userId}`, { hits: mostPerDay.invitations, windowS: 86_400 })
      await spend(tx, `report:invited:${hashToken(email.toLowerCase()).toString('hex')}`, {
        hits: mostPerDay.invitationsOfAPerson,
        windowS: 86_400,
      })
      await invite(tx, { email, token, title: report.title, owner: owner.name, origin })
    }
  }

  api.on(reports.list, async ({ actor }) => ({ data: await listUserReports(db, signedIn(actor).userId) }))

  api.on(reports.find, ({ actor, params }) => get(db, signedIn(actor).userId, params.id))

  api.on(reports.create, async (call) => {
    const { userId } = signedIn(call.actor)
    const { recipients, schedule, title, blocks } = call.body
    const made = await createRow(db, entityOf(userId), call, async (tx) => {
      if ((await countReports(tx, userId)) >= mostReports) {
        throw new AppError(
          'conflict',
          `Vous avez déjà ${mostReports} rapports\u00a0: supprimez-en un pour en créer un autre.`,
        )
      }
      const id = await insertUserReport(tx, userId, { title, blocks, schedule, nextAt: nextAt(schedule) })
      await setRecipients(
        tx,
        { id, userId, title },
        recipients,
        siteOrigin(call.request, dependencies.publicUrl),
      )
      return id
    })
    return { ...(await get(db, userId, made.id)), message: succeeded(noun, 'créé') }
  })

  api.on(reports.update, async (call) => {
    const { userId } = signedIn(call.actor)
    const { id } = call.params
    const { recipients, updatedAt: _version, ...change } = call.body
    await changeRow(db, entityOf(userId), call, async (tx, before) => {
      const { schedule } = change
      await updateUserReport(tx, id, {
        // A title is always written: a change of the recipients alone is a new version too.
        title: before.title,
        ...change,
        // Another title must not skip an issue that is due.
        ...(schedule !== undefined && !isSameTime(schedule, before.schedule) && { nextAt: nextAt(schedule) }),
      })
      if (recipients)
        await setRecipients(
          tx,
          { id, userId, title: change.title ?? before.title },
          recipients,
          siteOrigin(call.request, dependencies.publicUrl),
        )
    })
    return { ...(await get(db, userId, id)), message: succeeded(noun, 'mis à jour') }
  })

  api.on(reports.remove, async (call) => {
    await deleteUnlessUsed(db, entityOf(signedIn(call.actor).userId), call, {
      async remove(tx, id) {
        await forgetReportFiles(tx, await listFileHashes(tx, id))
        await deleteRow(tx, 'report', id)
      },
    })
    return { message: succeeded(noun, 'supprimé') }
  })

  api.on(reports.preview, async ({ body, request }) => {
    const { summarise, today } = dependencies
    return {
      content: await readBulletin(db, body, {
        summarise,
        today: today(),
        origin: siteOrigin(request, dependencies.publicUrl),
      }),
    }
  })

  api.on(reports.issues, async ({ actor, params, request }) => {
    const { userId } = signedIn(actor)
    await get(db, userId, params.id)
    const rows = await listIssues(db, { userId, reportId: params.id })
    return { data: rows.map((row) => shownIssue(row, siteOrigin(request, dependencies.publicUrl))) }
  })

  api.on(reports.makeIssue, async (call) => {
    const { userId } = signedIn(call.actor)
    const reportId = call.params.id
    await get(db, userId, reportId)
    if (call.body.to === 'owner' && !(await findOwner(db, userId)).confirmed) {
      throw new AppError('forbidden', 'Confirmez votre adresse e-mail avant de vous envoyer un essai.')
    }
    await spend(db, `report:issue:${userId}`, { hits: mostPerDay.issues, windowS: 86_400 })
    const id = await inTransaction(db, (tx) =>
      withIdempotencyKey(tx, call, async () => {
        const issueId = await planIssue(tx, {
          reportId,
          plannedAt: dependencies.clock(),
          audience: call.body.to,
          isScheduled: false,
        })
        if (issueId === null)
          throw new AppError(
            'conflict',
            'Une édition vient d’être demandée\u00a0: réessayez dans un instant.',
          )
        await makeIssueJob.add(tx, { issueId })
        await insertAudit(tx, authorOf(call), {
          action: 'publish',
          entity: 'reports',
          entityId: reportId,
          after: { issueId, to: call.body.to },
        })
        return issueId
      }),
    )
    const [row] = await listIssues(db, { userId, reportId, id })
    if (!row) throw missing(noun)
    const message =
      'L’édition se prépare\u00a0: elle paraît sous «\u202fÉditions du rapport\u202f» dans un instant.'
    return { ...shownIssue(row, siteOrigin(call.request, dependencies.publicUrl)), message }
  })

  api.on(issueFile, async (call) => {
    const { token } = call.params
    const { fileFormat: format } = call.query
    const file = await findIssueFile(db, { token, format })
    const content = file && (file.content ?? (await dependencies.files.read(file.sha256)))
    if (!content) throw notFound('Cette édition n’existe pas.')
    call.reply.headers({
      'content-type': issueFile.media[format === 'pdf' ? 0 : 1],
      'content-disposition': `attachment; filename="ntalo-bulletin-${file.day}.${format}"`,
    })
    return piecesOf(content)
  })
}

async function* piecesOf(content: Buffer) {
  yield content
}
