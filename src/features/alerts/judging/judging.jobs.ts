import {
  coolDownHours,
  daysReplayed,
  freshDays,
  sentenceOf,
  shortSentenceOf,
} from '#features/alerts/alerts.rules.ts'
import { judge } from '#features/alerts/judging/judging.rules.ts'
import {
  insertDue,
  insertEvent,
  insertSilent,
  type JudgedRule,
  type JudgedSeries,
  lockCursor,
  lockRules,
  readJudgedSeries,
  storeCursor,
  storeState,
  takeDue,
} from '#features/alerts/judging/judging.sql.ts'
import { recordMessage } from '#features/webhooks/webhooks.sql.ts'
import { readChanges } from '#server/db/changes.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError } from '#server/errors.ts'
import { addDays, dayInKinshasa, hourMs } from '#shared/days.ts'

/** Number of changes read, and of series judged, in one transaction. */
const together = { changes: 5_000, series: 50 }

/** Reads the prices written since the last run, judges the rules on them, and records an event for each that rings. */
export async function judgeAlerts(db: Db, at: Date, signal?: AbortSignal): Promise<void> {
  const today = dayInKinshasa(at)
  for (let hasMore = true; hasMore && !signal?.aborted; ) hasMore = await collectDue(db, today, at)
  for (let judged = 1; judged > 0 && !signal?.aborted; ) judged = await judgeSome(db, today, at)
}

/** @returns whether unread changes remain */
async function collectDue(db: Db, today: string, at: Date): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const reading = await lockCursor(tx)
    if (!reading) return false
    const read = (from: { updatedSince: string } | { cursor: string }) =>
      readChanges(tx, 'price', { ...from, limit: together.changes }, async (ids) => {
        await insertDue(tx, ids, today)
        return []
      })
    const from = reading.cursor === null ? { updatedSince: at.toISOString() } : { cursor: reading.cursor }
    const { cursor, hasMore } = await read(from).catch((error: unknown) => {
      if (!(error instanceof AppError && error.code === 'cursor_expired')) throw error
      // The cursor is months old: older prices ring no alert.
      return read({ updatedSince: addDays(today, -freshDays) })
    })
    await storeCursor(tx, cursor)
    if (reading.silencesOn !== today) await insertSilent(tx, today)
    return hasMore
  })
}

/** @returns the number of series judged */
async function judgeSome(db: Db, today: string, at: Date): Promise<number> {
  return inTransaction(db, async (tx) => {
    const due = await takeDue(tx, together.series)
    for (const key of due) {
      const rules = await lockRules(tx, key)
      if (rules.length === 0) continue
      const read = await readJudgedSeries(tx, { ...key, today, days: daysReplayed })
      for (const series of read) for (const rule of rules) await judgeRule(tx, rule, series, { today, at })
      // A series without prices rings no alert.
      if (read.length > 0) continue
      for (const { id: ruleId, wasRinging } of rules) {
        if (wasRinging) await storeState(tx, { ruleId, ...key, isRinging: false, hasRung: false, at })
      }
    }
    return due.length
  })
}

/** Records an event if the condition of a rule has become true since the last judgement, by recent quotes. */
async function judgeRule(
  tx: Db,
  rule: JudgedRule,
  series: JudgedSeries,
  { today, at }: { today: string; at: Date },
): Promise<void> {
  const { rings, isRinging } = judge(rule, series.quotes, today)
  const ring = rings.at(-1)
  const isNew =
    isRinging && rule.wasRinging !== true && ring !== undefined && isOfTheseDays(rule, ring.day, today)
  const isCool = rule.rangAt === null || at.getTime() - Date.parse(rule.rangAt) > coolDownHours * hourMs
  const hasRung = isNew && isCool && !rule.isMuted
  const [ruleId, marketId] = [rule.id, series.market.id]
  // If the condition came true while the rule was muted or cooling down, it rings the next time it comes true.
  if (isRinging !== (rule.wasRinging ?? false) || hasRung)
    await storeState(tx, { ruleId, marketId, isRinging, hasRung, at })
  if (!hasRung) return
  const sentence = sentenceOf(rule, ring, series)
  const { userId } = rule
  const figures = { price: ring.quote.cdf, day: ring.day, quotes: ring.quotes }
  await insertEvent(tx, {
    userId,
    ruleId,
    productId: series.product.id,
    marketId,
    sentence,
    ...figures,
    short: shortSentenceOf(rule, ring, series),
    channels: rule.channels,
  })
  const { product, market } = series
  await recordMessage(tx, {
    event: 'alert.fired',
    userId,
    data: { ruleId, kind: rule.kind, threshold: rule.threshold, product, market, sentence, ...figures },
  })
}

function isOfTheseDays({ kind }: JudgedRule, day: string, today: string): boolean {
  return kind === 'silence' || day > addDays(today, -freshDays)
}
