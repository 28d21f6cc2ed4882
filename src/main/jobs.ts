import { join } from 'node:path'
import { googlePictureTask } from '#features/account/google-picture.jobs.ts'
import { alertTasks } from '#features/alerts/alerts.jobs.ts'
import { linkTasks } from '#features/auth/links.jobs.ts'
import type { Courier } from '#features/channels/couriers.rules.ts'
import { messageTasks } from '#features/channels/sending/sending.jobs.ts'
import { messageTask } from '#features/contact/contact.jobs.ts'
import { editionTasks } from '#features/editions/editions.jobs.ts'
import { monthTask } from '#features/figures/months/months.jobs.ts'
import { fitTask } from '#features/figures/stored-index/fitting.jobs.ts'
import { summarise } from '#features/figures/summary/summary.routes.ts'
import { importTasks } from '#features/imports/imports.jobs.ts'
import { journalTasks } from '#features/journal/journal.jobs.ts'
import type { PaymentProvider } from '#features/payments/checkout/checkout.routes.ts'
import { depositTask } from '#features/payments/deposits/deposits.jobs.ts'
import { alertTask } from '#features/prices/alerts/alerts.jobs.ts'
import { tellNewIndices } from '#features/prices/live/live.jobs.ts'
import { proofFiles } from '#features/prices/photos/photos.contract.ts'
import { pictureTasks } from '#features/products/products.jobs.ts'
import { openReportFiles, reportFileTasks } from '#features/report/kept/kept.jobs.ts'
import { reportTasks } from '#features/report/made/made.jobs.ts'
import { userReportTasks } from '#features/reports/reports.jobs.ts'
import { reviewTasks } from '#features/reviews/reviews.jobs.ts'
import { quotaWarningTask } from '#features/subscriptions/quota-warnings/quota-warnings.jobs.ts'
import { seatTask } from '#features/subscriptions/seats/seats.jobs.ts'
import { subscriptionTasks } from '#features/subscriptions/subscriptions.jobs.ts'
import { closingTask } from '#features/users/closing/closing.jobs.ts'
import { webhookTasks } from '#features/webhooks/webhooks.jobs.ts'
import { importFiles } from '#main/app.ts'
import { importers } from '#main/importers.ts'
import { deleteOldChanges } from '#server/db/changes.ts'
import type { Database, Db, PoolOptions } from '#server/db/pool.ts'
import { type FilePlace, openPictures } from '#server/files/place.ts'
import { sweepIdempotentRequests } from '#server/idempotency.sql.ts'
import { sweepGivenUp } from '#server/jobs/jobs.sql.ts'
import { type JobRunner, startJobs, type Task } from '#server/jobs/jobs.ts'
import type { Log } from '#server/log.ts'
import { mailTasks } from '#server/mail/mail.ts'
import type { MailTransportOptions } from '#server/mail/transport.ts'
import { sweepDevices } from '#server/session/known-devices.sql.ts'
import { sweepRateLimits } from '#server/session/rate-limit.sql.ts'
import { sweepSessions } from '#server/session/session.sql.ts'
import type { Views } from '#server/views.ts'
import { dayMs, hourMs } from '#shared/days.ts'

type Options = Pick<Database, 'db' | 'pool'> & {
  connection: PoolOptions['connection']
  /** Folder where uploads are stored. */
  dataDir: string
  s3?: FilePlace['s3']
  /** The mail server and the sender address. */
  mail: Omit<MailTransportOptions, 'directory'>
  views: Pick<Views, 'renderMail' | 'bundle'>
  /** Public address of the site: the prefix of links in mails. */
  publicUrl: string
  log: Log
  /** Address that receives mails about payments that need a decision. */
  contactTo: string
  /** Null or absent when mobile money is not configured. */
  payments?: PaymentProvider | null
  /** Couriers of messages other than mail; none when absent. */
  couriers?: readonly Courier[] | undefined
  /** Current time; the machine's clock when absent. */
  clock?: (() => Date) | undefined
}

/** Runs the jobs of every feature until it is stopped. */
export function runJobs(options: Options): JobRunner {
  const { db, pool, connection, dataDir, mail, views, publicUrl, log, payments, contactTo } = options
  const { clock = () => new Date(), couriers = [] } = options
  const place: FilePlace = { dataDir, s3: options.s3 ?? null }
  const storage = openPictures(place)
  const reports = openReportFiles(place)
  const ledger = { db, team: contactTo }
  const transport = { ...mail, directory: join(dataDir, 'mail') }
  const tasks = [
    ...importTasks({ db, pool, files: importFiles(place), importers, log }),
    ...linkTasks({ db, publicUrl }),
    ...mailTasks({ db, views, transport, log }),
    ...subscriptionTasks({ db, clock, publicUrl }),
    seatTask({ db, publicUrl }),
    quotaWarningTask({ db, clock, publicUrl }),
    alertTask({ db, clock }),
    ...reviewTasks({ db, clock }),
    ...alertTasks({ db, clock, publicUrl, served: couriers.map(({ channel }) => channel) }),
    ...messageTasks({ db, couriers, clock, log }),
    ...reportFileTasks(db, reports),
    ...reportTasks({ db, storage: reports, summarise, viewsBundle: views.bundle }),
    ...userReportTasks({
      db,
      storage: reports,
      clock,
      publicUrl,
      transport,
      views,
      summarise,
      viewsBundle: views.bundle,
    }),
    ...webhookTasks({ db, clock, publicUrl }),
    ...editionTasks({ db, connection, place, clock }),
    fitTask({ db, connection, onFitted: () => tellNewIndices(db) }),
    monthTask({ db, clock }),
    ...journalTasks({ db, log }),
    closingTask(db),
    messageTask(db),
    ...pictureTasks(db, storage, openPictures(place, proofFiles)),
    googlePictureTask({ db, storage, log }),
    sweepExpired(db),
    { name: 'sweep changes', everyMs: dayMs, run: () => deleteOldChanges(db, clock()) },
    ...(payments
      ? [depositTask({ ledger, providers: payments.mobileMoney, card: payments.card, log, clock })]
      : []),
  ]
  return startJobs({ db, connection, tasks, log })
}

// Deletes expired rows, without which these tables would grow forever.
function sweepExpired(db: Db): Task {
  return {
    name: 'sweep sessions',
    everyMs: hourMs,
    async run() {
      await sweepSessions(db)
      await sweepRateLimits(db)
      await sweepDevices(db)
      await sweepIdempotentRequests(db)
      await sweepGivenUp(db)
    },
  }
}
