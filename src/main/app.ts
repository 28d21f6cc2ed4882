import { statfs } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { accountRoutes } from '#features/account/account.routes.ts'
import { ownDataRoutes } from '#features/account/own-data/own-data.routes.ts'
import { secondFactorRoutes } from '#features/account/second-factor/second-factor.routes.ts'
import { alertRoutes } from '#features/alerts/alerts.routes.ts'
import { unsubscribePages } from '#features/alerts/unsubscribe.routes.ts'
import { authenticator, authRoutes, recogniser } from '#features/auth/auth.routes.ts'
import { isAdministering, mayHaveSession } from '#features/auth/auth.rules.ts'
import { createEntrance } from '#features/auth/entrance.routes.ts'
import { googleRoutes } from '#features/auth/google/google.routes.ts'
import type { Google } from '#features/auth/google/google.rules.ts'
import { googlePages } from '#features/auth/google/google-pages.routes.ts'
import { notificationRoutes } from '#features/auth/notifications/notifications.routes.ts'
import { authPages } from '#features/auth/pages.routes.ts'
import { registrationRoutes } from '#features/auth/registration.routes.ts'
import { resetRoutes } from '#features/auth/reset.routes.ts'
import { brandRoutes } from '#features/brands/brands.routes.ts'
import { categoryRoutes } from '#features/categories/categories.routes.ts'
import { channelRoutes } from '#features/channels/channels.routes.ts'
import type { Courier } from '#features/channels/couriers.rules.ts'
import { channelNewsRoutes } from '#features/channels/receiving/receiving.routes.ts'
import { availabilityRoutes } from '#features/collection/availability/availability.routes.ts'
import { deviceRoutes } from '#features/collection/devices/devices.routes.ts'
import { entryRoutes } from '#features/collection/entries/entries.routes.ts'
import { foundRoutes } from '#features/collection/found/found.routes.ts'
import { marketListRoutes } from '#features/collection/lists/lists.routes.ts'
import { photoRoutes } from '#features/collection/photos/photos.routes.ts'
import { planRoutesOfVisits } from '#features/collection/plans/plans.routes.ts'
import { returnRoutes } from '#features/collection/returns/returns.routes.ts'
import { roundRoutes } from '#features/collection/rounds/rounds.routes.ts'
import { workRoutes } from '#features/collection/work/work.routes.ts'
import { comparisonRoutes } from '#features/comparison/comparison.routes.ts'
import { contactPage, contactRoutes } from '#features/contact/contact.routes.ts'
import { dashboardRoutes } from '#features/dashboard/dashboard.routes.ts'
import { editionFiles } from '#features/editions/editions.contract.ts'
import { editionRoutes } from '#features/editions/editions.routes.ts'
import { priceSummaryRoutes, summarise } from '#features/figures/summary/summary.routes.ts'
import { followRoutes } from '#features/follows/follows.routes.ts'
import { importRoutes } from '#features/imports/imports.routes.ts'
import { productTemplateRoutes } from '#features/imports/products/template.routes.ts'
import { inflationRoutes } from '#features/inflation/inflation.routes.ts'
import { publishedFigureRoutes } from '#features/inflation/published/published.routes.ts'
import { typeWeightRoutes } from '#features/inflation/weights/weights.routes.ts'
import { journalRoutes } from '#features/journal/journal.routes.ts'
import { keyRoutes } from '#features/keys/keys.routes.ts'
import { serveIndexFiles } from '#features/landing/index-files.routes.ts'
import { landingPages } from '#features/landing/landing.routes.ts'
import { createOverview, overviewRoutes } from '#features/landing/overview.routes.ts'
import { priceMapRoutes } from '#features/map/map.routes.ts'
import { mappingRoutes } from '#features/mappings/mappings.routes.ts'
import { marketRoutes } from '#features/markets/markets.routes.ts'
import { planRoutes } from '#features/plans/plans.routes.ts'
import { priceCheckRoutes } from '#features/prices/check/check.routes.ts'
import { priceExportRoutes } from '#features/prices/exports/exports.routes.ts'
import { pricesInMarketRoutes } from '#features/prices/in-market/in-market.routes.ts'
import { latestPriceRoutes } from '#features/prices/latest/latest.routes.ts'
import type { PriceChange } from '#features/prices/live/live.contract.ts'
import { livePriceRoutes } from '#features/prices/live/live.routes.ts'
import { mergeChanges, priceChannel } from '#features/prices/live/live.rules.ts'
import { proofFiles } from '#features/prices/photos/photos.contract.ts'
import { pricePhotoRoutes } from '#features/prices/photos/photos.routes.ts'
import { priceRoutes } from '#features/prices/prices.routes.ts'
import { productTypeRoutes } from '#features/product-types/product-types.routes.ts'
import { productRoutes } from '#features/products/products.routes.ts'
import {
  publicProductPages,
  publicProductPaths,
  publicSearchRoutes,
  searchPage,
} from '#features/public-prices/public-prices.routes.ts'
import { rateRoutes } from '#features/rates/rates.routes.ts'
import { referencePages, referencePaths } from '#features/reference/reference.routes.ts'
import { apiWords } from '#features/reference/words/words.rules.ts'
import { openReportFiles } from '#features/report/kept/kept.jobs.ts'
import { madeReportRoutes } from '#features/report/made/made.routes.ts'
import { reportFiles } from '#features/report/report.contract.ts'
import { reportRoutes } from '#features/report/report.routes.ts'
import { issuePage } from '#features/reports/issues/issues.routes.ts'
import { reportRoutesOfUsers } from '#features/reports/reports.routes.ts'
import { receptionPage } from '#features/reports/sending/recipients.routes.ts'
import { sharedPageReader } from '#features/reports/shared/shared-pages.routes.ts'
import { reviewRoutes } from '#features/reviews/reviews.routes.ts'
import { savedViewRoutes } from '#features/saved-views/saved-views.routes.ts'
import { seriesRoutes } from '#features/series/series.routes.ts'
import { sharedPages, shareRoutes } from '#features/shares/shares.routes.ts'
import { statisticsRoutes } from '#features/statistics/statistics.routes.ts'
import { accessFacts, mayReadNow } from '#features/subscriptions/access.sql.ts'
import { changeRoutes } from '#features/subscriptions/changes/changes.routes.ts'
import { seatRoutes } from '#features/subscriptions/seats/seats.routes.ts'
import { subscriptionRoutes } from '#features/subscriptions/subscriptions.routes.ts'
import { accessRefusal, callLimits } from '#features/subscriptions/subscriptions.rules.ts'
import { type SystemMeasures, systemMeasureNames, systemMeasures } from '#features/system/system.contract.ts'
import { measure, systemRoutes } from '#features/system/system.routes.ts'
import { agentRoutes } from '#features/users/agents/agents.routes.ts'
import { credentialRoutes } from '#features/users/credentials/credentials.routes.ts'
import { permissionRoutes } from '#features/users/permissions/permissions.routes.ts'
import { roleRoutes } from '#features/users/roles/roles.routes.ts'
import { userRoutes } from '#features/users/users.routes.ts'
import { webhookRoutes } from '#features/webhooks/webhooks.routes.ts'
import { importers } from '#main/importers.ts'
import { moneyPages, moneyRoutes, moneyWebhooks, type Payments } from '#main/money.ts'
import { siteMap } from '#main/site-map.ts'
import { openStreams } from '#main/streams.ts'
import { listen } from '#server/db/listener.ts'
import { notify } from '#server/db/notify.ts'
import { clientConfig, type Db, type PoolOptions } from '#server/db/pool.ts'
import type { Replica } from '#server/db/replica.ts'
import { createExports } from '#server/exports.ts'
import { createFeed } from '#server/feed.ts'
import { type FilePlace, openFiles, openPictures } from '#server/files/place.ts'
import { createHttp } from '#server/http/app.ts'
import { createApi } from '#server/http/endpoint.ts'
import { apiRootRoute, healthRoute, readyRoute } from '#server/http/health.ts'
import { refuseOtherMethods } from '#server/http/methods.ts'
import { type Admission, createAdmission } from '#server/http/overload.ts'
import { serveFormPages } from '#server/http/pages.ts'
import { createRendering } from '#server/http/rendering.ts'
import { readOnReplica } from '#server/http/replica-reads.ts'
import { serveSharedPages } from '#server/http/shared-pages.ts'
import { serveSite } from '#server/http/static.ts'
import { serveUploads } from '#server/http/uploads.ts'
import { createWebhooks } from '#server/http/webhooks.ts'
import type { Log } from '#server/log.ts'
import type { Metrics } from '#server/metrics.ts'
import { createQuotas } from '#server/session/quotas.ts'
import { createSessions } from '#server/session/sessions.ts'
import type { PageViews } from '#server/views.ts'
import type { ApiDocument } from '#shared/api-document.ts'
import { dayInKinshasa } from '#shared/days.ts'
import { type Site, unknownSite } from '#shared/site.ts'

