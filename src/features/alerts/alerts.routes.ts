import { alerts } from '#features/alerts/alerts.contract.ts'
import {
  type AlertChannel,
  daysReplayed,
  impossibleThresholdWords,
  isPossibleThreshold,
  mostRules,
} from '#features/alerts/alerts.rules.ts'
import {
  countRules,
  countUnread,
  insertRule,
  listEvents,
  listEventsAfter,
  listRules,
  markRead,
  updateRule,
} from '#features/alerts/alerts.sql.ts'
import {
  type Condition,
  dayMeans,
  daysBefore,
  judge,
  nearbyThresholds,
} from '#features/alerts/judging/judging.rules.ts'
import { deleteStates, insertStates, readJudgedSeries } from '#features/alerts/judging/judging.sql.ts'
import { type Channel, channelLabels } from '#features/channels/channels.rules.ts'
import { listAddresses } from '#features/channels/channels.sql.ts'
import { insertAudit } from '#server/audit.sql.ts'
import { ownId, readPageAfter } from '#server/db/changes.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, invalidField } from '#server/errors.ts'
import { type Api, signedIn } from '#server/http/endpoint.ts'
import { authorOf, changeRow, createRow, deleteUnlessUsed } from '#server/writes.ts'
import { paginate } from '#shared/contract.ts'
import { addDays, instantOf } from '#shared/days.ts'
import { type Noun, succeeded } from '#shared/resource.ts'

const noun: Noun = { one: 'Alerte', many: 'alertes', gender: 'f' }
/** Number of days of the preview. */
const previewed = 365

type Dependencies = {
  today: () => string
  /** Channels with a configured provider. */
  served: readonly Channel[]
}

