import { reviewEdited } from '#features/prices/doubt/doubt.sql.ts'
import { largestOffset, listPrices, readAmong } from '#features/prices/listing/listing.sql.ts'
import type { PriceChange } from '#features/prices/live/live.contract.ts'
import { priceWritten } from '#features/prices/live/live.rules.ts'
import { priceNoun, prices } from '#features/prices/prices.contract.ts'
import { mayEditPrice } from '#features/prices/prices.rules.ts'
import {
  type Collection,
  findPrice,
  insertPrices,
  listCollectors,
  locateCollection,
  type NewPrice,
  type PriceRow,
  updatePrice,
  type Written,
} from '#features/prices/prices.sql.ts'
import { inBatches } from '#server/batches.ts'
import { asksForChanges, readChanges } from '#server/db/changes.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction, retryConflicts } from '#server/db/transaction.ts'
import { AppError, invalidField } from '#server/errors.ts'
import { type Actor, may } from '#server/http/actor.ts'
import { type Api, signedIn } from '#server/http/endpoint.ts'
import { withIdempotencyKey } from '#server/idempotency.ts'
import {
  authorOf,
  changeRow,
  deleteUnlessUsed,
  type Entity,
  explainConstraints,
  getRow,
} from '#server/writes.ts'
import { paginate } from '#shared/contract.ts'
import { hourMs } from '#shared/days.ts'
import { succeeded } from '#shared/resource.ts'

const noProduct = 'Ce produit n’existe pas.'
const noMarket = 'Ce marché n’existe pas.'
const entity: Entity<PriceRow> = {
  name: 'prices',
  noun: priceNoun,
  table: 'price',
  versioned: 'updatedAt',
  find: findPrice,
  constraints: {
    price_product_fkey: { field: 'productId', message: noProduct },
    price_market_fkey: { field: 'marketId', message: noMarket },
  },
}

/**
 * Registers the routes of prices.
 * @param tell called with each change once it is committed
 */
export function priceRoutes(api: Api, db: Db, tell: (change: PriceChange) => void): void {
  const insert = inBatches(
    (entries: readonly NewPrice[]) => retryConflicts(() => insertPrices(db, entries)),
    {
      works: 4,
      items: 64,
      patienceMs: 2,
    },
  )

  api.on(prices.list, async ({ query, actor }) => {
    if (asksForChanges(query)) {
      const changes = await readChanges(db, entity.table, query, (ids) => readAmong(db, query, ids))
      return { ...changes, data: changes.data.map((row) => shownTo(actor, row)) }
    }
    const { rows, total, isEstimate } = await listPrices(db, query)
    const data = rows.map((row) => shownTo(actor, row))
    if (!isEstimate) return { data, pagination: paginate(query, total) }
    const { pages } = paginate(query, Math.min(total, largestOffset))
    return { data, pagination: { ...paginate(query, total), pages, isEstimate } }
  })

  api.on(prices.collectors, async ({ actor, query }) => ({
    data: await listCollectors(db, signedIn(actor).userId, query.search),
  }))

  api.on(prices.find, async ({ params, actor }) => shownTo(actor, await getRow(db, entity, params.id)))

  api.on(prices.create, async (call) => {
    const { collectedAt, collected_at, createdAt, created_at, ...input } = call.body
    const price = { ...input, currency: input.currency ?? 'CDF', source: input.source ?? null }
    const when = collectedAt ?? collected_at ?? createdAt ?? created_at ?? null
    const entry = { ...price, when, author: authorOf(call) }
    let isNew = true
    const created = await explainConstraints(entity.constraints, async () => {
      if (call.request.headers['idempotency-key'] === undefined) return accepted(await insert(entry))
      // Not batched, because its idempotency key is stored in the same transaction.
      isNew = false
      return inTransaction(db, (tx) =>
        withIdempotencyKey(tx, call, async () => {
          isNew = true
          const [written] = await insertPrices(tx, [entry])
          return accepted(written)
        }),
      )
    })
    if (isNew) tell(priceWritten('added', created))
    return { ...shownTo(call.actor, created), message: succeeded(priceNoun, 'créé') }
  })

  api.on(prices.update, async (call) => {
    const { before, after } = await changeRow(db, entity, call, async (tx, before) => {
      const { updatedAt, updated_at, collectedAt, collected_at, ...changes } = call.body
      refuseForeign(call.actor, before)
      const when = collectedAt ?? collected_at ?? before.collectedAt
      const marketId = changes.marketId ?? before.marketId
      const isUnchanged = Date.parse(when) === Date.parse(before.collectedAt)
      const found = await locate(tx, marketId, when)
      const isAnotherDay = isUnchanged && found.observedOn !== before.observedOn
      const collection = isAnotherDay ? await locate(tx, marketId, onTheSameDay(before, found)) : found
      await updatePrice(tx, before.id, changes, collection)
      await reviewEdited(tx, before, (await findPrice(tx, before.id)) ?? before, {
        userId: signedIn(call.actor).userId,
        mayDecide: may(call.actor, 'prices.write'),
      })
    })
    tell(priceWritten('changed', before, after))
    return { ...shownTo(call.actor, after), message: succeeded(priceNoun, 'mis à jour') }
  })

  api.on(prices.remove, async (call) => {
    const { before } = await deleteUnlessUsed(db, entity, call)
    tell(priceWritten('removed', before))
    return { message: succeeded(priceNoun, 'supprimé') }
  })
}

function accepted(written: Written | undefined): PriceRow {
  if (written === undefined || written === 'no market') throw noSuchMarket()
  if (written === 'no product') throw invalidField('productId', noProduct)
  if (written === 'future') throw tooEarly()
  return written
}

function shownTo(actor: Actor | null, { writtenBy, ...row }: PriceRow) {
  return { ...row, canEdit: mayEditPrice(signedIn(actor), { ...row, writtenBy }, new Date()) }
}

function refuseForeign(actor: Actor | null, row: PriceRow): void {
  if (mayEditPrice(signedIn(actor), row, new Date())) return
  throw new AppError(
    'forbidden',
    'Vous ne pouvez modifier que les prix que vous avez saisis vous-même, pendant 48 heures.',
  )
}

async function locate(tx: Db, marketId: number, when: string | null): Promise<Collection> {
  const collection = await locateCollection(tx, marketId, when)
  if (!collection) throw noSuchMarket()
  if (collection.isFuture) throw tooEarly()
  return collection
}

// When the market of a price changes to one in the other zone, an hour away, the price keeps its day and local time.
function onTheSameDay(before: PriceRow, found: Collection): string {
  const shiftMs = found.observedOn > before.observedOn ? -hourMs : hourMs
  return new Date(Date.parse(before.collectedAt) + shiftMs).toISOString()
}

function noSuchMarket(): AppError {
  return invalidField('marketId', noMarket)
}

function tooEarly(): AppError {
  return invalidField('collectedAt', 'La date de collecte est dans le futur.')
}