export type AppOptions = {
  db: Db
  connection: PoolOptions['connection']
  /** Read replica, used when it is up to date enough for the request; none when absent. */
  replica?: Replica | null
  /** Folder where uploads are stored. */
  dataDir: string
  /** S3 server that stores uploads instead of `dataDir`; none when absent. */
  s3?: FilePlace['s3']
  /** Null when not configured: the address in the browser's request is then used as the public address. */
  publicUrl: string | null
  trustedProxies: number
  /** Whether administrators must turn on a second factor before they administer. */
  demandsSecondFactor?: boolean
  /** Null or absent when sign-in with Google is not configured. */
  google?: Google | null
  log: Log
  views: PageViews
  /** Null or absent when payments are not configured. */
  payments?: Payments
  /** Couriers of messages other than mail; none when absent. */
  couriers?: readonly Courier[] | undefined
  /** Address of the page that shows simulated messages. */
  simulator?: string | null | undefined
  /** Limits of concurrent work; the default limits when absent. */
  admission?: Admission
  /**
   * Address that receives visitors' messages and mails about payments that need a decision; a local address when
   * absent.
   */
  contactTo?: string
  /** Number of the migration that this program requires; none when absent. */
  migration?: number
  /** Returns how many requests wait for a database connection; not reported when absent. */
  poolWaiting?: () => number
  /** Metrics for monitoring programs. */
  metrics?: Metrics | null
  /** Operator of the site, shown on public pages. */
  site?: Site
  /** Current time for access, subscriptions, payments and figures; the machine's clock when absent. */
  clock?: (() => Date) | undefined
}