export function alertRoutes(api: Api, db: Db, { today, served }: Dependencies): void {
  // Restricted to one user: alerts of others do not exist here.
  const entityOf = (userId: number) => ({
    name: 'alerts',
    noun,
    table: 'alert_rule',
    versioned: 'updatedAt',
    find: async (from: Db, id: number) => (await listRules(from, userId, id))[0],
    constraints: {
      alert_rule_product_fkey: { field: 'productId', message: 'Ce produit n’existe pas.' },
      alert_rule_market_fkey: { field: 'marketId', message: 'Ce marché n’existe pas.' },
    },
  })
  /** @throws AppError 400 for a channel without provider, or whose address the user has not confirmed */
  const assertChannels = async (tx: Db, userId: number, asked: readonly AlertChannel[]) => {
    const beside = asked.filter((each) => each !== 'mail')
    if (beside.length === 0) return
    const own = await listAddresses(tx, userId)
    for (const channel of beside) {
      const label = channelLabels[channel]
      if (!served.includes(channel)) throw invalidField('channels', `${label} n’est pas encore proposé.`)
      const address = own.find((each) => each.channel === channel)
      if (!address?.confirmedAt || address.stoppedBecause)
        throw invalidField('channels', `Confirmez d’abord ${label} dans vos paramètres.`)
    }
  }
  /** Stores whether a rule rings now, without an event: its owner has just seen its state. */
  const settle = async (
    tx: Db,
    rule: { id: number; productId: number; marketId: number | null } & Condition,
  ) => {
    const series = await readJudgedSeries(tx, { ...rule, today: today(), days: daysReplayed })
    await insertStates(
      tx,
      rule.id,
      series.map(({ market, quotes }) => ({
        marketId: market.id,
        isRinging: judge(rule, quotes, today()).isRinging,
      })),
    )
  }

  api.on(alerts.list, async ({ actor }) => {
    const { userId } = signedIn(actor)
    return { data: await listRules(db, userId), unread: await countUnread(db, userId) }
  })

  api.on(alerts.create, async (call) => {
    const { userId } = signedIn(call.actor)
    const { marketId = null, threshold = 1, ...body } = call.body
    const made = await createRow(db, entityOf(userId), call, async (tx) => {
      if ((await countRules(tx, userId)) >= mostRules) {
        throw new AppError(
          'conflict',
          `Vous avez déjà ${mostRules} alertes\u00a0: supprimez-en une pour en créer une autre.`,
        )
      }
      await assertChannels(tx, userId, body.channels)
      const rule = { ...body, marketId, threshold }
      const id = await insertRule(tx, userId, rule)
      await settle(tx, { ...rule, id })
      return id
    })
    return { ...made, message: succeeded(noun, 'créé') }
  })

  api.on(alerts.update, async (call) => {
    const { id } = call.params
    const { userId } = signedIn(call.actor)
    const { after } = await changeRow(db, entityOf(userId), call, async (tx, before) => {
      const { threshold, channels = [], mutedUntil } = call.body
      if (!isPossibleThreshold({ ...before, threshold }))
        throw invalidField('threshold', impossibleThresholdWords(before))
      // Only added channels are checked: those the rule has may stay, even if their address is no longer valid.
      await assertChannels(
        tx,
        userId,
        channels.filter((each) => !before.channels.includes(each)),
      )
      await updateRule(tx, id, { ...call.body, mutedUntil: mutedUntil && instantOf(mutedUntil) })
      if (threshold === undefined || threshold === before.threshold) return
      await deleteStates(tx, id)
      await settle(tx, { ...before, threshold })
    })
    return { ...after, message: succeeded(noun, 'mis à jour') }
  })

  api.on(alerts.remove, async (call) => {
    await deleteUnlessUsed(db, entityOf(signedIn(call.actor).userId), call)
    return { message: succeeded(noun, 'supprimé') }
  })

  api.on(alerts.preview, async ({ body }) => {
    const { productId, marketId = null, threshold = 1 } = body
    const day = today()
    const from = addDays(day, 1 - previewed)
    const days = previewed + daysBefore({ ...body, threshold })
    const series = await readJudgedSeries(db, { productId, marketId, today: day, days })
    const judgedAt = (at: number) =>
      series.map(({ quotes }) => judge({ ...body, threshold: at }, quotes, day))
    const isShown = (ring: { day: string }) => ring.day >= from && ring.day <= day
    const judged = judgedAt(threshold)
    const rings = judged
      .flatMap((each, i) =>
        each.rings.map(({ day: rang, quote }) => ({
          day: rang,
          marketId: series[i]?.market.id ?? 0,
          price: quote.cdf,
        })),
      )
      .filter(isShown)
      .toSorted((a, b) => a.day.localeCompare(b.day))
    return {
      others: nearbyThresholds({ ...body, threshold }).map((at) => ({
        threshold: at,
        count: judgedAt(at).reduce((sum, each) => sum + each.rings.filter(isShown).length, 0),
      })),
      points: marketId === null ? [] : dayMeans(series[0]?.quotes ?? []).filter(({ date }) => date >= from),
      count: rings.length,
      dates: rings.map((ring) => ring.day),
      isRinging: judged.some((each) => each.isRinging),
      rings: rings.slice(-200),
    }
  })

  api.on(alerts.events, async ({ actor, query }) => {
    const { userId } = signedIn(actor)
    const { cursor, limit } = query
    if (cursor !== undefined) {
      return readPageAfter({ cursor, limit }, (id, most) => listEventsAfter(db, userId, { id, most }), ownId)
    }
    const { rows, total } = await listEvents(db, userId, query)
    return { data: rows, pagination: paginate(query, total) }
  })

  api.on(alerts.unread, async ({ actor }) => ({ unread: await countUnread(db, signedIn(actor).userId) }))

  api.on(alerts.read, async (call) => {
    const { userId } = signedIn(call.actor)
    const unread = await inTransaction(db, async (tx) => {
      const count = await markRead(tx, userId, call.body.ids)
      await insertAudit(tx, authorOf(call), { action: 'read', entity: 'alerts', after: { count } })
      return countUnread(tx, userId)
    })
    return { unread, message: 'Alertes marquées comme lues' }
  })
}
