import { resolve } from 'node:path'
import { loadDemonstration } from '#demonstration/demonstration.ts'
import { accounts, demonstrationPassword } from '#demonstration/facts/people.ts'
import { assertNoDemonstration } from '#demonstration/production.ts'
import { createGoogle } from '#features/auth/google/google.gateway.ts'
import { inviteFirstAdmin } from '#features/auth/links.jobs.ts'
import { saveBillingTerms } from '#features/invoices/invoices.sql.ts'
import { buildApp } from '#main/app.ts'
import { startCouriers } from '#main/couriers.ts'
import { runJobs } from '#main/jobs.ts'
import { startPaymentProvider } from '#main/payment-provider.ts'
import { type Config, localUrl } from '#server/config.ts'
import { assertClock } from '#server/db/clock.ts'
import { assertDurable, assertVersion, assertWritable } from '#server/db/durability.ts'
import { startEmbedded } from '#server/db/embedded/embedded.ts'
import { migrate, readMigrations } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/pool.ts'
import { openReplica } from '#server/db/replica.ts'
import { createAdmission } from '#server/http/overload.ts'
import { getInstallation } from '#server/installation.sql.ts'
import { createLog } from '#server/log.ts'
import { createMetrics } from '#server/metrics.ts'
import { loadViews } from '#server/views.ts'

/** Longest time in ms to wait for a PostgreSQL server that is starting. */
const longestStartMs = 60_000

const root = resolve(import.meta.dirname, '../..')

/**
 * Opens the database, migrates it, and serves until the resources are released.
 *
 * @param releases receives the function that releases each resource, as soon as the resource is opened
 * @throws Error with a sentence in French for the operator
 */
export async function serve(config: Config, releases: (() => Promise<unknown>)[]): Promise<void> {
  const log = createLog(config.logLevel)

  const embedded = config.databaseUrl
    ? null
    : await startEmbedded({ dataDir: config.dataDir, role: 'server', log })
  if (embedded) releases.push(() => embedded.stop())
  const connection = embedded?.connection ?? config.databaseUrl ?? ''
  const max = config.databaseConnections
  const database = await openDatabase({ connection, max, startingMs: longestStartMs })
  releases.push(() => database.close())
  await assertVersion(database.pool)
  await assertWritable(database.pool)
  await assertDurable(database.pool)
  const migrations = resolve(root, 'db/migrations')
  await migrate(database.pool, migrations, log)
  await saveBillingTerms(database.db, config.billing)

  const oddClock = await assertClock(database.pool, { at: new Date(), isAccepted: config.isClockAccepted })
  if (oddClock) log.warn({ oddClock }, 'the clock is accepted as ACCEPT_CLOCK says')

  if (config.isProduction) await assertNoDemonstration(database.db)
  if (config.demonstrationPrices > 0) {
    await loadDemonstration(database.pool, { log, prices: config.demonstrationPrices })
  }

  if (config.isProduction && !config.mail.smtpUrl) {
    const directory = resolve(config.dataDir, 'mail')
    log.warn({ directory }, 'SMTP_URL is not set: mails do not leave, they are kept as files')
  }
  if (config.adminEmail) await inviteFirstAdmin(database.db, config.adminEmail)
  const views = await loadViews(resolve(root, 'dist'))
  const payments = await startPaymentProvider(config, log)
  releases.push(payments.stop)
  const { couriers, simulator, ...sending } = await startCouriers(config, log)
  releases.push(sending.stop)

  const metrics = config.metricsPort === null ? null : createMetrics()
  const workers = (here: string) =>
    runJobs({
      ...database,
      connection,
      dataDir: config.dataDir,
      s3: config.s3,
      mail: config.mail,
      views,
      publicUrl: config.publicUrl ?? here,
      log,
      contactTo: config.contactTo,
      payments: payments.provider,
      couriers,
    })
  if (config.jobs === 'only') {
    const jobs = workers(localUrl(config.host, config.port))
    releases.push(() => jobs.stop())
    console.log('Ntalo fait les travaux de fond, et ne répond à aucune demande (JOBS=only).')
    return
  }
  const replica = config.databaseReadUrl
    ? await openReplica({
        connection: config.databaseReadUrl,
        primary: database.pool,
        primaryConnection: connection,
        max,
      })
    : null
  if (replica) releases.push(() => replica.close())
  const http = await buildApp({
    db: database.db,
    connection,
    replica,
    dataDir: config.dataDir,
    s3: config.s3,
    publicUrl: config.publicUrl,
    payments: payments.provider,
    couriers,
    simulator,
    trustedProxies: config.trustedProxies,
    demandsSecondFactor: config.isProduction,
    google: config.google && createGoogle({ ...config.google, log }),
    log,
    views,
    contactTo: config.contactTo,
    site: config.site,
    admission: createAdmission(max),
    migration: readMigrations(migrations).at(-1)?.number ?? 0,
    poolWaiting: () => database.pool.waitingCount,
    metrics,
  })
  releases.push(() => http.close())
  await http.listen({ port: config.port, host: config.host })
  const address = http.server.address()
  const port = typeof address === 'object' && address ? address.port : config.port
  const here = localUrl(config.host, port)
  if (config.jobs === 'on') {
    const jobs = workers(here)
    releases.push(() => jobs.stop())
  }
  if (metrics && config.metricsPort !== null) {
    releases.push(await metrics.listen({ host: config.host, port: config.metricsPort }))
  }

  payments.listenAt(here)
  await sending.listenAt(config.publicUrl ?? here)
  const { has_demonstration_data } = await getInstallation(database.db)
  if (has_demonstration_data) console.log(demonstrationNotice())
  console.log(`Ntalo écoute sur ${here}`)
}

function demonstrationNotice(): string {
  const people = accounts.map(({ email, shows }) => `  ${email.padEnd(24)} ${shows}`)
  return [`Données de démonstration. Comptes, mot de passe « ${demonstrationPassword} » :`, ...people].join(
    '\n',
  )
}