/** Opens the storage of files to import, shared by the processes that receive and read them. */
export function importFiles(place: FilePlace) {
  return openFiles(place, imported)
}

const imported = 'imports'
/** Every name under which a storage place holds files. */
export const storedNames = ['uploads', proofFiles, imported, editionFiles, reportFiles]

/**
 * Builds the whole HTTP application on a migrated database, not yet listening. Closing it does not close the database.
 */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { db, connection, dataDir, publicUrl, trustedProxies, log, views } = options
  const { google = null, couriers = [], simulator = null, replica = null } = options
  const { contactTo = 'ntalo@localhost', site = unknownSite } = options
  // Used for prices and the catalogue; accounts, rights and payments are always read from the primary.
  const reads = replica?.db ?? db
  const { payments = null, admission = createAdmission(), clock = () => new Date() } = options
  // The time zone of most markets.
  const today = () => dayInKinshasa(clock())
  const demandsSecondFactor = (permissions: readonly string[]) =>
    options.demandsSecondFactor === true && isAdministering(permissions)
  const listener = listen(clientConfig(connection))
  const sessions = createSessions({
    db,
    listener,
    access: { facts: accessFacts, refusal: accessRefusal, limits: callLimits },
    demandsSecondFactor,
    clock,
    inTurn: admission.everyday.run,
  })
  const callerOf = recogniser(sessions)
  const http = await createHttp({
    log,
    publicUrl,
    trustedProxies,
    admission,
    callerOf,
    words: apiWords,
    lists: ['/api/prices', '/api/exchange-rates', '/api/markets'],
  })
  const closeAddresses = refuseOtherMethods(http)
  const priceFeed = createFeed<PriceChange>({
    listener,
    channel: priceChannel,
    send: (payload) => notify(db, priceChannel, payload),
    merge: mergeChanges,
    log,
  })
  http.addHook('onReady', () => listener.firstAttempt)
  http.addHook('onClose', async () => {
    await priceFeed.close()
    await listener.close()
  })
  const authenticate = authenticator(sessions)
  const isHttps = publicUrl?.startsWith('https:') ?? false
  if (replica) readOnReplica(http, replica, isHttps)
  const entrance = createEntrance(db, sessions, { isHttps, demandsSecondFactor })
  const quotas = createQuotas(db, { log, inTurn: admission.everyday.run })
  http.addHook('onClose', quotas.close)
  const api = createApi(http, { authenticate, admission, quotas })
  const place: FilePlace = { dataDir, s3: options.s3 ?? null }
  const storage = openPictures(place)
  const proofs = openPictures(place, proofFiles)
  const { downloads, readers, uploads } = openStreams(http)
  const exports = createExports(() => replica?.connection() ?? connection, downloads)

  healthRoute(api, db)
  readyRoute(api, db, { dataDir, migration: options.migration ?? 0 })
  apiRootRoute(api, publicUrl, clock)
  authRoutes(api, db, sessions, entrance)
  googleRoutes(api, db, { google, sessions, entrance, publicUrl, log })
  registrationRoutes(api, db)
  resetRoutes(api, db, sessions)
  brandRoutes(api, reads, exports)
  categoryRoutes(api, reads, exports)
  productTypeRoutes(api, reads, exports)
  productRoutes(api, reads, storage, exports)
  productTemplateRoutes(api)
  marketRoutes(api, reads, exports)
  rateRoutes(api, reads, exports)
  priceRoutes(api, reads, priceFeed.publish)
  livePriceRoutes(api, { feed: priceFeed, readers, authenticate, sessions, positionNow: replica?.position })
  priceCheckRoutes(api, reads)
  deviceRoutes(api, db, sessions)
  marketListRoutes(api, db)
  availabilityRoutes(api, reads)
  roundRoutes(api, db)
  returnRoutes(api, db)
  workRoutes(api, db)
  planRoutesOfVisits(api, db)
  foundRoutes(api, exports)
  entryRoutes(api, db, priceFeed.publish)
  photoRoutes(api, db, proofs)
  pricePhotoRoutes(api, reads, proofs)
  reviewRoutes(api, db, { exports, today, tell: priceFeed.publish })
  priceExportRoutes(api, exports, today)
  priceSummaryRoutes(api, reads, today)
  statisticsRoutes(api, reads, { summarise, today })
  dashboardRoutes(api, reads, { summarise, today })
  madeReportRoutes(api, db, { files: openReportFiles(place), today, publicUrl })
  reportRoutes(api, reads, { summarise, today, viewsBundle: views.bundle, publicUrl })
  priceMapRoutes(api, reads, today)
  pricesInMarketRoutes(api, reads)
  latestPriceRoutes(api, reads)
  const overview = createOverview(reads, { today, log })
  overviewRoutes(api, overview)
  inflationRoutes(api, reads, today)
  comparisonRoutes(api, reads, today)
  savedViewRoutes(api, reads)
  followRoutes(api, reads, today)
  alertRoutes(api, db, { today, served: couriers.map(({ channel }) => channel) })
  channelRoutes(api, db, { couriers, clock, simulator })
  seriesRoutes(api, reads, today)
  const readPage = sharedPageReader({ summarise, today, publicUrl })
  const mayRead = (from: Db, userId: number) => mayReadNow(from, userId, clock())
  const sharing = { summarise, readPage, mayRead, today, clock, publicUrl }
  shareRoutes(api, reads, sharing)
  reportRoutesOfUsers(api, db, { ...sharing, files: openReportFiles(place) })
  publicSearchRoutes(api, reads)
  keyRoutes(api, db, { quotas, sessions })
  webhookRoutes(api, db, clock)
  editionRoutes(api, reads, { files: openFiles(place, editionFiles), downloads, today, publicUrl })
  typeWeightRoutes(api, reads, exports)
  publishedFigureRoutes(api, reads, exports, today)
  contactRoutes(api, db, exports, contactTo)
  planRoutes(api, reads, exports)
  subscriptionRoutes(api, db, exports, clock)
  changeRoutes(api, db, clock)
  seatRoutes(api, db, clock)
  moneyRoutes(api, db, { payments, exports, bundle: views.bundle, clock, publicUrl })
  mappingRoutes(api, db)
  importRoutes(api, db, importFiles(place), importers, { uploads, downloads })
  userRoutes(api, db, exports, sessions)
  credentialRoutes(api, db, sessions, entrance.deviceOf)
  accountRoutes(api, db, storage, sessions, entrance.identityOf, clock)
  ownDataRoutes(api, db, exports)
  notificationRoutes(api, db)
  secondFactorRoutes(api, db, sessions)
  journalRoutes(api, db, exports)
  const own = async () => ({
    pool_waiting: options.poolWaiting?.() ?? null,
    disk_free_bytes: await statfs(dataDir).then(
      ({ bavail, bsize }) => bavail * bsize,
      () => null,
    ),
    feed_connected: Number(listener.isConnected()),
    // The lag is 0 without a replica.
    replica_late_seconds: replica ? replica.lagSeconds() : 0,
  })
  const measured = (): Promise<SystemMeasures> => measure(db, own)
  systemRoutes(api, { measured, clock })
  options.metrics?.countRequests(http)
  const titles = systemMeasureNames.map((name) => [name, systemMeasures[name].title])
  options.metrics?.measure(Object.fromEntries(titles), measured)
  roleRoutes(api, db, exports, sessions)
  permissionRoutes(api, db, exports, sessions)
  agentRoutes(api, db, exports, sessions)

  const webhooks = createWebhooks(http, publicUrl)
  channelNewsRoutes(webhooks, { db, couriers, publicUrl, clock })
  moneyWebhooks(webhooks, { db, team: contactTo }, { payments, clock })

  closeAddresses()
  serveUploads(http, storage)
  const rendering = createRendering(views, publicUrl)
  const framed = async () => ({ site, isDemonstration: (await overview()).isDemonstration })
  const document = () => http.swagger() as ApiDocument
  serveSharedPages(
    http,
    rendering,
    [
      ...landingPages(reads, overview, site),
      ...publicProductPages(reads, { framed, today }),
      ...referencePages(db, document, framed),
    ],
    log,
  )
  serveFormPages(http, rendering, [
    ...authPages(entrance, { hasGoogle: google !== null }),
    ...googlePages({ hasGoogle: google !== null }),
    contactPage(framed),
    ...moneyPages(db, { payments, clock, publicUrl, framed }),
    ...unsubscribePages(db),
    receptionPage(db),
    issuePage(reads, framed),
    searchPage(reads, framed),
    ...sharedPages(http, reads, { ...sharing, framed }),
  ])
  const productPaths = publicProductPaths(reads, log)
  serveIndexFiles(http, rendering, overview, async () => [
    ...referencePaths(document()),
    ...(await productPaths()),
  ])
  await serveSite(http, {
    views,
    rendering,
    missing: async (previousUrl) => ({ view: 'not-found', props: { ...(await framed()), previousUrl } }),
    programPaths: siteMap.map(({ path }) => path.replaceAll('$', ':')),
    mayHaveSession,
    signInPath: (wanted) => `/auth/login?${new URLSearchParams({ redirectUrl: wanted })}`,
  })
  return http
}
